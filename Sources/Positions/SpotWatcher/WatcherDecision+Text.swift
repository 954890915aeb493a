extension WatcherDecision {
  /// The reason why a spot did or did not fire, in a few words: `fired 2 h ago, cooldown 24 h`.
  ///
  /// The text contains no names from feeds or files, and no position.
  public var reason: String {
    let (figure, limit) = (figure ?? 0, limit ?? 0)
    let (span, longest) = (DurationText.text(abs(figure)), DurationText.text(limit))
    // The time is in the future if the clock was set back, or in a replay of an old track.
    let distance = figure < 0 ? "\(span) later" : "\(span) ago"
    switch kind {
    case .notify: return "fires"
    case .alsoNear: return "named in the notification about another spot"
    case .paced:
      return
        "waits: the last notification was \(distance), interval \(longest)"
    case .lapsed: return "left while it waited"
    case .sibling: return "a nearby spot fired \(distance), cooldown \(longest)"
    case .shared: return "fired \(span) ago on another device nearby"
    case .burst: return "waits: the fix came \(span) late, and newer ones may follow"
    case .arriving: return "waits: slow for \(span) of the required \(longest)"
    case .settling:
      return "waits: positions have agreed for \(span) of the required \(longest)"
    case .halted:
      return "waits: the vehicle may go on (free with \(percent(figure)), \(percent(limit)) needed)"
    case .unconfirmed: return "waits: a second position must confirm that you are slow"
    case .uncertain:
      return "waits: there with \(percent(figure)), \(percent(limit)) needed"
    case .familiar:
      let days = self.days.map { $0 > 1 ? " and on \($0) recent days" : "" } ?? ""
      return "you were there \(span) ago\(days), silent for \(longest)"
    case .dwelling: return "did not stay for \(longest)"
    case .cooldown: return "fired \(distance), cooldown \(longest)"
    case .muted: return self.limit == nil ? "the spot is muted" : "in a muted zone"
    case .quiet: return "quiet hours until \(QuietHours.text(Int(saturating: limit)))"
    case .tooFast:
      let (speed, highest) = (Int(saturating: figure.rounded()), Int(saturating: limit.rounded()))
      return "waits: at \(speed) km/h, above \(highest) km/h"
    case .tooRecent:
      return figure < 0
        ? "its oldest photo was taken \(distance)"
        : "its oldest photo is \(span) old, less than \(longest)"
    case .filtered: return "no favourite among its photos"
    case .recreated: return "taken again \(distance), recreationInterval \(longest)"
    case .disabled: return "notifications are switched off"
    case .overRate:
      return "\(Int(saturating: figure)) fired within a minute, alertsPerMinute allows "
        + "\(Int(saturating: limit))"
    case .overBudget:
      return "\(Int(saturating: figure)) fired that day, of a budget of \(Int(saturating: limit))"
    case .reserved:
      let photos = figure == 1 ? "1 photo" : "\(Int(saturating: figure)) photos"
      return "\(photos); the rest of the day's budget is reserved for spots with "
        + "\(Int(saturating: limit)) or more"
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
}
