/// Tells the time on the wall, for the quiet hours.
public struct LocalClock: Sendable {
  /// Returns the offset of local time from UTC at an instant, in minutes; positive east of it.
  public let utcOffsetMinutes: @Sendable (Instant) -> Int

  /// Creates a clock from the offset of local time.
  public init(utcOffsetMinutes: @escaping @Sendable (Instant) -> Int) {
    self.utcOffsetMinutes = utcOffsetMinutes
  }

  /// A clock that is always the same number of minutes ahead of UTC.
  public static func fixed(utcOffsetMinutes minutes: Int) -> LocalClock {
    LocalClock { _ in minutes }
  }

  /// A clock on the wall of a time zone.
  public static func zone(_ zone: TimeZoneRules) -> LocalClock {
    LocalClock { zone.utcOffsetSeconds(at: $0) / 60 }
  }

  /// The midnight that the local day of an instant begins with.
  package func date(at instant: Instant) -> CivilDateTime {
    let local = CivilDateTime(nearestTo: instant, utcOffsetMinutes: utcOffsetMinutes(instant))
    return CivilDateTime(year: local.year, month: local.month, day: local.day) ?? local
  }

  /// The number of the local day of an instant, counted from 1970-01-01.
  package func dayNumber(at instant: Instant) -> Int {
    Self.dayNumber(at: instant, utcOffsetMinutes: utcOffsetMinutes(instant))
  }

  /// The number of the local day of an instant where local time is so many minutes ahead of UTC.
  package static func dayNumber(at instant: Instant, utcOffsetMinutes: Int) -> Int {
    let (day, rest) = instant.millisecondsSince1970.quotientAndRemainder(dividingBy: 86_400_000)
    let local = rest + Int64(utcOffsetMinutes) * 60_000
    return Int(day + (local >= 0 ? local / 86_400_000 : (local + 1) / 86_400_000 - 1))
  }

  /// The minute of the local day, 0–1439.
  package func minuteOfDay(at instant: Instant) -> Int {
    let day: Int64 = 86_400_000
    let offset = Int64(utcOffsetMinutes(instant)) * 60_000
    let sinceMidnight = (instant.millisecondsSince1970 % day + offset) % day
    return Int((sinceMidnight < 0 ? sinceMidnight + day : sinceMidnight) / 60_000)
  }
}
