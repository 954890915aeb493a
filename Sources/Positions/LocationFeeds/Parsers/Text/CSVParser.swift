import Spatial

/// Reads tables of positions: GPSLogger's CSV, and any other whose first line names the columns.
///
/// Columns are recognised by the names that ``ReportMember`` lists, in any order; others are
/// skipped. The delimiter is the most frequent of comma, semicolon and tab in the header. Decimals
/// may have a comma, and values a unit; that of a speed may be in a column of its own. In an
/// altitude or accuracy the mark that the coordinates do not have separates thousands: beside
/// `48.5`, `1,234 m` is 1234 m. Where they have none, such a number with a comma is unknown. Fields
/// may be quoted (RFC 4180) but do not continue on the next line. A time without an offset, in its
/// column, in the column's name or in a column of its own, is UTC. Date and time of day may be in
/// two columns, and consist of digits alone: `261120`, `120000`; milliseconds may be in a third,
/// `MS`. Beside a time, a position may be one column. Coordinates may have a letter for their
/// hemisphere, in the same column or in one of its own; with all of their digits, they are degrees
/// and minutes as in NMEA 0183. They may also be written as a position in degrees, minutes and
/// seconds: `48°51.5'N`, `48 51.500 N`. A repeated header, as in joined files, replaces the first.
/// A row that ends before or inside a value that is used is cut off.
struct CSVParser: LineParser {
  private var header: CSVHeader?
  private var fields: [Range<Int>] = []
  private var skipped = ReportOutcomes()

  init() {}

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    CSVHeader(bytes, line: line) != nil
  }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    if bytes[line.lowerBound] == UInt8(ascii: "#") { return nil }
    guard let header else {
      self.header = CSVHeader(bytes, line: line)
      return self.header == nil ? .noHeader : nil
    }
    CSVRow.split(bytes, line: line, delimiter: header.delimiter, into: &fields)
    do throws(LineFault) {
      let report = try report(bytes, header)
      if isValid(bytes, header) {
        fixes.append(try report.fix())
      } else {
        skipped.add(.withoutPosition, of: report.device)
      }
      return nil
    } catch {
      guard let next = CSVHeader(bytes, line: line) else { return error }
      self.header = next
      return nil
    }
  }

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

  /// Returns whether the receiver had a position for a row: `false` in Traccar's tables and
  /// dumps of them, `NO FIX` in those of i-Blue loggers say that it had none.
  private func isValid(_ bytes: [UInt8], _ header: CSVHeader) -> Bool {
    guard let index = header.validity, index < fields.count else { return true }
    let value = String(decoding: CSVRow.value(of: fields[index], in: bytes), as: UTF8.self)
    return !["false", "f", "0", "no fix"].contains(value.lowercased())
  }

  /// Returns the report of a row, whose fields were split before.
  private func report(_ bytes: [UInt8], _ header: CSVHeader) throws(LineFault) -> PositionReport {
    // The last field of a short row may be cut off as well.
    let whole = fields.count < header.width ? fields.count - 1 : fields.count
    guard whole > header.lastNeeded else { throw .cutOff }
    var report = PositionReport()
    var date: ArraySlice<UInt8> = []
    var timeOfDay: ArraySlice<UInt8> = []
    var offset: Int?
    let decimalMark = header.decimalMark(ofCoordinatesIn: fields.prefix(whole), of: bytes)
    for (index, column) in header.columns where index < whole {
      let field = CSVRow.value(of: fields[index], in: bytes)
      switch column.member {
      case .time:
        if timeOfDay.isEmpty { timeOfDay = field }
        offset = offset ?? column.utcOffsetMinutes
        report.set(time: field, column)
      case .date:
        date = field
        offset = offset ?? column.utcOffsetMinutes
      case .device: report.device = String(decoding: field, as: UTF8.self)
      case .hemisphere:
        report.set(hemisphere: String(decoding: field, as: UTF8.self), isInTable: true)
      case .offset: report.set(offset: field)
      case .position:
        report.set(position: String(decoding: field, as: UTF8.self))
        if report.latitude == nil, !field.isEmpty { report.hasUnreadableCoordinate = true }
      case .latitude, .longitude:
        let degrees = header.degrees(field, column)
        if degrees == nil, !field.isEmpty { report.hasUnreadableCoordinate = true }
        report.set(column, degrees)
        if let letter = CSVHeader.letter(of: field) { report.set(hemisphere: letter) }
      case .altitude, .accuracy, .estimate:
        if let text = DecimalText.ungrouped(field, decimalMark: decimalMark) {
          report.set(column, text: text)
        }
      case .speed:
        report.set(column, text: header.speed(field, column, fields.prefix(whole), of: bytes))
      default: report.set(column, text: field)
      }
    }
    if report.hasUnreadableCoordinate, report.latitude == nil || report.longitude == nil {
      setWrittenPosition(&report, bytes, header)
    }
    // A time of day of digits alone would be read as seconds since 1970.
    if !date.isEmpty {
      let time = ReportedTime(
        date: date, timeOfDay: timeOfDay, isYearFirst: header.isOfColumbusLogger)
      let known = report.time.instant.flatMap { $0 < FeedReader.earliestTime ? nil : $0 }
      let hasOffset = known != nil && report.timeRank.isMultiple(of: 2)
      if !hasOffset, time.instant != nil || known == nil {
        report.time = time
        report.timeRank = ReportedTime.hasOffset((date + [0x20] + timeOfDay)[...]) ? 0 : 1
        report.utcOffsetMinutes = offset ?? report.utcOffsetMinutes
      }
    }
    if let index = header.milliseconds, index < whole {
      report.add(milliseconds: CSVRow.value(of: fields[index], in: bytes))
    }
    return report
  }
}

