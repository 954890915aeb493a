import CivilTime
import SpotWatcher

extension HistoryEntry {
  /// The event and its reason, as a clause for people: `you came within 40 m at 31 km/h and were
  /// gone before you had been slow for 90 s`.
  ///
  /// It contains no name from a feed or a file, no position, and no time of day except the end of
  /// quiet hours.
  public var explanation: String {
    switch kind {
    case .notified: return firing
    case .lapsed:
      let stay = left.map { max($0.seconds(since: time), 0) }
      return "\(approach)\(way) and were gone \(condition(after: stay))"
    case .waited: return "\(approach)\(way); it waits \(wait)"
    case .suppressed, .refused: return "\(approach), but \(refusal)"
    }
  }

  private var firing: String {
    guard let notification else { return "it fired" }
    let meters = Int(saturating: notification.distanceMeters.rounded())
    let way =
      meters == 0 ? "right where you were" : "\(meters) m \(notification.compassPoint) of you"
    return "it fired, \(way)"
      + (notification.alsoNear.isEmpty
        ? "" : ", and named \(notification.alsoNear.count) more nearby")
  }

  private var approach: String {
    closestMeters.map { "you came within \(Int(saturating: max($0, 1).rounded())) m" }
      ?? "you came near"
  }

  /// The manner of the approach: ` at 31 km/h`.
  private var way: String {
    switch suppressedBy {
    case .tooFast: figure.map { " at \(Int(saturating: $0.rounded())) km/h" } ?? ""
    case .arriving: " after a ride"
    case .settling: " with the first positions after a gap"
    case .halted: " in a vehicle that stood"
    case .uncertain: " by uncertain positions"
    case .paced: figure.map { " \(span($0)) after another alert" } ?? " soon after another alert"
    case .burst: " with positions that came late"
    case .stale: " with positions that came too late"
    default: ""
    }
  }

  /// Returns the condition that was not met when the device left.
  private func condition(after stay: Double?) -> String {
    let gone = stay.map { $0 > 0 ? "\(span($0)) later, " : "" } ?? ""
    return switch suppressedBy {
    case .tooFast: "before you were slow"
    case .arriving: "before you had been slow for \(span(limit ?? 90))"
    case .halted: "before it was clear that you had got off"
    case .unconfirmed: "before a second position showed that you were slow"
    case .uncertain: "before it was clear that you were there"
    case .settling: gone + "before positions had agreed for \(limit.map(span) ?? "long enough")"
    case .dwelling:
      gone + "before you had been there for \(limit.map(span) ?? "long enough")"
    case .paced: gone + "before \(limit.map { "\(span($0)) were over" } ?? "its turn came")"
    case .burst, .stale: "before a fresh one came"
    default: gone + "before its turn came"
    }
  }

  private var wait: String {
    switch suppressedBy {
    case .tooFast: "until you are slow"
    case .arriving: "until you have been slow for \(span(limit ?? 90))"
    case .halted: "until it is clear that you have got off"
    case .unconfirmed: "for a second position that shows that you are slow"
    case .uncertain: "until it is clear that you are there"
    case .settling: "until positions have agreed for \(limit.map(span) ?? "some time")"
    case .dwelling: "until you have been there for \(limit.map(span) ?? "some time")"
    case .paced: limit.map { "until \(span($0)) are over" } ?? "for its turn"
    default: "for a fresh one"
    }
  }

  private var refusal: String {
    let known = figure.flatMap { figure in limit.map { (figure, $0) } }
    switch (suppressedBy, known) {
    case (.cooldown, let (figure, limit)?):
      let since =
        figure < 0 ? "it fires \(span(-figure)) later" : "it fired \(span(figure)) before"
      return "\(since), and it stays silent for \(span(limit))"
    case (.cooldown, nil): return "it had fired shortly before"
    case (.familiar, let (figure, limit)?):
      let habit = days.flatMap { $0 > 1 ? " and on \($0) recent days" : nil } ?? ""
      return "you had been there \(span(figure)) before\(habit), which silences it for "
        + "\(span(limit))"
    case (.sibling, let (figure, limit)?):
      return "a nearby spot fired \(span(abs(figure))) \(figure < 0 ? "later" : "before"), "
        + "which silences it for \(span(limit))"
    case (.shared, let (figure, _)?):
      return "it had fired \(span(abs(figure))) before on another device nearby"
    case (.muted, nil): return "it is muted"
    case (.muted, let (_, limit)?):
      return "a muted zone of \(Int(saturating: limit.rounded())) m applies there"
    case (.quiet, let (_, limit)?):
      return "quiet hours last until \(QuietHours.text(Int(saturating: limit)))"
    case (.tooRecent, let (figure, limit)?):
      return figure < 0
        ? "its photos were taken later"
        : "its oldest photo was \(span(figure)) old, and at least \(span(limit)) are required"
    case (.filtered, _): return "none of its photos is a favourite, and only such spots fire"
    case (.recreated, let (figure, limit)?):
      return "you had taken it again \(span(figure)) before, and it stays silent for \(span(limit))"
    case (.disabled, _): return "notifications were switched off"
    case (.overBudget, let (figure, limit)?):
      return "\(Int(saturating: figure)) had fired that day, of a budget of "
        + "\(Int(saturating: limit))"
    case (.reserved, let (figure, limit)?):
      return "it has \(photos(figure)), and the rest of that day's budget was reserved for spots "
        + "with \(Int(saturating: limit)) or more"
    case (.overRate, let (_, limit)?):
      return "the limit of \(Int(saturating: limit)) alerts a minute was reached"
    case (let kind?, _): return "it was suppressed: \(kind.rawValue)"
    case (nil, _): return "it was suppressed"
    }
  }

  private func photos(_ count: Double) -> String {
    count == 1 ? "1 photo" : "\(Int(saturating: count)) photos"
  }

  private func span(_ seconds: Double) -> String { DurationText.text(seconds) }
}
