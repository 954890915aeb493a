/// A way to tell about alerts.
public protocol Notifier: Sendable {
  /// A name for the journal, different from those of other notifiers: `stdout`, `hook`, `webhook`,
  /// `ntfy`, `gotify`.
  var name: String { get }

  /// Tells about an alert, once; the caller tries again where it failed.
  ///
  /// Returns when the alert is told or cannot be; a receiver elsewhere is given up after a
  /// time. Does not block its thread, and ends early, with whatever it started, when its task is
  /// cancelled. What it says of a failure holds no position, no address and no secret.
  func deliver(_ alert: Alert) async -> DeliveryResult
}

/// How a try to deliver a notification ended.
public enum DeliveryResult: Hashable, Sendable {
  /// It was delivered.
  case delivered
  /// It was not, and why; to be tried again.
  case failed(String)
  /// It was not, and why; the receiver asks to be left alone for so many seconds.
  case postponed(String, seconds: Double)
  /// It was not, and why; the receiver does not want it, so it is never tried again.
  case refused(String)
  /// Nobody listens any more; nothing need be tried again, and the program can end.
  case closed
  /// The receiver can never be told again in this run, and why; what waits stays for the next.
  case lost(String)
}
