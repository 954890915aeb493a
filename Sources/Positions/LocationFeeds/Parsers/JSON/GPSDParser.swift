import CivilTime
import Encodings

/// Reads the reports of gpsd, one JSON object per line (gpsd_json(5)).
///
/// A report of class TPV with mode 2 or 3, `lat` and `lon` is a position. `eph` is its accuracy,
/// which older versions give only along both axes, `epx` and `epy`. `altMSL` (`alt` in older
/// versions) is its altitude, `track` its course, and `device` distinguishes the receivers of one
/// gpsd. Everything else is skipped: AIS reports hold the positions of ships, and `lat` and `lon`
/// of GST reports are standard deviations in metres. Skipped too are the raw sentences that gpsd
/// sends between the reports if asked to, since the reports repeat them, and a time that a logger
/// wrote before a report.
///
/// gpsd repeats a report with the same time as it learns more: consecutive reports of one device
/// and time make one fix, and later values win. A fix is returned when a report of another time
/// arrives, when another device has completed an epoch, which shows that no more will come, or by
/// ``flush(into:)``.
struct GPSDParser: LineParser {
  private var skipped = ReportOutcomes()
  /// The epochs that may still receive values, at most one per device, the earliest first.
  private var open: [LocationFix] = []
  /// The device and time of the fixes returned last, which are not returned again.
  private var returned: [ReturnedFix] = []

  private struct ReturnedFix {
    var device: String?
    var time: Instant
  }

  /// The greatest number of devices, more than any gpsd has. Beyond it, the earliest open epoch is
  /// returned, and the fix returned longest ago is forgotten.
  private static let maximumDevices = 64

  init() {}

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    guard let (_, json) = JSONPayload.find(in: bytes, line: line) else { return false }
    var reader = JSONReader(report: bytes, range: json)
    do throws(JSONError) {
      guard try reader.peek() == .object else { return false }
      try reader.beginObject()
      // gpsd always writes the class first.
      guard try reader.nextKey() == "class", try reader.peek() == .string else { return false }
      return classes.contains(try reader.string())
    } catch {
      return false
    }
  }

  private static let classes: Set = [
    "VERSION", "DEVICES", "DEVICE", "WATCH", "TPV", "SKY", "GST", "ATT", "IMU", "TOFF", "PPS",
    "OSC",
    "AIS", "RTCM2", "RTCM3", "POLL", "ERROR", "SUBFRAME", "RAW",
  ]

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    guard let (_, json) = JSONPayload.find(in: bytes, line: line) else { return nil }
    do throws(JSONError) {
      guard let report = try Self.report(bytes, json) else { return nil }
      return take(report, into: &fixes)
    } catch {
      return .json(error, inLine: line)
    }
  }

  mutating func flush(into fixes: inout [LocationFix]) {
    for fix in open { emit(fix, into: &fixes) }
    open.removeAll()
  }

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

  // MARK: - Reports

  private struct Report {
    var position = PositionReport()
    var mode = 0.0
    var meanSeaLevel: Double?
    /// The errors along the longitude and the latitude, in metres.
    var (eastError, northError): (Double?, Double?)
  }

  /// Reads the report in a line; returns `nil` where it is not of class TPV.
  private static func report(_ bytes: [UInt8], _ json: Range<Int>) throws(JSONError) -> Report? {
    var reader = JSONReader(report: bytes, range: json)
    var report = Report()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "class": guard try reader.looseText() == "TPV" else { return nil }
      case "device": report.position.device = try reader.looseText()
      case "mode": report.mode = try reader.looseNumber() ?? 0
      case "time": report.position.time = try reader.reportedTime()
      case "lat": report.position.latitude = try reader.looseNumber()
      case "lon": report.position.longitude = try reader.looseNumber()
      case "altMSL": report.meanSeaLevel = try reader.looseNumber()
      case "alt": report.position.altitude = try reader.looseNumber()
      case "eph": report.position.accuracy = try reader.looseNumber()
      case "epx": report.eastError = try reader.looseNumber()
      case "epy": report.northError = try reader.looseNumber()
      case "speed": report.position.speed = try reader.looseNumber()
      case "track": report.position.course = try reader.looseNumber()
      default: try reader.skipValue()
      }
    }
    try reader.end()
    report.position.altitude = report.meanSeaLevel ?? report.position.altitude
    if report.position.accuracy == nil, let east = report.eastError, let north = report.northError,
      east > 0, north > 0
    {
      report.position.accuracy = (east * east + north * north).squareRoot()
    }
    return report
  }

  private mutating func take(_ report: Report, into fixes: inout [LocationFix]) -> LineFault? {
    let device = report.position.device
    let isPosition =
      report.mode >= 2 && report.position.latitude != nil && report.position.longitude != nil
    guard isPosition else {
      // In mode 0 or 1 the receiver has lost its position, so the open epoch is complete. A report
      // without a position in a higher mode is common at the start of an epoch and does not end it.
      if report.mode < 2 {
        complete(device, into: &fixes)
        skipped.add(.withoutPosition, of: device)
      }
      return nil
    }
    do throws(LineFault) {
      let fix = try report.position.fix()
      guard let time = fix.time else {
        fixes.append(fix)
        return nil
      }
      add(fix, at: time, into: &fixes)
      return nil
    } catch {
      return error
    }
  }

  // MARK: - Epochs

  private mutating func add(_ fix: LocationFix, at time: Instant, into fixes: inout [LocationFix]) {
    if let index = open.firstIndex(where: { $0.device == fix.device && $0.time == time }) {
      open[index].add(fix)
    } else if !returned.contains(where: { $0.device == fix.device && $0.time == time }) {
      complete(fix.device, into: &fixes)
      open.append(fix)
      if open.count > Self.maximumDevices { complete(open[0].device, into: &fixes) }
    }
  }

  /// Ends the open epoch of a device and those opened before it, and appends their fixes.
  private mutating func complete(_ device: String?, into fixes: inout [LocationFix]) {
    guard let index = open.firstIndex(where: { $0.device == device }) else { return }
    for fix in open[...index] { emit(fix, into: &fixes) }
    open.removeSubrange(...index)
  }

  private mutating func emit(_ fix: LocationFix, into fixes: inout [LocationFix]) {
    guard let time = fix.time else { return }
    fixes.append(fix)
    returned.removeAll { $0.device == fix.device }
    if returned.count == Self.maximumDevices { returned.removeFirst() }
    returned.append(ReturnedFix(device: fix.device, time: time))
  }
}

extension LocationFix {
  /// Merges a later report of the same time, whose missing values leave the present ones unchanged.
  fileprivate mutating func add(_ later: LocationFix) {
    latitude = later.latitude
    longitude = later.longitude
    altitudeMeters = later.altitudeMeters ?? altitudeMeters
    horizontalAccuracyMeters = later.horizontalAccuracyMeters ?? horizontalAccuracyMeters
    speedMetersPerSecond = later.speedMetersPerSecond ?? speedMetersPerSecond
    courseDegrees = later.courseDegrees ?? courseDegrees
  }
}
