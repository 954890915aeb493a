import CivilTime

/// A parser of EXIF dates, such as `2024:04:13 20:34:30`, and of the variants that some software
/// writes.
///
/// Dates before 1826, the year of the oldest surviving photograph, are rejected: software writes
/// the epoch of some calendar, such as the year 1601 or 1, if it has no date.
enum ExifDateTime {
  /// Parses a date and time, or a date alone as its midnight; `nil` if the text is blank, all zeros
  /// or not a date.
  ///
  /// - Parameters:
  ///   - text: The date. Instead of colons it may have `-`, `/` or `.`, and a fraction and a UTC
  ///     offset may follow.
  ///   - fraction: The digits of a SubSecTime entry, a fraction of a second.
  /// - Returns: The time on the camera's clock, and the UTC offset in minutes if the text contains
  ///   one.
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

  /// Parses `YYYY:MM:DD HH:MM:SS` or the date alone, the form in nearly every photo, without
  /// copying the text.
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

  /// Parses a date with other separators, and a time, a fraction and a UTC offset as in ISO 8601.
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

  /// Parses a UTC offset such as `+05:30` or `Z`, and returns it in minutes; `nil` beyond ±15
  /// hours, which no time zone has.
  static func utcOffsetMinutes(_ text: String) -> Int? {
    guard let offset = CivilDateTime.utcOffsetMinutes(iso8601: text.utf8), abs(offset) <= 15 * 60
    else { return nil }
    return offset
  }

  /// Converts the digits of a fraction of a second to milliseconds: `5` and `500` are both half a
  /// second.
  private static func milliseconds(_ fraction: String?) -> Int? {
    guard let fraction, let first = fraction.utf8.first, (0x30...0x39).contains(first) else {
      return nil
    }
    let digits = fraction.utf8.prefix { (0x30...0x39).contains($0) }.prefix(3)
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return [value, value * 100, value * 10, value][digits.count]
  }
}
