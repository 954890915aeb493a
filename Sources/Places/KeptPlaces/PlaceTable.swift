import Synchronization

/// Places by id: the sorted places of a file, followed by those added later.
///
/// A hash table of all places would take as long to create as reading the file.
struct PlaceTable: Sendable {
  /// The places, each id once.
  private(set) var rows: [KeptPlace] = []
  /// A number that changes with the places: tables with the same revision hold the same places.
  /// Zero in a new table. Whether a table differs from its file is decided by this alone, so that
  /// no change can be forgotten.
  private(set) var revision = 0
  /// The revisions of all tables so far, each given to one state of one table.
  private static let revisions = Atomic(0)
  /// The number of leading rows that are sorted by id.
  private var sortedCount = 0
  /// The indices in `rows` of the other places, by id.
  private var others: [PlaceID: Int] = [:]

  init() {}

  mutating func reserveCapacity(_ count: Int) { rows.reserveCapacity(count) }

  /// Returns the index in ``rows`` of a place; `nil` where there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of places.
  func index(of id: PlaceID) -> Int? {
    guard let last = lastSortedID, id <= last else { return others.isEmpty ? nil : others[id] }
    var (low, high) = (0, sortedCount)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return rows[low].id == id ? low : others[id]
  }

  private var lastSortedID: PlaceID? { sortedCount > 0 ? rows[sortedCount - 1].id : nil }

  /// The place with an id.
  subscript(id: PlaceID) -> KeptPlace? { index(of: id).map { rows[$0] } }

  /// Changes a place in place; the id must not change.
  ///
  /// - Returns: Whether the place differs from what it was.
  @discardableResult
  mutating func change(at index: Int, _ body: (inout KeptPlace) -> Void) -> Bool {
    let before = rows[index]
    body(&rows[index])
    assert(rows[index].id == before.id)
    guard rows[index] != before else { return false }
    advance()
    return true
  }

  private mutating func advance() {
    revision = Self.revisions.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Adds a place.
  ///
  /// - Precondition: No place has its id.
  mutating func append(_ place: KeptPlace) {
    assert(index(of: place.id) == nil)
    if others.isEmpty, lastSortedID.map({ $0 < place.id }) ?? true {
      sortedCount += 1
    } else {
      others[place.id] = rows.count
    }
    rows.append(place)
    advance()
  }

  /// The indices of all rows, in the order of their ids.
  var order: [Int] {
    guard !others.isEmpty else { return Array(rows.indices) }
    return rows.indices.sorted { rows[$0].id < rows[$1].id }
  }
}

extension PlaceTable: Equatable {
  /// Returns whether both tables hold the same places, in any order and by any changes.
  static func == (left: PlaceTable, right: PlaceTable) -> Bool {
    left.rows.count == right.rows.count && left.rows.allSatisfy { right[$0.id] == $0 }
  }
}
