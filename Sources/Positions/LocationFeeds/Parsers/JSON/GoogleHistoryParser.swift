import CivilTime
import Encodings

/// Reads Google's location history: from Takeout the locations of `Records.json`, the raw paths of
/// the Semantic Location History and the positions of `Timeline Edits.json`, and the `timelinePath`
/// and raw positions of a Timeline exported by a phone (Android or iOS).
///
/// Visits and activities are not positions and are skipped, but for the timed points of their raw
/// paths. `Records.json` holds degrees × 10⁷, and
/// times in ISO 8601 or, in older files, as milliseconds in a string; its device tag distinguishes
/// devices. A point of a path has its own time, or the minutes since the start of its segment.
struct GoogleHistoryParser: ReportParser {
  private var skipped = ReportOutcomes()

  init() {}

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    var reader = JSONReader(report: bytes, range: line)
    var element = Element()
    do throws(JSONError) {
      try reader.members { reader, key throws(JSONError) in try element.read(key, from: &reader) }
      try reader.end()
    } catch {
      return .json(error, inLine: line)
    }
    let known = fixes.count
    let fault = element.append(to: &fixes)
    if fault == nil, fixes.count == known { skipped.add(.withoutPosition) }
    return fault
  }

  /// A location, a segment or a signal, distinguished by its members.
  private struct Element {
    private var report = PositionReport()
    private var isPosition = false
    private var start = ReportedTime.missing
    private var path: [PathPoint] = []

    init() {}

    mutating func read(_ key: String, from reader: inout JSONReader) throws(JSONError) {
      switch key {
      case "startTime": start = try reader.reportedTime()
      case "timelinePath":
        try reader.elements { reader throws(JSONError) in path.append(try PathPoint(&reader)) }
      case "position":
        isPosition = true
        try reader.members { reader, key throws(JSONError) in
          try readPosition(key, from: &reader)
        }
      case "rawSignal", "signal":
        try reader.members { reader, key throws(JSONError) in try read(key, from: &reader) }
      case "activitySegment", "placeVisit":
        try reader.members { reader, key throws(JSONError) in
          guard key == "simplifiedRawPath" else { return try reader.skipValue() }
          try readRawPath(&reader)
        }
      default:
        if ReportMember.Column(name: key.utf8)?.member == .latitude { isPosition = true }
        try report.readMember(key, from: &reader)
      }
    }

    private mutating func readRawPath(_ reader: inout JSONReader) throws(JSONError) {
      try reader.members { reader, key throws(JSONError) in
        guard key == "points" else { return try reader.skipValue() }
        try reader.elements { reader throws(JSONError) in path.append(try PathPoint(&reader)) }
      }
    }

    private mutating func readPosition(
      _ key: String, from reader: inout JSONReader
    ) throws(JSONError) {
      switch key {
      case "LatLng", "latLng":
        let point = try reader.looseText().flatMap(LatLngText.init)
        report.latitude = point?.latitude
        report.longitude = point?.longitude
      case "point":
        try reader.members { reader, key throws(JSONError) in
          try report.readMember(key, from: &reader)
        }
      default: try report.readMember(key, from: &reader)
      }
    }

    func append(to fixes: inout [LocationFix]) -> LineFault? {
      var fault: LineFault?
      do throws(LineFault) {
        if isPosition { fixes.append(try report.fix()) }
      } catch {
        fault = error
      }
      for point in path {
        do throws(LineFault) { fixes.append(try point.report(after: start).fix()) } catch {
          fault = fault ?? error
        }
      }
      return fault
    }
  }

  /// A point of a `timelinePath` or a raw path.
  private struct PathPoint {
    private var point: PositionReport
    private var minutes: Double?

    init(_ reader: inout JSONReader) throws(JSONError) {
      point = PositionReport()
      try reader.members { reader, key throws(JSONError) in
        switch key {
        case "point":
          let written = try reader.looseText().flatMap(LatLngText.init)
          point.latitude = written?.latitude
          point.longitude = written?.longitude
        case "durationMinutesOffsetFromStartTime": minutes = try reader.looseNumber()
        default: try point.readMember(key, from: &reader)
        }
      }
    }

    func report(after start: ReportedTime) -> PositionReport {
      var report = point
      if point.time == .missing, let minutes {
        report.time = start.instant.map { .at($0.advanced(bySeconds: minutes * 60)) } ?? start
      }
      return report
    }
  }
}
