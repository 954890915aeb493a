import Encodings

/// Reads the reports of Traccar Client, OsmAnd and other apps, in the protocol that Traccar calls
/// OsmAnd: a query `id=…&lat=…&lon=…&timestamp=…`, alone, in a URL, or in a line of a web server's
/// log. Newer apps send a JSON object `{"location": {…}, "device_id": "…"}`. The JSON of other
/// programs is read by the same rules (``NestedReports``).
///
/// `speed` is in knots in a query and in m/s in JSON, `batt` is in percent, and `timestamp` is in
/// seconds, in milliseconds or a date (Traccar, "OsmAnd" protocol). `accuracy` is in metres, and so
/// is `hdop`: OsmAnd, for which the protocol was made, sends the accuracy under that name.
/// Receivers that send a real dilution therefore appear more accurate than they are. The short
/// names that GPSLogger proposes for its custom URL (`s` and `spd`, in m/s) are read too. A report
/// that is marked as not `valid` is skipped.
struct TraccarParser: LineParser {
  private var skipped = ReportOutcomes()
  init() {}

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    if DocumentSniffer.isStart(bytes[line].trimmed.first) {
      guard case .found(.traccar) = DocumentSniffer.look(at: Array(bytes[line])) else {
        return false
      }
      return true
    }
    guard bytes[line].contains(UInt8(ascii: "=")) else { return false }
    let report = Self.report(ofQuery: query(in: bytes[line]))?.report
    return report?.latitude != nil && report?.longitude != nil
  }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    if DocumentSniffer.isStart(bytes[line].trimmed.first) {
      return parseJSON(bytes, line, into: &fixes)
    }
    guard let (report, isValid) = Self.report(ofQuery: Self.query(in: bytes[line])) else {
      return .noReport
    }
    guard isValid, !report.isWithoutPosition else {
      skipped.add(.withoutPosition, of: report.device)
      return nil
    }
    do throws(LineFault) {
      fixes.append(try report.fix())
      return nil
    } catch {
      return error
    }
  }

  private mutating func parseJSON(
    _ bytes: [UInt8], _ line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    var reader = JSONReader(report: bytes, range: line)
    let found: NestedReports
    do throws(JSONError) {
      found = try NestedReports(&reader)
      try reader.end()
    } catch {
      return .json(error, inLine: line)
    }
    for device in found.invalid { skipped.add(.withoutPosition, of: device) }
    if found.reports.isEmpty, found.invalid.isEmpty {
      skipped.add(.withoutPosition, of: found.device)
    }
    var fault: LineFault?
    for report in found.reports {
      do throws(LineFault) { fixes.append(try report.fix()) } catch {
        // The first is counted with the line.
        if fault != nil { skipped.add(.refused(.unreadable), of: report.device) }
        fault = fault ?? error
      }
    }
    return fault
  }

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

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
    let pairs = query.split(separator: UInt8(ascii: "&"))
    let dialect =
      pairs.contains { ReportMember.isAction($0) } ? ReportMember.Dialect.action : .query
    for pair in pairs {
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let value = unescaped(pair[(sign + 1)...])
      switch String(decoding: pair[..<sign], as: UTF8.self) {
      case "valid": isValid = !["false", "0"].contains(String(decoding: value, as: UTF8.self))
      default: set(pair[..<sign], value, in: dialect, of: &report)
      }
    }
    return (report, isValid)
  }

  private static func set(
    _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, in dialect: ReportMember.Dialect,
    of report: inout PositionReport
  ) {
    guard let column = ReportMember.Column(name: name, in: dialect) else { return }
    switch column.member {
    case .time: report.set(time: value, column)
    case .device: report.device = report.device ?? String(decoding: value, as: UTF8.self)
    case .date: break
    case .position: report.set(position: String(decoding: value, as: UTF8.self))
    case .hemisphere: report.set(hemisphere: String(decoding: value, as: UTF8.self))
    case .offset: report.set(offset: value)
    case .latitude, .longitude: report.set(coordinate: column, text: value)
    default: report.set(column, text: value)
    }
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
}
