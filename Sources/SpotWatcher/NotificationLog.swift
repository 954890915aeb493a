import CivilTime
import Spatial

/// The notifications to a device, for the minimum intervals and the daily budget.
struct NotificationLog: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let time: Instant
    let center: Coordinate
    let photoCount: Int
  }

  /// The notifications, ordered by time.
  private(set) var entries: [Entry] = []
  /// The cached result of ``spentBudget(at:_:)`` for the latest day.
  private var spent: SpentBudget?

  /// The photo counts of the spots of one day's notifications, in ascending order.
  struct SpentBudget: Hashable, Sendable {
    fileprivate let day: Int
    fileprivate let utcOffsetMinutes: Int
    let photoCounts: [Int]
  }

  /// The maximum number of entries: more than a year with the default budget. Restored journals do
  /// not go back farther.
  private static let maximumCount = 8192

  mutating func record(_ entry: Entry) {
    let place = firstIndex(after: entry.time)
    entries.insert(entry, at: place)
    if entries.count > Self.maximumCount { entries.removeFirst() }
    spent = nil
  }

  mutating func withdraw(time: Instant) {
    if let place = entries.lastIndex(where: { $0.time == time }) { entries.remove(at: place) }
    spent = nil
  }

  /// Returns the photo counts of the notifications that count for the budget of a time's local day.
  mutating func spentBudget(at now: Instant, _ clock: LocalClock) -> SpentBudget {
    let offset = clock.utcOffsetMinutes(now)
    let today = LocalClock.dayNumber(at: now, utcOffsetMinutes: offset)
    if let spent, spent.day == today, spent.utcOffsetMinutes == offset { return spent }
    let counts = around(now, seconds: 2 * 86_400)
      .filter { clock.dayNumber(at: $0.time) == today }.map(\.photoCount).sorted()
    let budget = SpentBudget(day: today, utcOffsetMinutes: offset, photoCounts: counts)
    spent = budget
    return budget
  }

  /// Returns the number of notifications less than some seconds before or after a time.
  func count(around time: Instant, seconds: Double) -> Int {
    guard let last = entries.last, time.seconds(since: last.time) < seconds else { return 0 }
    return around(time, seconds: seconds).count
  }

  /// Returns the notifications less than some seconds before or after a time.
  func around(_ time: Instant, seconds: Double) -> ArraySlice<Entry> {
    var end = firstIndex(after: time)
    var start = end
    while start > 0, time.seconds(since: entries[start - 1].time) < seconds { start -= 1 }
    while end < entries.count, entries[end].time.seconds(since: time) < seconds { end += 1 }
    return entries[start..<end]
  }

  private func firstIndex(after time: Instant) -> Int {
    var index = entries.count
    while index > 0, entries[index - 1].time > time { index -= 1 }
    return index
  }
}
