extension SpatialIndex {
  /// Returns how many positions lie within a distance of a place, edge included.
  ///
  /// Where a great many lie there, most of the time of ``neighbors(within:of:)`` is taken to keep them and
  /// to sort them.
  ///
  /// - Parameters:
  ///   - radiusMeters: How far to search along the ground; a negative radius finds none.
  ///   - center: The place to search around.
  /// - Returns: How many ``neighbors(within:of:)`` would return.
  /// - Complexity: O(log *n* + *k*) for *k* matches of *n* positions, as they mostly lie.
  public func count(within radiusMeters: Double, of center: Coordinate) -> Int {
    guard radiusMeters >= 0 else { return 0 }
    let circle = Circle(center: center, radiusMeters: min(radiusMeters, .greatestFiniteMagnitude))
    var count = 0
    withScratch(repeating: 0.0, count: PositionStore.blockSize) { scratch in
      tree.forEachBlock(in: SearchWindow(circle)) { block in
        positions.forEach(in: block, near: circle, scratch: &scratch) { _, haversine in
          count &+= Haversine.meters(haversine) <= circle.radiusMeters ? 1 : 0
        }
      }
    }
    return count
  }

  /// Returns the positions within a distance of a place in any order, which is the same for the same
  /// positions.
  ///
  /// - Parameters:
  ///   - radiusMeters: How far to search along the ground, edge included; a negative radius finds none.
  ///   - center: The place to search around.
  /// - Returns: What ``neighbors(within:of:)`` returns, unsorted.
  /// - Complexity: O(log *n* + *k*) for *k* matches of *n* positions, as they mostly lie.
  public func unsortedNeighbors(
    within radiusMeters: Double, of center: Coordinate
  ) -> [Neighbor] {
    find(within: radiusMeters, of: center).unsorted()
  }

  /// Returns how many positions lie in a box, edges included.
  public func count(in box: BoundingBox) -> Int {
    var count = 0
    forEachIndex(in: box) { _ in count &+= 1 }
    return count
  }

  /// Returns the positions in a box, edges included, in any order, which is the same for the same positions.
  public func unsortedIndices(in box: BoundingBox) -> [Int] {
    var found: [Int] = []
    forEachIndex(in: box) { found.append($0) }
    return found
  }
}
