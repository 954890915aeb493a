public import CivilTime

/// An event that the user may want to know about, and that does not stop the session.
public enum AlertEvent: Hashable, Sendable, CustomStringConvertible {
  /// The journal was damaged; it is used without the damaged lines.
  case damagedJournal(JournalDamage)
  /// An attempt to deliver a notification failed; there will be another.
  case deliveryFailed(notifier: String, notification: String, reason: String, next: Instant)
  /// A delivery was given up.
  case expired(notifier: String, notification: String, reason: String)
  /// The result of a delivery could not be recorded.
  case cannotRecord(AlertStateError)
  /// A notifier's receiver is gone. For standard output the program can end with success.
  case receiverClosed(notifier: String)
  /// A notifier can deliver no more because of an error; the program should end.
  case receiverLost(notifier: String, reason: String)
  /// A delivery was given up because the program ended during two attempts.
  case setAside(notifier: String, notification: String)

  /// A description of the event in a line, without a position.
  public var description: String {
    switch self {
    case .damagedJournal(let damage): damage.description
    case .deliveryFailed(let notifier, let notification, let reason, let next):
      "\(notifier): \(reason); notification \(notification) is tried again at \(next.iso8601)"
    case .expired(let notifier, let notification, let reason):
      "\(notifier): notification \(notification) is not delivered, and not tried again: \(reason)"
    case .cannotRecord(let error): error.description
    case .receiverClosed(let notifier): "\(notifier): the reader has closed the output"
    case .receiverLost(let notifier, let reason): "\(notifier): \(reason)"
    case .setAside(let notifier, let notification):
      "\(notifier): notification \(notification) is not tried again: the program ended during two tries to deliver it"
    }
  }
}
