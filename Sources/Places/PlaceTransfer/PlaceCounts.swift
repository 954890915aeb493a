import Encodings
import GeoDocuments
package import KeptPlaces

/// The counts of an import or a merge of places, in the words that the terminal, the API and the
/// page share.
///
/// Each place of a file is new, changed or kept. A place that differs is also counted as one of
/// these, and what is left out or not read is not a place.
package struct PlaceCounts: Sendable {
  /// The number of places in the file.
  package private(set) var read = 0
  /// The number of new places.
  package private(set) var new = 0
  /// The number of changed places, restored ones included.
  package private(set) var changed = 0
  /// The number of places that were already there, or were removed here and stay so.
  package private(set) var kept = 0
  /// The number of places of which the file says something else that was not taken.
  package private(set) var differs = 0
  /// The number of elements, parts and pictures that were left out.
  package private(set) var leftOut = 0
  /// The number of values of columns, properties and elements without a field.
  package private(set) var unread = 0

  /// Creates counts of zero.
  package init() {}

  /// Creates the counts of an import.
  package init(_ item: PlaceImport, _ outcome: PlaceImport.Outcome, _ photos: ArchivedPhotos) {
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
  package init(_ other: PlaceDocument, before: PlaceDocument, after: PlaceDocument) {
    for place in other.places {
      read += 1
      let (old, merged) = (before[place.id], after[place.id])
      if old == merged { kept += 1 } else if old == nil { new += 1 } else { changed += 1 }
    }
  }

  /// Adds the counts of another file.
  package mutating func add(_ other: PlaceCounts) {
    read += other.read
    new += other.new
    changed += other.changed
    kept += other.kept
    differs += other.differs
    leftOut += other.leftOut
    unread += other.unread
  }

  /// A sentence, such as `read 3 places: 1 new, 2 kept, 1 differs, 4 left out`.
  package var text: String {
    let counts = [
      (new, "new"), (changed, "changed"), (kept, "kept"),
      (differs, differs == 1 ? "differs" : "differ"),
      (leftOut, "left out"), (unread, unread == 1 ? "value not read" : "values not read"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let places = "\(read.grouped) place\(read == 1 ? "" : "s")"
    return "read \(places)" + (counts.isEmpty ? "" : ": " + counts.joined(separator: ", "))
  }
}
