public import CivilTime

/// The times of consecutive photos of one camera, assumed to be taken with one setting of its
/// clock: none is more than ``maximumPauseSeconds`` after the previous one.
public struct ClockSeries: Hashable, Sendable {
  /// The maximum pause between photos in a series, in seconds; during a longer pause a traveller
  /// may have set the clock.
  public static let maximumPauseSeconds = 36.0 * 3600

  /// The times in ascending order; without UTC offsets, the times on the camera's clock interpreted
  /// as UTC.
  public let times: [Instant]
  /// Whether the photos contain their UTC offset, so that ``times`` are actual instants.
  public let statesOffset: Bool

  /// Splits the times of a camera's photos into series, the earliest first.
  ///
  /// - Parameters:
  ///   - times: The times, in any order.
  ///   - statesOffset: Whether the photos contain their UTC offset.
  /// - Returns: The series; empty if there are no photos.
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

  /// At most 2,000 evenly chosen times, at least a minute apart, so that a burst counts once.
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
