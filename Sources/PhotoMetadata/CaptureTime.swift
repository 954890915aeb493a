public import Interchange

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

  /// The time in ISO 8601 as the camera's clock showed it, with its offset; in UTC where that is unknown.
  public var iso8601: String { instant.iso8601(utcOffsetMinutes: utcOffsetMinutes) }
}
