import PhotoLibrary
import Spatial

/// The spots around a place, so that most fixes need no query of the index.
///
/// It is known from the index and a position alone, whatever device asked, so it is no part of a
/// watcher's state: without it the same is decided, and slower.
struct Surroundings: Sendable {
  /// How far from the centre a device may move before the index is asked again, in metres.
  ///
  /// A walk at 1.4 m/s asks once in half a minute or more. 25 m ask twice as often, 100 m look at
  /// more than twice as many spots for every fix.
  static let slackMeters = 50.0
  /// So many spots are kept, 32 bytes each; where there are more, every fix asks the index.
  static let maximumCount = 4096
  /// More than any rounding on the way.
  private static let marginMeters = 1.0

  struct Candidate: Sendable {
    /// The spot's place in the index.
    let index: Int
    let center: Standpoint
  }

  /// A spot with an alert radius of its own.
  struct OwnCandidate: Sendable {
    let candidate: Candidate
    let radiusMeters: Double
  }

  /// In the order of the index.
  private(set) var candidates: [Candidate] = []
  /// The spots that have a radius of their own, in the order of the index.
  private(set) var ownCandidates: [OwnCandidate] = []
  /// `nil` where nothing is kept.
  private var center: Standpoint?

  /// Sees to it that all spots are there that lie within a radius of the last metres of a leg.
  ///
  /// - Parameters:
  ///   - legMeters: How long the leg is at most.
  ///   - here: The end of the leg.
  ///   - rules: What tells the spots, the radius and the slack.
  /// - Returns: Whether they are there; not where the leg is longer than the slack or the spots are
  ///   too many.
  mutating func cover(legMeters: Double, to here: Standpoint, by rules: WatcherRules) -> Bool {
    guard legMeters < rules.slackMeters else { return false }
    if let center, center.distance(to: here) + legMeters < rules.slackMeters { return true }
    let reach = rules.radius.meters + rules.slackMeters + Self.marginMeters
    candidates.removeAll(keepingCapacity: true)
    ownCandidates.removeAll(keepingCapacity: true)
    // The centres are asked of the index too, where those of neighbors lie together. The spots
    // themselves lie anywhere.
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
