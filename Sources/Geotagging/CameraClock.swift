public import CivilTime

/// The difference between a camera's clock and UTC during a series of photos.
public struct CameraClock: Hashable, Sendable {
  /// The reason for the offset from UTC.
  public enum Basis: String, Hashable, Sendable {
    /// The photos state it.
    case stated
    /// The user gave it.
    case given
    /// Other photos of those days state it.
    case otherPhotos
    /// It is that of the machine's time zone.
    case machineZone
    /// It is the one at which most photos lie on tracks.
    case tracks
  }

  /// Minutes by which the time zone of the clock is ahead of UTC; zero where the photos' times
  /// count from it already.
  public let zoneMinutes: Int
  /// Seconds by which the clock was fast, beside its time zone.
  public let errorSeconds: Double
  /// The reason for ``zoneMinutes``.
  public let basis: Basis
  /// The number of photos in the series.
  public let photoCount: Int
  /// The number of them that lie on a track.
  public let coveredCount: Int

  /// The moment at which the clock showed a time.
  public func instant(ofShown time: Instant) -> Instant {
    time.advanced(bySeconds: -Double(zoneMinutes) * 60 - errorSeconds)
  }

  /// The uncertainty of the clock in seconds, by which a moving photographer's position is less
  /// accurate.
  static let uncertaintySeconds = 10.0
}
