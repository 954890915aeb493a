import CivilTime

/// Reads dates as EXIF writes them, `2024:04:13 20:34:30`, and as software has written them since.
///
/// A date before 1826, when the oldest photograph was taken that is left, is none: software writes
/// the first day of some calendar, 1601 or year 1, where it knows nothing.
enum ExifDateTime {
  /// Reads a date and time, or a date alone as its midnight; `nil` where it is blank, all zeros or
  /// no date.
  ///
  /// - Parameters:
  ///   - text: The date; `-`, `/` and `.` may stand for its colons, and a fraction and an offset
  ///     from UTC may follow.
  ///   - fraction: The digits of a SubSecTime entry, a fraction of a second.
  /// - Returns: The time on the camera's clock, and the clock's offset from UTC in minutes where
  ///   the text itself has one.
  static func parse(
    _ text: String, fraction: String?
  ) -> (time: CivilDateTime, offset: Int?)? {
    guard let (time, offset) = standardForm(text) ?? otherForm(text), time.year >= 1826 else {
      return nil
    }
    guard let milliseconds = milliseconds(fraction), time.millisecond == 0 else {
      return (time, offset)
    }
    let precise = CivilDateTime(
      year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
      second: time.second, millisecond: milliseconds)
    return (precise ?? time, offset)
  }

  /// Reads `YYYY:MM:DD HH:MM:SS` or the date alone, which nearly every photo has, without a copy of
  /// the text.
  private static func standardForm(_ text: String) -> (time: CivilDateTime, offset: Int?)? {
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
    return CivilDateTime(
      year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4],
      second: fields[5]
    ).map { ($0, nil) }
  }

  private static func otherForm(_ text: String) -> (time: CivilDateTime, offset: Int?)? {
    var characters = Array(text.utf8)
    guard characters.count >= 10 else { return nil }
    for place in [4, 7] {
      guard
        [UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ".")]
          .contains(characters[place])
      else { return nil }
      characters[place] = UInt8(ascii: "-")
    }
    return CivilDateTime.parse(iso8601: characters).map { ($0, $1) }
  }

  /// Reads an offset from UTC, `+05:30` or `Z`, in minutes; `nil` beyond ±15 hours, where no clock
  /// is.
  static func utcOffsetMinutes(_ text: String) -> Int? {
    guard let offset = CivilDateTime.utcOffsetMinutes(iso8601: text.utf8), abs(offset) <= 15 * 60
    else { return nil }
    return offset
  }

  /// The digits of a fraction of a second: `5` and `500` are both half of one.
  private static func milliseconds(_ fraction: String?) -> Int? {
    guard let fraction, let first = fraction.utf8.first, (0x30...0x39).contains(first) else {
      return nil
    }
    let digits = fraction.utf8.prefix { (0x30...0x39).contains($0) }.prefix(3)
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return [value, value * 100, value * 10, value][digits.count]
  }
}
