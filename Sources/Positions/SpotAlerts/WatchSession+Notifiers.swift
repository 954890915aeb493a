extension WatchSession {
  /// The current receivers.
  package var notifiers: [any Notifier] { outbox.notifiers }

  /// Replaces the receivers of a started session; may be called from any thread.
  ///
  /// Further alerts are sent to the new receivers. A receiver delivers what waits for one of the
  /// same name; other waiting deliveries are given up.
  ///
  /// - Parameter notifiers: The receivers, with different names.
  package func replace(notifiers: [any Notifier]) { outbox.replace(notifiers: notifiers) }

  /// Waits until each delivery is done or waits for its next attempt, at most for a number of
  /// seconds.
  package func drain(withinSeconds seconds: Double) async {
    await outbox.drain(withinSeconds: seconds)
  }
}
