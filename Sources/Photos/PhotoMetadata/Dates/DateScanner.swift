/// A scanner that reads the numbers of a date from left to right.
struct DateScanner {
  private var rest: ArraySlice<UInt8>

  private init(_ text: String) {
    rest = Array(text.utf8)[...]
    guard rest.contains(where: { $0 >= 0x80 }) else { return }
    rest =
      text.unicodeScalars.flatMap { scalar -> [UInt8] in
        // Phones write the digits of their language: `٢٠١٩:٠٥:٠٣`.
        if scalar.properties.generalCategory == .decimalNumber,
          let digit = scalar.properties.numericValue, (0...9).contains(digit)
        {
          return [UInt8(ascii: "0") + UInt8(truncatingIfNeeded: Int(saturating: digit))]
        }
        switch scalar {
        case "\u{2212}": return [UInt8(ascii: "-")]
        // Spaces that keep a line together, as locales write them before the half of the day.
        case "\u{A0}", "\u{202F}", "\u{2009}", "\u{3000}": return [UInt8(ascii: " ")]
        // Marks of direction.
        case "\u{200E}", "\u{200F}", "\u{61C}": return []
        case "年", "月", "년", "월", "時", "时", "시", "分", "분": return [UInt8(ascii: ":")]
        case "日", "일", "秒", "초": return [UInt8(ascii: " ")]
        default: return Array(String(scalar).utf8)
        }
      }[...]
  }

  /// Reads the numbers of a date; `nil` if the text has another form.
  static func fields(of text: String) -> WrittenDate.Fields? {
    var scanner = DateScanner(text)
    return scanner.date()
  }

  /// Reads a UTC offset in minutes; `nil` if the text is none, or no zone has it.
  static func offset(of text: String) -> Int? {
    var scanner = DateScanner(text)
    scanner.skipSpace()
    let offset = scanner.offset()
    scanner.skipSpace()
    return scanner.rest.isEmpty ? offset : nil
  }

