import Interchange

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

  /// Whether so many were decided in the last minute that there may be no other now.
  ///
  /// A notification more than a minute in the future counts for nothing: a clock was wrong.
  func isSpent(at now: Instant, limit: Int) -> Bool {
    guard times.count >= limit else { return false }
    return abs(now.seconds(since: times[times.count - limit])) < Self.seconds
  }
}
