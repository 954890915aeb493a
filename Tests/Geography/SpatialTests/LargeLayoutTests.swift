import Spatial
import TestSupport
import Testing

/// All kinds of queries and the clustering, with the number of positions in ``TwinSize``.
@Suite struct LargeLayoutTests {
  typealias Neighbor = SpatialIndex.Neighbor

  /// Places of the layout, and two of the globe's odd corners.
  private func centers(_ layout: Layout) -> [Coordinate] {
    layout.positions(count: 3, seed: 71)
      + [(90.0, 0.0), (0, 180)].map { Coordinate(latitude: $0.0, longitude: $0.1)! }
  }

  @Test(arguments: Layout.allCases)
  func `every kind of query agrees with a full scan`(layout: Layout) {
    let positions = layout.positions(count: TwinSize.count, seed: 70)
    let index = SpatialIndex(positions)
    for center in centers(layout) {
      let distances = positions.map { $0.distance(to: center) }
      for radius in [0, 50, distances[7], distances[7].nextDown] {
        let expected = distances.indices.filter { distances[$0] <= radius }
        let message = "\(layout), \(radius) m of \(center)" as Comment
        var visited: [Int] = []
        index.forEachPosition(within: radius, of: center) { place, position in
          visited.append(place)
          #expect(position == Standpoint(positions[place]), message)
        }
        #expect(visited.sorted() == expected, message)
        let sorted = expected.map { Neighbor(index: $0, distanceMeters: distances[$0]) }
          .sorted { ($0.distanceMeters, $0.index) < ($1.distanceMeters, $1.index) }
        #expect(index.neighbors(within: radius, of: center) == sorted, message)
      }
      expectNearest(index, distances, center, "\(layout), nearest to \(center)")
    }
  }

  /// Checks that the results are in order, that no other position is nearer than the last one, and
  /// that of equally distant ones the first are included.
  private func expectNearest(
    _ index: SpatialIndex, _ distances: [Double], _ center: Coordinate, _ message: Comment
  ) {
    let nearest = index.nearest(30, to: center)
    #expect(nearest.count == 30, message)
    let limit = nearest.last?.distanceMeters ?? 0
    let expected = distances.indices.filter { distances[$0] <= limit }
      .map { Neighbor(index: $0, distanceMeters: distances[$0]) }
      .sorted { ($0.distanceMeters, $0.index) < ($1.distanceMeters, $1.index) }
    #expect(nearest == Array(expected.prefix(30)), message)
  }

  @Test(arguments: Layout.allCases)
  func `a box query agrees with a full scan`(layout: Layout) {
    let positions = layout.positions(count: TwinSize.count, seed: 72)
    let index = SpatialIndex(positions)
    for center in centers(layout) {
      for half in [0.001, 0.1] {
        let (south, north) = (max(center.latitude - half, -90), min(center.latitude + half, 90))
        let (west, east) = (center.longitude - half, center.longitude + half)
        let box = BoundingBox(
          south: south, west: west < -180 ? west + 360 : west, north: north,
          east: east > 180 ? east - 360 : east)!
        let expected = positions.indices.filter { box.contains(positions[$0]) }
        #expect(index.indices(in: box) == expected, "\(layout) \(box)")
      }
    }
  }

  /// Clusters satisfy the definition if no anchor has an earlier one within the radius, and every
  /// other position belongs to the earliest anchor within the radius. For large numbers a sample is
  /// checked.
  @Test(arguments: Layout.allCases)
  func `clusters satisfy the definition`(layout: Layout) {
    let positions = layout.positions(count: TwinSize.count, seed: 73)
    let clustering = GreedyClusterer(radiusMeters: 15).clusters(of: positions)
    let anchors = (0..<clustering.count).map { Int(clustering.members(of: $0).first ?? -1) }
    #expect(anchors == anchors.sorted(), "clusters are in the order of their anchors")
    for place in stride(from: 0, to: positions.count, by: max(1, positions.count / 200)) {
      let earliest = anchors.firstIndex {
        positions[$0].distance(to: positions[place]) <= 15 && $0 <= place
      }
      #expect(Int(clustering.clusters[place]) == earliest, "\(layout), position \(place)")
    }
  }
}
