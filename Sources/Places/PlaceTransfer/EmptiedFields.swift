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
    let written = place.noteIDs(asOf: time)
    let notes = place.notes.filter { written.contains($0.id) }
    if isEmpty { return Set(notes.map(\.id)) }
    // Tables have no ids of notes: one with the same time is the same, or was edited.
    let ids = Set(record.notes.compactMap(\.id))
    var others = zip(record.notes, record.fields.notes).filter { $0.0.id == nil }.map(\.1)
    func isInFile(_ isSame: (PlaceNote) -> Bool) -> Bool {
      guard let index = others.firstIndex(where: isSame) else { return false }
      others.remove(at: index)
      return true
    }
    let missing = notes.filter { note in !ids.contains(note.id) }
      .filter { note in !isInFile { $0.time == note.time && $0.text == note.text } }
      .filter { note in !isInFile { $0.time == note.time } }
    return Set(missing.map(\.id))
  }

  /// Empties the fields of a place, too.
  func remove(from fields: inout PlaceFields) {
    if names.contains("name") { fields.name = "" }
    if names.contains("radius") { fields.alertRadiusMeters = nil }
    fields.notes.removeAll { noteIDs.contains($0.id) }
  }
}
