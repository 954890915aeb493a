import Encodings
import GeoDocuments
import KeptPlaces
import PlaceTransfer

/// The last line of a command that takes places from a file: each place of the file is new, changed
/// or kept; what differs is also counted so, and what is left out is not a place.
struct PlaceCounts {
  private(set) var read = 0
  private(set) var new = 0
  private(set) var changed = 0
  private(set) var kept = 0
  private(set) var differs = 0
  private(set) var leftOut = 0
  /// The values of columns, properties and elements without a field.
  private(set) var unread = 0

  init() {}

  /// Creates the counts of an import.
  init(_ item: PlaceImport, _ outcome: PlaceImport.Outcome, _ photos: ArchivedPhotos) {
    (new, changed) = (outcome.added, outcome.changed)
    kept = outcome.unchanged + outcome.removed
    read = new + changed + kept
    differs = outcome.differing.count
    leftOut = photos.leftOutCount + outcome.futureTimes
    guard case .places(let file) = item.content else { return }
    leftOut += file.skipped.reduce(0) { $0 + $1.count }
    unread = file.unread.reduce(0) { $0 + $1.count }
  }

  /// Creates the counts of a merge, by the places before and after it.
  init(_ other: PlaceDocument, before: PlaceDocument, after: PlaceDocument) {
    for place in other.places {
      read += 1
      let (old, merged) = (before[place.id], after[place.id])
      if old == merged { kept += 1 } else if old == nil { new += 1 } else { changed += 1 }
    }
  }

  /// Adds the counts of another file.
  mutating func add(_ other: PlaceCounts) {
    read += other.read
    new += other.new
    changed += other.changed
    kept += other.kept
    differs += other.differs
    leftOut += other.leftOut
    unread += other.unread
  }

  /// The line, such as `read 3 places: 1 new, 2 kept, 1 differs, 4 left out`.
  var text: String {
    let counts = [
      (new, "new"), (changed, "changed"), (kept, "kept"), (differs, "differs"),
      (leftOut, "left out"), (unread, unread == 1 ? "value not read" : "values not read"),
    ].filter { $0.0 > 0 }.map { "\(Count.text($0.0)) \($0.1)" }
    let places = PlaceImportText.count(read, "place")
    return "read \(places)" + (counts.isEmpty ? "" : ": " + counts.joined(separator: ", "))
  }
}
