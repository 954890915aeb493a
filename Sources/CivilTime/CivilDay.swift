/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CivilDay: Hashable, Sendable, Comparable {
  /// Days since 1970-01-01.
  private let number: Int32

  /// Creates the day that a calendar shows at an instant, as far as the year 9999 and back to the
  /// year 0, else the nearest there.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - utcOffsetMinutes: How far the clock beside the calendar is ahead of UTC, in minutes.
  public init(_ instant: Instant, utcOffsetMinutes: Int = 0) {
    let time = CivilDateTime(nearestTo: instant, utcOffsetMinutes: utcOffsetMinutes)
    number = Int32(CivilDateTime.dayNumber(year: time.year, month: time.month, day: time.day))
  }

  private init(number: Int) { self.number = Int32(number) }

  /// The year, 0–9999.
  public var year: Int { CivilDateTime.date(onDay: Int(number)).year }

  /// The number of days from another day to this one; negative where this one comes first.
  public func days(since other: CivilDay) -> Int { Int(number) - Int(other.number) }

  /// The same day some years later; of 29 February, 1 March where there is none.
  public func advanced(byYears years: Int) -> CivilDay {
    let (year, month, day) = CivilDateTime.date(onDay: Int(number))
    return CivilDay(number: CivilDateTime.dayNumber(year: year + years, month: month, day: day))
  }

  /// The whole years from another day to this one, and the days left over; `nil` where the other
  /// comes later.
  public func elapsed(since other: CivilDay) -> (years: Int, days: Int)? {
    guard other <= self else { return nil }
    var years = year - other.year
    if other.advanced(byYears: years) > self { years -= 1 }
    return (years, days(since: other.advanced(byYears: years)))
  }

  /// Whether one day comes before another.
  public static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }
}
