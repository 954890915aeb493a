import CivilTime
import Encodings
import LocationFeeds
import SpotAlerts
package import SpotWatcher

/// The decisions of a watch as sentences, for `watch --explain`.
package enum DecisionText {
  /// Returns a row for a decision, for example
  /// `2026-05-16 10:35:30  95 m: waits: at 31 km/h, above 15 km/h  [47xjsbmtz9sp]`.
  package static func row(_ decision: WatcherDecision) -> String {
    StandardOutput.row(time(decision.time) + "  ", words(decision)) + "\n"
  }

  /// Returns the device, the distance of the spot, the reason, and the spot's id.
  package static func words(_ decision: WatcherDecision) -> String {
    let device = decision.fix.device.map { $0.escaped + ": " } ?? ""
    let distance = decision.distanceMeters.map { Distance.text($0) + ": " } ?? ""
    let id = decision.spotID.map { "  [\($0.escaped)]" } ?? ""
    let waiting = decision.waiting.map { "; [\($0.spotID.escaped)] waits (\($0.kind.rawValue))" }
    return device + distance + reason(decision) + id + (waiting ?? "")
  }

  /// Returns the reason of a decision, with the centre of a muted zone.
  package static func reason(_ decision: WatcherDecision) -> String {
    decision.reason { SpotText.position($0) }
  }

  /// Formats a time in the machine's time zone, to the second.
  private static func time(_ instant: Instant) -> String {
    let offset = CivilTimeText.offset(at: instant)
    return String(instant.iso8601(utcOffsetMinutes: offset).prefix(19))
      .replacing("T", with: " ")
  }
}
