import CivilTime
import KeptPlaces
import PhotoLibrary
import PlaceExchange
import Spatial
import Storage
import SystemPackage

extension PlaceRecord {
  /// A kept place as it goes into a file.
  init(_ place: KeptPlace) {
    self.init(coordinate: place.coordinate)
    name = place.name
    kind = ["", OwnPlace.unnamedKind].contains(place.kind) ? nil : place.kind
    collections = place.collections
    alertRadiusMeters = place.alertRadiusMeters
    // The epoch stands for a time that no file has told.
    let epoch = Instant(millisecondsSince1970: 0)
    created = place.createdTime == epoch ? nil : place.createdTime
    changed = place.changedTime == epoch ? nil : place.changedTime
    notes = place.notes.map { note in
      Note(text: note.text, time: note.time == epoch && created == nil ? nil : note.time)
    }
    photos = place.photos.map(\.bytes)
    ownID = place.id.description
  }

  /// The id of the place that the record becomes.
  func id(format: PlaceFormat) -> PlaceID {
    ownID.flatMap { PlaceID($0) } ?? PlaceID(hashing: key(format: format))
  }

  /// The time that the fields are of: that of the file, where it says one.
  var time: Instant? { changed ?? created }

  /// The fields of the place; a note without a time has that of the place, or else the epoch.
  var fields: PlaceFields {
    var fields = PlaceFields(coordinate: coordinate, name: name)
    if let kind { fields.kind = kind }
    fields.alertRadiusMeters = alertRadiusMeters
    fields.notes = notes.map { note in
      PlaceNote(
        text: note.text, time: note.time ?? created ?? Instant(millisecondsSince1970: 0))
    }
    fields.photos = photos.map { FilePath(bytes: $0) }
    fields.collections = collections
    return fields
  }

  /// Whether a place that is there has all that the record says, so that nothing is to be written.
  func isHeld(by place: KeptPlace) -> Bool {
    let (fields, held) = (fields, place.fields)
    let offsets = [
      coordinate.latitude - place.coordinate.latitude,
      coordinate.longitude - place.coordinate.longitude,
    ]
    let heldNotes = Set(held.notes.map { "\($0.time.millisecondsSince1970) \($0.text)" })
    // Positions are kept to 1e-7°.
    return offsets.allSatisfy { abs($0) < 1e-7 } && (name.isEmpty || name == held.name)
      && (kind == nil || kind == held.kind)
      && (alertRadiusMeters == nil || alertRadiusMeters == held.alertRadiusMeters)
      && fields.notes.allSatisfy {
        heldNotes.contains("\($0.time.millisecondsSince1970) \($0.text)")
      }
      && Set(held.photos).isSuperset(of: fields.photos)
      && Set(held.collections).isSuperset(of: collections)
  }
}
