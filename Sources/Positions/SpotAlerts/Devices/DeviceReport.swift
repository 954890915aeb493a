public import CivilTime
public import Encodings
public import LocationFeeds
import Spatial
import SpotWatcher

/// The last known state of a device.
public struct DeviceReport: Hashable, Sendable {
  /// The device's name in the feed; `nil` if the feed names none.
  public let device: String?
  /// The last fix that was neither `stale` nor `unmoved`; at first, the device's first plausible
  /// fix. `nil` while all its reports are without a position or refused.
  public internal(set) var fix: LocationFix?
  /// The arrival of its last report by the machine's clock, whatever time the report states. In a
  /// replay, the time of the last fix.
  public internal(set) var heard: Instant
  /// The midnight that begins the local day of the last plausible fix.
  public internal(set) var day: CivilDateTime
  /// The distance in metres travelled that day, summed between the fixes in which the device had
  /// moved. A gap of more than an hour without plausible fixes adds nothing.
  public internal(set) var walkedMeters = 0.0
  /// The sum's last position and time.
  var odometer = Odometer()
  /// The number of fixes of that day in which the device had moved.
  public internal(set) var fixCount = 0
  /// The numbers of its reports by their ends.
  public internal(set) var counts = ReportCounts()
  /// The seconds by which its clock is ahead, negative if behind, which are taken off its times;
  /// `nil` if it is right or unknown.
  public internal(set) var clockShiftSeconds: Double?
  /// The factor by which its stated speeds are too high, which is taken off; `nil` if they are
  /// right or unknown.
  public internal(set) var speedFactor: Double?

  /// Creates the state of a device that was not heard before.
  init(device: String?, heard: Instant, day: CivilDateTime) {
    (self.device, self.heard, self.day) = (device, heard, day)
  }
}

extension DeviceReport {
  /// Writes the report as a JSON object: `device`, `heard`, `accuracyClass`, `day`, `walked`
  /// (metres), `fixes`, `clockShift` (seconds), `speedFactor`, `reports`, `fix`. Unknown values are
  /// left out.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("device", device)
      writer.member("heard", heard.iso8601)
      writer.member("accuracyClass", fix?.accuracyClass?.rawValue)
      writer.member("day", String(day.instant().iso8601.prefix(10)))
      writer.member("walked", (walkedMeters * 10).rounded() / 10)
      writer.member("fixes", fixCount)
      writeCounts(to: &writer)
      guard let fix else { return }
      writer.key("fix")
      fix.write(to: &writer)
    }
  }

  /// Writes the members `clockShift`, `speedFactor` and `reports` of an object.
  package func writeCounts(to writer: inout JSONWriter) {
    writer.member("clockShift", clockShiftSeconds.map { ($0 * 10).rounded() / 10 })
    writer.member("speedFactor", speedFactor.map { ($0 * 1000).rounded() / 1000 })
    writer.key("reports")
    counts.write(to: &writer)
  }

  /// Reads the format that ``write(to:)`` writes.
  ///
  /// - Throws: `JSONError` if a member is missing or a number is out of its range.
  init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    var device: String?
    var heard: Instant?
    var day: CivilDateTime?
    var (walked, fixCount) = (0.0, 0)
    var fix: LocationFix?
    var counts: ReportCounts?
    var (shift, factor) = (nil as Double?, nil as Double?)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "device": device = DeviceName.cleaned(try reader.string())
      case "heard": heard = try reader.instant()
      case "day":
        day = CivilDateTime.parse(iso8601: Array((try reader.string() + "T00:00:00").utf8))?.0
      case "walked": walked = try reader.double()
      case "fixes": fixCount = Int(try reader.integer())
      case "clockShift": shift = try reader.double()
      case "speedFactor": factor = try reader.double()
      case "reports": counts = try ReportCounts(from: &reader)
      case "fix":
        var members = reader
        try Self.checkMembers(of: &members)
        fix = try LocationFix(from: &reader)
      default: try reader.skipValue()
      }
    }
    // Earlier versions kept no counts, and no device without a position.
    guard let heard, let day, fix != nil || counts != nil else {
      throw JSONError(offset: start, reason: "a member of the device is missing")
    }
    try Self.check(
      [
        ("walked", walked), ("fixes", Double(fixCount)), ("clockShift", shift ?? 0),
        ("speedFactor", factor ?? 1),
      ], at: start)
    self.init(device: device, heard: heard, day: day)
    (self.fix, walkedMeters, self.fixCount) = (fix, walked, fixCount)
    (self.counts, clockShiftSeconds, speedFactor) = (counts ?? ReportCounts(), shift, factor)
    if let time = fix?.time, let position = fix?.coordinate {
      _ = odometer.move(to: position, at: time, of: day)
    }
  }

  /// The ranges of numbers that this program writes. Reading a fix treats a number out of range as
  /// unknown, but here it indicates damage.
  private static let ranges: [String: ClosedRange<Double>] = [
    "walked": 0...1e9, "fixes": 0...1e9, "battery": 0...1, "clockShift": -1e11...1e11,
    "speedFactor": 0.01...100,
    "horizontalAccuracy": LocationFix.Limits.accuracyMeters,
    "speed": LocationFix.Limits.speedMetersPerSecond,
    "altitude": LocationFix.Limits.altitudeMeters, "course": 0...360,
  ]

  /// Throws a `JSONError` if a member of the fix at the reader's position is out of range.
  private static func checkMembers(of reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      let start = reader.offset
      if ranges[key] != nil {
        try check([(key, try reader.double())], at: start)
      } else {
        try reader.skipValue()
      }
    }
  }

  private static func check(
    _ numbers: [(name: String, number: Double)], at offset: Int
  ) throws(JSONError) {
    for (name, number) in numbers where ranges[name]?.contains(number) == false {
      throw JSONError(offset: offset, reason: "'\(name)' of the device is out of range")
    }
  }
}
