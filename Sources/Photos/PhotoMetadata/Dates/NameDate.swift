package import CivilTime

/// The date that a phone, a messenger or a screenshot program wrote into the name of a file, such
/// as `IMG-20190511-WA0001.jpg`, `PXL_20210304_101112345.jpg`, `signal-2020-01-02-123456.jpg` or
/// `Screenshot 2019-05-14 at 12.00.00.png`.
///
/// It is on the local calendar, and only the day counts: messengers write the day of sending, and
/// Pixel phones the time in UTC. A name has a date if it contains exactly one day in one of these
/// forms:
/// - eight figures, `YYYYMMDD`, that stand apart from words and longer numbers;
/// - 14 or 17 figures, `YYYYMMDDhhmmss` and milliseconds, also behind a word: `IMG20190511120000`;
/// - year, month and day with `-`, `_`, `.` or a space between each two;
/// - day, month and year in the same way, if the other order gives no date, or behind the `@` of
///   Telegram's exports: `photo_5@11-05-2019_12-00-00.jpg`;
/// - `YYYY_MMDD_hhmmss`, as dashboard cameras write it.
///
/// A time that follows must be one: `20190511_999999` is a number. The names of hashes and UUIDs,
/// the days to which clocks are reset, and days in the future are left out.
package enum NameDate {
  /// The years of dates without separators; other numbers of eight figures are more frequent.
  private static let compactYears = 1990...2199
  /// The days to which clocks are reset: those of Unix, DOS and GPS.
  private static let resetDays = [[1970, 1, 1], [1980, 1, 1], [1980, 1, 6]]
  /// The maximum length of a name in bytes, that of file systems.
  private static let maximumLength = 255

  /// Finds the day in a file's name.
  ///
  /// - Parameters:
  ///   - name: The bytes of the name.
  ///   - now: The current time. The day may be tomorrow, as in a time zone ahead.
  /// - Returns: The day as a capture time; `nil` if the name has none or several.
  package static func captureTime(inName name: ArraySlice<UInt8>, now: Instant) -> CaptureTime? {
    // Most names of cameras have few figures.
    guard name.count <= maximumLength, name.reduce(0, { $0 + ($1.isFigure ? 1 : 0) }) >= 8 else {
      return nil
    }
    let pieces = pieces(of: Array(name))
    guard !isHash(pieces) else { return nil }
    var found: CivilDateTime?
    for place in pieces.indices {
      guard
        let day = compactDay(pieces, place) ?? separatedDay(pieces, place)
          ?? dashboardDay(pieces, place)
      else { continue }
      guard found == nil || found == day else { return nil }
      found = day
    }
    guard let found, found.instant().seconds(since: now) < 86_400 else { return nil }
    return CaptureTime(day: found, isFromName: true)
  }

  /// A run of figures, of letters, or of other characters.
  private struct Piece {
    enum Kind { case figures, letters, others }
    let kind: Kind
    let text: ArraySlice<UInt8>

    var count: Int { text.count }

    /// The number that some of the figures give.
    func number(_ from: Int, _ count: Int) -> Int {
      text.dropFirst(from).prefix(count).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Whether the piece is one separator of the parts of a date or time.
    var isSeparator: Bool { count == 1 && text.first.map("-_. ".utf8.contains) == true }
  }

  private static func pieces(of name: [UInt8]) -> [Piece] {
    func kind(_ byte: UInt8) -> Piece.Kind {
      if byte.isFigure { return .figures }
      return (0x41...0x5A).contains(byte & 0xDF) || byte > 0x7F ? .letters : .others
    }
    var pieces: [Piece] = []
    var start = 0
    while start < name.count {
      let first = kind(name[start])
      let end = name[start...].firstIndex { kind($0) != first } ?? name.endIndex
      pieces.append(Piece(kind: first, text: name[start..<end]))
      start = end
    }
    return pieces
  }

  /// Whether a name contains hexadecimal digits of a UUID (RFC 9562), or of a hash: 32 or more in
  /// a row, letters among them.
  private static func isHash(_ pieces: [Piece]) -> Bool {
    var groups: [Int] = []
    var (length, hasLetters) = (0, false)
    for piece in pieces + [Piece(kind: .others, text: [])] {
      let isHexadecimal = piece.text.allSatisfy { $0.isFigure || (0x41...0x46).contains($0 & 0xDF) }
      if piece.kind != .others, isHexadecimal {
        length += piece.count
        hasLetters = hasLetters || piece.kind == .letters
        continue
      }
      if length >= 32, hasLetters { return true }
      groups.append(length)
      if groups.suffix(5) == [8, 4, 4, 4, 12] { return true }
      if !piece.text.elementsEqual([UInt8(ascii: "-")]) { groups = [] }
      (length, hasLetters) = (0, false)
    }
    return false
  }

  /// Returns the day of a run of figures.
  private static func compactDay(_ pieces: [Piece], _ place: Int) -> CivilDateTime? {
    let piece = pieces[place]
    guard piece.kind == .figures, [8, 14, 17].contains(piece.count),
      compactYears.contains(piece.number(0, 4)),
      let day = day(piece.number(0, 4), piece.number(4, 2), piece.number(6, 2))
    else { return nil }
    let (before, after) = (neighbor(pieces, place - 1), neighbor(pieces, place + 1))
    // The fraction of a number: `48.20190511`.
    if let before, before.text.elementsEqual(".".utf8),
      neighbor(pieces, place - 2)?.kind == .figures
    {
      return nil
    }
    if piece.count > 8 {
      guard isTime(piece.number(8, 2), piece.number(10, 2), piece.number(12, 2)),
        after?.kind != .letters
      else { return nil }
      return day
    }
    var time = after?.isSeparator == true ? neighbor(pieces, place + 2) : nil
    // ISO 8601: `20190511T120000Z`.
    if let after, after.kind == .letters {
      guard after.text.elementsEqual("T".utf8) || after.text.elementsEqual("t".utf8) else {
        return nil
      }
      time = neighbor(pieces, place + 2)
      guard time?.kind == .figures, [4, 6, 9].contains(time?.count) else { return nil }
    }
    let hasTime: Bool
    switch time.map({ ($0.kind, $0.count) }) {
    case (.figures, 6)?, (.figures, 9)?:
      guard let time, isTime(time.number(0, 2), time.number(2, 2), time.number(4, 2)) else {
        return nil
      }
      hasTime = true
    default: hasTime = false
    }
    // `IMG20190511_120000` has a word before it, `B20190511` may be a number of a list.
    return before?.kind == .letters && !hasTime ? nil : day
  }

  /// Returns the day of three runs of figures.
  private static func separatedDay(_ pieces: [Piece], _ place: Int) -> CivilDateTime? {
    guard place + 4 < pieces.count else { return nil }
    let (first, second, third) = (pieces[place], pieces[place + 2], pieces[place + 4])
    guard first.kind == .figures, second.kind == .figures, third.kind == .figures,
      pieces[place + 1].isSeparator, pieces[place + 3].text == pieces[place + 1].text,
      second.count == 2, !followsLetters(pieces, place),
      !precedesLetters(pieces, place + 4) || isMarkOfTime(pieces, place + 5)
    else { return nil }
    // A longer chain of numbers of the same kind, such as an address: `10.20.2019-05-11` is read,
    // `192.2019.05.11` is not.
    if place >= 2, pieces[place - 1].text == pieces[place + 1].text,
      pieces[place - 2].kind == .figures, pieces[place + 1].text.first == UInt8(ascii: ".")
    {
      return nil
    }
    if first.count == 4, third.count == 2 {
      guard WrittenDate.years.contains(first.number(0, 4)) else { return nil }
      return day(first.number(0, 4), second.number(0, 2), third.number(0, 2))
    }
    guard first.count == 2, third.count == 4, WrittenDate.years.contains(third.number(0, 4)) else {
      return nil
    }
    let (one, two, year) = (first.number(0, 2), second.number(0, 2), third.number(0, 4))
    if neighbor(pieces, place - 1)?.text.elementsEqual("@".utf8) == true {
      return day(year, two, one)
    }
    let readings = [day(year, two, one), day(year, one, two)].compactMap { $0 }
    return Set(readings).count == 1 ? readings[0] : nil
  }

  /// Returns the day of `YYYY_MMDD_hhmmss`.
  private static func dashboardDay(_ pieces: [Piece], _ place: Int) -> CivilDateTime? {
    guard place + 4 < pieces.count else { return nil }
    let (year, monthDay, time) = (pieces[place], pieces[place + 2], pieces[place + 4])
    guard [year, monthDay, time].map(\.kind) == [.figures, .figures, .figures],
      [year, monthDay, time].map(\.count) == [4, 4, 6],
      pieces[place + 1].isSeparator, pieces[place + 3].text == pieces[place + 1].text,
      neighbor(pieces, place - 2)?.kind != .figures, !precedesLetters(pieces, place + 4),
      compactYears.contains(year.number(0, 4)),
      isTime(time.number(0, 2), time.number(2, 2), time.number(4, 2))
    else { return nil }
    return day(year.number(0, 4), monthDay.number(0, 2), monthDay.number(2, 2))
  }

  private static func neighbor(_ pieces: [Piece], _ place: Int) -> Piece? {
    pieces.indices.contains(place) ? pieces[place] : nil
  }

  /// Whether one or two Latin letters are directly before a piece: `v2019.05.11`. Words may be, and
  /// scripts without spaces.
  private static func followsLetters(_ pieces: [Piece], _ place: Int) -> Bool {
    guard let before = neighbor(pieces, place - 1), before.kind == .letters else { return false }
    return before.count < 3
  }

  /// Whether a Latin letter is directly behind a piece.
  private static func precedesLetters(_ pieces: [Piece], _ place: Int) -> Bool {
    guard let after = neighbor(pieces, place + 1), after.kind == .letters else { return false }
    return after.text.first.map { $0 <= 0x7F } ?? false
  }

  /// Whether the piece at a place is the `T` before a time.
  private static func isMarkOfTime(_ pieces: [Piece], _ place: Int) -> Bool {
    pieces[place].text.map { $0 & 0xDF } == Array("T".utf8)
      && neighbor(pieces, place + 1)?.kind == .figures
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDateTime? {
    resetDays.contains([year, month, day]) ? nil : CivilDateTime(year: year, month: month, day: day)
  }

  /// Phones write the first hour of the day as 24, too.
  private static func isTime(_ hour: Int, _ minute: Int, _ second: Int) -> Bool {
    hour <= 24 && minute < 60 && second <= 60
  }
}

extension UInt8 {
  fileprivate var isFigure: Bool { (0x30...0x39).contains(self) }
}

extension PhotoProperties {
  /// Takes the date in the name of the photo's file as the capture time, if nothing else has one.
  ///
  /// - Parameters:
  ///   - name: The bytes of the file's name.
  ///   - now: The current time.
  package mutating func completeDate(fromName name: ArraySlice<UInt8>, now: Instant) {
    guard captured == nil, partialCapture == nil, !hasDateInWords,
      let time = NameDate.captureTime(inName: name, now: now)
    else { return }
    (captured, captureTimeSource) = (time, .name)
  }
}
