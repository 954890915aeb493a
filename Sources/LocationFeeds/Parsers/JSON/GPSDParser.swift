import CivilTime
import Interchange

/// Reads the reports of gpsd, a JSON object a line (gpsd_json(5)).
///
/// A report of class TPV with mode 2 or 3, `lat` and `lon` is a position; `eph` is its accuracy,
/// `altMSL` (`alt` of older versions) its altitude, `track` its course, and `device` tells the
/// receivers of one gpsd apart. Everything else is passed over: AIS reports have the positions of
/// ships, GST reports have sigmas in metres that are called `lat` and `lon`. So are the raw
/// sentences that gpsd sends between the reports when asked to, since it reports what they say. A
/// time that a logger put before a report is passed over.
///
/// gpsd repeats a report with the same time as it learns more: consecutive ones of a device are one
/// fix, later values win. A fix is given when a report of another time arrives, when another device
/// has gone through a whole epoch, which shows that no more will come, or on ``flush(into:)``.
struct GPSDParser: LineParser {
  /// The epochs that may still get values, at most one for each device, the earliest first.
  private var open: [LocationFix] = []
  /// The times of the fixes that were given last, of which no second fix is made.
  private var given: [Given] = []

  private struct Given {
    var device: String?
    var time: Instant
  }

  /// More receivers than any gpsd has; the one whose last fix is the oldest is forgotten for a new
  /// one.
  private static let maximumDevices = 64

  init() {}

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    guard let (_, json) = JSONPayload.find(in: bytes, line: line) else { return false }
    var reader = JSONReader(bytes, range: json)
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
    for fix in open { give(fix, into: &fixes) }
    open.removeAll()
  }

  // MARK: - Reports

  private struct Report {
    var position = PositionReport()
    var mode = 0.0
    var meanSeaLevel: Double?
  }

  /// The report in a line; `nil` where it is of another class.
  private static func report(_ bytes: [UInt8], _ json: Range<Int>) throws(JSONError) -> Report? {
    var reader = JSONReader(bytes, range: json)
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
      case "speed": report.position.speed = try reader.looseNumber()
      case "track": report.position.course = try reader.looseNumber()
      default: try reader.skipValue()
      }
    }
    try reader.end()
    report.position.altitude = report.meanSeaLevel ?? report.position.altitude
    return report
  }

  private mutating func take(_ report: Report, into fixes: inout [LocationFix]) -> LineFault? {
    let device = report.position.device
    let isPosition =
      report.mode >= 2 && report.position.latitude != nil && report.position.longitude != nil
    guard isPosition else {
      // The receiver lost its fix, so the last one is complete. A report without a position is not
      // rare at the start of an epoch, and says nothing about it.
      if report.mode < 2 { complete(device, into: &fixes) }
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
    } else if !given.contains(where: { $0.device == fix.device && $0.time == time }) {
      complete(fix.device, into: &fixes)
      open.append(fix)
      if open.count > Self.maximumDevices { complete(open[0].device, into: &fixes) }
    }
  }

  /// Gives the open epoch of a device, and those that were opened before it.
  private mutating func complete(_ device: String?, into fixes: inout [LocationFix]) {
    guard let index = open.firstIndex(where: { $0.device == device }) else { return }
    for fix in open[...index] { give(fix, into: &fixes) }
    open.removeSubrange(...index)
  }

  private mutating func give(_ fix: LocationFix, into fixes: inout [LocationFix]) {
    guard let time = fix.time else { return }
    fixes.append(fix)
    given.removeAll { $0.device == fix.device }
    if given.count == Self.maximumDevices { given.removeFirst() }
    given.append(Given(device: fix.device, time: time))
  }
}

extension LocationFix {
  /// Takes over what a later report of the same time says; what it leaves out stays.
  fileprivate mutating func add(_ later: LocationFix) {
    latitude = later.latitude
    longitude = later.longitude
    altitudeMeters = later.altitudeMeters ?? altitudeMeters
    horizontalAccuracyMeters = later.horizontalAccuracyMeters ?? horizontalAccuracyMeters
    speedMetersPerSecond = later.speedMetersPerSecond ?? speedMetersPerSecond
    courseDegrees = later.courseDegrees ?? courseDegrees
  }
}
