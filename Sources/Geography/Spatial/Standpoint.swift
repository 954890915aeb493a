/// A position with the precomputed cosine of its latitude, the most expensive part of a distance.
///
/// Use it to compare one position with many, or repeatedly. Distances equal those of
/// ``Coordinate/distance(to:)`` to the last bit.
package struct Standpoint: BitwiseCopyable, Hashable, Sendable {
  /// The position.
  package let coordinate: Coordinate
  @usableFromInline let cosine: Double

  /// Creates a standpoint, computing the cosine of its latitude.
  package init(_ coordinate: Coordinate) {
    self.init(coordinate, cosine: Haversine.cosine(latitude: coordinate.latitude))
  }

  /// Creates a standpoint, given the cosine of the latitude.
  init(_ coordinate: Coordinate, cosine: Double) {
    self.coordinate = coordinate
    self.cosine = cosine
  }

  /// Returns the great-circle distance to another position in metres.
  @inlinable @inline(__always)
  package func distance(to other: Standpoint) -> Double { Haversine.meters(haversine(to: other)) }

  /// Returns the haversine of the central angle to another position, which grows with the distance
  /// and is cheaper to compute.
  @inlinable @inline(__always)
  package func haversine(to other: Standpoint) -> Double {
    Haversine.haversine(
      latitudeDegrees: other.coordinate.latitude - coordinate.latitude,
      longitudeDegrees: Haversine.turn(
        from: coordinate.longitude, to: other.coordinate.longitude),
      cosines: cosine * other.cosine)
  }

  /// Converts a haversine to a distance in metres.
  @inlinable @inline(__always)
  package static func meters(haversine: Double) -> Double { Haversine.meters(haversine) }
}

/// A maximum distance that haversines can be compared with, inclusive. The comparison converts to a
/// distance only if the haversine is within the rounding error of the limit.
package struct DistanceLimit: Sendable {
  /// The maximum distance in metres.
  package let meters: Double
  /// The haversine below which a distance is within the limit, whatever the rounding.
  @usableFromInline let surelyWithin: Double
  /// The haversine above which a distance exceeds the limit, whatever the rounding.
  @usableFromInline let surelyBeyond: Double

  /// Creates a limit.
  ///
  /// - Precondition: `meters` is not negative.
  package init(meters: Double) {
    self.meters = meters
    let haversine = Haversine.haversine(meters: meters)
    // Hundreds of times the rounding error.
    surelyWithin = haversine * (1 - 1e-12)
    surelyBeyond = haversine * (1 + 1e-12) + 1e-300
  }

  /// Whether a haversine corresponds to a distance up to the limit.
  @inlinable @inline(__always)
  package func holds(_ haversine: Double) -> Bool {
    haversine < surelyWithin || (haversine <= surelyBeyond && Haversine.meters(haversine) <= meters)
  }
}
