/// A set of rows, with one bit for each possible row.
struct RowSet: Sendable {
  private var words: [UInt64]
  /// The number of rows in the set.
  private(set) var count = 0

  /// Creates an empty set of rows from zero up to a limit, excluded.
  init(below limit: Int) {
    words = Array(repeating: 0, count: (limit + 63) / 64)
  }

  /// Adds a row that is not in the set.
  mutating func insert(_ row: Int) {
    words[row >> 6] |= 1 << UInt64(row & 63)
    count += 1
  }

  /// Returns whether a row is in the set.
  func contains(_ row: Int) -> Bool { words[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  /// Calls a closure with every row in the set, ascending.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    for (number, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        body(number << 6 | rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }
}
