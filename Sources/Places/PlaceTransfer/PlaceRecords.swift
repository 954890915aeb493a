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
      let time = note.time == epoch && created == nil ? nil : note.time
      return Note(text: note.text, time: time, id: note.id)
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
      let time = note.time ?? created ?? Instant(millisecondsSince1970: 0)
      let named = note.id.flatMap { Self.isNoteID($0) ? $0 : nil }
      return named.map { PlaceNote(id: $0, time: time, text: note.text) }
        ?? PlaceNote(text: note.text, time: time)
    }
    fields.photos = photos.map { FilePath(bytes: $0) }
    fields.collections = collections
    return fields
  }

  /// Returns whether a text has the form of a note's id: letters and digits.
  private static func isNoteID(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Returns whether an existing place already has everything in the record, so that nothing needs
  /// to be written.
  func isHeld(by place: KeptPlace) -> Bool {
    !(hasAllCollections && lacksCollection(of: place)) && fieldsNotHeld(fields, by: place).isEmpty
  }

  /// Returns whether a place is in a collection that the record, which has all of them, lacks.
  func lacksCollection(of place: KeptPlace) -> Bool {
    !Set(collections).isSuperset(of: place.collections)
  }

  /// Returns the names of the fields for which the record has a value that an existing place does
  /// not have. Values are compared in the form in which they are stored: texts may be cut.
  ///
  /// - Throws: The error of a document that cannot store the record.
  func fieldsNotHeld(
    by place: KeptPlace, asStoredAt now: Instant
  ) throws(PlaceError) -> [String] {
    var document = PlaceDocument()
    _ = try document.upsert(fields, id: place.id, time: nil, now: now)
    return fieldsNotHeld(document[place.id]?.fields ?? fields, by: place)
  }

  private func fieldsNotHeld(_ fields: PlaceFields, by place: KeptPlace) -> [String] {
    let held = place.fields
    let offsets = [
      fields.coordinate.latitude - held.coordinate.latitude,
      fields.coordinate.longitude - held.coordinate.longitude,
    ]
    let heldNotes = Set(held.notes.map { "\($0.time.millisecondsSince1970) \($0.text)" })
    let hasNotes = fields.notes.allSatisfy {
      heldNotes.contains("\($0.time.millisecondsSince1970) \($0.text)")
    }
    let differences: [(field: String, differs: Bool)] = [
      // Positions are stored to 1e-7°.
      ("position", !offsets.allSatisfy { abs($0) < 1e-7 }),
      ("name", !fields.name.isEmpty && fields.name != held.name),
      ("kind", kind != nil && fields.kind != held.kind),
      ("radius", fields.alertRadiusMeters.map { $0 != held.alertRadiusMeters } ?? false),
      ("notes", !hasNotes), ("photos", !Set(held.photos).isSuperset(of: fields.photos)),
      ("collections", !Set(held.collections).isSuperset(of: fields.collections)),
    ]
    return differences.filter(\.differs).map(\.field)
  }
}
