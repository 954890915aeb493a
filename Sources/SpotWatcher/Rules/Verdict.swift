import CivilTime
import Spatial

/// The answer of a rule about a visit to a spot. Instead of a verdict, `nil` permits firing now.
enum Verdict {
  /// Not before a time, or not before an event at an unknown time, such as the end of a ride.
  case notBefore(Instant?, Reason)
  /// Never during this visit.
  case no(Reason)

  /// The decision that explains a verdict, with its figure and limit.
  struct Reason: Hashable, Sendable {
    let kind: WatcherDecision.Kind
    var figure: Double?
    var limit: Double?
  }
}

/// A rule about visits.
struct VisitRule: Sendable {
  /// The name by which the rule can be turned off; `nil` for a rule with a setting of its own.
  let name: WatcherRule?
  /// Returns the rule's answer about an entered spot. The device is `inout` to avoid copies; rules
  /// change nothing but its cached daily budget.
  let verdict:
    @Sendable (WatcherRules, WatcherRules.Visit, Observation, inout DeviceState) -> Verdict?
}

extension WatcherRules {
  /// A visit to a spot that was entered and has not fired yet.
  struct Visit {
    let entry: Entry
    let spotID: String
    let enteredAt: Instant
    var center: Coordinate { entry.center.coordinate }
  }

  /// All rules about visits, in the order of their evaluation. The first *no* decides, else the
  /// first *not before*; a visit without either fires.
  static let visitRules: [VisitRule] = [
    VisitRule(name: nil) { $0.cooldown(of: $1, $2, &$3) },
    VisitRule(name: .siblings) { $0.silenceOfSibling(of: $1, $2, &$3) },
    VisitRule(name: .devices) { $0.silenceOfOtherDevice(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.muting(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.quiet($1, $2, &$3) },
    VisitRule(name: nil) { $0.minimumAge(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.filtering(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.recreation(of: $1, $2, &$3) },
    VisitRule(name: .bursts) { $0.burst($1, $2, &$3) },
    VisitRule(name: .vehicles) { $0.vehicle($1, $2, &$3) },
    VisitRule(name: .coldStart) { $0.coldStart($1, $2, &$3) },
    VisitRule(name: nil) { $0.dwelling(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.rateLimit($1, $2, &$3) },
    VisitRule(name: nil) { $0.pacing(of: $1, $2, &$3) },
  ]

  /// Returns the verdict on a visit; `nil` where it may fire.
  func verdict(
    on visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    var wait: Verdict?
    for rule in activeRules {
      guard let verdict = rule.verdict(self, visit, observation, &device) else { continue }
      if case .no = verdict { return verdict }
      wait = wait ?? verdict
    }
    return wait
  }
}
