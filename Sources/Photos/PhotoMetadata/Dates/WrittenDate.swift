import CivilTime

/// A date as metadata contain it, read from text by the one reader for all formats: EXIF, XMP,
/// IPTC, QuickTime.
///
/// Software writes dates in many forms. The reader takes whatever part of a text has only one
/// meaning: separators may be `:`, `-`, `/`, `.` or missing; numbers may have one digit; minutes
/// may come without seconds; a half of the day may be marked; an offset may be short. Hour 24 is
/// the first hour of the same day, because clocks that count hours from 1 write it. An invalid
/// fraction or offset is dropped, but an invalid day or time makes the whole date invalid.
///
/// Years range from 1826, the year of the oldest surviving photograph, to 2199: software writes the
/// epoch of some calendar, such as the year 1601 or 1, if it has no date, and Buddhist years are
/// 543 ahead.
struct WrittenDate: Equatable {
  /// The date and time on the clock that wrote it; the first moment of a partial date or a day.
  let time: CivilDateTime
  /// Whether the text has a time of day.
  let hasTimeOfDay: Bool
  /// The UTC offset in minutes, if the text contains one.
  let offset: Int?
  /// The known part of the date, if the day is unknown: `1965`, `1965-07`.
  let partial: PartialDate?

  /// The years in which a photo can have been taken.
  static let years = 1826...2199
  /// The number of years by which the Buddhist calendar is ahead.
  static let buddhistYears = 543
  /// The longest date in bytes; longer than any real one.
  private static let maximumLength = 64

  /// Reads a date; `nil` if the text is blank, all zeros or not a date.
  ///
  /// - Parameters:
  ///   - text: The date, with or without a time, a fraction and a UTC offset.
  ///   - fraction: The digits of a fraction of a second, stored apart, as in EXIF SubSecTime.
  ///   - offset: A UTC offset stored apart, as in EXIF OffsetTime, used if the text has none.
  ///   - yearsAhead: How far the calendar is ahead of the Gregorian one.
  init?(_ text: String, fraction: String? = nil, offset: String? = nil, yearsAhead: Int = 0) {
    guard
      let written = Self.standardFields(text)
        ?? (text.utf8.count <= Self.maximumLength ? DateScanner.fields(of: text) : nil)
    else { return nil }
    let year = written.year - yearsAhead
    guard Self.years.contains(year) else { return nil }
    if written.month == nil || written.day == nil {
      guard let start = CivilDateTime(year: year, month: written.month ?? 1, day: 1) else {
        return nil
      }
      (time, hasTimeOfDay, self.offset) = (start, false, nil)
      partial = PartialDate(year: year, month: written.month)
      return
    }
    let apart = fraction.flatMap(Self.milliseconds)
    guard
      let time = CivilDateTime(
        year: year, month: written.month ?? 1, day: written.day ?? 1,
        hour: written.hour == 24 ? 0 : written.hour ?? 0, minute: written.minute,
        second: written.second,
        millisecond: written.milliseconds == 0 ? apart ?? 0 : written.milliseconds)
    else { return nil }
    self.time = time
    hasTimeOfDay = written.hour != nil
    self.offset = written.offset ?? offset.flatMap(Self.utcOffsetMinutes)
    partial = nil
  }

  /// The capture time that the date gives by itself; `nil` if it is partial.
  var captureTime: CaptureTime? {
    guard partial == nil else { return nil }
    guard hasTimeOfDay else { return CaptureTime(day: time, isFromName: false) }
    return CaptureTime(
      instant: time.instant(utcOffsetMinutes: offset ?? 0), utcOffsetMinutes: offset)
  }

  /// Reads a UTC offset such as `+05:30`, `-5:00`, `+0530`, `+2`, `UTC+2` or `Z`, and returns it in
  /// minutes; `nil` beyond ±15 hours.
  static func utcOffsetMinutes(_ text: String) -> Int? {
    guard text.utf8.count <= maximumLength else { return nil }
    return DateScanner.offset(of: text)
  }

  /// The numbers of a date; a part that is missing, blank or zero is `nil`.
  struct Fields {
    var year = 0
    var month: Int?
    var day: Int?
    var hour: Int?
    var minute = 0
    var second = 0
    var milliseconds = 0
    var offset: Int?
  }

  /// Reads `YYYY:MM:DD HH:MM:SS` or the date alone, the form in nearly every photo, without copying
  /// the text.
  private static func standardFields(_ text: String) -> Fields? {
    let digits = text.utf8
    guard digits.count == 19 || digits.count == 10 else { return nil }
    var fields: InlineArray<6, Int> = .init(repeating: 0)
    var place = 0
    for byte in digits {
      defer { place += 1 }
      switch place {
      case 4, 7, 13, 16: guard byte == UInt8(ascii: ":") else { return nil }
      case 10: guard byte == UInt8(ascii: " ") else { return nil }
      default:
        guard (0x30...0x39).contains(byte) else { return nil }
        let field = place < 4 ? 0 : (place - 2) / 3
        fields[field] = fields[field] * 10 + Int(byte - 0x30)
      }
    }
    return Fields(
      year: fields[0], month: fields[1] == 0 ? nil : fields[1],
      day: fields[2] == 0 ? nil : fields[2], hour: digits.count == 19 ? fields[3] : nil,
      minute: fields[4], second: fields[5])
  }

  /// Converts the digits of a fraction of a second to milliseconds: `5` and `500` are both half a
  /// second.
  static func milliseconds(_ fraction: some StringProtocol) -> Int? {
    let digits = fraction.utf8.prefix { (0x30...0x39).contains($0) }.prefix(3)
    guard !digits.isEmpty else { return nil }
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return [value, value * 100, value * 10, value][digits.count]
  }
}

/// A date of which only the year, or the year and the month, are known.
public struct PartialDate: Hashable, Sendable, CustomStringConvertible {
  /// The year, 1826–2199.
  public let year: Int
  /// The month, 1–12; `nil` if unknown.
  public let month: Int?

  /// The date in ISO 8601: `1965` or `1965-07`.
  public var description: String {
    guard let month else { return String(year) }
    return "\(year)-" + (month < 10 ? "0" : "") + String(month)
  }
}
