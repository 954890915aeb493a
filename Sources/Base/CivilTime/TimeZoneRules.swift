/// The UTC offsets of a time zone over time.
///
/// Created from a POSIX `TZ` rule (IEEE Std 1003.1, "Environment Variables") or from a file of the
/// time zone database (TZif, RFC 9636).
public struct TimeZoneRules: Hashable, Sendable {
  /// The offset changes, in ascending order of time.
  private let changes: [Change]
  /// The UTC offset before the first change, in seconds.
  private let firstOffset: Int
  /// The rule after the last change; `nil` if the last offset stays in force.
  private let rule: YearlyRule?

  private struct Change: Hashable {
    /// The time from which the offset applies, in seconds since 1970.
    let time: Int64
    /// The UTC offset in seconds.
    let offset: Int
  }

  /// UTC, without daylight saving time.
  package static let utc = TimeZoneRules(changes: [], firstOffset: 0, rule: nil)

  private init(changes: [Change], firstOffset: Int, rule: YearlyRule?) {
    (self.changes, self.firstOffset, self.rule) = (changes, firstOffset, rule)
  }

  /// Parses a POSIX rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` if the text is not a valid
  /// rule.
  package init?(posix text: String) {
    guard let rule = YearlyRule(text) else { return nil }
    self.init(changes: [], firstOffset: rule.standardOffset, rule: rule)
  }

  /// Parses a TZif file of the time zone database; `nil` if the bytes are not a valid file.
  package init?(tzif bytes: [UInt8]) {
    guard let file = ZoneInformationFile(bytes) else { return nil }
    self.init(
      changes: zip(file.times, file.offsets).map(Change.init), firstOffset: file.firstOffset,
      rule: file.footer.flatMap { YearlyRule($0) })
  }

  /// Returns the UTC offset at an instant, in seconds; positive if ahead of UTC.
  ///
  /// - Complexity: O(log *c*): *c* is the number of changes in the file.
  package func utcOffsetSeconds(at instant: Instant) -> Int {
    let milliseconds = instant.millisecondsSince1970
    let time = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    if let rule, time >= changes.last?.time ?? .min { return rule.offset(at: time) }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstOffset : changes[low - 1].offset
  }
}

/// A standard offset with optional daylight saving time between two dates of each year.
private struct YearlyRule: Hashable, Sendable {
  /// The UTC offset without daylight saving time, in seconds.
  let standardOffset: Int
  private let summer: Summer?

  private struct Summer: Hashable, Sendable {
    let offset: Int
    let start: YearlyTime
    let end: YearlyTime
  }

  /// The default dates of daylight saving time, for a rule that has none: those of the United
  /// States, as in the C library.
  private static let defaultDays = ",M3.2.0,M11.1.0"

  init?(_ text: String) {
    var scanner = RuleScanner(text)
    guard scanner.skipName(), let offset = scanner.offset() else { return nil }
    standardOffset = -offset
    guard !scanner.isAtEnd else {
      summer = nil
      return
    }
    guard scanner.skipName() else { return nil }
    var summerOffset = standardOffset + 3600
    if !scanner.isAtEnd, scanner.next != UInt8(ascii: ",") {
      guard let offset = scanner.offset() else { return nil }
      summerOffset = -offset
    }
    if scanner.isAtEnd { scanner = RuleScanner(Self.defaultDays) }
    guard let start = scanner.yearlyTime(), let end = scanner.yearlyTime(), scanner.isAtEnd else {
      return nil
    }
    summer = Summer(offset: summerOffset, start: start, end: end)
  }

  /// Returns the UTC offset in seconds at a time in seconds since 1970.
  func offset(at time: Int64) -> Int {
    guard let summer else { return standardOffset }
    let local = Instant(millisecondsSince1970: (time + Int64(standardOffset)) * 1000)
    let year = CivilDateTime(nearestTo: local, utcOffsetMinutes: 0).year
    let start = summer.start.seconds(in: year) - Int64(standardOffset)
    let end = summer.end.seconds(in: year) - Int64(summer.offset)
    // In the southern hemisphere, daylight saving time spans the turn of the year.
    let isSummer = start < end ? time >= start && time < end : time >= start || time < end
    return isSummer ? summer.offset : standardOffset
  }
}

