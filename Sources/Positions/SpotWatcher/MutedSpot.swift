public import CivilTime
public import Spatial

/// A spot silenced by the user, permanently or for a time.
///
/// As with cooldowns, the place is silent: after the index is rebuilt, so is the spot that is then
/// at its position.
public struct MutedSpot: Hashable, Sendable {
  /// The spot's id.
  public var spotID: String
  /// The spot's centre.
  public var center: Coordinate
  /// The end of the silence; `nil` mutes the spot permanently.
  public var until: Instant?

  /// Creates the muting of a spot.
  public init(spotID: String, center: Coordinate, until: Instant? = nil) {
    self.spotID = spotID
    self.center = center
    self.until = until
  }

  /// Returns whether the silence has not ended yet.
  public func isInForce(at now: Instant) -> Bool {
    until.map { now < $0 } ?? true
  }

  /// Returns whether a spot is the muted one: its centre is within a radius, edge included, or its
  /// id is the same, since centres move when photos are added and when an own place is moved.
  public func covers(spotID: String, center: Coordinate, radiusMeters: Double) -> Bool {
    // A quick test: a degree of latitude is 111 km, and nearly all spots are far away.
    let isNear =
      abs(center.latitude - self.center.latitude) * 100_000 <= radiusMeters
      && self.center.distance(to: center) <= radiusMeters
    return isNear || spotID == self.spotID
  }
}
