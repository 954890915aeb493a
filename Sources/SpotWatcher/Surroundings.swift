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
  /// The maximum number of cached spots, 32 bytes each; if there are more, every fix queries the
  /// index.
  static let maximumCount = 4096
  /// A margin in metres, greater than all rounding errors.
  private static let marginMeters = 1.0

  struct Candidate: Sendable {
    /// The spot's index in ``PhotoLibrary/SpotIndex/spots``.
    let index: Int
    let center: Standpoint
  }

  /// A spot with an alert radius of its own.
  struct OwnCandidate: Sendable {
    let candidate: Candidate
    let radiusMeters: Double
  }

  /// The spots without a radius of their own, in the order of the index.
  private(set) var candidates: [Candidate] = []
  /// The spots with a radius of their own, in the order of the index.
  private(set) var ownCandidates: [OwnCandidate] = []
  /// The position around which spots are cached; `nil` where none are.
  private var center: Standpoint?

  /// Ensures that the cache contains all spots within the proximity radius of a leg.
  ///
  /// - Parameters:
  ///   - legMeters: An upper bound of the leg's length.
  ///   - here: The end of the leg.
  ///   - rules: The rules, which hold the spots, the radius and the slack.
  /// - Returns: Whether the cache is complete; false if the leg is longer than the slack or there
  ///   are too many spots.
  mutating func cover(legMeters: Double, to here: Standpoint, by rules: WatcherRules) -> Bool {
    guard legMeters < rules.slackMeters else { return false }
    if let center, center.distance(to: here) + legMeters < rules.slackMeters { return true }
    let reach = rules.radius.meters + rules.slackMeters + Self.marginMeters
    candidates.removeAll(keepingCapacity: true)
    ownCandidates.removeAll(keepingCapacity: true)
    // The index holds the centres of neighbouring spots close together in memory, unlike the spots
    // themselves.
    rules.spots.forEachPlace(within: reach, of: here.coordinate) { index, center in
      candidates.append(Candidate(index: index, center: center))
    }
    if rules.spots.hasAlertRadii {
      candidates.removeAll { rules.spots.alertRadius(ofPlace: $0.index) != nil }
      let slack = rules.slackMeters + Self.marginMeters
      rules.spots.forEachPlace(alertingWithin: slack, of: here.coordinate) {
        index, center, radius in
        guard center.distance(to: here) <= radius + slack else { return }
        ownCandidates.append(
          OwnCandidate(
            candidate: Candidate(index: index, center: center), radiusMeters: radius))
      }
      ownCandidates.sort { $0.candidate.index < $1.candidate.index }
    }
    guard candidates.count + ownCandidates.count <= Self.maximumCount else {
      (candidates, ownCandidates, center) = ([], [], nil)
      return false
    }
    candidates.sort { $0.index < $1.index }
    center = here
    return true
  }
}
