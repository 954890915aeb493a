package import CivilTime
package import GeoDocuments
package import KeptPlaces
import PhotoLibrary
import Spatial
import Storage
import SystemPackage

extension PlaceRecord {
  /// Creates a record of a kept place for export.
  package init(_ place: KeptPlace) {
    self.init(coordinate: place.coordinate)
    name = place.name
    kind = ["", OwnPlace.unnamedKind].contains(place.kind) ? nil : place.kind
    collections = place.collections
    alertRadiusMeters = place.alertRadiusMeters
    // The epoch represents a time that is not known from an imported file.
    let epoch = Instant(millisecondsSince1970: 0)
    created = place.createdTime == epoch ? nil : place.createdTime
    changed = place.changedTime == epoch ? nil : place.changedTime
    notes = place.notes.map { note in
      Note(text: note.text, time: note.time == epoch && created == nil ? nil : note.time)
    }
    photos = place.photos.map(\.bytes)
    ownID = place.id.description
  }

  /// Returns the id of the place that is created from the record.
  package func id(format: PlaceFormat) -> PlaceID {
    ownID.flatMap { PlaceID($0) } ?? PlaceID(hashing: key(format: format))
  }

  /// The time of the last change of the fields; the creation time if it is unknown.
  package var time: Instant? { changed ?? created }

  /// The fields of the place. A note without a time gets the time of the place, or else the epoch.
  package var fields: PlaceFields {
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

  /// Returns whether an existing place already has everything in the record, so that nothing needs
  /// to be written.
  func isHeld(by place: KeptPlace) -> Bool {
    let (fields, held) = (fields, place.fields)
    let offsets = [
      coordinate.latitude - place.coordinate.latitude,
      coordinate.longitude - place.coordinate.longitude,
    ]
    let heldNotes = Set(held.notes.map { "\($0.time.millisecondsSince1970) \($0.text)" })
    // Positions are stored to 1e-7°.
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
