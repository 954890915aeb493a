import CivilTime

/// A device's report, as read, before it is known whether it makes a fix.
struct PositionReport: Sendable {
  var time = ReportedTime.missing
  /// The place of the time's name among those of a report (``ReportMember/Column/rank``).
  var timeRank = 0
  /// The minutes by which a time without an offset is ahead of UTC; `nil` if nothing tells.
  var utcOffsetMinutes: Int?
  /// Degrees north of the equator.
  var latitude: Double?
  /// Degrees east of the prime meridian.
  var longitude: Double?
  /// Metres above sea level.
  var altitude: Double?
  /// The radius of the horizontal accuracy in metres.
  var accuracy: Double?
  /// Metres per second.
  var speed: Double?
  /// Degrees clockwise from true north.
  var course: Double?
  var device: String?
  /// The battery's charge, 0 to 1.
  var battery: Double?
  var cause: LocationFix.Cause?
  /// Whether a latitude or longitude has a value that is not a number.
  var hasUnreadableCoordinate = false
  /// The letters of the hemispheres; `nil` where the sign of the angle tells it.
  private var northSouth: Character?
  private var eastWest: Character?
  /// Whether a hemisphere has an unknown name, or two that differ.
  private var hasUnknownHemisphere = false

  static let metersPerSecondPerKnot = 1852.0 / 3600

  /// Whether it is a message of a device without a position, such as a heartbeat: no coordinate, or
  /// empty ones, with something else that is known.
  var isWithoutPosition: Bool {
    latitude == nil && longitude == nil && !hasUnreadableCoordinate
      && (device != nil || time != .missing || battery != nil)
  }

  /// Creates the fix of the report.
  ///
  /// Implausible values are placeholders for *unknown* (``LocationFix/Limits``) and become `nil`,
  /// as does an empty name. Latitude and longitude stay as reported.
  ///
  /// - Throws: A ``LineFault`` where a coordinate is missing or the time cannot be read.
  func fix() throws(LineFault) -> LocationFix {
    if hasUnreadableCoordinate, latitude == nil || longitude == nil {
      throw .unreadableMember(latitude == nil ? "latitude" : "longitude")
    }
    guard let latitude else { throw .missingMember("latitude") }
    guard let longitude else { throw .missingMember("longitude") }
    guard !hasUnknownHemisphere else { throw .unreadableMember("hemisphere") }
    guard time != .unreadable else { throw .unreadableMember("time") }
    // Odd ranks are those of times without an offset.
    let time = timeRank.isMultiple(of: 2) ? time : time.utc(from: utcOffsetMinutes)
    return LocationFix(
      time: time.instant,
      latitude: try Self.signed(latitude, northSouth, negative: "S", "latitude"),
      longitude: try Self.signed(longitude, eastWest, negative: "W", "longitude"),
      altitudeMeters: altitude,
      horizontalAccuracyMeters: accuracy, speedMetersPerSecond: speed, courseDegrees: course,
      device: device.flatMap { $0.isEmpty ? nil : $0 }, battery: battery, cause: cause)
  }

  /// Adds the milliseconds of a time in whole seconds, below 1,000.
  mutating func add(milliseconds text: ArraySlice<UInt8>) {
    guard let instant = time.instant, instant.millisecondsSince1970 % 1000 == 0,
      let milliseconds = Double(decimal: text), (0..<1000).contains(milliseconds)
    else { return }
    time = .at(instant.advanced(bySeconds: milliseconds / 1000))
  }

  /// Sets the hemisphere of the latitude or the longitude from a letter or word.
  ///
  /// A letter that contradicts an earlier one makes the position unreadable, and so does another
  /// word in a column of a table: `O` is east in German, and west in Spanish. Elsewhere, members of
  /// the name hold other things, too, and another word sets nothing.
  mutating func set(hemisphere text: String, isInTable: Bool = false) {
    switch text.uppercased().filter({ !$0.isWhitespace }) {
    case "N", "NORTH": set(hemisphere: "N", \.northSouth)
    case "S", "SOUTH": set(hemisphere: "S", \.northSouth)
    case "E", "EAST": set(hemisphere: "E", \.eastWest)
    case "W", "WEST": set(hemisphere: "W", \.eastWest)
    case let other:
      if isInTable, other.contains(where: \.isLetter) { hasUnknownHemisphere = true }
    }
  }

  private mutating func set(
    hemisphere letter: Character, _ axis: WritableKeyPath<PositionReport, Character?>
  ) {
    if let known = self[keyPath: axis], known != letter { hasUnknownHemisphere = true }
    self[keyPath: axis] = letter
  }

  /// Returns an angle with the sign of its hemisphere.
  ///
  /// - Throws: A ``LineFault`` where a minus sign contradicts the letter.
  private static func signed(
    _ angle: Double, _ hemisphere: Character?, negative: Character, _ name: String
  ) throws(LineFault) -> Double {
    guard let hemisphere else { return angle }
    guard hemisphere == negative else {
      guard angle >= 0 else { throw .unreadableMember(name) }
      return angle
    }
    return -abs(angle)
  }

  mutating func setSpeed(kilometersPerHour speed: Double?) { self.speed = speed.map { $0 / 3.6 } }

  mutating func setBattery(percent: Double?) { battery = percent.map { $0 / 100 } }
}
