import CivilTime
import Encodings

/// Reads Google's location history: the locations of `Records.json` from Takeout, and the
/// `timelinePath` and raw positions of a Timeline exported by a phone (Android or iOS).
///
/// Visits and activities are not positions and are skipped. `Records.json` holds degrees × 10⁷, and
/// times in ISO 8601 or, in older files, as milliseconds in a string; its device tag distinguishes
/// devices. A point of a path has its own time, or the minutes since the start of its segment.
struct GoogleHistoryParser: ReportParser {
  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    var reader = JSONReader(bytes, range: line)
    var element = Element()
    do throws(JSONError) {
      try reader.members { reader, key throws(JSONError) in try element.read(key, from: &reader) }
      try reader.end()
    } catch {
      return .json(error, inLine: line)
    }
    return element.append(to: &fixes)
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
      case "latitudeE7":
        isPosition = true
        report.latitude = Self.degrees(try reader.looseNumber())
      case "longitudeE7":
        isPosition = true
        report.longitude = Self.degrees(try reader.looseNumber())
      case "timestamp", "timestampMs": report.time = try reader.reportedTime()
      case "altitude": report.altitude = try reader.looseNumber()
      case "accuracy": report.accuracy = try reader.looseNumber()
      case "velocity": report.speed = try reader.looseNumber()
      case "heading": report.course = try reader.looseNumber()
      case "deviceTag": report.device = try reader.looseText()
      case "startTime": start = try reader.reportedTime()
      case "timelinePath":
        try reader.elements { reader throws(JSONError) in path.append(try PathPoint(&reader)) }
      case "position":
        isPosition = true
        try reader.members { reader, key throws(JSONError) in
          try readPosition(key, from: &reader)
        }
      default: try reader.skipValue()
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
      case "timestamp": report.time = try reader.reportedTime()
      case "altitudeMeters": report.altitude = try reader.looseNumber()
      case "accuracyMeters": report.accuracy = try reader.looseNumber()
      case "speedMetersPerSecond": report.speed = try reader.looseNumber()
      default: try reader.skipValue()
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

    /// Converts degrees × 10⁷. Some exports wrote negative numbers as unsigned 32-bit ones.
    private static func degrees(_ number: Double?) -> Double? {
      number.map { ($0 > 1.8e9 ? $0 - 4_294_967_296 : $0) / 1e7 }
    }
  }

  /// A point of a `timelinePath`.
  private struct PathPoint {
    private var point: LatLngText?
    private var time = ReportedTime.missing
    private var minutes: Double?

    init(_ reader: inout JSONReader) throws(JSONError) {
      try reader.members { reader, key throws(JSONError) in
        switch key {
        case "point": point = try reader.looseText().flatMap(LatLngText.init)
        case "time": time = try reader.reportedTime()
        case "durationMinutesOffsetFromStartTime": minutes = try reader.looseNumber()
        default: try reader.skipValue()
        }
      }
    }

    func report(after start: ReportedTime) -> PositionReport {
      var report = PositionReport()
      report.latitude = point?.latitude
      report.longitude = point?.longitude
      report.time = time
      if time == .missing, let minutes {
        report.time = start.instant.map { .at($0.advanced(bySeconds: minutes * 60)) } ?? start
      }
      return report
    }
  }
}

/// A coordinate in one of a Timeline's forms: `48.8606°, 2.3376°`, the same without degree signs,
/// or `geo:48.8606,2.3376`.
private struct LatLngText {
  var latitude: Double
  var longitude: Double

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    let plain = bytes.starts(with: "geo:".utf8) ? bytes[4...] : bytes[...]
    let parts = plain.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Self.degrees(parts[0]),
      let longitude = Self.degrees(parts[1])
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  private static func degrees(_ text: ArraySlice<UInt8>) -> Double? {
    let trimmed = text.trimmed
    // The degree sign in UTF-8.
    return Double(
      decimal: trimmed.suffix(2).elementsEqual([0xC2, 0xB0]) ? trimmed.dropLast(2) : trimmed)
  }
}
