public import CivilTime

/// The times of photos of one camera that were taken with one setting of its clock: none more than
/// ``maximumPauseSeconds`` after the one before.
public struct ClockSeries: Hashable, Sendable {
  /// The longest pause in a series in seconds; during a longer one a traveller may have set the
  /// clock.
  public static let maximumPauseSeconds = 36.0 * 3600

  /// The times that the clock showed, read as UTC where the photos state no offset, sorted.
  public let times: [Instant]
  /// Whether the photos state their offset from UTC, so that their times are moments.
  public let statesOffset: Bool

  /// Splits the times of a camera's photos into series, the earliest first.
  ///
  /// - Parameters:
  ///   - times: The times, in any order.
  ///   - statesOffset: Whether the photos state their offset from UTC.
  /// - Returns: The series; empty without photos.
  public static func split(_ times: [Instant], statesOffset: Bool) -> [ClockSeries] {
    var all: [ClockSeries] = []
    var current: [Instant] = []
    for time in times.sorted() {
      if let last = current.last, time.seconds(since: last) > maximumPauseSeconds {
        all.append(ClockSeries(times: current, statesOffset: statesOffset))
        current = []
      }
      current.append(time)
    }
    if !current.isEmpty { all.append(ClockSeries(times: current, statesOffset: statesOffset)) }
    return all
  }

  /// The times, one a minute and at most 2,000, evenly chosen: a burst counts once.
  var sample: [Instant] {
    var minutes: [Instant] = []
    for time in times {
      if let last = minutes.last, time.seconds(since: last) < 60 { continue }
      minutes.append(time)
    }
    let limit = 2000
    guard minutes.count > limit else { return minutes }
    return (0..<limit).map { minutes[$0 * minutes.count / limit] }
  }
}
