public import CivilTime
public import Encodings
public import LocationFeeds

/// The last known state of a device.
public struct DeviceReport: Hashable, Sendable {
  /// The device's name in the feed; `nil` if the feed names none.
  public let device: String?
  /// The last fix that was neither `stale` nor `unmoved`; at first, the device's first fix.
  public internal(set) var fix: LocationFix
  /// The time of the last plausible fix, including `stale` and `unmoved` ones.
  public internal(set) var heard: Instant
  /// The midnight that begins the local day of that fix.
  public internal(set) var day: CivilDateTime
  /// The distance in metres travelled that day, summed between the fixes in which the device had
  /// moved.
  public internal(set) var walkedMeters: Double
  /// The number of fixes of that day in which the device had moved.
  public internal(set) var fixCount: Int
}

extension DeviceReport {
  /// Writes the report as a JSON object: `device`, `heard`, `accuracyClass`, `day`, `walked`
  /// (metres), `fixes`, `fix`.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("device", device)
      writer.member("heard", heard.iso8601)
      writer.member("accuracyClass", fix.accuracyClass?.rawValue)
      writer.member("day", String(day.instant().iso8601.prefix(10)))
      writer.member("walked", (walkedMeters * 10).rounded() / 10)
      writer.member("fixes", fixCount)
      writer.key("fix")
      fix.write(to: &writer)
    }
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
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "device": device = DeviceName.cleaned(try reader.string())
      case "heard": heard = try reader.instant()
      case "day":
        day = CivilDateTime.parse(iso8601: Array((try reader.string() + "T00:00:00").utf8))?.0
      case "walked": walked = try reader.double()
      case "fixes": fixCount = Int(try reader.integer())
      case "fix":
        var members = reader
        try Self.checkMembers(of: &members)
        fix = try LocationFix(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let heard, let day, let fix else {
      throw JSONError(offset: start, reason: "a member of the device is missing")
    }
    try Self.check([("walked", walked), ("fixes", Double(fixCount))], at: start)
    self.init(
      device: device, fix: fix, heard: heard, day: day, walkedMeters: walked, fixCount: fixCount)
  }

  /// The ranges of numbers that this program writes. Reading a fix treats a number out of range as
  /// unknown, but here it indicates damage.
  private static let ranges: [String: ClosedRange<Double>] = [
    "walked": 0...1e9, "fixes": 0...1e9, "battery": 0...1,
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
