import CivilTime
import Encodings

/// Reads fixes written as one JSON object per line, in the form of ``LocationFix/write(to:)`` or
/// with the names of other programs in ``ReportMember``, such as `lat`, `lon` and `tst`.
///
/// `latitude` and `longitude` are required and kept as they are, even out of range. The other
/// members may be missing or `null`: `time` (ISO 8601 with an offset, or since 1970), `altitude`,
/// `horizontalAccuracy`, `speed`, `course`, `device`, `battery`, `cause`, `region`. An accuracy
/// that is not above zero, a negative speed, a course outside 0–360, a battery outside 0–1, an
/// empty device name and a cause other than `enter` and `leave` count as unknown. The last of
/// repeated members counts, and other members are skipped. Numbers may be text. A value of another
/// type counts as unknown too, except for the time and the coordinates, which make the line bad. A
/// line whose coordinates are `null` is a report without a position.
struct NDJSONParser: LineParser {
  private var skipped = ReportOutcomes()

  init() {}

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    var reader = JSONReader(report: bytes, range: line)
    var (latitude, longitude, isOwn, isTyped) = (false, false, false, false)
    do throws(JSONError) {
      guard try reader.peek() == .object else { return false }
      try reader.beginObject()
      while let key = try reader.nextKey() {
        if key == "latitude" || key == "longitude" { isOwn = true }
        // A message of OwnTracks or gpsd, which may have the position of something else.
        if key == "_type" || key == "class" { isTyped = true }
        // An object of another program, whose speeds have another unit (NestedReports).
        if ReportMember.speedFactor(besides: key) != nil { return false }
        switch ReportMember.Column(name: key.utf8)?.member {
        case .latitude: latitude = true
        case .longitude: longitude = true
        default: break
        }
        try reader.skipValue()
      }
      try reader.end()
    } catch {
      return false
    }
    return isOwn || latitude && longitude && !isTyped
  }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    do throws(LineFault) {
      let report = try Self.report(bytes, line: line)
      if report.isWithoutPosition {
        // Among flat objects there may be some that have it in an object of its own.
        var other = TraccarParser()
        defer { other.takeSkipped(into: &skipped) }
        return other.parse(bytes, line: line, into: &fixes)
      }
      fixes.append(try report.fix())
      return nil
    } catch {
      return error
    }
  }

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

  private static func report(
    _ bytes: [UInt8], line: Range<Int>
  ) throws(LineFault) -> PositionReport {
    var reader = JSONReader(report: bytes, range: line)
    var report = PositionReport()
    var event: LocationFix.Cause.Event?
    var region: String?
    do throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        // Other programs may give these members another meaning, so a wrong type is accepted.
        case "cause": event = try reader.looseText().flatMap(LocationFix.Cause.Event.init)
        case "region": region = try reader.looseText()
        default: try report.readOwn(key, from: &reader)
        }
      }
      try reader.end()
    } catch {
      throw .json(error, inLine: line)
    }
    report.cause = event.map { LocationFix.Cause($0, region: region) }
    return report
  }
}

extension PositionReport {
  fileprivate mutating func readOwn(
    _ key: String, from reader: inout JSONReader
  ) throws(JSONError) {
    // The names of other programs are read as in other formats, without replacing the own ones.
    guard let column = Self.ownColumns[key] else {
      let stated = accuracy
      try readMember(key, from: &reader)
      if let stated { accuracy = stated }
      return
    }
    switch column.member {
    case .time: (time, timeRank) = (try Self.time(&reader), 0)
    case .latitude: latitude = try Self.number(&reader)
    case .longitude: longitude = try Self.number(&reader)
    case .altitude: try readLast(column, \.altitude, &reader)
    case .accuracy: try readLast(column, \.accuracy, &reader)
    case .speed: try readLast(column, \.speed, &reader)
    case .course: try readLast(column, \.course, &reader)
    case .device: device = try reader.looseText()
    case .battery: try readLast(column, \.battery, &reader)
    case .date, .hdop, .estimate, .position, .hemisphere, .offset: try reader.skipValue()
    }
  }

  /// Reads a member that replaces an earlier value; a value that is not a number is unknown.
  private mutating func readLast(
    _ column: ReportMember.Column, _ member: WritableKeyPath<PositionReport, Double?>,
    _ reader: inout JSONReader
  ) throws(JSONError) {
    self[keyPath: member] = nil
    try readNumber(column, from: &reader)
  }

  /// The names that `LocationFix.write(to:)` writes, whose values must be of the right type.
  private static let ownColumns = [
    "time", "latitude", "longitude", "altitude", "horizontalAccuracy", "speed", "course", "device",
    "battery",
  ].reduce(into: [String: ReportMember.Column]()) { columns, name in
    columns[name] = ReportMember.Column(name: name.utf8, in: .own)
  }

  private static func number(_ reader: inout JSONReader) throws(JSONError) -> Double? {
    if try reader.skipNull() { return nil }
    // Some apps write numbers as text, with the decimal comma of their language.
    if try reader.peek() == .string {
      var copy = reader
      let text = try copy.stringBytes()[...].trimmed
      let number = Double(pointOrComma: text)
      if number != nil || text.isEmpty {
        try reader.skipValue()
        return number
      }
    }
    return try reader.double()
  }

  /// Reads an instant with an offset, or a number as in other formats. Unlike there, the offset is
  /// required.
  private static func time(_ reader: inout JSONReader) throws(JSONError) -> ReportedTime {
    if try reader.skipNull() { return .missing }
    if try reader.peek() == .number { return ReportedTime(since1970: try reader.double()) }
    return Instant(iso8601: try reader.stringBytes()).map(ReportedTime.at) ?? .unreadable
  }
}
