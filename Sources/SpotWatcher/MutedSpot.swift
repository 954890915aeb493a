public import CivilTime
public import Spatial

/// A spot that somebody does not want to hear of, for good or for a time.
///
/// As with a cooldown it is the place that is silent: after a rebuild of the index the spot that is
/// there.
public struct MutedSpot: Hashable, Sendable {
  /// The spot's id.
  public var spotID: String
  /// The spot's centre.
  public var center: Coordinate
  /// When it may be heard of again; `nil` for never.
  public var until: Instant?

  /// Creates the muting of a spot.
  public init(spotID: String, center: Coordinate, until: Instant? = nil) {
    self.spotID = spotID
    self.center = center
    self.until = until
  }

  /// Whether the time is not over.
  public func isInForce(at now: Instant) -> Bool {
    until.map { now < $0 } ?? true
  }

  /// Whether a spot is this one: one whose centre is within a radius, edge included; or within two
  /// where it has the same id, since a centre moves when photos are added.
  public func covers(spotID: String, center: Coordinate, radiusMeters: Double) -> Bool {
    let reach = radiusMeters * (spotID == self.spotID ? 2 : 1)
    // A degree of latitude is 111 km: nearly all are far away.
    guard abs(center.latitude - self.center.latitude) * 100_000 <= reach else { return false }
    return self.center.distance(to: center) <= reach
  }
}
