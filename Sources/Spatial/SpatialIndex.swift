/// An immutable index over positions that finds those near a place: within a radius, the nearest few, or
/// in a box.
///
/// Positions are known by their place in the array that the index was made from. Every answer is exact:
/// it holds what a full scan with ``Coordinate/distance(to:)`` would find, edges included, across the
/// antimeridian and around the poles.
///
/// The positions lie sorted by ``GridCell`` in plain arrays. A table of the rows, and in each row the
/// occupied columns in order, lead to the points of a range of columns by binary search, so that empty
/// cells cost nothing.
public struct SpatialIndex: Sendable {
  /// A position that was found.
  public struct Neighbor: Hashable, Sendable {
    /// The position's place in the array that the index was made from.
    public let index: Int
    /// The great-circle distance from the centre of the query in metres.
    public let distanceMeters: Double

    /// Creates a neighbor at a distance.
    public init(index: Int, distanceMeters: Double) {
      self.index = index
      self.distanceMeters = distanceMeters
    }

    /// Nearest first; at the same distance, in the order of the array.
    fileprivate static func precedes(_ left: Neighbor, _ right: Neighbor) -> Bool {
      left.distanceMeters != right.distanceMeters
        ? left.distanceMeters < right.distanceMeters : left.index < right.index
    }
  }

  /// For row r (counted from the south) its occupied cells are `rowStarts[r]..<rowStarts[r + 1]`.
  private let rowStarts: [Int32]
  private let cellColumns: [Int32]
  /// For cell c its points are `cellStarts[c]..<cellStarts[c + 1]`.
  private let cellStarts: [Int32]
  // The points in the order of their cells.
  private let indices: [Int32]
  private let coordinates: [Coordinate]
  private let vectors: [UnitVector]

  /// Creates an index over positions.
  ///
  /// - Precondition: There are fewer than 2³¹ positions.
  /// - Complexity: O(*n* log *n*) for *n* positions.
  public init(_ positions: [Coordinate]) {
    precondition(positions.count < Int(Int32.max))
    let order = Self.orderByCell(positions)
    indices = order.map { Int32(truncatingIfNeeded: $0 & 0xFFFF_FFFF) }
    coordinates = indices.map { positions[Int($0)] }
    vectors = coordinates.map { UnitVector($0) }

    var rowStarts = [Int32](repeating: 0, count: GridCell.rows.count + 1)
    var cellColumns: [Int32] = []
    var cellStarts: [Int32] = []
    var previousCell = UInt64.max
    for (point, key) in order.enumerated() where key >> 32 != previousCell {
      previousCell = key >> 32
      let (row, column) = Int(previousCell).quotientAndRemainder(
        dividingBy: GridCell.columns.count)
      rowStarts[row + 1] += 1
      cellColumns.append(Int32(column + GridCell.columns.lowerBound))
      cellStarts.append(Int32(point))
    }
    cellStarts.append(Int32(positions.count))
    for row in 1..<rowStarts.count { rowStarts[row] += rowStarts[row - 1] }
    self.rowStarts = rowStarts
    self.cellColumns = cellColumns
    self.cellStarts = cellStarts
  }

  /// The number of positions.
  public var count: Int { indices.count }

  /// Returns the positions within a distance of a place, nearest first.
  ///
  /// The circle includes its edge, and may cross the 180° meridian or contain a pole. Positions at the
  /// same distance are in the order of the array that the index was made from.
  ///
  /// - Parameters:
  ///   - radiusMeters: How far to search along the ground; zero finds positions exactly at `center`,
  ///     a negative radius none.
  ///   - center: The place to search around.
  /// - Returns: The matches with their distances; empty when there is none.
  /// - Complexity: O(*r* log *c* + *p* + *k* log *k*): *r* rows under the circle, *c* occupied cells in a
  ///   row, *p* points in the visited cells, *k* matches.
  public func neighbors(within radiusMeters: Double, of center: Coordinate) -> [Neighbor] {
    guard radiusMeters >= 0 else { return [] }
    var found: [Neighbor] = []
    let vector = UnitVector(center)
    let chord = UnitVector.chord(spanning: radiusMeters)
    let limit = chord * chord
    forEachRun(in: GridCover(center: center, radiusMeters: radiusMeters)) { run in
      for point in run where vectors[point].squaredChord(to: vector) <= limit {
        let distance = coordinates[point].distance(to: center)
        guard distance <= radiusMeters else { continue }
        found.append(Neighbor(index: Int(indices[point]), distanceMeters: distance))
      }
    }
    found.sort(by: Neighbor.precedes)
    return found
  }

