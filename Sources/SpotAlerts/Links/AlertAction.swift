public import CivilTime

/// An action on an alert's spot that a link performs.
public enum AlertAction: String, Hashable, Sendable, CaseIterable {
  /// Mutes the spot for good.
  case mute
  /// Mutes the spot until the link expires, a day after the alert.
  case notNow = "not-now"

  /// Returns the end of the mute that a link makes; `nil` for a permanent one. It depends on the
  /// link, not on the time of use, so following a link twice changes nothing.
  public func end(ofLinkUntil expiry: Instant) -> Instant? {
    switch self {
    case .mute: nil
    case .notNow: expiry
    }
  }
}