extension CSVParser {
  /// Sets the position of a row whose coordinates are in another notation than degrees. Letters of
  /// hemispheres must be those of their columns.
  private func setWrittenPosition(
    _ report: inout PositionReport, _ bytes: [UInt8], _ header: CSVHeader
  ) {
    let angles = [ReportMember.latitude, .longitude].map { member in
      let index = header.columns.first { $0.column.member == member }?.index
      return index.map { CSVRow.value(of: fields[$0], in: bytes) } ?? []
    }
    let isSwapped = zip(angles, ["EW", "NS"]).contains { angle, others in
      CSVHeader.letter(of: angle).map { others.contains($0.uppercased()) } ?? false
    }
    let text = angles.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "; ")
    guard !isSwapped, angles.allSatisfy({ !$0.isEmpty && $0.count <= 64 }),
      let position = try? Coordinate(written: text)
    else { return }
    (report.latitude, report.longitude) = (position.latitude, position.longitude)
  }
}

/// The header of a table: its first line, which names the columns.
struct CSVHeader: Sendable {
  let delimiter: UInt8
  /// The columns that are used, with their positions.
  let columns: [(index: Int, column: ReportMember.Column)]
  /// The index of the column that says whether a row has a position; `nil` for none.
  let validity: Int?
  /// The index of the column of the milliseconds of a time in whole seconds, as Qstarz loggers
  /// write it; `nil` for none.
  let milliseconds: Int?
  /// The index of the column of the units of speeds; `nil` for none.
  private let speedUnit: Int?
  /// The number of columns.
  let width: Int
  /// Whether the table is that of a Columbus logger.
  let isOfColumbusLogger: Bool
  /// The index of the last column that every row must have.
  let lastNeeded: Int

  /// The number of columns that are read; the rest are ignored.
  private static let maximumWidth = 256

