/// An immutable index over positions that finds those near a place: within a radius, the nearest
/// few, or in a box.
///
/// Positions are known by their place in the array that the index was made from. Every answer is
/// exact: it holds what a full scan with ``Coordinate/distance(to:)`` would find, edges included,
/// across the antimeridian and around the poles.
///
/// The positions lie sorted by ``GridCell``, the cells along a Hilbert curve, and within a cell
/// along a finer one. So any sixteen in a row lie close together. A tree of boxes leads to the
/// sixteens that a query has to look at.
public struct SpatialIndex: Sendable {
  /// A position that was found.
  public struct Neighbor: BitwiseCopyable, Hashable, Sendable {
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
    @inline(__always)
    static func precedes(_ left: Neighbor, _ right: Neighbor) -> Bool {
      left.distanceMeters != right.distanceMeters
        ? left.distanceMeters < right.distanceMeters : left.index < right.index
    }
  }

  /// The number of positions.
  public let count: Int
  let view: IndexView
  /// The memory of which it is a view.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  /// Keeps it alive.
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

  /// Returns the positions within a distance of a place, nearest first.
  ///
  /// The circle includes its edge, and may cross the 180° meridian or contain a pole. Positions at
  /// the same distance are in the order of the array that the index was made from.
  ///
  /// - Parameters:
  ///   - radiusMeters: How far to search along the ground; zero finds positions exactly at
  ///     `center`, a negative radius none.
  ///   - center: The place to search around.
  /// - Returns: The matches with their distances; empty when there is none.
  /// - Complexity: O(log *n* + *k*) for *k* matches of *n* positions, as they mostly lie.
  public func neighbors(within radiusMeters: Double, of center: Coordinate) -> [Neighbor] {
    find(within: radiusMeters, of: center).sorted()
  }

  /// What lies within a distance of a place, in the order in which the index keeps it.
  private func find(within radiusMeters: Double, of center: Coordinate) -> FoundNeighbors {
    var found = FoundNeighbors()
    guard radiusMeters >= 0 else { return found }
    let circle = Circle(center: center, radiusMeters: min(radiusMeters, .greatestFiniteMagnitude))
    withExtendedLifetime(owner) {
      view.forEachBlock(near: circle) { found.add($0, of: view.positions, in: circle) }
    }
    return found
  }

  /// Calls a closure with every position within a distance of a place, in the order in which the
  /// index keeps them, without an array of them.
  ///
  /// - Parameters:
  ///   - radiusMeters: How far to search along the ground, edge included; a negative radius finds
  ///     none.
  ///   - center: The place to search around.
  ///   - body: Is given a position and its place in the array that the index was made from.
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

  /// Returns the positions in a box, edges included, in the order of the array that the index was
  /// made from.
  ///
  /// - Complexity: O(log *n* + *k* log *k*) for *k* matches of *n* positions, as they mostly lie.
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
