import CivilTime
import GeoDocuments
import KeptPlaces

/// The fields of a place that were emptied in a file of this program: they have a value here that
/// was there when the file was written, and none in the file.
///
/// A file has one time for all of its fields. So a value may also have been given here while the
/// place was changed on another machine, which wrote the file; it is removed only on request.
struct EmptiedFields {
  /// The names of the fields, as in ``PlaceRecord/fieldsNotHeld(by:asStoredAt:)``.
  private(set) var names: [String] = []
  private var noteIDs: Set<String> = []

  /// Finds the fields of a known place that a record lacks; `nil` if there are none.
  init?(of record: PlaceRecord, since place: KeptPlace, now: Instant) {
    let time = record.time ?? now
    if record.emptyFields.contains(.name), place.isNamed(asOf: time) { names.append("name") }
    if record.emptyFields.contains(.radius), place.hasRadius(asOf: time) { names.append("radius") }
    noteIDs = Self.noteIDs(of: record, since: place, time)
    if !noteIDs.isEmpty { names.append("notes") }
    if names.isEmpty { return nil }
  }

  private static func noteIDs(
    of record: PlaceRecord, since place: KeptPlace, _ time: Instant
  ) -> Set<String> {
    let isEmpty = record.emptyFields.contains(.notes)
    guard isEmpty || record.hasAllNotes else { return [] }
    let ids = Set(record.notes.compactMap(\.id))
    // Tables have no ids of notes: a note with the same time is the same, or was edited.
    let times = Set(record.fields.notes.map(\.time))
    let written = place.noteIDs(asOf: time)
    let missing = place.notes.filter { note in
      written.contains(note.id)
        && (isEmpty || !ids.contains(note.id) && !times.contains(note.time))
    }
    return Set(missing.map(\.id))
  }

  /// Empties the fields of a place, too.
  func remove(from fields: inout PlaceFields) {
    if names.contains("name") { fields.name = "" }
    if names.contains("radius") { fields.alertRadiusMeters = nil }
    fields.notes.removeAll { noteIDs.contains($0.id) }
  }
}
