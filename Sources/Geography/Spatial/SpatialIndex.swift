/// An immutable spatial index of positions, with radius, nearest-neighbor and box queries.
///
/// Positions are identified by their index in the array that the spatial index was created from.
/// Every result is exact: it equals that of a full scan with ``Coordinate/distance(to:)``, edges
/// included, across the antimeridian and around the poles.
///
/// The positions are sorted by ``GridCell``, the cells along a Hilbert curve, and within a cell
/// along a finer curve. So any sixteen consecutive positions are close to each other. They form a
/// block, and a tree of bounding boxes finds the blocks that a query has to examine.
public struct SpatialIndex: Sendable {
  /// A result of a query.
  public struct Neighbor: BitwiseCopyable, Hashable, Sendable {
    /// The position's index in the array that the spatial index was created from.
    public let index: Int
    /// The great-circle distance from the centre of the query, in metres.
    public let distanceMeters: Double

    /// Creates a neighbor.
    public init(index: Int, distanceMeters: Double) {
      self.index = index
      self.distanceMeters = distanceMeters
    }

    /// Orders neighbors by distance, then by index.
    @inline(__always)
    static func precedes(_ left: Neighbor, _ right: Neighbor) -> Bool {
      left.distanceMeters != right.distanceMeters
        ? left.distanceMeters < right.distanceMeters : left.index < right.index
    }
  }

  /// The number of positions.
  public let count: Int
  let view: IndexView
  /// The memory that `view` refers to.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  /// The object that keeps the memory valid.
  let owner: any AnyObject & Sendable

  /// Creates an index over positions.
  ///
  /// - Precondition: There are fewer than 2³¹ positions.
  /// - Complexity: O(*n*) for *n* positions.
  public init(_ positions: [Coordinate]) {
    precondition(positions.count < Int(Int32.max))
    let memory = IndexMemory(byteCount: Self.byteCount(positions.count))
    Self.write(positions, to: memory.bytes)
    self.init(
      count: positions.count, bytes: UnsafeRawBufferPointer(memory.bytes), owner: memory)
  }

  /// Returns the positions within a distance of a given position, nearest first.
  ///
  /// The circle includes its edge, and may cross the 180° meridian or contain a pole. Positions at
  /// the same distance are in the order of the array that the index was created from.
  ///
  /// - Parameters:
  ///   - radiusMeters: The radius along the ground in metres. Zero finds positions exactly at
  ///     `center`, a negative radius finds none.
  ///   - center: The position to search around.
  /// - Returns: The matches with their distances; empty if there are none.
  /// - Complexity: O(log *n* + *k*) for *k* matches of *n* positions in a typical distribution.
  public func neighbors(within radiusMeters: Double, of center: Coordinate) -> [Neighbor] {
    find(within: radiusMeters, of: center).sorted()
  }

  /// Returns the positions within a distance in storage order.
  private func find(within radiusMeters: Double, of center: Coordinate) -> FoundNeighbors {
    var found = FoundNeighbors()
    guard radiusMeters >= 0 else { return found }
    let circle = Circle(center: center, radiusMeters: min(radiusMeters, .greatestFiniteMagnitude))
    withExtendedLifetime(owner) {
      view.forEachBlock(near: circle) { found.add($0, of: view.positions, in: circle) }
    }
    return found
  }

  /// Calls a closure with each position within a distance of a given position, in storage order,
  /// without creating an array.
  ///
  /// - Parameters:
  ///   - radiusMeters: The radius along the ground in metres, edge included; a negative radius
  ///     finds none.
  ///   - center: The position to search around.
  ///   - body: A closure that receives a position and its index in the array that the spatial index
  ///     was created from.
  package func forEachPosition(
    within radiusMeters: Double, of center: Coordinate,
    _ body: (_ index: Int, _ position: Standpoint) -> Void
  ) {
    guard radiusMeters >= 0 else { return }
    let circle = Circle(center: center, radiusMeters: min(radiusMeters, .greatestFiniteMagnitude))
    withExtendedLifetime(owner) {
      view.forEachBlock(near: circle) { block in
        view.positions.forEachStandpoint(in: block, near: circle) { index, haversine, position in
          guard Haversine.meters(haversine) <= radiusMeters, position.coordinate.isOnGlobe
          else { return }
          body(Int(index), position)
        }
      }
    }
  }

  /// Returns the indices of the positions in a box, edges included, in ascending order.
  ///
  /// - Complexity: O(log *n* + *k* log *k*) for *k* matches of *n* positions in a typical
  ///   distribution.
  public func indices(in box: BoundingBox) -> [Int] {
    var found: [Int] = []
    withExtendedLifetime(owner) {
      guard count > 0 else { return }
      var window = SearchWindow(box)
      view.tree.forEachBlock(of: 0...view.directory.count - 1, in: &window) { block, _ in
        view.positions.forEach(in: block) { index, position in
          if box.contains(position) { found.append(Int(index)) }
        }
      }
    }
    found.sort()
    return found
  }
}
