package import Spatial

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Coordinate {
  /// Returns the position at a distance in a direction, given clockwise from true north.
  ///
  /// Formula: E. Williams, "Aviation Formulary", latitude and longitude given radial and distance.
  package func moved(byMeters distance: Double, towardsRadians bearing: Double) -> Coordinate {
    let radians = Double.pi / 180
    let angle = distance / Earth.meanRadiusMeters
    let sine =
      sin(latitude * radians) * cos(angle)
      + cos(latitude * radians) * sin(angle) * cos(bearing)
    let newLatitude = asin(min(1, max(-1, sine)))
    let east = atan2(
      sin(bearing) * sin(angle) * cos(latitude * radians),
      cos(angle) - sin(latitude * radians) * sine)
    return Coordinate(
      latitude: newLatitude / radians, wrappingLongitude: longitude + east / radians)
  }

  /// Returns the position rounded to a grid with the given number of steps per degree.
  package func rounded(toStepsPerDegree steps: Double) -> Coordinate {
    Coordinate(
      latitude: (latitude * steps).rounded() / steps,
      wrappingLongitude: (longitude * steps).rounded() / steps)
  }

  /// Creates a position from a latitude that may exceed a pole by a rounding error, and a longitude
  /// that may exceed ±180° by up to a full turn.
  package init(latitude: Double, wrappingLongitude longitude: Double) {
    let wrapped = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    guard let coordinate = Coordinate(latitude: min(90, max(-90, latitude)), longitude: wrapped)
    else { fatalError("\(latitude), \(longitude) is not on the globe") }
    self = coordinate
  }
}

extension RandomNumberGenerator {
  /// Returns a number from the standard normal distribution.
  ///
  /// G. E. P. Box and M. E. Muller, "A Note on the Generation of Random Normal Deviates", 1958.
  package mutating func normal() -> Double {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
    return radius * cos(Double.random(in: 0..<2 * Double.pi, using: &self))
  }

  /// Returns a number from a log-normal distribution.
  package mutating func logNormal(median: Double, sigma: Double) -> Double {
    median * exp(sigma * normal())
  }

  /// Returns a random direction in radians.
  package mutating func bearing() -> Double { Double.random(in: 0..<2 * Double.pi, using: &self) }

  /// Returns a position on the globe, uniformly distributed by area.
  package mutating func positionOnGlobe() -> Coordinate {
    Coordinate(
      latitude: asin(Double.random(in: -1...1, using: &self)) * 180 / Double.pi,
      wrappingLongitude: Double.random(in: -180...180, using: &self))
  }
}