  /// Reads a header; returns `nil` where the line names neither a latitude and a longitude nor a
  /// position with a time.
  init?(_ bytes: [UInt8], line: Range<Int>) {
    let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    let counts = delimiters.map { delimiter in bytes[line].count { $0 == delimiter } }
    guard let most = counts.max(), most > 0, let place = counts.firstIndex(of: most) else {
      return nil
    }
    delimiter = delimiters[place]
    var fields: [Range<Int>] = []
    CSVRow.split(bytes, line: line, delimiter: delimiter, into: &fields)
    width = fields.count
    var columns: [(index: Int, column: ReportMember.Column)] = []
    for (index, field) in fields.prefix(Self.maximumWidth).enumerated() {
      let name = CSVRow.value(of: field, in: bytes)
      guard let column = ReportMember.Column(header: name) else { continue }
      columns.append((index, column))
    }
    let names = fields.prefix(Self.maximumWidth).map {
      String(decoding: CSVRow.value(of: $0, in: bytes), as: UTF8.self).uppercased()
    }
    validity = names.firstIndex(of: "VALID")
    milliseconds = names.firstIndex(of: "MS")
    speedUnit = names.firstIndex { name in
      ["SPEEDUNIT", "SPEEDUNITS", "UNITOFSPEED"].contains(name.filter(\.isLetter))
    }
    isOfColumbusLogger = names.contains("LATITUDE N/S")
    if let speed = Self.speed(besides: names) {
      for index in columns.indices where columns[index].column.member == .speed {
        columns[index].column = speed
      }
    }
    let needed = [ReportMember.latitude, .longitude, .time, .date, .position].map { member in
      columns.first { used in used.column.member == member }?.index
    }
    // A text of a place is often under the names of a position, so that one needs a time.
    let position = needed[2] == nil ? nil : needed[4]
    guard let latitude = needed[0] ?? position, let longitude = needed[1] ?? position else {
      return nil
    }
    // Beside them, a position is a text of a place or a rank.
    let isSplit = needed[0] != nil && needed[1] != nil
    self.columns = isSplit ? columns.filter { $0.column.member != .position } : columns
    let hemisphere = columns.last { $0.column.member == .hemisphere }?.index
    lastNeeded = max(latitude, longitude, needed[2] ?? 0, needed[3] ?? 0, hemisphere ?? 0)
  }

  /// Returns the column of speeds in a table whose names show a program that names no unit: km/h in
  /// Columbus loggers (V-900 and its successors; GPSBabel, format `v900`), knots in the table
  /// `tc_positions` of Traccar's server; `nil` for others.
  private static func speed(besides names: [String]) -> ReportMember.Column? {
    if names.contains("LATITUDE N/S") { return ReportMember.Column(name: "speedkmh".utf8) }
    guard names.contains("FIXTIME"), names.contains("SERVERTIME") else { return nil }
    return ReportMember.Column(name: "speedknots".utf8)
  }

  /// Returns the text of a speed with the unit in the column of units, unless the name of its own
  /// column or the text has one.
  func speed(
    _ field: ArraySlice<UInt8>, _ column: ReportMember.Column, _ fields: ArraySlice<Range<Int>>,
    of bytes: [UInt8]
  ) -> ArraySlice<UInt8> {
    guard let speedUnit, fields.indices.contains(speedUnit), column.isOfBaseUnit,
      Double(pointOrComma: field) != nil
    else { return field }
    return (field + [0x20] + CSVRow.value(of: fields[speedUnit], in: bytes))[...]
  }

  /// Returns the decimal mark in the coordinates of a row; `nil` if they have none.
  func decimalMark(
    ofCoordinatesIn fields: ArraySlice<Range<Int>>, of bytes: [UInt8]
  ) -> UInt8? {
    let places = columns.lazy.filter { index, column in
      guard fields.indices.contains(index) else { return false }
      return switch column.member {
      case .latitude, .longitude, .position: true
      default: false
      }
    }
    let marks = [UInt8(ascii: "."), UInt8(ascii: ",")]
    return marks.first { mark in places.contains { bytes[fields[$0.index]].contains(mark) } }
  }

  /// Returns the letter of a hemisphere at either end of a field; `nil` for none.
  static func letter(of field: ArraySlice<UInt8>) -> String? {
    for case let byte? in [field.first, field.last] where "NSEWnsew".utf8.contains(byte) {
      return String(decoding: [byte], as: UTF8.self)
    }
    return nil
  }

