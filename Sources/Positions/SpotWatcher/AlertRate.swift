import CivilTime

/// The times of the latest notifications to all devices.
struct AlertRate: Hashable, Sendable {
  /// The times, the earliest first; at most ``maximumLimit`` of them.
  private var times: [Instant] = []

  /// The greatest possible limit of notifications per minute.
  static let maximumLimit = 1000
  private static let seconds = 60.0

  /// Records a notification. Devices' times differ, so it is not always the latest.
  mutating func record(_ time: Instant) {
    var index = times.count
    while index > 0, times[index - 1] > time { index -= 1 }
    times.insert(time, at: index)
    if times.count > Self.maximumLimit { times.removeFirst() }
  }

  /// Returns the number of notifications less than a minute before or after a time if it reaches a
  /// limit; otherwise `nil`.
  ///
  /// A notification more than a minute in the future, from a time when the clock was wrong, is not
  /// counted.
  func spent(at now: Instant, limit: Int) -> Int? {
    var end = times.count
    while end > 0, times[end - 1].seconds(since: now) >= Self.seconds { end -= 1 }
    guard end >= limit, now.seconds(since: times[end - limit]) < Self.seconds else { return nil }
    return times[..<end].count { now.seconds(since: $0) < Self.seconds }
  }
}