/// A time of day on a yearly recurring date.
private struct YearlyTime: Hashable, Sendable {
  enum Day: Hashable, Sendable {
    /// `Jn`: the day of the year, 1–365; 29 February is not counted.
    case withoutLeapDay(Int)
    /// `n`: the day of the year, 0–365; 29 February is counted.
    case withLeapDay(Int)
    /// `Mm.w.d`: weekday *d* (0 is Sunday) of week *w* of month *m*; week 5 means the last.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  let day: Day
  /// Seconds from midnight of the day; may be negative or exceed a day.
  let seconds: Int

  /// Returns the local time of this date in a year, in seconds since 1970-01-01T00:00:00.
  func seconds(in year: Int) -> Int64 {
    Int64(dayNumber(in: year)) * 86_400 + Int64(seconds)
  }

  /// Returns the number of days from 1970-01-01 to this date in a year.
  private func dayNumber(in year: Int) -> Int {
    let newYear = CivilDateTime.dayNumber(year: year, month: 1, day: 1)
    switch day {
    case .withLeapDay(let day): return newYear + day
    case .withoutLeapDay(let day):
      let march = CivilDateTime.dayNumber(year: year, month: 3, day: 1)
      return newYear + day - 1 + (day >= 60 && march - newYear == 60 ? 1 : 0)
    case .weekday(let month, let week, let weekday):
      let first = CivilDateTime.dayNumber(year: year, month: month, day: 1)
      let next =
        month == 12
        ? CivilDateTime.dayNumber(year: year + 1, month: 1, day: 1)
        : CivilDateTime.dayNumber(year: year, month: month + 1, day: 1)
      // 1 January 1970 was a Thursday.
      let firstWeekday = ((first + 4) % 7 + 7) % 7
      let day = first + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      return day < next ? day : day - 7
    }
  }
}

/// A scanner that parses the parts of a POSIX rule from left to right.
private struct RuleScanner {
  private var bytes: ArraySlice<UInt8>

  init(_ text: String) { bytes = Array(text.utf8)[...] }

  var isAtEnd: Bool { bytes.isEmpty }
  var next: UInt8? { bytes.first }

  /// Skips a zone name: at least three letters, or at least three characters in `<>`. Returns
  /// `false` if there is none.
  mutating func skipName() -> Bool {
    if bytes.first == UInt8(ascii: "<") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return false }
      defer { bytes = bytes[(end + 1)...] }
      return end - bytes.startIndex > 3
    }
    let name = bytes.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    bytes = bytes.dropFirst(name.count)
    return name.count >= 3
  }

  /// Parses `[+-]hh[:mm[:ss]]`, and returns it in seconds.
  mutating func offset() -> Int? { time(hours: 0...24) }

  /// Parses `,day[/time]`; the time defaults to 02:00.
  mutating func yearlyTime() -> YearlyTime? {
    guard take(",") else { return nil }
    let day: YearlyTime.Day
    if take("J") {
      guard let number = number(1...365) else { return nil }
      day = .withoutLeapDay(number)
    } else if take("M") {
      guard let month = number(1...12), take("."), let week = number(1...5), take("."),
        let weekday = number(0...6)
      else { return nil }
      day = .weekday(month: month, week: week, weekday: weekday)
    } else {
      guard let number = number(0...365) else { return nil }
      day = .withLeapDay(number)
    }
    guard take("/") else { return YearlyTime(day: day, seconds: 2 * 3600) }
    // TZif files extend the POSIX range of hours (RFC 9636, section 3.3.1).
    guard let time = time(hours: 0...167) else { return nil }
    return YearlyTime(day: day, seconds: time)
  }

  /// Parses `[+-]hh[:mm[:ss]]` with hours in a given range, and returns it in seconds.
  private mutating func time(hours: ClosedRange<Int>) -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard var seconds = number(hours).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where take(":") {
      guard let part = number(0...59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard bytes.first == UInt8(ascii: character) else { return false }
    bytes.removeFirst()
    return true
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = bytes.prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    bytes = bytes.dropFirst(digits.count)
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return range.contains(number) ? number : nil
  }
}

