/// A position on the Earth in degrees of WGS 84 latitude and longitude.
///
/// A value is always on the globe: both numbers are finite and in range, so users need not check
/// again. −180° and 180° of longitude are the same meridian but different values.
public struct Coordinate: BitwiseCopyable, Hashable, Sendable {
  /// Degrees north of the equator, −90 to 90.
  public let latitude: Double
  /// Degrees east of the prime meridian, −180 to 180.
  public let longitude: Double

  /// Creates a coordinate, or returns `nil` if a number is not finite, the latitude is not in
  /// −90...90, or the longitude is not in −180...180.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates a coordinate that is known to be on the globe.
  package init(uncheckedLatitude latitude: Double, longitude: Double) {
    assert((-90...90).contains(latitude) && (-180...180).contains(longitude))
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates a coordinate from untrusted numbers; check ``isOnGlobe`` before use.
  init(unvalidatedLatitude latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are in range.
  var isOnGlobe: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }

  /// Whether both numbers are exactly zero, which receivers and cameras write if they have no
  /// position.
  public var isNullIsland: Bool { latitude == 0 && longitude == 0 }
}

/// The sphere on which distances are measured.
public enum Earth {
  /// The mean radius R₁ of the Earth in metres: H. Moritz, "Geodetic Reference System 1980",
  /// adopted by the IUGG.
  public static let meanRadiusMeters = 6_371_008.8
  /// Half the circumference in metres, the greatest distance between two points.
  public static let greatestDistanceMeters = meanRadiusMeters * Double.pi
}
