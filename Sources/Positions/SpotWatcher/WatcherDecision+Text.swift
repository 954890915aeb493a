package import Spatial

extension WatcherDecision {
  /// The reason why a spot did or did not fire: `it fired 2 h before, and it stays silent for
  /// 24 h`.
  ///
  /// The text contains no names from feeds or files, and no position. A refusal has the words of
  /// ``Kind/refusal(_:_:days:zone:)``, as in the history.
  public var reason: String { reason { _ in nil } }

  /// Returns the reason, in which a closure names a muted zone by its centre.
  package func reason(naming zone: (Coordinate) -> String?) -> String {
    let zone = mutedZone.flatMap(zone)
    if let refusal = kind.refusal(figure, limit, days: days, zone: zone) { return refusal }
    let (figure, limit) = (figure ?? 0, limit ?? 0)
    let (span, longest) = (DurationText.text(abs(figure)), DurationText.text(limit))
    switch kind {
    case .notify: return "fires"
    case .alsoNear: return "named in the notification about another spot"
    case .paced:
      // The time is in the future if the clock was set back, or in a replay of an old track.
      return
        "waits: the last notification was \(DurationText.before(figure)), interval \(longest)"
    case .lapsed: return "left while it waited"
    case .burst: return "waits: the fix came \(span) late, and newer ones may follow"
    case .arriving: return "waits: slow for \(span) of the required \(longest)"
    case .settling:
      return "waits: positions have agreed for \(span) of the required \(longest)"
    case .halted:
      return "waits: the vehicle may go on (free with \(percent(figure)), \(percent(limit)) needed)"
    case .unconfirmed: return "waits: a second position must confirm that you are slow"
    case .uncertain:
      return "waits: there with \(percent(figure)), \(percent(limit)) needed"
    case .dwelling: return "did not stay for \(longest)"
    case .tooFast:
      let (speed, highest) = (Int(saturating: figure.rounded()), Int(saturating: limit.rounded()))
      return "waits: at \(speed) km/h, above \(highest) km/h"
    case .familiar, .cooldown, .sibling, .shared, .muted, .quiet, .tooRecent, .filtered,
      .recreated, .disabled, .overRate, .overBudget, .reserved:
      return "suppressed: \(kind.rawValue)"
    case .invalid: return "no valid position or time"
    case .late: return "not newer than the last fix"
    case .stale: return "too old to fire"
    case .inaccurate: return "too inaccurate"
    case .jump: return "implausibly far from the last position"
    case .unmoved: return "has not moved"
    case .leaving: return "beyond the radius, but not left yet"
    case .clear: return "no spot near"
    case .inside: return "already here"
    case .exit: return "left"
    }
  }

  private func percent(_ figure: Double) -> String { "\(Int(saturating: figure.rounded())) %" }
}

/// Formats durations for people.
public enum DurationText {
  /// Formats whole seconds in the largest unit of which there are at least two, rounded down:
  /// `35 min`, `26 h`, `3 d`.
  public static func text(_ seconds: Double) -> String {
    let units = [("y", 31_557_600.0), ("d", 86_400), ("h", 3600), ("min", 60)]
    let whole = seconds.rounded()
    for (name, length) in units where abs(whole) >= 2 * length {
      return "\(Int(saturating: min(max(whole / length, -1e9), 1e9))) \(name)"
    }
    return "\(Int(saturating: whole)) s"
  }

  /// Returns whether a duration is 0 s when it is formatted.
  package static func isNone(_ seconds: Double) -> Bool { seconds.rounded() == 0 }

  /// Formats how long an event was before another: `35 min before`, `35 min later` for a negative
  /// duration, and `at the same time`.
  package static func before(_ seconds: Double) -> String {
    isNone(seconds)
      ? "at the same time" : "\(text(abs(seconds))) \(seconds < 0 ? "later" : "before")"
  }
}
