import CivilTime

/// The time of a report, as written in a feed.
enum ReportedTime: Hashable, Sendable {
  /// The time is missing or empty.
  case missing
  /// The text is not an instant.
  case unreadable
  case at(Instant)

  /// Reads seconds, milliseconds, microseconds or nanoseconds since 1970. Values from 10^11 on are
  /// milliseconds, from 10^14 on microseconds, and from 10^17 on nanoseconds.
  ///
  /// 10^11 seconds is in the year 5138; 10^11 milliseconds is in 1973, before there was GPS, and so
  /// on.
  init(since1970 number: Double) {
    let milliseconds =
      switch abs(number) {
      case ..<1e11: number * 1000
      case ..<1e14: number
      case ..<1e17: number / 1000
      default: number / 1e6
      }
    // Up to the last year with four digits. Values below 1 come from clocks that were never set.
    guard (1...253_402_300_799_999).contains(milliseconds) else {
      self = .unreadable
      return
    }
    self = .at(Instant(millisecondsSince1970: Int64(saturating: milliseconds.rounded())))
  }

  /// Reads a date with a time in ISO 8601, with `T` or a space between them, or a number as text.
  ///
  /// A time without an offset is UTC, as GPX (1.1, `wptType`) and the loggers that omit the offset
  /// define it. `2026/11/20`, `20.11.2026`, a space before the offset, and `UTC` or `GMT` as the
  /// offset are accepted. A date without a time is unreadable.
  init(text: ArraySlice<UInt8>) {
    let text = text.trimmed
    if text.isEmpty {
      self = .missing
    } else if let number = Double(pointOrComma: text) {
      if Self.isRounded(text) { self = .unreadable } else { self.init(since1970: number) }
    } else if let (dateTime, offset) = CivilDateTime.parse(
      iso8601: Self.tidied(Self.yearFirst(text))),
      text.count > Self.dateLength
    {
      self = .at(dateTime.instant(utcOffsetMinutes: offset ?? 0))
    } else {
      self = .unreadable
    }
  }

  /// Reads text; see ``init(text:)-(ArraySlice<UInt8>)``.
  init(text: String) {
    self.init(text: Array(text.utf8)[...])
  }

  /// Reads a date and a time of day from two texts, each as in ``init(text:)-(ArraySlice<UInt8>)``
  /// or as digits alone: `20261120` or `261120`, and `120000`. Six digits have the year first in
  /// the files of Columbus loggers, and the day first as in NMEA 0183 elsewhere; where they may
  /// mean two days, they are unreadable.
  init(date: ArraySlice<UInt8>, timeOfDay: ArraySlice<UInt8>, isYearFirst: Bool) {
    var date = date.trimmed
    let timeOfDay = timeOfDay.trimmed
    let isDigits = (date + timeOfDay).allSatisfy { (0x30...0x39).contains($0) }
    guard isDigits, date.count == 6 || date.count == 8, timeOfDay.count == 6 else {
      self.init(text: (date + [0x20] + timeOfDay)[...])
      return
    }
    if date.count == 6, !isYearFirst {
      let dayFirst = (date.suffix(2) + date.dropFirst(2).prefix(2) + date.prefix(2))[...]
      switch (Self.isDay(dayFirst), Self.isDay(date)) {
      case (true, true) where !date.elementsEqual(dayFirst):
        self = .unreadable
        return
      case (true, _): date = dayFirst
      default: break
      }
    }
    let year = (date.count == 6 ? Array("20".utf8) : []) + date.dropLast(4)
    let dash = [UInt8(ascii: "-")]
    let colon = [UInt8(ascii: ":")]
    let day = year + dash + date.dropLast(2).suffix(2) + dash + date.suffix(2)
    let clock =
      timeOfDay.prefix(2) + colon + timeOfDay.dropFirst(2).prefix(2) + colon + timeOfDay.suffix(2)
    self.init(text: (day + [0x20] + clock)[...])
  }

  /// Returns whether six digits, year first, can be a day.
  private static func isDay(_ digits: ArraySlice<UInt8>) -> Bool {
    let numbers = [digits.dropFirst(2).prefix(2), digits.suffix(2)]
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    return (1...12).contains(numbers[0]) && (1...31).contains(numbers[1])
  }

  /// Returns whether the text of a time has an offset or is a number, so that it means one instant.
  static func hasOffset(_ text: ArraySlice<UInt8>) -> Bool {
    let text = text.trimmed
    if text.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C }) { return true }
    let signs = [UInt8(ascii: "+"), UInt8(ascii: "-")]
    return (text.last ?? 0) | 0x20 == UInt8(ascii: "z")
      || text.suffix(3).elementsEqual("UTC".utf8) || text.suffix(3).elementsEqual("GMT".utf8)
      || text.dropFirst(dateLength).contains(where: signs.contains)
  }

  /// Returns the time of a clock that is ahead of UTC by some minutes, which was read as UTC;
  /// unchanged for `nil`.
  func utc(from minutes: Int?) -> ReportedTime {
    guard let minutes, let instant else { return self }
    return .at(instant.advanced(bySeconds: -60 * Double(minutes)))
  }

  /// Returns whether a number was rounded to so few digits that it may be hours off: `1.6864E+12`,
  /// as a spreadsheet writes a time in milliseconds again.
  private static func isRounded(_ number: ArraySlice<UInt8>) -> Bool {
    guard let letter = number.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }),
      number[number.index(after: letter)...].first == UInt8(ascii: "+")
    else { return false }
    return number[..<letter].count { (0x30...0x39).contains($0) } <= 7
  }

  /// The instant; `nil` where it is missing or unreadable.
  var instant: Instant? {
    if case .at(let instant) = self { instant } else { nil }
  }

  /// The length of `2026-11-20`.
  private static let dateLength = 10

  /// Returns a text that begins with a date such as `20.11.2026` with the year first. Dates with
  /// points have the day first in every language.
  private static func yearFirst(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let point = UInt8(ascii: ".")
    let parts = text.prefix(dateLength).split(separator: point)
    guard parts.map(\.count) == [2, 2, 4], text.count <= 64 else { return text }
    let dash = [UInt8(ascii: "-")]
    return (parts[2] + dash + parts[1] + dash + parts[0] + text.dropFirst(dateLength))[...]
  }

  /// Returns text in the form of ISO 8601: dashes instead of slashes in the date, no name of UTC
  /// at the end, and no space before the offset.
  private static func tidied(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let hasSlashes = text.dropFirst(4).first == UInt8(ascii: "/")
    let letters = text.suffix(3)
    let hasZoneName = letters.elementsEqual("UTC".utf8) || letters.elementsEqual("GMT".utf8)
    let hasLateSpace = text.dropFirst(dateLength + 1).contains(0x20)
    guard hasSlashes || hasZoneName || hasLateSpace, text.count <= 64 else { return text }
    var tidied = Array(hasZoneName ? text.dropLast(3).trimmed : text)
    for place in [4, 7] where place < tidied.count && tidied[place] == UInt8(ascii: "/") {
      tidied[place] = UInt8(ascii: "-")
    }
    if let space = tidied.dropFirst(dateLength + 1).firstIndex(of: 0x20) {
      tidied.remove(at: space)
    }
    return tidied[...]
  }
}
