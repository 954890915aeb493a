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
    /// The photos match the recorded tracks best at this UTC offset.
    case tracks
  }

  /// The UTC offset of the clock's time zone, in minutes; zero if the photos' times already take
  /// their offset into account.
  public let zoneMinutes: Int
  /// The seconds by which the clock was fast relative to its time zone.
  public let errorSeconds: Double
  /// The evidence for ``zoneMinutes``.
  public let basis: Basis
  /// The seconds by which the clock may differ from ``errorSeconds``, which reduces the accuracy of
  /// positions while the photographer moves.
  public let uncertaintySeconds: Double
  /// Other UTC offsets in minutes that fit the photos too, the most probable first; empty if the
  /// offset is certain.
  public let rivalMinutes: [Int]
  /// The number of photos in the series.
  public let photoCount: Int
  /// The number of photos in the series that were taken during a recorded track.
  public let coveredCount: Int

  /// Returns the instant at which the clock showed a time.
  public func instant(ofShown time: Instant) -> Instant {
    instant(ofShown: time, zoneMinutes: zoneMinutes)
  }

  /// Returns the instants at which the clock showed a time in each zone that fits, the most
  /// probable first.
  func instants(ofShown time: Instant) -> [Instant] {
    [instant(ofShown: time)] + rivalMinutes.map { instant(ofShown: time, zoneMinutes: $0) }
  }

  private func instant(ofShown time: Instant, zoneMinutes: Int) -> Instant {
    time.advanced(bySeconds: -Double(zoneMinutes) * 60 - errorSeconds)
  }

  /// The least uncertainty of a clock in seconds.
  static let leastUncertaintySeconds = 10.0
}

/// The clock of a camera during consecutive photos.
public struct DatedCameraClock: Hashable, Sendable {
  /// The times that the clock showed at the first and the last photo.
  public let times: ClosedRange<Instant>
  /// The clock.
  public let clock: CameraClock

  /// Creates the clock of photos at the given times.
  public init(times: ClosedRange<Instant>, clock: CameraClock) {
    (self.times, self.clock) = (times, clock)
  }
}
