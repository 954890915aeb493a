import Interchange

/// Reads fixes written as one JSON object a line, the form that ``LocationFix/write(to:)`` writes.
///
/// `latitude` and `longitude` must be there, and are kept as they are, in range or not. The rest may be
/// missing or `null`: `time` (ISO 8601 with an offset), `altitude`, `horizontalAccuracy`, `speed`,
/// `course`, `device`, `battery`. An accuracy that is not above zero, a negative speed, a course outside
/// 0–360, a battery outside 0–1 and an empty device name mean *unknown*. Of a repeated member the last
/// counts, other members are passed over, and a value of the wrong type makes the line bad.
struct NDJSONParser: LineParser {
  init() {}

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    var reader = JSONReader(bytes, range: line)
    var isFix = false
    do throws(JSONError) {
      guard try reader.peek() == .object else { return false }
      try reader.beginObject()
      while let key = try reader.nextKey() {
        if key == "latitude" || key == "longitude" { isFix = true }
        try reader.skipValue()
      }
      try reader.end()
    } catch {
      return false
    }
    return isFix
  }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    do throws(LineFault) {
      fixes.append(try Self.fix(bytes, line: line))
      return nil
    } catch {
      return error
    }
  }

  /// Nothing is held back: each line is a whole fix.
  mutating func flush(into fixes: inout [LocationFix]) {}

  private static func fix(_ bytes: [UInt8], line: Range<Int>) throws(LineFault) -> LocationFix {
    var reader = JSONReader(bytes, range: line)
    var members = Members()
    do throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() { try members.read(key, from: &reader) }
      try reader.end()
    } catch {
      throw .json(JSONError(offset: error.offset - line.lowerBound, reason: error.reason))
    }
    return try members.fix()
  }

  /// The members of a line, before it is known whether they make a fix.
  private struct Members {
    var time: [UInt8]?
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var horizontalAccuracy: Double?
    var speed: Double?
    var course: Double?
    var device: String?
    var battery: Double?

    mutating func read(_ key: String, from reader: inout JSONReader) throws(JSONError) {
      switch key {
      case "time": time = try reader.skipNull() ? nil : reader.stringBytes()
      case "latitude": latitude = try Self.number(&reader)
      case "longitude": longitude = try Self.number(&reader)
      case "altitude": altitude = try Self.number(&reader)
      case "horizontalAccuracy": horizontalAccuracy = try Self.number(&reader)
      case "speed": speed = try Self.number(&reader)
      case "course": course = try Self.number(&reader)
      case "device": device = try reader.skipNull() ? nil : reader.string()
      case "battery": battery = try Self.number(&reader)
      default: try reader.skipValue()
      }
    }

    func fix() throws(LineFault) -> LocationFix {
      guard let latitude else { throw .missingMember("latitude") }
      guard let longitude else { throw .missingMember("longitude") }
      var instant: Instant?
      if let time {
        guard let read = Instant(iso8601: time) else { throw .unreadableMember("time") }
        instant = read
      }
      return LocationFix(
        time: instant, latitude: latitude, longitude: longitude, altitudeMeters: altitude,
        horizontalAccuracyMeters: horizontalAccuracy.flatMap { $0 > 0 ? $0 : nil },
        speedMetersPerSecond: speed.flatMap { $0 >= 0 ? $0 : nil },
        courseDegrees: course.flatMap { (0...360).contains($0) ? $0 : nil },
        device: device.flatMap { $0.isEmpty ? nil : $0 },
        battery: battery.flatMap { (0...1).contains($0) ? $0 : nil })
    }

    private static func number(_ reader: inout JSONReader) throws(JSONError) -> Double? {
      try reader.skipNull() ? nil : reader.double()
    }
  }
}
