import CivilTime
import Spatial

/// The alerts to a device, for the cooldown, the pauses between alerts and the daily budget.
struct AlertLog: Hashable, Sendable {
  /// An alert.
  struct Entry: Hashable, Sendable {
    let time: Instant
    /// The centre of the spot that it showed.
    let center: Standpoint
    /// Whether it was sent to another device carried along.
    let isElsewhere: Bool

    /// Creates an alert.
    init(time: Instant, center: Coordinate, isElsewhere: Bool = false) {
      (self.time, self.center, self.isElsewhere) = (time, Standpoint(center), isElsewhere)
    }
  }

  /// The alerts, ordered by time.
  private(set) var entries: [Entry] = []

  /// The maximum number of alerts: more than half a year with the default budget. Restored journals
  /// do not go back farther.
  private static let maximumCount = 8192

  /// Adds an alert, unless it is there already.
  mutating func add(_ entry: Entry) {
    let place = firstIndex(after: entry.time)
    if place > 0, entries[place - 1] == entry { return }
    entries.insert(entry, at: place)
    if entries.count > Self.maximumCount { entries.removeFirst() }
  }

  /// Returns the alert nearest in time within a distance of a position, if it is less than some
  /// seconds away.
  ///
  /// - Returns: The seconds since the alert, negative before it, and its distance; `nil` where
  ///   there is none.
  func alert(
    within meters: Double, of center: Standpoint, seconds: Double, at time: Instant
  ) -> (seconds: Double, meters: Double)? {
    guard meters >= 0 else { return nil }
    let reach = DistanceLimit(meters: meters)
    var nearest: (seconds: Double, meters: Double)?
    for entry in around(time, seconds: seconds) {
      let elapsed = time.seconds(since: entry.time)
      guard reach.holds(center.haversine(to: entry.center)),
        abs(elapsed) < abs(nearest?.seconds ?? .infinity)
      else { continue }
      nearest = (elapsed, center.distance(to: entry.center))
    }
    return nearest
  }

  /// Returns the alert to the device itself nearest in time, before or after; `nil` where there is
  /// none.
  ///
  /// Not the latest: one that fired while the clock was ahead is later than all that follow.
  func nearest(to time: Instant) -> Entry? {
    let end = firstIndex(after: time)
    let before = entries[..<end].last { !$0.isElsewhere }
    guard let after = entries[end...].first(where: { !$0.isElsewhere }) else { return before }
    guard let before else { return after }
    return time.seconds(since: before.time) <= after.time.seconds(since: time) ? before : after
  }

  /// Returns the alerts to the device itself that count for a time's local day, and how many of
  /// them are within a distance of a position.
  func count(
    onDayOf time: Instant, _ clock: LocalClock, within meters: Double, of center: Standpoint
  ) -> (all: Int, near: Int) {
    let day = clock.dayNumber(at: time)
    var count = (all: 0, near: 0)
    for entry in around(time, seconds: 2 * 86_400)
    where !entry.isElsewhere && clock.dayNumber(at: entry.time) == day {
      count.all += 1
      if entry.center.distance(to: center) <= meters { count.near += 1 }
    }
    return count
  }

  /// Returns the number of alerts to the device itself less than some seconds before or after a
  /// time.
  func count(around time: Instant, seconds: Double) -> Int {
    guard let last = entries.last, time.seconds(since: last.time) < seconds else { return 0 }
    return around(time, seconds: seconds).count { !$0.isElsewhere }
  }

  /// Returns the alerts less than some seconds before or after a time.
  private func around(_ time: Instant, seconds: Double) -> ArraySlice<Entry> {
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
