import CivilTime

/// The combined values of the sentences of one time of day. The last of repeated values counts.
struct NMEAEpoch: Sendable {
  /// The assumed error in metres of a position at an HDOP of 1, a usual figure for receivers
  /// without corrections. An accuracy calculated from it is an estimate.
  static let metersPerHDOP = 5.0

  /// Milliseconds since midnight UTC.
  let timeOfDay: Int
  /// Midnight UTC of the date in the RMC sentence.
  var recommendedDate: Instant?
  var position: NMEASentence.Position?
  /// Whether a sentence said that the receiver has no position.
  var isVoid = false
  var altitudeMeters: Double?
  var horizontalDilution: Double?
  /// The standard deviation of the position, from GST.
  var statedErrorMeters: Double?
  /// The expected error of the position, from GBS.
  var expectedErrorMeters: Double?
  var speedMetersPerSecond: Double?
  var courseDegrees: Double?
  /// Whether an RMC sentence gave speed and course. A VTG sentence, which has no time and may
  /// belong to another epoch, is not needed then.
  var hasRecommendedMotion = false

  init(timeOfDay: Int) {
    self.timeOfDay = timeOfDay
  }

  /// Returns the fix of the sentences; `nil` where none gave a position.
  func fix(on calendar: NMEACalendar) -> LocationFix? {
    guard let position else { return nil }
    return LocationFix(
      time: calendar.instant(atTimeOfDay: timeOfDay),
      latitude: position.latitude, longitude: position.longitude, altitudeMeters: altitudeMeters,
      horizontalAccuracyMeters: statedErrorMeters ?? expectedErrorMeters
        ?? horizontalDilution.map { $0 * Self.metersPerHDOP },
      speedMetersPerSecond: speedMetersPerSecond, courseDegrees: courseDegrees)
  }
}