  /// Returns the nearest positions to a place, nearest first.
  ///
  /// Positions at the same distance are in the order of the array that the index was made from, and where
  /// not all of them fit, the earlier ones are returned.
  ///
  /// - Parameters:
  ///   - count: How many to return at most.
  ///   - center: The place to search around.
  /// - Returns: As many as asked for, or all where there are fewer; none for a count below one.
  /// - Complexity: Searches circles of doubling radius until one holds enough: O(*p* log *count*), *p* the
  ///   points in the cells that the last circle touches.
  public func nearest(_ count: Int, to center: Coordinate) -> [Neighbor] {
    let count = min(count, self.count)
    guard count > 0 else { return [] }
    let vector = UnitVector(center)
    var radiusMeters = Self.firstNearestRadiusMeters
    while true {
      var nearest = NearestNeighbors(count: count, radiusMeters: radiusMeters)
      forEachRun(in: GridCover(center: center, radiusMeters: radiusMeters)) { run in
        for point in run
        where vectors[point].squaredChord(to: vector) <= nearest.squaredChordLimit {
          nearest.add(
            Neighbor(
              index: Int(indices[point]),
              distanceMeters: coordinates[point].distance(to: center)))
        }
      }
      let found = nearest.sorted()
      if found.count == count { return found }
      // What lies within the greatest distance is everything there is.
      radiusMeters = min(radiusMeters * 2, Earth.greatestDistanceMeters + 1)
    }
  }

  /// Returns the positions in a box, edges included, in the order of the array that the index was made
  /// from.
  public func indices(in box: BoundingBox) -> [Int] {
    var found: [Int] = []
    forEachRun(in: GridCover(box)) { run in
      for point in run where box.contains(coordinates[point]) {
        found.append(Int(indices[point]))
      }
    }
    found.sort()
    return found
  }

  /// Where the search for the nearest begins; a visited place mostly has its answer within it.
  private static let firstNearestRadiusMeters = 250.0

  /// The order of the points as sorted keys: the cell in the high 32 bits, the index in the low ones.
  private static func orderByCell(_ positions: [Coordinate]) -> [UInt64] {
    var keys: [UInt64] = []
    keys.reserveCapacity(positions.count)
    for (index, coordinate) in positions.enumerated() {
      let cell = GridCell(containing: coordinate)
      let row = cell.row - GridCell.rows.lowerBound
      let column = cell.column - GridCell.columns.lowerBound
      keys.append(UInt64(row * GridCell.columns.count + column) << 32 | UInt64(index))
    }
    keys.sort()
    return keys
  }

  /// Calls a closure with each run of stored points that lies in covered cells.
  private func forEachRun(in cover: GridCover, _ body: (Range<Int>) -> Void) {
    let firstRow = cover.rows.lowerBound - GridCell.rows.lowerBound
    let lastRow = cover.rows.upperBound - GridCell.rows.lowerBound
    if cover.coversWholeRows {
      let cells = Int(rowStarts[firstRow])..<Int(rowStarts[lastRow + 1])
      body(Int(cellStarts[cells.lowerBound])..<Int(cellStarts[cells.upperBound]))
      return
    }
    for row in firstRow...lastRow where rowStarts[row] < rowStarts[row + 1] {
      let cells = Int(rowStarts[row])..<Int(rowStarts[row + 1])
      for columns in cover.columnRanges {
        let first = firstCell(in: cells, notBefore: columns.lowerBound)
        let end = firstCell(in: first..<cells.upperBound, notBefore: columns.upperBound + 1)
        if first < end { body(Int(cellStarts[first])..<Int(cellStarts[end])) }
      }
    }
  }

  /// The first of a row's cells at or east of a column, by binary search.
  private func firstCell(in cells: Range<Int>, notBefore column: Int) -> Int {
    var (low, high) = (cells.lowerBound, cells.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if Int(cellColumns[middle]) < column { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The nearest few of the neighbors that were added.
///
/// Neighbors gather up to twice the wanted count and are then cut back to it, which also draws the limit
/// in; so adding costs O(log *count*) on average without a heap.
private struct NearestNeighbors {
  /// A point whose squared chord is above this cannot be among the nearest.
  private(set) var squaredChordLimit = 0.0
  private let count: Int
  private var radiusMeters: Double {
    didSet { updateLimit() }
  }
  private var neighbors: [SpatialIndex.Neighbor] = []

  init(count: Int, radiusMeters: Double) {
    self.count = count
    self.radiusMeters = radiusMeters
    updateLimit()
  }

  mutating func add(_ neighbor: SpatialIndex.Neighbor) {
    guard neighbor.distanceMeters <= radiusMeters else { return }
    neighbors.append(neighbor)
    if neighbors.count >= 2 * count + 16 { cutBack() }
  }

  consuming func sorted() -> [SpatialIndex.Neighbor] {
    cutBack()
    return neighbors
  }

  private mutating func cutBack() {
    neighbors.sort(by: SpatialIndex.Neighbor.precedes)
    neighbors.removeLast(max(0, neighbors.count - count))
    if neighbors.count == count, let farthest = neighbors.last {
      radiusMeters = farthest.distanceMeters
    }
  }

  private mutating func updateLimit() {
    let chord = UnitVector.chord(spanning: radiusMeters)
    squaredChordLimit = chord * chord
  }
}
