import Spatial

/// The mean of directions.
enum CircularMean {
  /// The direction of the sum of unit vectors, in degrees from 0 up to 360; `nil` for none, and
  /// where they cancel each other.
  static func degrees(_ directions: [Double]) -> Double? {
    guard let first = directions.first else { return nil }
    guard directions.count > 1 else { return (first + 360).truncatingRemainder(dividingBy: 360) }
    // Directions are as meridians: the middle of places on the equator has their mean longitude.
    let places = directions.compactMap { degrees in
      let turned = degrees.truncatingRemainder(dividingBy: 360)
      return Coordinate(
        latitude: 0, longitude: turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned)
    }
    guard let mean = Coordinate.centroid(of: places) else { return nil }
    return (mean.longitude + 360).truncatingRemainder(dividingBy: 360)
  }
}
