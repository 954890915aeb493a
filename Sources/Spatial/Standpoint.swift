/// A position together with the cosine of its latitude, which most of the time of a distance goes
/// into.
///
/// Where one position is compared with many, or again and again. Distances are those of
/// ``Coordinate/distance(to:)`` to the last bit.
package struct Standpoint: BitwiseCopyable, Hashable, Sendable {
  package let coordinate: Coordinate
  @usableFromInline let cosine: Double

  package init(_ coordinate: Coordinate) {
    self.init(coordinate, cosine: Haversine.cosine(latitude: coordinate.latitude))
  }

  /// `cosine` is that of the latitude.
  init(_ coordinate: Coordinate, cosine: Double) {
    self.coordinate = coordinate
    self.cosine = cosine
  }

  /// The great-circle distance to another position in metres.
  @inlinable @inline(__always)
  package func distance(to other: Standpoint) -> Double { Haversine.meters(haversine(to: other)) }

  /// The haversine of the great circle to another position: what grows with the distance and takes
  /// less time.
  @inlinable @inline(__always)
  package func haversine(to other: Standpoint) -> Double {
    Haversine.haversine(
      latitudeDegrees: other.coordinate.latitude - coordinate.latitude,
      longitudeDegrees: Haversine.turn(
        from: coordinate.longitude, to: other.coordinate.longitude),
      cosines: cosine * other.cosine)
  }

  /// The distance in metres that a haversine is that of.
  @inlinable @inline(__always)
  package static func meters(haversine: Double) -> Double { Haversine.meters(haversine) }
}

/// A distance on the ground that others are compared with, edge included, as haversines where these
/// tell.
package struct DistanceLimit: Sendable {
  /// The distance.
  package let meters: Double
  @usableFromInline let surelyWithin: Double
  @usableFromInline let surelyBeyond: Double

  /// - Precondition: `meters` is not negative.
  package init(meters: Double) {
    self.meters = meters
    let haversine = Haversine.haversine(meters: meters)
    // Hundreds of times what rounding can do.
    surelyWithin = haversine * (1 - 1e-12)
    surelyBeyond = haversine * (1 + 1e-12) + 1e-300
  }

  /// Whether a haversine is that of a distance up to this.
  @inlinable @inline(__always)
  package func holds(_ haversine: Double) -> Bool {
    haversine < surelyWithin || (haversine <= surelyBeyond && Haversine.meters(haversine) <= meters)
  }
}
