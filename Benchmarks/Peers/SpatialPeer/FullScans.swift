import BenchmarkInputs
import Spatial

/// Compares the answers of an index with those of a scan over all positions.
struct FullScans {
  let positions: [Coordinate]
  let index: SpatialIndex
  private(set) var answers = 0
  private(set) var wrong = 0

  /// Special positions: poles, antimeridian and the like.
  private static let corners = [
    (90.0, 0.0), (90, 123), (-90, -180), (0, 180), (0, -180), (0, 0), (89.9999, -30),
    (10, 179.9999), (-10, -179.9999),
  ].compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }

  /// Compares queries at a number of places, at as many positions, and at the special positions.
  mutating func run(_ places: [Place], count: Int) {
    let step = max(1, positions.count / count)
    let centers =
      places.prefix(count).map(\.coordinate) + Self.corners
      + stride(from: 0, to: positions.count, by: step).map { positions[$0] }
    for (number, center) in centers.enumerated() {
      scan(center, edge: positions[number * 7 % positions.count])
    }
  }

  /// Compares queries within fixed radii, within one whose edge goes through a position, and within
  /// one just below it.
  private mutating func scan(_ center: Coordinate, edge: Coordinate) {
    let distances = positions.map { $0.distance(to: center) }
    let atEdge = edge.distance(to: center)
    let isFar = atEdge > 50_000
    let radii = [
      0, 15, 50, 200, 5000, isFar ? 1000 : atEdge, isFar ? 20_000 : atEdge.nextDown,
    ]
    for radius in radii {
      let expected = sorted(distances.indices.filter { distances[$0] <= radius }, by: distances)
      hold(index.neighbors(within: radius, of: center), to: expected)
    }
    let found = index.nearest(10, to: center)
    let limit = found.last?.distanceMeters ?? 0
    let expected = sorted(distances.indices.filter { distances[$0] <= limit }, by: distances)
    // If there are fewer than requested, they cannot be the nearest.
    hold(found.count == min(10, positions.count) ? found : [], to: Array(expected.prefix(10)))
  }

  private func sorted(_ places: [Int], by distances: [Double]) -> [SpatialIndex.Neighbor] {
    places.map { SpatialIndex.Neighbor(index: $0, distanceMeters: distances[$0]) }
      .sorted { ($0.distanceMeters, $0.index) < ($1.distanceMeters, $1.index) }
  }

  private mutating func hold(
    _ answer: [SpatialIndex.Neighbor], to expected: [SpatialIndex.Neighbor]
  ) {
    answers += 1
    if answer != expected { wrong += 1 }
  }
}
