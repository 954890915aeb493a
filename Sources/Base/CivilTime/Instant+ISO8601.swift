extension Instant {
  /// Parses an instant in ISO 8601 extended format with a date, a time and an offset, as in RFC
  /// 3339: `2026-11-20T12:00:00.000Z`, `2026-11-20 13:00:00+01:00`.
  ///
  /// Seconds and their fraction are optional. A fraction is truncated to milliseconds. The offset
  /// is written `Z`, `+01:00`, `+0100` or `+01`. Returns `nil` for any other text, including text
  /// without an offset.
  @inlinable
  public init?(iso8601 text: some Collection<UInt8>) {
    guard let (local, offset) = CivilDateTime.parse(iso8601: text), let offset else { return nil }
    self = local.instant(utcOffsetMinutes: offset)
  }

  /// Parses an instant from ISO 8601 text; see `init(iso8601:)`.
  public init?(iso8601 text: String) {
    self.init(iso8601: text.utf8)
  }

  /// The instant in ISO 8601 (RFC 3339) with milliseconds and the offset `Z`:
  /// `2026-11-20T12:00:00.000Z`.
  ///
  /// The format has four-digit years: an instant outside the years 0000–9999 is written as the
  /// nearest instant within them.
  public var iso8601: String { iso8601(utcOffsetMinutes: nil) }

  /// Returns the instant in ISO 8601 (RFC 3339) with a given offset from UTC.
  ///
  /// - Parameter utcOffsetMinutes: The offset in minutes, written `+HH:MM`; `nil` writes UTC as
  ///   `Z`.
  /// - Returns: The date and time with milliseconds and offset.
  public func iso8601(utcOffsetMinutes: Int?) -> String {
    let shown = CivilDateTime(nearestTo: self, utcOffsetMinutes: utcOffsetMinutes ?? 0)
    var text = ""
    text.reserveCapacity(29)
    Self.append(shown.year, digits: 4, to: &text)
    text += "-"
    Self.append(shown.month, digits: 2, to: &text)
    text += "-"
    Self.append(shown.day, digits: 2, to: &text)
    text += "T"
    Self.append(shown.hour, digits: 2, to: &text)
    text += ":"
    Self.append(shown.minute, digits: 2, to: &text)
    text += ":"
    Self.append(shown.second, digits: 2, to: &text)
    text += "."
    Self.append(shown.millisecond, digits: 3, to: &text)
    guard let utcOffsetMinutes else { return text + "Z" }
    text += utcOffsetMinutes < 0 ? "-" : "+"
    Self.append(abs(utcOffsetMinutes) / 60, digits: 2, to: &text)
    text += ":"
    Self.append(abs(utcOffsetMinutes) % 60, digits: 2, to: &text)
    return text
  }

  private static func append(_ number: Int, digits: Int, to text: inout String) {
    let written = String(number)
    text += String(repeating: "0", count: max(0, digits - written.utf8.count)) + written
  }
}

extension CivilDateTime {
  /// Parses a date and time in ISO 8601 extended format, and its UTC offset if there is one.
  ///
  /// `2026-11-20T12:00:00.25+01:00` gives the date and time and an offset of 60; without a written
  /// offset, `utcOffsetMinutes` is `nil`. A date alone means midnight. Returns `nil` for any other
  /// text.
  @inlinable
  public static func parse(
    iso8601 text: some Collection<UInt8>
  ) -> (dateTime: CivilDateTime, utcOffsetMinutes: Int?)? {
    parse(iso8601Bytes: Array(text.prefix(maximumTextLength + 1)))
  }

  /// Parses a UTC offset written `+01:00`, `+0100`, `+01` or `Z`, and returns it in minutes.
  @inlinable
  public static func utcOffsetMinutes(iso8601 text: some Collection<UInt8>) -> Int? {
    utcOffsetMinutes(iso8601Bytes: Array(text.prefix(maximumTextLength + 1)))
  }

  /// The longest accepted text, in bytes; longer than any valid date.
  @usableFromInline static let maximumTextLength = 64

  @usableFromInline
  static func parse(
    iso8601Bytes text: [UInt8]
  ) -> (dateTime: CivilDateTime, utcOffsetMinutes: Int?)? {
    guard text.count <= maximumTextLength else { return nil }
    var scanner = ISO8601Scanner(text)
    return scanner.dateTime()
  }

  @usableFromInline
  static func utcOffsetMinutes(iso8601Bytes text: [UInt8]) -> Int? {
    var scanner = ISO8601Scanner(text)
    return scanner.offset()
  }
}

/// A scanner that parses the fields of an ISO 8601 date and time from left to right.
private struct ISO8601Scanner {
  private let text: [UInt8]
  /// The number of bytes that were read.
  private var place = 0

  init(_ text: [UInt8]) { self.text = text }

  private var isAtEnd: Bool { place == text.count }

  mutating func offset() -> Int? {
    guard let offset = utcOffset(), isAtEnd else { return nil }
    return offset
  }

  /// Parses a date, optionally with a time and an offset in minutes; `nil` if other text follows.
  mutating func dateTime() -> (dateTime: CivilDateTime, utcOffsetMinutes: Int?)? {
    guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
      let day = number(digits: 2)
    else { return nil }
    if isAtEnd {
      return CivilDateTime(year: year, month: month, day: day).map { ($0, nil) }
    }
    guard skip("T") || skip("t") || skip(" "), let hour = number(digits: 2), skip(":"),
      let minute = number(digits: 2)
    else { return nil }
    var second = 0
    var millisecond = 0
    if skip(":") {
      guard let whole = number(digits: 2) else { return nil }
      second = whole
      if skip(".") || skip(",") {
        guard let fraction = milliseconds() else { return nil }
        millisecond = fraction
      }
    }
    guard
      let dateTime = CivilDateTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        millisecond: millisecond)
    else { return nil }
    if isAtEnd { return (dateTime, nil) }
    guard let offset = utcOffset(), isAtEnd else { return nil }
    return (dateTime, offset)
  }

  /// Parses an offset such as `Z`, `+01:00`, `+0100` or `+01`, and returns it in minutes.
  private mutating func utcOffset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(digits: 2) else { return nil }
    var minutes = 0
    if skip(":") || !isAtEnd {
      guard let written = number(digits: 2) else { return nil }
      minutes = written
    }
    guard hours <= 23, minutes <= 59 else { return nil }
    return (isAhead ? 1 : -1) * (hours * 60 + minutes)
  }

  /// Parses the digits of a fraction of a second, truncated to milliseconds.
  private mutating func milliseconds() -> Int? {
    var value = 0
    var count = 0
    while place < text.count, (0x30...0x39).contains(text[place]) {
      if count < 3 { value = value * 10 + Int(text[place] - 0x30) }
      count += 1
      place += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 3)..<3 { value *= 10 }
    return value
  }

  private mutating func number(digits: Int) -> Int? {
    guard text.count - place >= digits else { return nil }
    var value = 0
    for byte in text[place..<place + digits] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    place += digits
    return value
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard place < text.count, UInt32(text[place]) == character.value else { return false }
    place += 1
    return true
  }
}
