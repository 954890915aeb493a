/// The first key, in ``CurveOrder``, of each lowest-level node of the tree, which lets a
/// nearest-neighbor search begin close to its result.
///
/// This is a view of memory owned by the caller: a little-endian UInt64 per node.
struct CurveDirectory: BitwiseCopyable {
  let count: Int
  private nonisolated(unsafe) let start: UnsafeRawPointer

  /// Creates a view of the keys of a number of nodes.
  ///
  /// - Precondition: `bytes` has eight bytes per node and outlives the view.
  init(count: Int, bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == 8 * count)
    self.count = count
    guard let start = bytes.baseAddress else { preconditionFailure() }
    self.start = start
  }

  /// Writes the first key of each node over sorted positions.
  ///
  /// - Precondition: `bytes` has eight bytes per node.
  static func write(
    _ order: ContiguousArray<CurveOrder.Entry>, to bytes: UnsafeMutableRawBufferPointer
  ) {
    let positionsInNode = BoxTree.width * PositionStore.blockSize
    for (node, first) in stride(from: 0, to: order.count, by: positionsInNode).enumerated() {
      bytes.storeBytes(of: order[first].key, toByteOffset: 8 * node, as: UInt64.self)
    }
  }

  /// Returns the node that would contain a position with the given key.
  func node(at key: UInt64) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      let isAfter = start.loadUnaligned(fromByteOffset: 8 * middle, as: UInt64.self) > key
      (low, high) = isAfter ? (low, middle) : (middle, high)
    }
    return low
  }

  /// Returns the nodes that may contain positions of a cell.
  private func nodes(of cell: UInt64) -> ClosedRange<Int> {
    let keys = CurveOrder.keys(ofCell: cell)
    // Positions with equal keys may be on both sides of a node boundary.
    let first = keys.lowerBound == 0 ? 0 : node(at: keys.lowerBound - 1)
    return first...max(first, node(at: keys.upperBound))
  }

  /// Calls a closure with disjoint ranges of nodes that together contain every position in a
  /// circle.
  ///
  /// If the circle touches at most four cells, the ranges are the nodes of these cells; otherwise
  /// all nodes. `centerKey` is the key of the circle's centre, if it is known.
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

  /// Adds a range to a list of at most four, merging it with overlapping and adjacent ranges.
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

/// The block of at most two by two cells that a circle touches.
private struct CellBlock {
  private let southWest: GridCell
  private let northEast: GridCell

  /// Returns `nil` if the circle touches more cells, or is close to the antimeridian or a pole.
  init?(_ circle: Circle) {
    // Expanded by 1 cm, far more than the rounding error.
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

  /// Returns the Hilbert-curve position of a cell of the block.
  subscript(cell: Int) -> UInt64 {
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    return CurveOrder.place(row: southWest.row + row, column: southWest.column + column)
  }
}
