import CLibrary

/// The arithmetic of great-circle distances, shared by ``Coordinate/distance(to:)`` and the index,
/// so that both return identical distances to the last bit.
///
/// The haversine formula: R. W. Sinnott, "Virtues of the Haversine", Sky & Telescope 68, 1984. The
/// haversine of an angle is sin²(angle / 2). Up to 255 km, sine and arcsine are computed with the
/// first terms of their series, whose remainder is below 1e-15 of the result and which take a tenth
/// of the time.
@usableFromInline
enum Haversine {
  /// The largest half-angle in radians, or sine of it, for which the series are used.
  @usableFromInline static let seriesEnd = 0.02
  @usableFromInline static let diameter = 2 * Earth.meanRadiusMeters
  @usableFromInline static let halfRadiansPerDegree = Double.pi / 360

  /// Returns the haversine of the central angle between two positions.
  ///
  /// - Parameters:
  ///   - latitudeDegrees: The difference of the latitudes.
  ///   - longitudeDegrees: The difference of the longitudes, as returned by ``turn(from:to:)``.
  ///   - cosines: The product of the cosines of the latitudes.
  /// - Returns: The square of half the chord on the unit sphere, 0–1.
  @inlinable @inline(__always)
  static func haversine(
    latitudeDegrees: Double, longitudeDegrees: Double, cosines: Double
  ) -> Double {
    let latitude = sine(latitudeDegrees * halfRadiansPerDegree)
    let longitude = sine(longitudeDegrees * halfRadiansPerDegree)
    return latitude * latitude + cosines * (longitude * longitude)
  }

  /// Returns a lower bound of the haversine of the central angle between two positions; the
  /// haversine itself if half of each difference is at most ``seriesEnd``.
  ///
  /// The series of the sine alternates and is truncated after a negative term.
  @inline(__always)
  static func lowerBound(
    latitudeDegrees: Double, longitudeDegrees: Double, cosines: Double
  ) -> Double {
    let latitude = seriesSine(latitudeDegrees * halfRadiansPerDegree)
    let longitude = seriesSine(longitudeDegrees * halfRadiansPerDegree)
    return latitude * latitude + cosines * (longitude * longitude)
  }

  /// Converts a haversine to a distance on the ground, in metres.
  @inlinable @inline(__always)
  static func meters(_ haversine: Double) -> Double {
    // The argument is never negative; abs() lets the compiler avoid a library call for negative
    // numbers.
    let sine = abs(haversine).squareRoot()
    guard sine <= seriesEnd else { return diameter * largeArcsine(min(1, sine)) }
    let rest =
      1.0 / 6 + haversine * (3.0 / 40 + haversine * (15.0 / 336 + haversine * (105.0 / 3456)))
    return diameter * (sine + sine * haversine * rest)
  }

  /// Converts a distance on the ground in metres, any nonnegative number, to a haversine.
  static func haversine(meters: Double) -> Double {
    let sine = sine(min(meters / diameter, Double.pi / 2))
    return sine * sine
  }

  /// Returns the angle between two meridians in degrees, 0–180.
  @inlinable @inline(__always)
  static func turn(from longitude: Double, to other: Double) -> Double {
    let angle = abs(other - longitude)
    let rest = 360 - angle
    return angle < rest ? angle : rest
  }

  /// Returns the cosine of a latitude in degrees.
  static func cosine(latitude: Double) -> Double { cos(latitude * Double.pi / 180) }

  @inlinable @inline(__always)
  static func sine(_ x: Double) -> Double { abs(x) <= seriesEnd ? seriesSine(x) : largeSine(x) }

  @inlinable @inline(__always)
  static func seriesSine(_ x: Double) -> Double {
    let square = x * x
    return x + x * square * (-1.0 / 6 + square * (1.0 / 120 - square * (1.0 / 5040)))
  }

  // These wrap the C library's functions, which inlinable code cannot call.
  @usableFromInline static func largeSine(_ x: Double) -> Double { sin(x) }
  @usableFromInline static func largeArcsine(_ x: Double) -> Double { asin(x) }
}