  private mutating func date() -> WrittenDate.Fields? {
    skipSpace()
    skipApproximation()
    if let date = namedMonth() { return date }
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
      fields.month = paddedNumber()
      guard fields.month != nil || isBlank(2) else { return nil }
      if isAtEnd { return Self.knownParts(fields) }
      guard skip(Self.separators) else { return nil }
      fields.day = paddedNumber()
      guard fields.day != nil || isBlank(2) else { return nil }
    }
    fields = Self.knownParts(fields)
    // A time on an unknown day says nothing, and a time may be unknown too: `   :  :  `.
    if fields.day == nil || !rest.contains(where: Self.isDigit) { return fields }
    separateTime()
    return time(fields)
  }

  /// Puts the usual marks before and into a time of three numbers that has others, as in
  /// `2019:05:11-12:00:00` and `2019:05:11 12-00-00`.
  private mutating func separateTime() {
    var bytes = Array(rest)
    let start = bytes.first.map(" T:-".utf8.contains) == true ? 1 : 0
    guard bytes.count >= start + 8, bytes[start + 2] == bytes[start + 5],
      ":-".utf8.contains(bytes[start + 2]),
      [0, 1, 3, 4, 6, 7].allSatisfy({ Self.isDigit(bytes[start + $0]) })
    else { return }
    if start == 1 { bytes[0] = UInt8(ascii: " ") }
    (bytes[start + 2], bytes[start + 5]) = (UInt8(ascii: ":"), UInt8(ascii: ":"))
    rest = bytes[...]
  }

  /// Skips a word before a year that is not certain: `ca. 1957`.
  private mutating func skipApproximation() {
    let word = rest.prefix { !Self.isDigit($0) && $0 != 0x20 }.map { $0 | 0x20 }
    guard !word.isEmpty, Self.approximations.contains(where: { Array($0.utf8) == word }) else {
      return
    }
    let year = rest.dropFirst(word.count).drop { $0 == 0x20 }
    if year.prefix(4).count(where: Self.isDigit) == 4 { rest = year }
  }

  private static let approximations = [
    "ca.", "ca", "c.", "c", "circa", "~", "about", "approx.", "around", "um", "etwa", "env.",
    "environ", "vers", "hacia", "cerca",
  ].map { String(decoding: $0.utf8.map { $0 | 0x20 }, as: UTF8.self) }

  /// Reads the form of the C library's `asctime`, `Fri May  3 21:07:01 2019`, also with a zone
  /// before the year; `nil` for any other form, of which nothing is read.
  private mutating func namedMonth() -> WrittenDate.Fields? {
    guard let first = rest.first, !Self.isDigit(first) else { return nil }
    var scanner = self
    let words = scanner.rest.prefix { $0 != UInt8(ascii: ":") }
      .split(separator: UInt8(ascii: " ")).prefix(3)
    let name = words.first { word in Self.months.contains { $0.elementsEqual(word) } }
    guard words.count == 3, let name,
      let month = Self.months.firstIndex(where: { $0.elementsEqual(name) })
    else { return nil }
    var fields = WrittenDate.Fields()
    fields.month = month + 1
    scanner.rest = scanner.rest[name.endIndex...]
    scanner.skipSpace()
    fields.day = scanner.number(1...2)
    scanner.skipSpace()
    // The year comes last.
    guard let end = scanner.rest.lastIndex(where: { !Self.isDigit($0) }) else { return nil }
    var year = scanner
    year.rest = scanner.rest[(end + 1)...]
    guard fields.day != nil, let number = year.number(4...4), year.rest.isEmpty else { return nil }
    fields.year = number
    scanner.rest = scanner.rest[...end]
    return scanner.time(fields)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }

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
      guard let hour = number(1...2), skip(Self.timeSeparators), let minute = paddedNumber()
      else { return nil }
      (fields.hour, fields.minute) = (hour, minute)
      if skip(Self.timeSeparators) {
        // Seconds that are blank are unknown.
        guard let second = paddedNumber() ?? (isBlank(2) ? 0 : nil) else { return nil }
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
    case (.second, let hour?) where hour < 12: fields.hour = hour + 12
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

  /// The marks of the halves of the day that cameras and phones write, in the languages whose
  /// clocks count to twelve (Unicode CLDR, `dayPeriods`), each after those that it begins with.
  private static let halves: [(mark: [UInt8], half: HalfOfDay)] = [
    ("a.m.", HalfOfDay.first), ("p.m.", .second), ("a. m.", .first), ("p. m.", .second),
    ("am", .first), ("pm", .second), ("a m", .first), ("p m", .second),
    ("上午", .first), ("下午", .second), ("午前", .first), ("午後", .second), ("오전", .first),
    ("오후", .second), ("凌晨", .first), ("早上", .first), ("晚上", .second),
    ("π.μ.", .first), ("μ.μ.", .second), ("π.μ", .first), ("μ.μ", .second),
    ("πμ", .first), ("μμ", .second), ("ΠΜ", .first), ("ΜΜ", .second),
    ("ق.ظ.", .first), ("ب.ظ.", .second), ("قبل‌ازظهر", .first), ("بعدازظهر", .second),
    ("صباحا", .first), ("مساء", .second), ("ص", .first), ("م", .second),
    ("לפנה״צ", .first), ("אחה״צ", .second), ("पूर्वाह्न", .first), ("अपराह्न", .second),
    ("ก่อนเที่ยง", .first), ("หลังเที่ยง", .second), ("sa", .first), ("ch", .second),
    ("öö", .first), ("ös", .second), ("ÖÖ", .first), ("ÖS", .second),
    ("vorm.", .first), ("nachm.", .second), ("de.", .first), ("du.", .second),
    ("ptg", .second), ("pg", .first), ("fm", .first), ("em", .second),
    ("f.m.", .first), ("e.m.", .second), ("ap.", .first), ("ip.", .second),
    ("dop.", .first), ("odp.", .second), ("пр.об.", .first), ("сл.об.", .second),
    ("дп", .first), ("пп", .second), ("ДП", .first), ("ПП", .second),
  ].map { (Array($0.utf8), $1) }

  private mutating func halfOfDay() -> HalfOfDay? {
    // Most dates have none.
    guard let first = rest.first, !Self.isDigit(first), !"+-Zz".utf8.contains(first) else {
      return nil
    }
    for (mark, half) in Self.halves {
      let written = rest.prefix(mark.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      guard written == mark else { continue }
      // A mark is not the beginning of a word, such as the name of a zone.
      let after = rest.dropFirst(mark.count)
      if let next = after.first, (0x41...0x5A).contains(next & 0xDF) { continue }
      rest = after
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
    let offset = (isAhead ? 1 : -1) * (hours * 60 + minutes)
    return ZoneOffsets.range.contains(offset) ? offset : nil
  }

  private static let separators = Array(":-/.".utf8)
  private static let timeSeparators = Array(":.".utf8)

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether no part follows. A date that is uncertain or approximate may be marked as such (ISO
  /// 8601-2:2019, section 8).
  private var isAtEnd: Bool { rest.allSatisfy { " ?~%".utf8.contains($0) } }

  private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 } }

  private mutating func skip(_ characters: [UInt8]) -> Bool {
    guard let first = rest.first, characters.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Skips spaces in place of the digits of an unknown number, as many as there are, or the letters
  /// that stand for unknown digits (ISO 8601-2:2019, section 4.3).
  private mutating func isBlank(_ count: Int) -> Bool {
    let spaces = rest.prefix(count).prefix { " xX?uU".utf8.contains($0) }.count
    rest = rest.dropFirst(spaces)
    return spaces > 0 || rest.isEmpty
  }

  /// Reads a number of one or two digits, also behind a space, in place of its first digit; `nil`
  /// also where the second digit is unknown: `2X`.
  private mutating func paddedNumber() -> Int? {
    if rest.first == 0x20, let second = rest.dropFirst().first, Self.isDigit(second) {
      rest = rest.dropFirst()
    }
    let count = rest.count
    let number = number(1...2)
    let isHalf = count - rest.count == 1 && rest.first.map("xXuU".utf8.contains) == true
    return isHalf ? nil : number
  }

  private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
    let written = rest.prefix(digits.upperBound).prefix(while: Self.isDigit)
    guard digits.contains(written.count) else { return nil }
    rest = rest.dropFirst(written.count)
    return written.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
