public import CivilTime
public import PhotoLibrary
public import Spatial

/// A spot as a row of a listing.
public struct SpotListing: Sendable {
  /// The spot.
  public let spot: PhotoSpot
  /// The name of the spot's place, which takes a search for it; `nil` if there is none.
  public let name: String?
  /// The distance and direction from the requested position; `nil` if there is no such position.
  public let approach: Approach?
  /// The photos with the files of each, earliest first; `nil` if photos were not requested.
  public package(set) var photos: [PhotoShot]?

  /// The duration for which the spot is muted; `nil` if it is not muted.
  public package(set) var muting: Muting?
  /// The time of the last recreation of one of its photos; `nil` if there is none or it was not
  /// looked up.
  public let lastRecreated: Instant?

  /// The difference from the other spots of its name in the list; `nil` if it needs none.
  public var distinction: SpotDistinction?

  /// The name with ``distinction``; the position of a spot without a name.
  public var label: String { distinction?.added(to: title) ?? title }

  private var title: String { name ?? PlaceName.text(of: spot.coordinate) }

  /// Adds to each row of a list what tells it apart from others of its name.
  public static func distinguish(_ listings: inout [SpotListing]) {
    let found = SpotDistinction.among(listings.map(\.spot), titled: listings.map(\.title))
    for (row, distinction) in found.enumerated() { listings[row].distinction = distinction }
  }

  /// The duration for which a spot is muted.
  public enum Muting: Hashable, Sendable {
    /// Until it is unmuted.
    case unlimited
    /// Until an instant.
    case until(Instant)
  }

  /// The distance and bearing from a position to a spot.
  public struct Approach: Hashable, Sendable {
    /// The great-circle distance in metres to the spot's centre, or to the own position of a place
    /// pinned to the spot if that is nearer.
    public let distanceMeters: Double
    /// The initial bearing to it, in degrees clockwise from true north.
    public let bearingDegrees: Double

    /// Calculates the distance and bearing from a position to a spot.
    public init(from place: Coordinate, to spot: PhotoSpot) {
      let center = (place.distance(to: spot.coordinate), spot.coordinate)
      let pin = spot.place.map { (place.distance(to: $0.coordinate), $0.coordinate) }
      let nearest = pin.flatMap { $0.0 < center.0 ? $0 : nil } ?? center
      distanceMeters = nearest.0
      bearingDegrees = place.bearing(to: nearest.1)
    }
  }

  /// Creates a row.
  public init(
    spot: PhotoSpot, approach: Approach? = nil, photos: [PhotoShot]? = nil, muting: Muting? = nil,
    lastRecreated: Instant? = nil
  ) {
    self.spot = spot
    name = spot.placeName
    self.approach = approach
    self.photos = photos
    self.muting = muting
    self.lastRecreated = lastRecreated
  }
}
