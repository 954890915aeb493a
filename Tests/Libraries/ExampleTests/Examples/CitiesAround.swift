import Spatial

/// A city and its position.
struct City {
  let name: String
  let coordinate: Coordinate
}

/// Returns the cities within a distance of a position, nearest first.
func cities(_ cities: [City], within radiusMeters: Double, of here: Coordinate) -> [City] {
  let index = SpatialIndex(cities.map(\.coordinate))
  return index.neighbors(within: radiusMeters, of: here).map { cities[$0.index] }
}
