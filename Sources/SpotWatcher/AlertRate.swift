import CivilTime

/// The times of the latest notifications to all devices.
struct AlertRate: Hashable, Sendable {
  /// The times, the earliest first; at most ``maximumLimit`` of them.
  private var times: [Instant] = []

  /// The greatest possible limit of notifications per minute.
  static let maximumLimit = 1000
  private static let seconds = 60.0

  /// Records a notification.
  mutating func record(_ time: Instant) {
    if times.count == Self.maximumLimit { times.removeFirst() }
    times.append(time)
  }

  /// Removes the latest notification, if it has the given time.
  mutating func withdraw(_ time: Instant) {
    if times.last == time { times.removeLast() }
  }

  /// Returns the number of notifications within the last minute if it reaches a limit; otherwise
  /// `nil`.
  ///
  /// A notification more than a minute in the future, from a time when the clock was wrong, is not
  /// counted.
  func spent(at now: Instant, limit: Int) -> Int? {
    guard times.count >= limit,
      abs(now.seconds(since: times[times.count - limit])) < Self.seconds
    else { return nil }
    return times.count { abs(now.seconds(since: $0)) < Self.seconds }
  }
}
