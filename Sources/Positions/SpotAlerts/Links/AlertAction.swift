public import CivilTime

/// An action on an alert's spot that a link performs.
public enum AlertAction: String, Hashable, Sendable, CaseIterable {
  /// Mutes the spot until 30 days after the alert.
  case mute
  /// Mutes the spot until the link expires, a day after the alert.
  case notNow = "not-now"

  /// The duration in days of the mute that a link makes, from the alert on.
  public var muteDays: Int {
    switch self {
    case .mute: 30
    case .notNow: 1
    }
  }

  /// Returns the end of the mute that a link makes. It depends on the link, not on the time of use.
  public func end(ofLinkUntil expiry: Instant) -> Instant {
    expiry.advanced(bySeconds: Double(muteDays) * 86_400 - AlertActionKey.validSeconds)
  }
}
