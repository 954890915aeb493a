import CivilTime

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
  /// Answers about a spot that was entered.
  let verdict: @Sendable (WatcherRules, WatcherRules.Visit) -> Verdict?
}

extension WatcherRules {
  /// A spot that was entered and did not fire yet, with all that rules look at.
  struct Visit {
    let entry: Entry
    let enteredAt: Instant
    let look: Look
    let device: DeviceState
  }

  /// Every rule about visits, in the order in which they are asked. The first *no* decides; else
  /// the first that lets the visit wait; a visit that none of them holds back fires.
  static let visitRules: [VisitRule] = [
    VisitRule(name: nil) { $0.cooldown(of: $1) },
    VisitRule(name: .siblings) { $0.silenceOfSibling(of: $1) },
    VisitRule(name: .devices) { $0.silenceOfOtherDevice(of: $1) },
    VisitRule(name: nil) { $0.muting(of: $1) },
    VisitRule(name: nil) { $0.quiet($1) },
    VisitRule(name: nil) { $0.youth(of: $1) },
    VisitRule(name: nil) { $0.filtering(of: $1) },
    VisitRule(name: .bursts) { $0.burst($1) },
    VisitRule(name: .vehicles) { $0.riding($1) },
    VisitRule(name: .coldStart) { $0.settling($1) },
    VisitRule(name: nil) { $0.dwelling(of: $1) },
    VisitRule(name: nil) { $0.spending($1) },
    VisitRule(name: nil) { $0.pacing(of: $1) },
  ]

  /// What holds a visit back; `nil` where nothing does.
  func verdict(on visit: Visit) -> Verdict? {
    var wait: Verdict?
    for rule in activeRules {
      guard let verdict = rule.verdict(self, visit) else { continue }
      if case .no = verdict { return verdict }
      wait = wait ?? verdict
    }
    return wait
  }
}
