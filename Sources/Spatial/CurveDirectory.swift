/// Where on the curve of ``CurveOrder`` each node of blocks begins, so that a search for the
/// nearest starts close to them.
///
/// A view of memory that somebody else owns: a little-endian UInt64 a node.
struct CurveDirectory: BitwiseCopyable {
  let count: Int
  private nonisolated(unsafe) let start: UnsafeRawPointer

  /// Creates a view of the keys of so many nodes.
  ///
  /// - Precondition: `bytes` holds eight bytes a node, and outlives the view.
  init(count: Int, bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == 8 * count)
    self.count = count
    guard let start = bytes.baseAddress else { preconditionFailure() }
    self.start = start
  }

  /// Writes the keys of the nodes over positions in their order.
  ///
  /// - Precondition: `bytes` holds eight bytes a node.
  static func write(
    _ order: ContiguousArray<CurveOrder.Entry>, to bytes: UnsafeMutableRawBufferPointer
  ) {
    let positionsInNode = BoxTree.width * PositionStore.blockSize
    for (node, first) in stride(from: 0, to: order.count, by: positionsInNode).enumerated() {
      bytes.storeBytes(of: order[first].key, toByteOffset: 8 * node, as: UInt64.self)
    }
  }

  /// The node that would hold a position with a key.
  func node(at key: UInt64) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      let isAfter = start.loadUnaligned(fromByteOffset: 8 * middle, as: UInt64.self) > key
      (low, high) = isAfter ? (low, middle) : (middle, high)
    }
    return low
  }

  /// The nodes that may hold positions of a cell.
  private func nodes(of cell: UInt64) -> ClosedRange<Int> {
    let keys = CurveOrder.keys(ofCell: cell)
    // Positions with the same key may lie on both sides of where a node begins.
    let first = keys.lowerBound == 0 ? 0 : node(at: keys.lowerBound - 1)
    return first...max(first, node(at: keys.upperBound))
  }

  /// Calls a closure with ranges of nodes, none of which meets another, that hold whatever may lie
  /// in a circle: with those of the cells under it where it lies in four at most, else with all.
  /// `centerKey` is the key of the circle's centre, where it is known.
  @inline(__always)
  func forEachRange(
    under circle: Circle, centerKey: UInt64?, _ body: (ClosedRange<Int>) -> Void
  ) {
    guard count > 0 else { return }
    guard let cells = CellBlock(circle) else { return body(0...count - 1) }
    if cells.isOne {
      return body(nodes(of: centerKey.map(CurveOrder.place(ofKey:)) ?? cells[0]))
    }
    var ranges = SIMD8<Int>()
    var used = 0
    for cell in 0..<cells.count { insert(nodes(of: cells[cell]), &ranges, &used) }
    for range in 0..<used { body(ranges[2 * range]...ranges[2 * range + 1]) }
  }

  /// Adds a range to four at most, and unites it with those that it meets.
  private func insert(_ range: ClosedRange<Int>, _ ranges: inout SIMD8<Int>, _ used: inout Int) {
    var (first, last) = (range.lowerBound, range.upperBound)
    var kept = 0
    for other in 0..<used {
      let (otherFirst, otherLast) = (ranges[2 * other], ranges[2 * other + 1])
      if first <= otherLast + 1, otherFirst <= last + 1 {
        (first, last) = (min(first, otherFirst), max(last, otherLast))
      } else {
        (ranges[2 * kept], ranges[2 * kept + 1]) = (otherFirst, otherLast)
        kept += 1
      }
    }
    (ranges[2 * kept], ranges[2 * kept + 1]) = (first, last)
    used = kept + 1
  }
}

/// The two by two cells at most that a circle touches.
private struct CellBlock {
  private let southWest: GridCell
  private let northEast: GridCell

  /// `nil` where there are more, or the antimeridian or a pole is near.
  init?(_ circle: Circle) {
    // Moved out by 1 cm, far more than rounding.
    let (height, reach) = (circle.heightDegrees + 1e-7, circle.reachDegrees + 1e-7)
    guard circle.isFlat, height < GridCell.sideDegrees, reach < GridCell.sideDegrees,
      let first = Coordinate(
        latitude: circle.center.latitude - height, longitude: circle.center.longitude - reach),
      let last = Coordinate(
        latitude: circle.center.latitude + height, longitude: circle.center.longitude + reach)
    else { return nil }
    southWest = GridCell(containing: first)
    northEast = GridCell(containing: last)
    guard northEast.row - southWest.row < 2, northEast.column - southWest.column < 2 else {
      return nil
    }
  }

  private var rows: Int { northEast.row - southWest.row + 1 }
  private var columns: Int { northEast.column - southWest.column + 1 }
  var count: Int { rows * columns }
  var isOne: Bool { southWest == northEast }

  /// A cell's place on the curve.
  subscript(cell: Int) -> UInt64 {
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    return CurveOrder.place(row: southWest.row + row, column: southWest.column + column)
  }
}
