/// A receiver of alerts.
public protocol Notifier: Sendable {
  /// The name in the journal, unique among the notifiers of a session: `stdout`, `hook`, `webhook`,
  /// `ntfy`.
  var name: String { get }

  /// Delivers an alert in one attempt; the caller repeats failed attempts.
  ///
  /// Returns when the alert is delivered or the attempt failed; an attempt to reach a remote
  /// receiver has a time limit. It does not block its thread. When its task is cancelled, it ends
  /// early together with all processes that it started. The reason of a failure contains no
  /// position, address or secret.
  func deliver(_ alert: Alert) async -> DeliveryResult
}

/// The result of an attempt to deliver a notification.
public enum DeliveryResult: Hashable, Sendable {
  /// The notification was delivered.
  case delivered
  /// The attempt failed, with the reason, and is to be repeated.
  case failed(String)
  /// The attempt failed, with the reason; the receiver requested a pause in seconds.
  case postponed(String, seconds: Double)
  /// The receiver rejected the notification, with the reason; the attempt is not repeated.
  case refused(String)
  /// The receiver has closed; no attempt need be repeated, and the program can end.
  case closed
  /// The receiver cannot be reached again in this run, with the reason; pending notifications stay
  /// for the next run.
  case lost(String)
}
