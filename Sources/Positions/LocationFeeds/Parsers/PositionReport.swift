/// A device's report, as read, before it is known whether it makes a fix.
struct PositionReport: Sendable {
  var time = ReportedTime.missing
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
    guard time != .unreadable else { throw .unreadableMember("time") }
    return LocationFix(
      time: time.instant, latitude: latitude, longitude: longitude, altitudeMeters: altitude,
      horizontalAccuracyMeters: accuracy, speedMetersPerSecond: speed, courseDegrees: course,
      device: device.flatMap { $0.isEmpty ? nil : $0 }, battery: battery, cause: cause)
  }

  mutating func setSpeed(kilometersPerHour speed: Double?) { self.speed = speed.map { $0 / 3.6 } }

  mutating func setBattery(percent: Double?) { battery = percent.map { $0 / 100 } }
}
