public import CivilTime

/// When a photo was taken.
public struct CaptureTime: Hashable, Sendable {
  /// The moment. Where the photo gives no offset from UTC, its local time read as UTC.
  public let instant: Instant
  /// How far the camera's clock was ahead of UTC, in minutes; `nil` where the photo does not say.
  public let utcOffsetMinutes: Int?

  /// Creates a capture time.
  public init(instant: Instant, utcOffsetMinutes: Int? = nil) {
    self.instant = instant
    self.utcOffsetMinutes = utcOffsetMinutes
  }

  /// Creates the capture time of a photo that has a local time and the satellites' instant.
  ///
  /// The two tell the offset where they differ by a whole number of quarters of an hour, as all
  /// offsets do, up to 15 hours; receivers are a few minutes late where they repeat an old stamp.
  /// Else the camera's clock was wrong.
  ///
  /// - Parameters:
  ///   - satelliteTime: What the receiver says, which counts.
  ///   - localTime: What the camera's clock showed, read as UTC.
  init(satelliteTime: Instant, localTime: Instant) {
    let minutes = localTime.seconds(since: satelliteTime) / 60
    let quarters = (minutes / 15).rounded()
    let isOffset = abs(quarters) <= 60 && abs(minutes - quarters * 15) < 5
    self.init(
      instant: satelliteTime, utcOffsetMinutes: isOffset ? Int(saturating: quarters) * 15 : nil)
  }

  /// The time in ISO 8601 as the camera's clock showed it, with its offset; in UTC where that is
  /// unknown.
  public var iso8601: String { instant.iso8601(utcOffsetMinutes: utcOffsetMinutes) }
}
