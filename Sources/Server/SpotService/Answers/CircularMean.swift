import Spatial

/// Calculates the mean of directions.
enum CircularMean {
  /// Returns the direction of the sum of unit vectors, in degrees from 0 up to 360; `nil` for no
  /// directions, or ones that cancel each other.
  static func degrees(_ directions: [Double]) -> Double? {
    guard let first = directions.first else { return nil }
    guard directions.count > 1 else { return (first + 360).truncatingRemainder(dividingBy: 360) }
    // A direction is treated as a longitude: the centroid of positions on the equator has the mean
    // longitude.
    let places = directions.compactMap { degrees in
      let turned = degrees.truncatingRemainder(dividingBy: 360)
      return Coordinate(
        latitude: 0, longitude: turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned)
    }
    guard let mean = Coordinate.centroid(of: places) else { return nil }
    return (mean.longitude + 360).truncatingRemainder(dividingBy: 360)
  }
}
