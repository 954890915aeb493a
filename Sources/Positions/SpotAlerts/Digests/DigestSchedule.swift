import CivilTime
import SpotWatcher

/// The time of digests: every day, or every week on a weekday, at a minute of the local day.
public struct DigestSchedule: Hashable, Sendable, CustomStringConvertible {
  /// A day of the week.
  enum Weekday: String, CaseIterable {
    /// The weekdays in the order of ISO 8601.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Creates the weekday of a day number; 1970-01-01 was a Thursday.
    init(dayNumber: Int) {
      self = Self.allCases[((dayNumber + 3) % 7 + 7) % 7]
    }
  }

  /// The period of one digest; its end is not included.
  struct Period: Hashable, Sendable {
    let start: Instant
    let end: Instant
  }

  /// The weekday; `nil` for every day.
  private let weekday: Weekday?
  /// The minute of the day, 0–1439.
  private let minute: Int

  /// Parses a schedule from its form in the settings, `daily 21:00` or `sunday 18:00`; `nil` for
  /// any other text.
  public init?(_ text: String) {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    guard words.count == 2, words[0] == "daily" || Weekday(rawValue: String(words[0])) != nil,
      let minute = QuietHours.minute(words[1])
    else { return nil }
    weekday = Weekday(rawValue: String(words[0]))
    self.minute = minute
  }

  /// The schedule in its form in the settings.
  public var description: String {
    "\(weekday?.rawValue ?? "daily") \(QuietHours.text(minute))"
  }

  /// The length of a period in days.
  var days: Int { weekday == nil ? 1 : 7 }

  /// Returns the last period that ended at or before an instant.
  func lastPeriod(at now: Instant, _ clock: LocalClock) -> Period {
    // If the minute is skipped by a change to summer time, the end of that day's period is later.
    var day = clock.dayNumber(at: now) + 1
    while !isLast(day) || end(onDay: day, clock) > now { day -= 1 }
    return Period(start: end(onDay: day - days, clock), end: end(onDay: day, clock))
  }

  /// Returns the first end of a period after an instant.
  func nextEnd(after now: Instant, _ clock: LocalClock) -> Instant {
    var day = clock.dayNumber(at: now) - 1
    while !isLast(day) || end(onDay: day, clock) <= now { day += 1 }
    return end(onDay: day, clock)
  }

  /// Returns whether a period ends on a day.
  private func isLast(_ day: Int) -> Bool {
    weekday == nil || weekday == Weekday(dayNumber: day)
  }

  /// Returns when the local clock shows the minute on a day.
  private func end(onDay day: Int, _ clock: LocalClock) -> Instant {
    let shown = Instant(secondsSince1970: Int64(day) * 86_400 + Int64(minute) * 60)
    let guess = shown.advanced(bySeconds: Double(clock.utcOffsetMinutes(shown)) * -60)
    return shown.advanced(bySeconds: Double(clock.utcOffsetMinutes(guess)) * -60)
  }
}
