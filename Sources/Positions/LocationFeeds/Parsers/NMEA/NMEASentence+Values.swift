import CivilTime

extension NMEASentence {
  /// A position in degrees, north and east positive.
  struct Position {
    var latitude: Double
    var longitude: Double
  }

  /// Returns the position in four consecutive fields: `ddmm.mmm`, `N` or `S`, `dddmm.mmm`, `E` or
  /// `W`.
  ///
  /// The minutes may have any number of decimals, including none. Returns `nil` where a field is
  /// empty or malformed. A latitude beyond a pole is returned as reported.
  func position(atField number: Int, of bytes: [UInt8]) -> Position? {
    guard
      let latitude = angle(number, of: bytes, positive: "N", negative: "S"),
      let longitude = angle(number + 2, of: bytes, positive: "E", negative: "W")
    else { return nil }
    return Position(latitude: latitude, longitude: longitude)
  }

  private func angle(
    _ number: Int, of bytes: [UInt8], positive: Unicode.Scalar, negative: Unicode.Scalar
  ) -> Double? {
    guard let value = DecimalField(bytes, field(number, of: bytes)), !value.isNegative,
      (1...6).contains(value.wholeDigits), value.whole % 100 < 60,
      let hemisphere = letter(number + 1, of: bytes)
    else { return nil }
    let minutes = Double(value.whole % 100) + value.fraction
    let degrees = Double(value.whole / 100) + minutes / 60
    switch hemisphere {
    case positive: return degrees
    case negative: return -degrees
    default: return nil
    }
  }

  /// Returns the time of day in a field `hhmmss.sss`, in milliseconds since midnight UTC, rounded
  /// down.
  ///
  /// A leap second, 23:59:60, is 86 400 000 and up. Returns `nil` for any other content.
  func timeOfDay(_ number: Int, of bytes: [UInt8]) -> Int? {
    guard let value = DecimalField(bytes, field(number, of: bytes)), !value.isNegative,
      value.wholeDigits == 6
    else { return nil }
    let (hour, minute, second) = (value.whole / 10_000, value.whole / 100 % 100, value.whole % 100)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    return ((hour * 60 + minute) * 60 + second) * 1000 + value.thousandths
  }

  /// Returns midnight UTC of the date in a field `ddmmyy`; `nil` where it is not a date.
  ///
  /// Years 80–99 are 1980–1999, since there was no GPS before; 00–79 are 2000–2079.
  func shortDate(_ number: Int, of bytes: [UInt8]) -> Instant? {
    guard let value = digits(number, of: bytes, count: 6) else { return nil }
    let year = value % 100
    return CivilDateTime(
      year: year < 80 ? 2000 + year : 1900 + year, month: value / 100 % 100, day: value / 10_000
    )?.instant()
  }

  /// Returns midnight UTC of the date in three consecutive fields: day, month and four-digit year;
  /// `nil` where they are not a date since 1980.
  func longDate(atField number: Int, of bytes: [UInt8]) -> Instant? {
    guard let day = digits(number, of: bytes, count: 1...2),
      let month = digits(number + 1, of: bytes, count: 1...2),
      let year = digits(number + 2, of: bytes, count: 4), year >= 1980
    else { return nil }
    return CivilDateTime(year: year, month: month, day: day)?.instant()
  }

  private func digits(_ number: Int, of bytes: [UInt8], count: Int) -> Int? {
    digits(number, of: bytes, count: count...count)
  }

  private func digits(_ number: Int, of bytes: [UInt8], count: ClosedRange<Int>) -> Int? {
    let field = field(number, of: bytes)
    guard count.contains(field.count) else { return nil }
    var value = 0
    for byte in bytes[field] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }
}
