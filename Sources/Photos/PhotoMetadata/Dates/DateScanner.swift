/// A scanner that reads the numbers of a date from left to right.
struct DateScanner {
  private var rest: ArraySlice<UInt8>

  private init(_ text: String) {
    // A typographic minus, in offsets.
    rest = Array(text.replacing("\u{2212}", with: "-").utf8)[...]
  }

  /// Reads the numbers of a date; `nil` if the text has another form.
  static func fields(of text: String) -> WrittenDate.Fields? {
    var scanner = DateScanner(text)
    return scanner.date()
  }

  /// Reads a UTC offset in minutes; `nil` if the text is none, or beyond ±15 hours.
  static func offset(of text: String) -> Int? {
    var scanner = DateScanner(text)
    scanner.skipSpace()
    let offset = scanner.offset()
    scanner.skipSpace()
    return scanner.rest.isEmpty ? offset : nil
  }

  private mutating func date() -> WrittenDate.Fields? {
    skipSpace()
    var fields = WrittenDate.Fields()
    let digits = rest.prefix(while: Self.isDigit).count
    if digits == 8 || digits == 14 {
      // The basic format: YYYYMMDD, YYYYMMDDHHMMSS.
      guard let year = number(4...4), let month = number(2...2), let day = number(2...2) else {
        return nil
      }
      (fields.year, fields.month, fields.day) = (year, month, day)
    } else {
      guard let year = number(4...4) else { return nil }
      fields.year = year
      if isAtEnd { return fields }
      guard skip(Self.separators) else { return nil }
      // A blank number is unknown (EXIF 2.32, section 4.6.5 F).
      fields.month = number(1...2)
      guard fields.month != nil || isBlank(2) else { return nil }
      if isAtEnd { return Self.knownParts(fields) }
      guard skip(Self.separators) else { return nil }
      fields.day = number(1...2)
      guard fields.day != nil || isBlank(2) else { return nil }
    }
    fields = Self.knownParts(fields)
    // A time on an unknown day says nothing.
    if isAtEnd || fields.day == nil { return fields }
    return time(fields)
  }

  /// Zero means unknown, and no day is known of an unknown month.
  private static func knownParts(_ fields: WrittenDate.Fields) -> WrittenDate.Fields {
    var fields = fields
    if fields.month == 0 { fields.month = nil }
    if fields.day == 0 || fields.month == nil { fields.day = nil }
    return fields
  }

  private mutating func time(_ date: WrittenDate.Fields) -> WrittenDate.Fields? {
    var fields = date
    let hasMark = skip([UInt8(ascii: "T"), UInt8(ascii: "t")])
    skipSpace()
    var half = halfOfDay()
    skipSpace()
    let digits = rest.prefix(while: Self.isDigit).count
    if digits == 6 || digits == 4 && hasMark {
      guard let hour = number(2...2), let minute = number(2...2) else { return nil }
      (fields.hour, fields.minute) = (hour, minute)
      if digits == 6, let second = number(2...2) { fields.second = second }
    } else {
      guard let hour = number(1...2), skip(Self.timeSeparators), let minute = number(1...2) else {
        return nil
      }
      (fields.hour, fields.minute) = (hour, minute)
      if skip(Self.timeSeparators) {
        // Seconds that are blank are unknown.
        guard let second = number(1...2) ?? (isBlank(2) ? 0 : nil) else { return nil }
        fields.second = second
      }
    }
    if skip([UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":")]) {
      let fraction = rest.prefix(while: Self.isDigit)
      rest = rest.dropFirst(fraction.count)
      fields.milliseconds =
        WrittenDate.milliseconds(String(decoding: fraction.prefix(3), as: UTF8.self)) ?? 0
    }
    skipSpace()
    half = half ?? halfOfDay()
    switch (half, fields.hour) {
    case (.first, 12): fields.hour = 0
    case (.second, 0..<12): fields.hour += 12
    default: break
    }
    skipSpace()
    // What follows is an offset, or of no use; it does not make the time invalid.
    let start = rest
    fields.offset = offset()
    skipSpace()
    if !rest.isEmpty, start.contains(where: Self.isDigit), fields.offset == nil {
      // A zone's name with numbers in it, or an offset that no zone has, is ignored; digits alone
      // are another notation.
      guard let first = start.first, !Self.isDigit(first) else { return nil }
    }
    return fields
  }

  // MARK: - Parts

  private enum HalfOfDay { case first, second }

  /// The marks of the halves of the day that cameras and phones write.
  private static let halves: [(mark: [UInt8], half: HalfOfDay)] = [
    ("a.m.", HalfOfDay.first), ("p.m.", .second), ("am", .first), ("pm", .second),
    ("上午", .first), ("下午", .second), ("午前", .first), ("午後", .second), ("오전", .first),
    ("오후", .second),
  ].map { (Array($0.utf8), $1) }

  private mutating func halfOfDay() -> HalfOfDay? {
    for (mark, half) in Self.halves {
      let written = rest.prefix(mark.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      guard written == mark else { continue }
      rest = rest.dropFirst(mark.count)
      return half
    }
    return nil
  }

  /// Reads `Z`, `UTC` or `GMT`, or hours with a sign and optional minutes, with or without one of
  /// these names before them.
  private mutating func offset() -> Int? {
    if skip([UInt8(ascii: "Z"), UInt8(ascii: "z")]) { return 0 }
    var isNamed = false
    for name in ["UTC", "GMT"] where rest.starts(with: name.utf8) {
      rest = rest.dropFirst(3)
      isNamed = true
    }
    skipSpace()
    let isAhead = rest.first == UInt8(ascii: "+")
    guard isAhead || rest.first == UInt8(ascii: "-") else { return isNamed ? 0 : nil }
    rest = rest.dropFirst()
    let digits = rest.prefix(while: Self.isDigit).count
    guard let hours = number(digits == 3 ? 1...1 : 1...2) else { return nil }
    var minutes = 0
    if skip([UInt8(ascii: ":")]) || digits > 2 {
      guard let written = number(2...2), written < 60 else { return nil }
      minutes = written
      // Some write seconds too.
      if skip([UInt8(ascii: ":")]) { _ = number(2...2) }
    }
    // No time zone is further from UTC, not even a historical one.
    let offset = (isAhead ? 1 : -1) * (hours * 60 + minutes)
    return abs(offset) <= 15 * 60 ? offset : nil
  }

  private static let separators = Array(":-/.".utf8)
  private static let timeSeparators = Array(":.".utf8)

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private var isAtEnd: Bool { rest.allSatisfy { $0 == 0x20 } }

  private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 } }

  private mutating func skip(_ characters: [UInt8]) -> Bool {
    guard let first = rest.first, characters.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Skips spaces in place of the digits of an unknown number, as many as there are.
  private mutating func isBlank(_ count: Int) -> Bool {
    let spaces = rest.prefix(count).prefix { $0 == 0x20 }.count
    rest = rest.dropFirst(spaces)
    return spaces > 0 || rest.isEmpty
  }

  private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
    let written = rest.prefix(digits.upperBound).prefix(while: Self.isDigit)
    guard digits.contains(written.count) else { return nil }
    rest = rest.dropFirst(written.count)
    return written.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
