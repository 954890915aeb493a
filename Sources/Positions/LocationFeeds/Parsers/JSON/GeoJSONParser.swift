import CivilTime
import Encodings

/// Reads GeoJSON (RFC 7946): the features of a collection, or a single feature or geometry.
///
/// A point is a fix if its properties hold a time under one of the names that ``ReportMember``
/// knows, or a date with a time of day under those of a date; without a time it is a place. The
/// positions of a line are fixes. Their times are those in `coordTimes` or
/// `coordinateProperties.times`, as togeojson writes them; otherwise they have none. The positions
/// of a multipoint are fixes if they have such times, and otherwise places. Polygons and
/// collections of geometries are shapes and give no fixes.
struct GeoJSONParser: ReportParser {
  private var skipped = ReportOutcomes()

  init() {}

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    var reader = JSONReader(report: bytes, range: line)
    var feature = Feature()
    do throws(JSONError) {
      try reader.members { reader, key throws(JSONError) in try feature.read(key, from: &reader) }
      try reader.end()
    } catch {
      return .json(error, inLine: line)
    }
    let known = fixes.count
    let fault = Self.append(feature, to: &fixes)
    if fault == nil, fixes.count == known {
      skipped.add(.withoutPosition, of: feature.report.device)
    }
    return fault
  }

  private static func append(_ feature: Feature, to fixes: inout [LocationFix]) -> LineFault? {
    switch feature.geometry {
    case "Point": appendPoint(feature, to: &fixes)
    case "LineString", "MultiLineString": appendLine(feature, to: &fixes)
    case "MultiPoint" where feature.hasTimes: appendLine(feature, to: &fixes)
    default: nil
    }
  }

  private static func appendPoint(
    _ feature: Feature, to fixes: inout [LocationFix]
  ) -> LineFault? {
    var report = feature.report
    if report.time.instant == nil, let date = feature.date { report.time = .at(date) }
    guard report.time != .missing else { return nil }
    let position = feature.coordinates.positions.first
    report.latitude = position?.latitude
    report.longitude = position?.longitude
    report.altitude = position?.altitude ?? report.altitude
    do throws(LineFault) {
      fixes.append(try report.fix())
      return nil
    } catch {
      return error
    }
  }

  private static func appendLine(_ feature: Feature, to fixes: inout [LocationFix]) -> LineFault? {
    let positions = feature.coordinates.positions
    // If there is not one time per position, it is unknown which time belongs to which position.
    let times = feature.hasTimes ? feature.times : []
    for (index, position) in positions.enumerated() {
      fixes.append(
        LocationFix(
          time: times.isEmpty ? nil : times[index].instant, latitude: position.latitude,
          longitude: position.longitude, altitudeMeters: position.altitude,
          device: feature.report.device.flatMap { $0.isEmpty ? nil : $0 }))
    }
    return feature.coordinates.unreadable > 0 ? .unreadableMember("coordinates") : nil
  }

  /// The parts of a feature, or of a single geometry, that are read.
  private struct Feature {
    var geometry = ""
    var coordinates = GeoJSONCoordinates()
    var report = PositionReport()
    /// A property named as a date that also holds a time of day.
    var date: Instant?
    var times: [ReportedTime] = []

    /// Whether there is one time per position.
    var hasTimes: Bool { !times.isEmpty && times.count == coordinates.positions.count }

    mutating func read(_ key: String, from reader: inout JSONReader) throws(JSONError) {
      switch key {
      case "geometry":
        try reader.members { reader, key throws(JSONError) in
          try readGeometry(key, from: &reader)
        }
      case "properties":
        try reader.members { reader, key throws(JSONError) in
          try readProperty(key, from: &reader)
        }
      // A geometry without a feature.
      default: try readGeometry(key, from: &reader)
      }
    }

    private mutating func readGeometry(
      _ key: String, from reader: inout JSONReader
    ) throws(JSONError) {
      switch key {
      case "type":
        let type = try reader.looseText() ?? ""
        if type != "Feature" { geometry = type }
      case "coordinates": coordinates = try GeoJSONCoordinates(&reader)
      default: try reader.skipValue()
      }
    }

    private mutating func readProperty(
      _ key: String, from reader: inout JSONReader
    ) throws(JSONError) {
      switch key {
      case "coordTimes", "times": try readTimes(&reader)
      case "coordinateProperties":
        try reader.members { reader, key throws(JSONError) in
          guard key == "times" else { return try reader.skipValue() }
          try readTimes(&reader)
        }
      default:
        guard let column = ReportMember.Column(name: Array(key.utf8)[...]) else {
          return try reader.skipValue()
        }
        try readMember(column, from: &reader)
      }
    }

    private mutating func readMember(
      _ column: ReportMember.Column, from reader: inout JSONReader
    ) throws(JSONError) {
      switch column.member {
      case .time: try report.readTime(column, from: &reader)
      case .device:
        let device = try reader.looseText()
        report.device = report.device ?? device
      case .altitude, .accuracy, .estimate, .hdop, .speed, .course, .battery:
        try report.readNumber(column, from: &reader)
      case .date:
        // Some programs put date and time here; a date alone marks a place.
        let found = try reader.reportedTime()
        if let instant = found.instant, instant >= FeedReader.earliestTime {
          date = date ?? instant
        }
      case .latitude, .longitude, .position, .hemisphere, .offset: try reader.skipValue()
      }
    }

    /// Reads times from one array, or from one array per line.
    private mutating func readTimes(_ reader: inout JSONReader) throws(JSONError) {
      try reader.elements { reader throws(JSONError) in
        if try reader.peek() == .array {
          try reader.elements { reader throws(JSONError) in
            times.append(try reader.reportedTime())
          }
        } else {
          times.append(try reader.reportedTime())
        }
      }
    }
  }
}
