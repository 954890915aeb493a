import CivilTime

/// The times of the latest notifications, of all devices together.
struct AlertRate: Hashable, Sendable {
  /// The earliest first; no more than the greatest limit.
  private var times: [Instant] = []

  /// No limit is greater.
  static let maximumLimit = 1000
  private static let seconds = 60.0

  /// Notes a notification.
  mutating func record(_ time: Instant) {
    if times.count == Self.maximumLimit { times.removeFirst() }
    times.append(time)
  }

  /// Takes back the latest notification.
  mutating func withdraw(_ time: Instant) {
    if times.last == time { times.removeLast() }
  }

  /// How many were decided in the last minute, where these are so many that there may be no other
  /// now.
  ///
  /// A notification more than a minute in the future counts for nothing: a clock was wrong.
  func spent(at now: Instant, limit: Int) -> Int? {
    guard times.count >= limit,
      abs(now.seconds(since: times[times.count - limit])) < Self.seconds
    else { return nil }
    return times.count { abs(now.seconds(since: $0)) < Self.seconds }
  }
}
