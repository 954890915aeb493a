import CivilTime
import Spatial

/// When a device was notified, and about what: for the intervals between notifications and the
/// budget of a day.
struct NotificationLog: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let time: Instant
    let center: Coordinate
    let photoCount: Int
  }

  /// In the order of their times.
  private(set) var entries: [Entry] = []

  /// More than a year of the default budget; a journal is played again at most as far back.
  private static let maximumCount = 8192

  mutating func record(_ entry: Entry) {
    let place = firstIndex(after: entry.time)
    entries.insert(entry, at: place)
    if entries.count > Self.maximumCount { entries.removeFirst() }
  }

  mutating func withdraw(time: Instant) {
    if let place = entries.lastIndex(where: { $0.time == time }) { entries.remove(at: place) }
  }

  /// The notifications that lie fewer than some seconds before or after a time.
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
