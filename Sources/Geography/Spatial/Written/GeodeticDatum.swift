import CLibrary

/// A geodetic datum that receivers used before WGS 84; its degrees are those of WGS 84 only to some
/// hundred metres.
///
/// A position is converted by a shift of the ellipsoid's centre. The shifts are the mean solutions
/// of NIMA TR8350.2, third edition (2000), appendix B, whose errors are 10–40 m.
package struct GeodeticDatum: Sendable {
  /// The name in words: `Tokyo`.
  package let name: String
  /// The names that devices write, in lower case without blanks, hyphens and underscores.
  private let codes: [String]
  /// The shift of the centre to that of WGS 84 along the three axes in metres.
  private let shift: (x: Double, y: Double, z: Double)
  private let ellipsoid: Ellipsoid

  /// The meaning of a datum's name in metadata.
  package enum Meaning: Sendable {
    /// The degrees are those of WGS 84, to a metre or two.
    case same
    /// The degrees must be converted.
    case other(GeodeticDatum)
  }

  /// Returns the meaning of a name; `nil` if it is unknown.
  package static func meaning(of name: String) -> Meaning? {
    let code = name.lowercased().filter { $0.isLetter || $0.isNumber }
    if code.isEmpty || equivalents.contains(where: code.hasPrefix) { return .same }
    return all.first { $0.codes.contains(code) }.map { .other($0) }
  }

  /// Converts a position to WGS 84.
  package func converted(_ coordinate: Coordinate) -> Coordinate? {
    var point = ellipsoid.point(coordinate.latitude, coordinate.longitude)
    point.x += shift.x
    point.y += shift.y
    point.z += shift.z
    let (latitude, longitude) = Ellipsoid.wgs84.position(of: point)
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The beginnings of names of datums that agree with WGS 84 to a metre or two.
  private static let equivalents = [
    "wgs84", "worldgeodeticsystem1984", "epsg4326", "etrs", "nad83", "jgd2000", "jgd2011",
    "tokyo97", "gda94", "gda2020", "nzgd2000", "sirgas", "itrf", "cgcs2000",
  ]

  private static let all = [
    GeodeticDatum("Tokyo", ["tokyo", "tokyodatum", "tokyomean"], (-148, 507, 685), .bessel),
    GeodeticDatum(
      "European 1950", ["ed50", "european1950", "europeandatum1950"], (-87, -98, -121),
      .international),
    GeodeticDatum(
      "North American 1927", ["nad27", "northamerican1927"], (-8, 160, 176), .clarke),
    GeodeticDatum("OSGB 1936", ["osgb36", "osgb1936"], (375, -111, 431), .airy),
    GeodeticDatum("Australian 1966", ["agd66"], (-133, -48, 148), .australian),
    GeodeticDatum("Australian 1984", ["agd84"], (-134, -48, 149), .australian),
    GeodeticDatum(
      "New Zealand 1949", ["nzgd49", "geodeticdatum1949"], (84, -22, 209), .international),
    GeodeticDatum("South American 1969", ["sad69"], (-57, 1, -41), .australian),
    GeodeticDatum(
      "Pulkovo 1942", ["pulkovo1942", "sk42", "s42"], (28, -130, -95), .krassovsky),
  ]

  private init(
    _ name: String, _ codes: [String], _ shift: (x: Double, y: Double, z: Double),
    _ ellipsoid: Ellipsoid
  ) {
    (self.name, self.codes, self.shift, self.ellipsoid) = (name, codes, shift, ellipsoid)
  }
}

/// An ellipsoid of NIMA TR8350.2, table A.1.
private struct Ellipsoid {
  /// The semi-major axis in metres.
  let axis: Double
  /// The square of the first eccentricity.
  let eccentricity: Double

  static let wgs84 = Ellipsoid(6_378_137, 298.257223563)
  static let airy = Ellipsoid(6_377_563.396, 299.3249646)
  /// The same as the South American ellipsoid of 1969.
  static let australian = Ellipsoid(6_378_160, 298.25)
  static let bessel = Ellipsoid(6_377_397.155, 299.1528128)
  static let clarke = Ellipsoid(6_378_206.4, 294.9786982)
  static let international = Ellipsoid(6_378_388, 297)
  static let krassovsky = Ellipsoid(6_378_245, 298.3)

  private init(_ axis: Double, _ inverseFlattening: Double) {
    self.axis = axis
    let flattening = 1 / inverseFlattening
    eccentricity = flattening * (2 - flattening)
  }

  /// Returns the point on the surface at a latitude and longitude in degrees, in metres from the
  /// centre.
  func point(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double, z: Double) {
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    let normal = axis / (1 - eccentricity * sin(phi) * sin(phi)).squareRoot()
    return (
      normal * cos(phi) * cos(lambda), normal * cos(phi) * sin(lambda),
      normal * (1 - eccentricity) * sin(phi)
    )
  }

  /// Returns the latitude and longitude in degrees of a point near the surface, by Bowring's
  /// formula (1976), whose error there is below a millimetre.
  func position(of point: (x: Double, y: Double, z: Double)) -> (Double, Double) {
    let distance = (point.x * point.x + point.y * point.y).squareRoot()
    let minor = axis * (1 - eccentricity).squareRoot()
    let second = eccentricity / (1 - eccentricity)
    let theta = atan2(point.z * axis, distance * minor)
    let (s, c) = (sin(theta), cos(theta))
    let phi = atan2(
      point.z + second * minor * s * s * s, distance - eccentricity * axis * c * c * c)
    return (phi * 180 / .pi, atan2(point.y, point.x) * 180 / .pi)
  }
}
