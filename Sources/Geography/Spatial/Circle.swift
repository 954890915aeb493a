/// A circle on the ground, with derived limits that queries compare positions with.
struct Circle {
  let center: Coordinate
  /// The cosine of the centre's latitude.
  let cosine: Double
  let radiusMeters: Double
  /// The haversine that no position inside the circle exceeds. A position whose haversine, or lower
  /// bound of it, is greater is outside; below the limit, the distance itself decides.
  ///
  /// The limit is rounded up by hundreds of times the rounding error, and by the underflow of the
  /// squares of tiny angles.
  private(set) var haversineLimit: Double
  /// The extent of the circle to the west and to the east, in degrees of longitude; 360 or more if
  /// the circle may contain a pole.
  let reachDegrees: Double
  /// Whether the circle is small enough and far enough from the antimeridian for ``flatLimit`` to
  /// apply and for ``Haversine/lowerBound(latitudeDegrees:longitudeDegrees:cosines:)`` to equal the
  /// haversine.
  let isFlat: Bool
  /// The limit on *Δφ*² + cos *φ*₁ cos *φ*₂ *Δλ*², in square degrees, for positions in the circle.
  ///
  /// No position in the circle exceeds it, and few outside are below it.
  private(set) var flatLimit: Double
  private let flatLimitOfHaversine: Double

  /// Creates a circle.
  ///
  /// - Precondition: `radiusMeters` is not negative; it may be infinite.
  init(center: Coordinate, radiusMeters: Double) {
    self.init(
      center: center, cosine: Haversine.cosine(latitude: center.latitude),
      radiusMeters: radiusMeters)
  }

  /// Creates a circle, given the cosine of its centre's latitude.
  init(center: Coordinate, cosine: Double, radiusMeters: Double) {
    self.center = center
    self.cosine = cosine
    self.radiusMeters = radiusMeters
    haversineLimit = Self.roundedUp(Haversine.haversine(meters: radiusMeters))
    let angle = Self.angle(radiusMeters)
    reachDegrees = Self.reachDegrees(radiusMeters: radiusMeters, cosine: cosine)
    // Half of the greatest difference of latitude or longitude. sin² *x* is at least *x*² (1 − *x*²
    // / 3), so the limit is raised by more than that, and by a thousand times the rounding error.
    let half = max(angle, reachDegrees * Double.pi / 180) / 2
    isFlat = half < 0.99 * Haversine.seriesEnd && abs(center.longitude) + reachDegrees < 179.99
    flatLimitOfHaversine =
      (1 + half * half / 2 + 1e-12)
      / (Haversine.halfRadiansPerDegree * Haversine.halfRadiansPerDegree)
    flatLimit = haversineLimit * flatLimitOfHaversine
  }

  /// Whether the circle contains the whole globe.
  var isGlobe: Bool { haversineLimit >= 1 }

  /// The extent of the circle to the north and to the south, in degrees of latitude.
  var heightDegrees: Double { Self.heightDegrees(radiusMeters: radiusMeters) }

  /// Returns the extent to the north and to the south of any circle with a given radius.
  static func heightDegrees(radiusMeters: Double) -> Double {
    angle(radiusMeters) * 180 / Double.pi
  }

  /// Returns the extent of a circle to the west and to the east, in degrees of longitude; 360 if it
  /// may contain a pole.
  ///
  /// The meridians that touch a circle of angular radius δ around latitude φ are asin(sin δ / cos
  /// φ) to the west and east, unless it contains a pole: J. P. Matuschek, "Finding Points Within a
  /// Distance of a Latitude/Longitude Using Bounding Coordinates", section 3.3. This function uses
  /// the upper bounds δ for sin δ and *x* / √(1 − *x*²) for asin *x*. They need no trigonometry and
  /// are close for typical radii. `cosine` is the cosine of the centre's latitude.
  @inline(__always)
  static func reachDegrees(radiusMeters: Double, cosine: Double) -> Double {
    // The cosine is reduced by more than its rounding error, which matters close to a pole.
    let ratio = angle(radiusMeters) / max(cosine - 1e-15, 1e-300)
    let reach = ratio < 0.9 ? ratio / (1 - ratio * ratio).squareRoot() : 2 * Double.pi
    return reach * 180 / Double.pi
  }

  /// Reduces the radius to a haversine. `reachDegrees` and `isFlat` keep their values;
  /// ``redrawn()`` recomputes them.
  mutating func shrink(toHaversine haversine: Double) {
    haversineLimit = Self.roundedUp(haversine)
    flatLimit = haversineLimit * flatLimitOfHaversine
  }

  /// Returns the circle with all values recomputed for its reduced radius.
  func redrawn() -> Circle {
    Circle(
      center: center, cosine: cosine,
      radiusMeters: min(radiusMeters, Haversine.meters(haversineLimit)))
  }

  private static func angle(_ radiusMeters: Double) -> Double {
    min(radiusMeters / Earth.meanRadiusMeters, Double.pi)
  }

  private static func roundedUp(_ haversine: Double) -> Double {
    haversine * (1 + 1e-12) + 1e-300
  }
}
