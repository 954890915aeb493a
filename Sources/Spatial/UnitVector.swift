#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A position as a point on the unit sphere, so that closeness is compared without trigonometry.
///
/// The straight line between two points, the chord, grows with the great-circle distance and has no
/// special case at the poles or the antimeridian. Chords here only *preselect*: they are compared with a
/// limit that is a little too large, and ``Coordinate/distance(to:)`` decides.
struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  init(_ coordinate: Coordinate) {
    let latitude = coordinate.latitude * Double.pi / 180
    let longitude = coordinate.longitude * Double.pi / 180
    let equatorial = cos(latitude)
    x = equatorial * cos(longitude)
    y = equatorial * sin(longitude)
    z = sin(latitude)
  }

  /// The square of the chord's length.
  func squaredChord(to other: UnitVector) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// The length of a chord that spans a distance along the ground, a little rounded up.
  ///
  /// Both a vector's components and the haversine are wrong by a few units in the sixteenth decimal. The
  /// margin of 1e-13 (0.6 µm on the ground) is hundreds of times that, also near the antipode, where both
  /// hardly change with the distance.
  static func chord(spanning distanceMeters: Double) -> Double {
    let angle = min(distanceMeters / (2 * Earth.meanRadiusMeters), Double.pi / 2)
    return 2 * sin(angle) + 1e-13
  }
}
