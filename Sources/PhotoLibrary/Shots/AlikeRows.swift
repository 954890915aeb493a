/// Finds rows that are alike: a hash table of the numbers of rows, used again for one set of rows
/// after another.
struct AlikeRows {
  /// In the upper half a part of the row's hash, in the lower the row plus one; zero is free.
  private var slots: [UInt64] = []
  /// In the upper half the first of the rows that are alike, in the lower another.
  private var matches: [UInt64] = []

  /// Finds groups of two or more rows that are alike, each in the order of its rows, and the groups
  /// in the order of their first.
  ///
  /// - Parameters:
  ///   - rows: The numbers of rows, increasing.
  ///   - hash: A hash of a row, the same for rows that are alike.
  ///   - areAlike: Whether two rows are alike: an equivalence.
  ///   - body: Takes each group.
  /// - Complexity: O(*n* + *m* log *m*) for *n* rows, of which *m* are like an earlier one, as far
  ///   as the hash is good.
  mutating func forEachGroup<Table>(
    of rows: some Collection<RowID<Table>>, hash: (RowID<Table>) -> UInt64,
    areAlike: (RowID<Table>, RowID<Table>) -> Bool, _ body: ([RowID<Table>]) -> Void
  ) {
    findMatches(of: rows, hash: hash, areAlike: areAlike)
    var group: [RowID<Table>] = []
    for match in matches {
      let first = RowID<Table>(number: Int32(truncatingIfNeeded: match >> 32))
      if group.first != first {
        if !group.isEmpty { body(group) }
        group.removeAll(keepingCapacity: true)
        group.append(first)
      }
      group.append(RowID(number: Int32(truncatingIfNeeded: match)))
    }
    if !group.isEmpty { body(group) }
  }

  private mutating func findMatches<Table>(
    of rows: some Collection<RowID<Table>>, hash: (RowID<Table>) -> UInt64,
    areAlike: (RowID<Table>, RowID<Table>) -> Bool
  ) {
    let capacity = 1 << (Int.bitWidth - (2 * rows.count).leadingZeroBitCount)
    if slots.count < capacity {
      slots = Array(repeating: 0, count: capacity)
    } else {
      for place in 0..<capacity { slots[place] = 0 }
    }
    matches.removeAll(keepingCapacity: true)
    for row in rows {
      let hash = hash(row)
      let tag = hash >> 32
      var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
      while slots[place] != 0 {
        let first = RowID<Table>(number: Int32(truncatingIfNeeded: slots[place]) - 1)
        if slots[place] >> 32 == tag, areAlike(first, row) {
          matches.append(UInt64(first.row) << 32 | UInt64(row.row))
          break
        }
        place = (place + 1) & (capacity - 1)
      }
      if slots[place] == 0 { slots[place] = tag << 32 | UInt64(row.row + 1) }
    }
    matches.sort()
  }
}
