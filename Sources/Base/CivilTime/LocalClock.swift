/// A source of the UTC offset of local time, used to evaluate quiet hours and local dates.
public struct LocalClock: Sendable {
  /// Returns the offset of local time from UTC at an instant, in minutes; positive if ahead of UTC.
  public let utcOffsetMinutes: @Sendable (Instant) -> Int

  /// Creates a clock from a function that returns the UTC offset of local time in minutes.
  public init(utcOffsetMinutes: @escaping @Sendable (Instant) -> Int) {
    self.utcOffsetMinutes = utcOffsetMinutes
  }

  /// Returns a clock with a constant offset from UTC, in minutes.
  public static func fixed(utcOffsetMinutes minutes: Int) -> LocalClock {
    LocalClock { _ in minutes }
  }

  /// Returns a clock that shows the local time of a time zone.
  public static func zone(_ zone: TimeZoneRules) -> LocalClock {
    LocalClock { zone.utcOffsetSeconds(at: $0) / 60 }
  }

  /// Returns midnight at the start of the local day that contains an instant.
  package func date(at instant: Instant) -> CivilDateTime {
    let local = CivilDateTime(nearestTo: instant, utcOffsetMinutes: utcOffsetMinutes(instant))
    return CivilDateTime(year: local.year, month: local.month, day: local.day) ?? local
  }

  /// Returns the number of days from 1970-01-01 to the local day that contains an instant.
  package func dayNumber(at instant: Instant) -> Int {
    Self.dayNumber(at: instant, utcOffsetMinutes: utcOffsetMinutes(instant))
  }

  /// Returns the number of days from 1970-01-01 to the day of an instant at a given UTC offset.
  package static func dayNumber(at instant: Instant, utcOffsetMinutes: Int) -> Int {
    let (day, rest) = instant.millisecondsSince1970.quotientAndRemainder(dividingBy: 86_400_000)
    let local = rest + Int64(utcOffsetMinutes) * 60_000
    return Int(day + (local >= 0 ? local / 86_400_000 : (local + 1) / 86_400_000 - 1))
  }

  /// Returns the minutes since local midnight, 0–1439.
  package func minuteOfDay(at instant: Instant) -> Int {
    let day: Int64 = 86_400_000
    let offset = Int64(utcOffsetMinutes(instant)) * 60_000
    let sinceMidnight = (instant.millisecondsSince1970 % day + offset) % day
    return Int((sinceMidnight < 0 ? sinceMidnight + day : sinceMidnight) / 60_000)
  }
}