  /// Reads the degrees of a latitude or longitude with an optional letter for the hemisphere at
  /// either end; returns `nil` for other text.
  func degrees(_ field: ArraySlice<UInt8>, _ column: ReportMember.Column) -> Double? {
    let mark = decimalMark(of: field)
    let isLatitude = column.member == .latitude
    let (positive, negative): (Unicode.Scalar, Unicode.Scalar) =
      isLatitude ? ("N", "S") : ("E", "W")
    // The digits of other units say nothing.
    let digits = column.isOfBaseUnit ? (isLatitude ? 4 : 5) : nil
    func isLetter(_ byte: UInt8?, _ letter: Unicode.Scalar) -> Bool {
      byte.map { UInt32($0 & 0xDF) == letter.value } ?? false
    }
    for (letter, sign) in [(positive, 1.0), (negative, -1.0)] {
      let number =
        if isLetter(field.last, letter) {
          field.dropLast()
        } else if isLetter(field.first, letter) {
          field.dropFirst()
        } else {
          nil as ArraySlice<UInt8>?
        }
      guard let number else { continue }
      // A number with both a sign and a letter is ambiguous.
      return Self.degrees(number, mark, digitsOfMinutes: digits).flatMap {
        $0.sign == .plus ? sign * $0 : nil
      }
    }
    return Self.degrees(field, mark, digitsOfMinutes: digits)
  }

  /// Reads degrees, or degrees and minutes as in NMEA 0183: `ddmm.mmm` and `dddmm.mmm`. Both have
  /// all of their digits, which no program writes for degrees alone: `0030.0` is half a degree.
  private static func degrees(
    _ field: ArraySlice<UInt8>, _ mark: UInt8, digitsOfMinutes: Int?
  ) -> Double? {
    guard let value = Double(decimal: field, mark: mark) else { return nil }
    let digits = field.trimmed.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
      .prefix { (0x30...0x39).contains($0) }
    guard digits.count == digitsOfMinutes else { return value }
    let degrees = (value.magnitude / 100).rounded(.towardZero)
    let minutes = value.magnitude - degrees * 100
    guard minutes < 60 else { return nil }
    return (degrees + minutes / 60) * (value.sign == .minus ? -1 : 1)
  }

  /// Returns the decimal mark of a field: a comma if the field holds one and no point. In a table
  /// with commas between its fields, only a quoted field holds one.
  func decimalMark(of field: ArraySlice<UInt8>) -> UInt8 {
    let comma = UInt8(ascii: ",")
    let point = UInt8(ascii: ".")
    return field.contains(comma) && !field.contains(point) ? comma : point
  }
}

/// Splits the lines of a table into fields.
enum CSVRow {
  /// Finds the fields between delimiters; a delimiter in quotes is a part of its field.
  static func split(
    _ bytes: [UInt8], line: Range<Int>, delimiter: UInt8, into fields: inout [Range<Int>]
  ) {
    fields.removeAll(keepingCapacity: true)
    var start = line.lowerBound
    var isQuoted = false
    for index in line {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == delimiter, !isQuoted {
        fields.append(start..<index)
        start = index + 1
      }
    }
    fields.append(start..<line.upperBound)
  }

  /// Returns the value of a field, without enclosing quotes and white space; doubled quotes become
  /// single ones.
  static func value(of field: Range<Int>, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    // Some loggers pad their fields with NULs.
    var text = bytes[field].trimmed
    while text.last == 0 { text = text.dropLast().trimmed }
    let quote = UInt8(ascii: "\"")
    guard text.count >= 2, text.first == quote, text.last == quote else { return text }
    let inner = text.dropFirst().dropLast()
    guard inner.contains(quote) else { return inner.trimmed }
    var value: [UInt8] = []
    var isSecond = false
    for byte in inner {
      isSecond = byte == quote && !isSecond
      if !isSecond { value.append(byte) }
    }
    return value[...]
  }
}
