import CivilTime
import SpotWatcher

/// When a digest is sent: every day, or every week on a day, at a minute of the local day.
public struct DigestSchedule: Hashable, Sendable, CustomStringConvertible {
  /// A day of the week.
  enum Weekday: String, CaseIterable {
    /// In the order of ISO 8601.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// 1970-01-01 was a Thursday.
    init(dayNumber: Int) {
      self = Self.allCases[((dayNumber + 3) % 7 + 7) % 7]
    }
  }

  /// A span of time that one digest sums up; its end is not included.
  struct Period: Hashable, Sendable {
    let start: Instant
    let end: Instant
  }

  /// `nil` for every day.
  private let weekday: Weekday?
  /// Counted from midnight; 0–1439.
  private let minute: Int

  /// Reads a schedule as it is written in the settings, `daily 21:00` or `sunday 18:00`; `nil` for
  /// anything else.
  public init?(_ text: String) {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    guard words.count == 2, words[0] == "daily" || Weekday(rawValue: String(words[0])) != nil,
      let minute = QuietHours.minute(words[1])
    else { return nil }
    weekday = Weekday(rawValue: String(words[0]))
    self.minute = minute
  }

  /// The schedule as it is written in the settings.
  public var description: String {
    "\(weekday?.rawValue ?? "daily") \(QuietHours.text(minute))"
  }

  /// The days of a period.
  var days: Int { weekday == nil ? 1 : 7 }

  /// The period that ended last, at an instant at the latest.
  func lastPeriod(at now: Instant, _ clock: LocalClock) -> Period {
    // Where the clock is turned forward over the minute, the day's end comes late.
    var day = clock.dayNumber(at: now) + 1
    while !isLast(day) || end(onDay: day, clock) > now { day -= 1 }
    return Period(start: end(onDay: day - days, clock), end: end(onDay: day, clock))
  }

  /// The first end of a period after an instant.
  func nextEnd(after now: Instant, _ clock: LocalClock) -> Instant {
    var day = clock.dayNumber(at: now) - 1
    while !isLast(day) || end(onDay: day, clock) <= now { day += 1 }
    return end(onDay: day, clock)
  }

  /// Whether periods end on a day.
  private func isLast(_ day: Int) -> Bool {
    weekday == nil || weekday == Weekday(dayNumber: day)
  }

  /// When the clock shows the minute on a day.
  private func end(onDay day: Int, _ clock: LocalClock) -> Instant {
    let shown = Instant(secondsSince1970: Int64(day) * 86_400 + Int64(minute) * 60)
    let guess = shown.advanced(bySeconds: Double(clock.utcOffsetMinutes(shown)) * -60)
    return shown.advanced(bySeconds: Double(clock.utcOffsetMinutes(guess)) * -60)
  }
}
