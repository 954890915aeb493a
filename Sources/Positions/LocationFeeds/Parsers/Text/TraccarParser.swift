import Encodings

/// Reads the reports of Traccar Client, OsmAnd and other apps, in the protocol that Traccar calls
/// OsmAnd: a query `id=…&lat=…&lon=…&timestamp=…`, alone, in a URL, or in a line of a web server's
/// log; or, from newer apps, a JSON object `{"location": {…}, "device_id": "…"}`.
///
/// `speed` is in knots in a query and in m/s in JSON, `batt` is in percent, and `timestamp` is in
/// seconds, in milliseconds or a date (Traccar, "OsmAnd" protocol). `accuracy` is in metres, and so
/// is `hdop`: OsmAnd, for which the protocol was made, sends the accuracy under that name.
/// Receivers that send a real dilution therefore appear more accurate than they are. The short
/// names that GPSLogger proposes for its custom URL (`s` and `spd`, in m/s) are read too. A report
/// that is marked as not `valid` is skipped.
struct TraccarParser: LineParser {
  private var skipped = ReportEnds()
  init() {}

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    if bytes[line].trimmed.first == UInt8(ascii: "{") {
      return (try? Self.report(ofJSON: bytes, line))?.latitude != nil
    }
    guard bytes[line].contains(UInt8(ascii: "&")) else { return false }
    let report = Self.report(ofQuery: query(in: bytes[line]))?.report
    return report?.latitude != nil && report?.longitude != nil
  }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    do throws(LineFault) {
      let (report, isValid) = try Self.report(bytes, line)
      if isValid, report.latitude != nil || report.longitude != nil || !report.isMessage {
        fixes.append(try report.fix())
      } else {
        skipped.add(.withoutPosition, of: report.device)
      }
      return nil
    } catch {
      return error
    }
  }

  mutating func takeSkipped(into ends: inout ReportEnds) { ends.add(skipped.take()) }

  /// Reads the report in a line, and whether it is not marked as not valid.
  private static func report(
    _ bytes: [UInt8], _ line: Range<Int>
  ) throws(LineFault) -> (PositionReport, isValid: Bool) {
    guard bytes[line].trimmed.first == UInt8(ascii: "{") else {
      guard let found = report(ofQuery: query(in: bytes[line])) else { throw .noReport }
      return found
    }
    do throws(JSONError) { return (try report(ofJSON: bytes, line), true) } catch {
      throw .json(error, inLine: line)
    }
  }

  // MARK: - Queries

  /// Returns the query in a line: the text after a question mark (or from the start), up to a space
  /// or a quotation mark.
  private static func query(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = line.firstIndex(of: UInt8(ascii: "?")).map { $0 + 1 } ?? line.trimmed.startIndex
    return line[start...].prefix { !$0.isSpace && $0 != UInt8(ascii: "\"") }
  }

  /// Reads the report in a query; returns `nil` where the text is not a query.
  private static func report(
    ofQuery query: ArraySlice<UInt8>
  ) -> (report: PositionReport, isValid: Bool)? {
    var report = PositionReport()
    var isValid = true
    for pair in query.split(separator: UInt8(ascii: "&")) {
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let value = unescaped(pair[(sign + 1)...])
      switch String(decoding: pair[..<sign], as: UTF8.self) {
      case "valid": isValid = !["false", "0"].contains(String(decoding: value, as: UTF8.self))
      case "location": setLocation(value, of: &report)
      default: set(pair[..<sign], value, of: &report)
      }
    }
    return (report, isValid)
  }

  private static func set(
    _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, of report: inout PositionReport
  ) {
    guard let column = ReportMember.Column(name: name, in: .query) else { return }
    switch column.member {
    case .time:
      let time = ReportedTime(text: value)
      if report.time.instant == nil, time != .missing { report.time = time }
    case .device: report.device = report.device ?? String(decoding: value, as: UTF8.self)
    case .date: break
    default: report.set(column, Double(pointOrComma: value))
    }
  }

  private static func setLocation(_ value: ArraySlice<UInt8>, of report: inout PositionReport) {
    let parts = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    report.latitude = Double(decimal: parts[0])
    report.longitude = Double(decimal: parts[1])
  }

  /// Decodes a value's percent-encoding (RFC 3986, section 2.1). A plus sign becomes a space,
  /// except at the start of a number and in the offset of a time, where apps forget to encode it.
  static func unescaped(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard value.contains(UInt8(ascii: "%")) || value.contains(UInt8(ascii: "+")) else {
      return value
    }
    var result: [UInt8] = []
    var rest = value
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let byte = Hexadecimal.byte(rest.prefix(2)) {
        result.append(byte)
        rest = rest.dropFirst(2)
      } else {
        let isSpace = byte == UInt8(ascii: "+") && !result.isEmpty && !result.contains(0x3A)
        result.append(isSpace ? 0x20 : byte)
      }
    }
    return result[...]
  }

  // MARK: - JSON

  private static func report(
    ofJSON bytes: [UInt8], _ line: Range<Int>
  ) throws(JSONError) -> PositionReport {
    var reader = JSONReader(bytes, range: line)
    var report = PositionReport()
    try reader.members { reader, key throws(JSONError) in
      switch key {
      case "device_id": report.device = try reader.looseText()
      case "location":
        try reader.members { reader, key throws(JSONError) in
          try readLocation(key, from: &reader, into: &report)
        }
      default: try reader.skipValue()
      }
    }
    try reader.end()
    return report
  }

  private static func readLocation(
    _ key: String, from reader: inout JSONReader, into report: inout PositionReport
  ) throws(JSONError) {
    switch key {
    case "timestamp": report.time = try reader.reportedTime()
    case "battery":
      try reader.members { reader, key throws(JSONError) in
        guard key == "level" else { return try reader.skipValue() }
        report.battery = try reader.looseNumber()
      }
    case "coords":
      try reader.members { reader, key throws(JSONError) in
        try report.readMember(key, from: &reader)
      }
    default: try reader.skipValue()
    }
  }
}

extension PositionReport {
  /// Whether a report without a position is a message of a device, such as a heartbeat.
  fileprivate var isMessage: Bool { device != nil }
}
