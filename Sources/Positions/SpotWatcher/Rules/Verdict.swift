import CivilTime
import Spatial

/// The answer of a rule about a visit to a spot. Instead of a verdict, `nil` permits firing now.
enum Verdict: Hashable, Sendable {
  /// Not now, but perhaps later in this visit.
  case notYet(Reason)
  /// Never during this visit.
  case no(Reason)

  /// The decision that explains a verdict, with its figures.
  struct Reason: Hashable, Sendable {
    let kind: WatcherDecision.Kind
    var figure: Double?
    var limit: Double?
    /// The number of days on which the device was there; only for `familiar`.
    var days: Int?
  }

  var reason: Reason {
    switch self {
    case .notYet(let reason), .no(let reason): reason
    }
  }
}

/// A rule of the owner's about visits.
struct VisitRule: Sendable {
  /// The name by which the rule can be turned off; `nil` for a rule with a setting of its own.
  let name: WatcherRule?
  /// Returns the rule's answer about an entered spot. The device is `inout` to avoid copies; rules
  /// change nothing.
  let verdict:
    @Sendable (WatcherRules, WatcherRules.Visit, Observation, inout DeviceState) -> Verdict?
}

extension WatcherRules {
  /// A visit to a spot that was entered and has not fired yet.
  struct Visit {
    let candidate: Surroundings.Candidate
    let spotID: String
    let enteredAt: Instant
    var index: Int { candidate.index }
    var center: Coordinate { candidate.center.coordinate }
  }

  /// The owner's rules about visits, in the order of their evaluation: the first that answers
  /// decides.
  static let visitRules: [VisitRule] = [
    VisitRule(name: .devices) { $0.silenceOfOtherDevice(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.muting(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.quiet($1, $2, &$3) },
    VisitRule(name: nil) { $0.minimumAge(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.filtering(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.recreation(of: $1, $2, &$3) },
    VisitRule(name: .bursts) { $0.burst($1, $2, &$3) },
    VisitRule(name: nil) { $0.dwelling(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.rateLimit($1, $2, &$3) },
  ]

  /// Returns the verdict of the owner's rules on a visit; `nil` where it may fire.
  func permission(
    for visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    for rule in activeRules {
      if let verdict = rule.verdict(self, visit, observation, &device) { return verdict }
    }
    return nil
  }
}
