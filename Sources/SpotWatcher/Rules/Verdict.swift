import CivilTime
import Spatial

/// What a rule answers about a visit to a spot; `nil` in its place means: now.
enum Verdict {
  /// Not before a time, or not before something that no clock tells, such as the end of a ride.
  case notBefore(Instant?, Reason)
  /// Not during this visit.
  case no(Reason)

  /// The decision that explains an answer, its figure and its limit.
  struct Reason: Hashable, Sendable {
    let kind: WatcherDecision.Kind
    var figure: Double?
    var limit: Double?
  }
}

/// A rule: its name where it can be turned off, and its answer.
struct VisitRule: Sendable {
  /// The name that turns it off; `nil` for a rule that a setting of its own turns off.
  let name: WatcherRule?
  /// Answers about a spot that was entered. The device is only read, but for what it knows of its
  /// notifications of a day; nothing is copied.
  let verdict:
    @Sendable (WatcherRules, WatcherRules.Visit, Observation, inout DeviceState) -> Verdict?
}

extension WatcherRules {
  /// A spot that was entered and did not fire yet.
  struct Visit {
    let entry: Entry
    let spotID: String
    let enteredAt: Instant
    var center: Coordinate { entry.center.coordinate }
  }

  /// Every rule about visits, in the order in which they are asked. The first *no* decides; else
  /// the first that lets the visit wait; a visit that none of them holds back fires.
  static let visitRules: [VisitRule] = [
    VisitRule(name: nil) { $0.cooldown(of: $1, $2, &$3) },
    VisitRule(name: .siblings) { $0.silenceOfSibling(of: $1, $2, &$3) },
    VisitRule(name: .devices) { $0.silenceOfOtherDevice(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.muting(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.quiet($1, $2, &$3) },
    VisitRule(name: nil) { $0.youth(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.filtering(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.recreation(of: $1, $2, &$3) },
    VisitRule(name: .bursts) { $0.burst($1, $2, &$3) },
    VisitRule(name: .vehicles) { $0.riding($1, $2, &$3) },
    VisitRule(name: .coldStart) { $0.settling($1, $2, &$3) },
    VisitRule(name: nil) { $0.dwelling(of: $1, $2, &$3) },
    VisitRule(name: nil) { $0.spending($1, $2, &$3) },
    VisitRule(name: nil) { $0.pacing(of: $1, $2, &$3) },
  ]

  /// What holds a visit back; `nil` where nothing does.
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
