import CivilTime
package import Spatial
import SpotWatcher

extension HistoryEntry {
  /// The event and its reason, as a clause for people: `you came within 40 m at 31 km/h, and were
  /// gone before you had been slow for 90 s`.
  ///
  /// It contains no name from a feed or a file, no position, and no time of day except the end of
  /// quiet hours.
  public var explanation: String { explanation { _ in nil } }

  /// Returns the explanation, in which a closure names a muted zone by its centre.
  package func explanation(naming zone: (Coordinate) -> String?) -> String {
    switch kind {
    case .notified: return firing
    case .lapsed:
      let stay = left.map { max($0.seconds(since: time), 0) }
      return "\(approach)\(way)\(way.isEmpty ? "" : ",") and were gone \(condition(after: stay))"
    case .waited: return "\(approach)\(way); it waits \(wait)"
    case .suppressed, .refused: return "\(approach), but \(refusal(mutedZone.flatMap(zone)))"
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
    case .paced:
      // Before it if the clock was set back.
      figure.map { figure in
        DurationText.isNone(figure)
          ? " at the same time as another alert"
          : " \(span(abs(figure))) \(figure < 0 ? "before" : "after") another alert"
      } ?? " soon after another alert"
    case .burst: " with positions that came late"
    case .stale: " with positions that came too late"
    default: ""
    }
  }

  /// Returns the condition that was not met when the device left.
  private func condition(after stay: Double?) -> String {
    let gone = stay.map { DurationText.isNone($0) ? "" : "\(span($0)) later, " } ?? ""
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

  private func refusal(_ zone: String?) -> String {
    guard let kind = suppressedBy else { return "it was suppressed" }
    return kind.refusal(figure, limit, days: days, zone: zone)
      ?? "it was suppressed: \(kind.rawValue)"
  }

  private func span(_ seconds: Double) -> String { DurationText.text(seconds) }
}