/// The offset changes and the rule in a TZif file (RFC 9636, section 3).
private struct ZoneInformationFile {
  /// The times of the changes, in seconds since 1970, ascending.
  private(set) var times: [Int64] = []
  /// The UTC offset from each of these times on, in seconds.
  private(set) var offsets: [Int] = []
  /// The UTC offset before the first change, in seconds.
  private(set) var firstOffset = 0
  /// The POSIX rule for the time after the last change.
  private(set) var footer: String?

  private static let headerLength = 44

  init?(_ bytes: [UInt8]) {
    guard let first = Block(bytes, at: 0, timeLength: 4) else { return nil }
    guard bytes[4] >= UInt8(ascii: "2") else {
      guard read(bytes, first) else { return nil }
      return
    }
    // The data are repeated with 64-bit times, followed by the rule for later times.
    guard let second = Block(bytes, at: first.end, timeLength: 8), read(bytes, second),
      second.end < bytes.count, bytes[second.end] == 0x0A,
      let end = bytes[(second.end + 1)...].firstIndex(of: 0x0A)
    else { return nil }
    let rule = bytes[(second.end + 1)..<end]
    footer = rule.isEmpty ? nil : String(decoding: rule, as: UTF8.self)
  }

  /// Reads the changes in a data block (RFC 9636, section 3.2); returns `false` if they are
  /// invalid.
  private mutating func read(_ bytes: [UInt8], _ block: Block) -> Bool {
    let types = (0..<block.typeCount).map { number -> Int in
      let start = block.typesStart + 6 * number
      return Int(Int32(truncatingIfNeeded: Self.integer(bytes, start, 4)))
    }
    guard let first = types.first, types.allSatisfy({ abs($0) <= 26 * 3600 }) else { return false }
    firstOffset = first
    for number in 0..<block.timeCount {
      let value = Self.integer(bytes, block.start + number * block.timeLength, block.timeLength)
      let time = block.timeLength == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
      let type = Int(bytes[block.start + block.timeCount * block.timeLength + number])
      guard types.indices.contains(type), times.last.map({ $0 < time }) ?? true else {
        return false
      }
      times.append(time)
      offsets.append(types[type])
    }
    return true
  }

  fileprivate static func integer(_ bytes: [UInt8], _ start: Int, _ length: Int) -> Int64 {
    bytes[start..<(start + length)].reduce(0) { $0 << 8 | Int64($1) }
  }

  /// The counts in a header, and the range of the data block after it, which is within the file.
  private struct Block {
    let timeLength: Int
    let timeCount: Int
    let typeCount: Int
    let start: Int
    let end: Int

    var typesStart: Int { start + timeCount * (timeLength + 1) }

    init?(_ bytes: [UInt8], at place: Int, timeLength: Int) {
      guard bytes.count - place >= headerLength,
        bytes[place..<(place + 4)] == Array("TZif".utf8)[...]
      else { return nil }
      let counts = (0..<6).map { Int(integer(bytes, place + 20 + 4 * $0, 4)) }
      guard counts.allSatisfy({ $0 <= 1 << 16 }), (1...256).contains(counts[4]) else { return nil }
      self.timeLength = timeLength
      (timeCount, typeCount) = (counts[3], counts[4])
      start = place + headerLength
      end =
        start + timeCount * (timeLength + 1) + typeCount * 6 + counts[5]
        + counts[2] * (timeLength + 4) + counts[1] + counts[0]
      guard end <= bytes.count else { return nil }
    }
  }
}
