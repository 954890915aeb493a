/// A date and time of day in the proleptic Gregorian calendar, without a time zone.
///
/// Years run from 0000 to 9999, the range that ISO 8601 writes with four digits. A value is always
/// a date that exists: 30 February is rejected.
public struct CivilDateTime: Hashable, Sendable {
  /// The year, 0–9999.
  public let year: Int
  /// The month, 1–12.
  public let month: Int
  /// The day of the month, 1–31.
  public let day: Int
  /// The hour, 0–23.
  public let hour: Int
  /// The minute, 0–59.
  public let minute: Int
  /// The second, 0–59; a leap second (60) becomes the last millisecond of second 59.
  public let second: Int
  /// The millisecond, 0–999.
  public let millisecond: Int

  /// Creates a date and time, or returns `nil` if a field is out of range or the month has no such
  /// day.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    millisecond: Int = 0
  ) {
    guard (0...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.dayCount(ofMonth: month, year: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      (0...999).contains(millisecond)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = min(second, 59)
    self.millisecond = second == 60 ? 999 : millisecond
  }

  /// Creates the local date and time at an instant, or returns `nil` outside the years 0000–9999.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - utcOffsetMinutes: The offset of local time from UTC, in minutes; positive if ahead of UTC.
  public init?(_ instant: Instant, utcOffsetMinutes: Int = 0) {
    self.init(nearestTo: instant, utcOffsetMinutes: utcOffsetMinutes)
    guard self.instant(utcOffsetMinutes: utcOffsetMinutes) == instant else { return nil }
  }

  /// Creates the local date and time at an instant, clamped to the years 0000–9999 of both UTC and
  /// local time.
  package init(nearestTo instant: Instant, utcOffsetMinutes: Int) {
    let utcRange = Int64(-62_167_219_200_000)...253_402_300_799_999
    let utc = min(max(instant.millisecondsSince1970, utcRange.lowerBound), utcRange.upperBound)
    let local = utc + Int64(utcOffsetMinutes) * 60_000
    let shown = min(max(local, utcRange.lowerBound), utcRange.upperBound)
    let dayNumber = shown >= 0 ? shown / 86_400_000 : -((86_399_999 - shown) / 86_400_000)
    let timeOfDay = Int(shown - dayNumber * 86_400_000)
    (year, month, day) = Self.date(onDay: Int(dayNumber))
    hour = timeOfDay / 3_600_000
    minute = timeOfDay / 60_000 % 60
    second = timeOfDay / 1000 % 60
    millisecond = timeOfDay % 1000
  }

  /// Returns the instant of this date and time, given the offset of local time from UTC in minutes.
  public func instant(utcOffsetMinutes: Int = 0) -> Instant {
    let minutes = (Self.dayNumber(year: year, month: month, day: day) * 24 + hour) * 60 + minute
    let seconds = Int64(minutes - utcOffsetMinutes) * 60 + Int64(second)
    return Instant(millisecondsSince1970: seconds * 1000 + Int64(millisecond))
  }

  /// Returns the number of days in a month of the Gregorian calendar.
  static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the number of days since 1970-01-01.
  ///
  /// The algorithm is `days_from_civil` from Howard Hinnant, "chrono-Compatible Low-Level Date
  /// Algorithms". Years start in March, so that the leap day is the last day of its year.
  static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns the date of a day number: the inverse of ``dayNumber(year:month:day:)``.
  ///
  /// The algorithm is `civil_from_days` from the same paper.
  static func date(onDay dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let day = dayNumber + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
