/// The order in which an index stores its positions: along a Hilbert curve through the grid cells,
/// and within each cell along a finer one.
enum CurveOrder {
  /// A position's key on the curve, and its index in the array that the spatial index was created
  /// from.
  struct Entry: BitwiseCopyable {
    let key: UInt64
    let index: Int32
  }

  /// Enough subdivisions for 36 000 columns of cells, and for a resolution of 7 cm within a cell.
  private static let cellLevels = 16
  private static let levelsWithin = 14

  /// Returns the positions sorted along the curve; positions with equal keys keep their order.
  static func sorted(_ positions: [Coordinate]) -> ContiguousArray<Entry> {
    var entries = ContiguousArray<Entry>()
    entries.reserveCapacity(positions.count)
    for (index, position) in positions.enumerated() {
      entries.append(Entry(key: key(position), index: Int32(index)))
    }
    RadixSort.sort(&entries, bits: 0..<2 * (cellLevels + levelsWithin)) { $0.key }
    return entries
  }

  /// Returns the key of a position: in the high bits the cell's position on the curve through all
  /// cells, in the low bits the position on a curve through the cell.
  static func key(_ position: Coordinate) -> UInt64 {
    let cell = GridCell(containing: position)
    let cells = place(row: cell.row, column: cell.column)
    let within = HilbertCurve.position(
      x: step(position.longitude, from: cell.column), y: step(position.latitude, from: cell.row),
      levels: levelsWithin)
    return cells << UInt64(2 * levelsWithin) | within
  }

  /// Returns a cell's position on the curve through all cells.
  static func place(row: Int, column: Int) -> UInt64 {
    HilbertCurve.position(
      x: UInt32(column - GridCell.columns.lowerBound), y: UInt32(row - GridCell.rows.lowerBound),
      levels: cellLevels)
  }

  /// Returns the curve position of the cell that contains a position with the given key.
  static func place(ofKey key: UInt64) -> UInt64 { key >> UInt64(2 * levelsWithin) }

  /// Returns the keys of all positions in the cell at a position on the curve.
  static func keys(ofCell place: UInt64) -> ClosedRange<UInt64> {
    let first = place << UInt64(2 * levelsWithin)
    return first...first | (1 << UInt64(2 * levelsWithin) - 1)
  }

  private static func step(_ degrees: Double, from cell: Int) -> UInt32 {
    let steps = 1 << levelsWithin
    // The result is within a cell, except for rounding.
    let step = Int(bounded: (degrees / GridCell.sideDegrees - Double(cell)) * Double(steps))
    return UInt32(min(max(step, 0), steps - 1))
  }
}
