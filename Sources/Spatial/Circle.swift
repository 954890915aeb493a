/// A circle on the ground, as queries compare positions with it.
struct Circle {
  let center: Coordinate
  /// Of the centre's latitude.
  let cosine: Double
  let radiusMeters: Double
  /// What has a greater haversine, or a greater lower bound of it, is outside; what is inside is
  /// decided by the distance. Rounded up by hundreds of times what rounding can do, and by what is
  /// lost where the squares of tiny angles vanish.
  private(set) var haversineLimit: Double
  /// How far the circle reaches to both sides, in degrees of longitude; 360 where it may hold a
  /// pole.
  let reachDegrees: Double
  /// Whether all that lies in the circle is so far from the antimeridian that ``flatLimit`` tells,
  /// and so close to its centre that ``Haversine/lowerBound`` is the haversine itself.
  let isFlat: Bool
  /// The greatest sum of squared differences in degrees, that of the longitudes times both cosines,
  /// of what lies in the circle; little of what lies outside is below it.
  private(set) var flatLimit: Double
  private let flatLimitOfHaversine: Double

  /// - Precondition: `radiusMeters` is not negative; it may be infinite.
  init(center: Coordinate, radiusMeters: Double) {
    self.init(
      center: center, cosine: Haversine.cosine(latitude: center.latitude),
      radiusMeters: radiusMeters)
  }

  /// `cosine` is that of the centre's latitude.
  init(center: Coordinate, cosine: Double, radiusMeters: Double) {
    self.center = center
    self.cosine = cosine
    self.radiusMeters = radiusMeters
    haversineLimit = Self.roundedUp(Haversine.haversine(meters: radiusMeters))
    let angle = Self.angle(radiusMeters)
    reachDegrees = Self.reachDegrees(radiusMeters: radiusMeters, cosine: cosine)
    // Half the greatest difference. The sine's square is at least x² (1 − x² / 3): the limit is
    // raised by more than that, and by a thousand times what rounding can do.
    let half = max(angle, reachDegrees * Double.pi / 180) / 2
    isFlat = half < 0.99 * Haversine.seriesEnd && abs(center.longitude) + reachDegrees < 179.99
    flatLimitOfHaversine =
      (1 + half * half / 2 + 1e-12)
      / (Haversine.halfRadiansPerDegree * Haversine.halfRadiansPerDegree)
    flatLimit = haversineLimit * flatLimitOfHaversine
  }

  /// Whether there is nothing outside.
  var isGlobe: Bool { haversineLimit >= 1 }

  /// How far the circle reaches to the north and the south, in degrees of latitude.
  var heightDegrees: Double { Self.heightDegrees(radiusMeters: radiusMeters) }

  /// The same of any circle of a radius.
  static func heightDegrees(radiusMeters: Double) -> Double {
    angle(radiusMeters) * 180 / Double.pi
  }

  /// How far a circle reaches to both sides, in degrees of longitude; 360 where it may hold a pole.
  ///
  /// The meridians that touch a circle of angular radius δ around latitude φ lie asin(sin δ /
  /// cos φ) to both sides, where it holds no pole: J. P. Matuschek, "Finding Points Within a
  /// Distance of a Latitude/Longitude Using Bounding Coordinates", section 3.3. Here δ and x /
  /// √(1 − x²) stand for sin δ and asin x: both are greater, by little for what is asked for
  /// mostly, and need no trigonometry. `cosine` is that of the centre's latitude.
  @inline(__always)
  static func reachDegrees(radiusMeters: Double, cosine: Double) -> Double {
    // The cosine is lowered by more than its rounding error, which is what counts close to a pole.
    let ratio = angle(radiusMeters) / max(cosine - 1e-15, 1e-300)
    let reach = ratio < 0.9 ? ratio / (1 - ratio * ratio).squareRoot() : 2 * Double.pi
    return reach * 180 / Double.pi
  }

  /// Draws the circle in. `reachDegrees` and `isFlat` stay as they are; ``redrawn()`` knows better.
  mutating func shrink(toHaversine haversine: Double) {
    haversineLimit = Self.roundedUp(haversine)
    flatLimit = haversineLimit * flatLimitOfHaversine
  }

  /// The same circle as if it had been made as small as it was drawn in.
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
