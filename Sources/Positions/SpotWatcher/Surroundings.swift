import PhotoLibrary
import Spatial

/// The spots around a position, cached so that most fixes need no query of the index.
///
/// The content depends only on the index and the position, not on the device, so it is not part of
/// a watcher's state: decisions are the same without it, but slower.
struct Surroundings: Sendable {
  /// The distance in metres that a device may move from the centre before the index is queried
  /// again.
  ///
  /// At a walking speed of 1.4 m/s, that is at most one query per half minute. With 25 m, queries
  /// are twice as frequent; with 100 m, each fix examines more than twice as many spots.
  static let slackMeters = 50.0
  /// The maximum number of cached spots; if there are more, every fix queries the index.
  static let maximumCount = 4096
  /// A margin in metres, greater than all rounding errors.
  private static let marginMeters = 1.0

  /// A spot, and the distance at which it alerts.
  struct Candidate: Sendable {
    /// The spot's index in ``PhotoLibrary/SpotIndex/spots``. The spot itself is large and usually
    /// not needed.
    let index: Int
    let center: Standpoint
    /// The distance in metres at which the spot is entered, edge included.
    let radiusMeters: Double
    /// Whether the spot has an alert radius of its own.
    let hasOwnRadius: Bool
    /// The distance of the device in metres, where it is known.
    var distanceMeters = 0.0
    /// The haversine of that distance.
    var haversine = 0.0
  }

  /// The cached spots.
  private(set) var candidates: [Candidate] = []
  /// The position around which spots are cached; `nil` where none are.
  private var center: Standpoint?

  /// Replaces the contents of an array by the spots that a device at a position is at or near, the
  /// nearest first: those within the exit distance, and others of a viewpoint.
  ///
  /// - Parameters:
  ///   - here: The position.
  ///   - rules: The rules, which hold the spots, the radius and the slack.
  ///   - found: The array.
  mutating func find(
    near here: Standpoint, _ rules: WatcherRules, into found: inout [Candidate]
  ) {
    found.removeAll(keepingCapacity: true)
    if cover(here, by: rules) {
      for candidate in candidates where rules.isNear(candidate, here) {
        found.append(candidate)
      }
    } else {
      Self.query(within: 0, of: here, rules) { candidate in
        if rules.isNear(candidate, here) { found.append(candidate) }
      }
    }
    for number in found.indices {
      found[number].haversine = here.haversine(to: found[number].center)
      found[number].distanceMeters = here.distance(to: found[number].center)
    }
    guard found.count > 1 else { return }
    found.sort { ($0.haversine, $0.index) < ($1.haversine, $1.index) }
  }

  /// Ensures that the cache contains all spots near a position.
  ///
  /// - Returns: `false` without slack, or with too many spots.
  private mutating func cover(_ here: Standpoint, by rules: WatcherRules) -> Bool {
    guard rules.slackMeters > 0 else { return false }
    if let center, center.distance(to: here) < rules.slackMeters { return true }
    candidates.removeAll(keepingCapacity: true)
    Self.query(within: rules.slackMeters + Self.marginMeters, of: here, rules) {
      candidates.append($0)
    }
    guard candidates.count <= Self.maximumCount else {
      (candidates, center) = ([], nil)
      return false
    }
    center = here
    return true
  }

  /// Calls a closure with the spots to which a device within some metres of a position may be near,
  /// and perhaps others.
  private static func query(
    within meters: Double, of here: Standpoint, _ rules: WatcherRules, _ body: (Candidate) -> Void
  ) {
    let spots = rules.spots
    // The index holds the centres of neighbouring spots close together in memory, unlike the spots
    // themselves.
    spots.forEachPlace(within: rules.nearLimit.meters + meters, of: here.coordinate) {
      index, center in
      guard !spots.hasAlertRadii || spots.alertRadius(ofPlace: index) == nil else { return }
      body(
        Candidate(
          index: index, center: center, radiusMeters: rules.radius.meters, hasOwnRadius: false))
    }
    guard spots.hasAlertRadii else { return }
    // The farthest that any place with a radius of its own is near beyond that radius.
    let margin = rules.nearMarginMeters(ofRadius: spots.greatestAlertRadius) + meters
    spots.forEachPlace(alertingWithin: margin, of: here.coordinate) { index, center, radius in
      let near = radius + rules.nearMarginMeters(ofRadius: radius)
      guard center.distance(to: here) <= near + meters else { return }
      body(Candidate(index: index, center: center, radiusMeters: radius, hasOwnRadius: true))
    }
  }
}

extension WatcherRules {
  /// Returns the distance in metres beyond a spot's radius within which a device is near it: up to
  /// the exit distance, and wide enough for the other spots of a viewpoint.
  func nearMarginMeters(ofRadius meters: Double) -> Double {
    max(
      WatcherSettings.exitDistanceMeters(radius: meters) - meters, alerting.viewpointMeters)
  }

  /// Returns whether a device at a position is near a spot.
  fileprivate func isNear(_ candidate: Surroundings.Candidate, _ here: Standpoint) -> Bool {
    guard candidate.hasOwnRadius else {
      return nearLimit.holds(here.haversine(to: candidate.center))
    }
    let radius = candidate.radiusMeters
    return here.distance(to: candidate.center)
      <= radius + nearMarginMeters(ofRadius: radius)
  }
}
