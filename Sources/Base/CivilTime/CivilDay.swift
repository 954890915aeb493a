/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CivilDay: Hashable, Sendable, Comparable {
  /// The number of days since 1970-01-01.
  private let number: Int32

  /// Creates the local calendar day of an instant, clamped to the years 0–9999.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - utcOffsetMinutes: The offset of local time from UTC, in minutes; positive if ahead of UTC.
  public init(_ instant: Instant, utcOffsetMinutes: Int = 0) {
    let time = CivilDateTime(nearestTo: instant, utcOffsetMinutes: utcOffsetMinutes)
    number = Int32(CivilDateTime.dayNumber(year: time.year, month: time.month, day: time.day))
  }

  private init(number: Int) { self.number = Int32(number) }

  /// The year, 0–9999.
  public var year: Int { CivilDateTime.date(onDay: Int(number)).year }

  /// Returns the number of days from another day to this one; negative if this day is earlier.
  public func days(since other: CivilDay) -> Int { Int(number) - Int(other.number) }

  /// Returns the same day of the month a number of years later; 29 February becomes 1 March in a
  /// year that is not a leap year.
  public func advanced(byYears years: Int) -> CivilDay {
    let (year, month, day) = CivilDateTime.date(onDay: Int(number))
    return CivilDay(number: CivilDateTime.dayNumber(year: year + years, month: month, day: day))
  }

  /// Returns the whole years from another day to this one and the remaining days, or `nil` if the
  /// other day is later.
  public func elapsed(since other: CivilDay) -> (years: Int, days: Int)? {
    guard other <= self else { return nil }
    var years = year - other.year
    if other.advanced(byYears: years) > self { years -= 1 }
    return (years, days(since: other.advanced(byYears: years)))
  }

  /// Whether the left day is the earlier one.
  public static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }
}
