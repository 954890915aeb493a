public import CivilTime

/// The difference between a camera's clock and UTC during a series of photos.
public struct CameraClock: Hashable, Sendable {
  /// The evidence for the time zone of a clock.
  public enum Basis: String, Hashable, Sendable {
    /// The photos contain their UTC offset.
    case stated
    /// The user specified it.
    case given
    /// Other photos of the same days contain their UTC offset.
    case otherPhotos
    /// The camera is assumed to be in the machine's time zone.
    case machineZone
    /// At this UTC offset, most photos were taken during a recorded track.
    case tracks
  }

  /// The UTC offset of the clock's time zone, in minutes; zero if the photos' times already take
  /// their offset into account.
  public let zoneMinutes: Int
  /// The seconds by which the clock was fast relative to its time zone.
  public let errorSeconds: Double
  /// The evidence for ``zoneMinutes``.
  public let basis: Basis
  /// The number of photos in the series.
  public let photoCount: Int
  /// The number of photos in the series that were taken during a recorded track.
  public let coveredCount: Int

  /// Returns the instant at which the clock showed a time.
  public func instant(ofShown time: Instant) -> Instant {
    time.advanced(bySeconds: -Double(zoneMinutes) * 60 - errorSeconds)
  }

  /// The uncertainty of the clock in seconds, which reduces the accuracy of positions while the
  /// photographer moves.
  static let uncertaintySeconds = 10.0
}
