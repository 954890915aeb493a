/// The results of a radius query.
struct FoundNeighbors {
  typealias Neighbor = SpatialIndex.Neighbor

  private var count = 0
  /// The results, with spare elements beyond `count`, so that capacity is checked once per block.
  private var neighbors: [Neighbor] = []

  /// Adds the positions of a block that are in a circle.
  @inline(__always)
  mutating func add(
    _ block: Int, of positions: PositionStore, in circle: Circle
  ) {
    if count + PositionStore.blockSize > neighbors.count { grow() }
    var end = count
    var neighbors = neighbors.mutableSpan
    positions.forEach(in: block, near: circle) { index, haversine in
      let distance = Haversine.meters(haversine)
      // An element outside the circle is overwritten by the next one.
      neighbors[end] = Neighbor(index: Int(index), distanceMeters: distance)
      end &+= distance <= circle.radiusMeters ? 1 : 0
    }
    count = end
  }

  private mutating func grow() {
    let room = Neighbor(index: 0, distanceMeters: 0)
    neighbors.append(contentsOf: repeatElement(room, count: max(64, neighbors.count)))
  }

  /// Returns the results, nearest first, then by index.
  consuming func sorted() -> [Neighbor] {
    neighbors.removeLast(neighbors.count - count)
    NeighborOrder.sort(&neighbors)
    return neighbors
  }
}
