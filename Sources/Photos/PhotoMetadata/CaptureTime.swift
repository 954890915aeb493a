public import CivilTime

/// The time at which a photo was taken.
public struct CaptureTime: Hashable, Sendable {
  /// The instant. If the UTC offset is unknown, the local time interpreted as UTC.
  public let instant: Instant
  /// The camera clock's offset from UTC in minutes; `nil` if the photo does not contain it.
  public let utcOffsetMinutes: Int?

  /// Creates a capture time.
  public init(instant: Instant, utcOffsetMinutes: Int? = nil) {
    self.instant = instant
    self.utcOffsetMinutes = utcOffsetMinutes
  }

  /// Creates the capture time of a photo that has both a local time and a time from GPS satellites.
  ///
  /// If the two differ by a multiple of 15 minutes, up to 15 hours, the difference is the UTC
  /// offset, because all offsets are such multiples. A deviation of less than 5 minutes is allowed,
  /// because receivers may repeat an old time. Otherwise the camera's clock was wrong, and the
  /// offset is unknown.
  ///
  /// - Parameters:
  ///   - satelliteTime: The time from the satellites, which becomes the instant.
  ///   - localTime: The time on the camera's clock, interpreted as UTC.
  init(satelliteTime: Instant, localTime: Instant) {
    let minutes = localTime.seconds(since: satelliteTime) / 60
    let quarters = (minutes / 15).rounded()
    let isOffset = abs(quarters) <= 60 && abs(minutes - quarters * 15) < 5
    self.init(
      instant: satelliteTime, utcOffsetMinutes: isOffset ? Int(saturating: quarters) * 15 : nil)
  }

  /// The time in ISO 8601 as local time with its UTC offset, or in UTC if the offset is unknown.
  public var iso8601: String { instant.iso8601(utcOffsetMinutes: utcOffsetMinutes) }
}
