public import CivilTime

/// What a link in an alert does to the alert's spot.
public enum AlertAction: String, Hashable, Sendable, CaseIterable {
  /// Mutes the spot for good.
  case mute
  /// Mutes the spot until the link expires, a day after the alert.
  case notNow = "not-now"

  /// Until when the spot is muted by a link; `nil` for good. It follows from the link, not from the
  /// time of its use, so that to follow it again changes nothing.
  public func end(ofLinkUntil expiry: Instant) -> Instant? {
    switch self {
    case .mute: nil
    case .notNow: expiry
    }
  }
}
