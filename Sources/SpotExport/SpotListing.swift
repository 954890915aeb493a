public import CivilTime
public import PhotoLibrary
public import Spatial

/// A spot as a row of an answer.
public struct SpotListing: Sendable {
  /// The spot.
  public let spot: PhotoSpot
  /// How far away and in which direction it lies from the place that was asked about; `nil` where
  /// none was.
  public let approach: Approach?
  /// Its photos with the files of each, earliest first; `nil` where they were not asked for.
  public let photos: [PhotoShot]?

  /// How long the spot is muted; `nil` where it is not.
  public let muting: Muting?
  /// When a photo of it was taken again last; `nil` for never, and where that was not asked.
  public let lastRecreated: Instant?

  /// How long a spot is muted.
  public enum Muting: Hashable, Sendable {
    /// Until it is unmuted.
    case unlimited
    /// Until an instant.
    case until(Instant)
  }

  /// The way to a spot.
  public struct Approach: Hashable, Sendable {
    /// The great-circle distance to the spot's centre in metres.
    public let distanceMeters: Double
    /// The initial bearing to it, in degrees clockwise from true north.
    public let bearingDegrees: Double

    /// Creates the way from a place to a spot.
    public init(from place: Coordinate, to spot: PhotoSpot) {
      distanceMeters = place.distance(to: spot.coordinate)
      bearingDegrees = place.bearing(to: spot.coordinate)
    }
  }

  /// Creates a row.
  public init(
    spot: PhotoSpot, approach: Approach? = nil, photos: [PhotoShot]? = nil, muting: Muting? = nil,
    lastRecreated: Instant? = nil
  ) {
    self.spot = spot
    self.approach = approach
    self.photos = photos
    self.muting = muting
    self.lastRecreated = lastRecreated
  }
}
