/// A hash table that groups equivalent rows; its memory is reused for one set of rows after
/// another.
struct AlikeRows {
  /// Slots of the hash table: the upper half is a part of the row's hash, the lower half the row
  /// plus one. Zero is a free slot.
  private var slots: [UInt64] = []
  /// Matches: the upper half is the first row of the group, the lower half another row.
  private var matches: [UInt64] = []

  /// Calls a closure with each group of two or more equivalent rows. The rows of a group are in
  /// increasing order; groups are ordered by their first row.
  ///
  /// - Parameters:
  ///   - rows: The row numbers, increasing.
  ///   - hash: A hash of a row, equal for equivalent rows.
  ///   - areAlike: Whether two rows are equivalent; must be an equivalence relation.
  ///   - body: Called with each group.
  /// - Complexity: O(*n* + *m* log *m*) for *n* rows, of which *m* are equivalent to an earlier
  ///   one, with a good hash.
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

  /// Stores, for each row equivalent to an earlier one, the first such row and the row itself,
  /// sorted.
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
