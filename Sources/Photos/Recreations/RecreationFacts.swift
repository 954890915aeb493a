import CivilTime
import LocationFeeds
import PhotoMetadata
import Spatial

/// The rules that determine the EXIF properties of a recreation from all available information.
///
/// A pure value: it accesses neither files nor clocks.
struct RecreationFacts {
  /// The properties of the recreation.
  private(set) var properties = PhotoProperties()

  /// The maximum distance of a recreation from an old photo without a spot, in metres.
  static let maximumDistanceMeters = 200.0
  /// The maximum difference between the capture time and the time of a device's position, in
  /// seconds.
  static let maximumAgeSeconds = 300.0
  /// The alignment score from which the camera is assumed to point in the same direction as before.
  static let scoreOfOneView = 0.75
  /// The maximum lead of the client's clock over the machine's, in seconds.
  private static let clockToleranceSeconds = 60.0

  /// Determines the properties.
  ///
  /// - Parameters:
  ///   - own: The metadata of the uploaded picture.
  ///   - old: The old photo.
  ///   - score: The alignment score, 0–1.
  ///   - sent: The time of capture according to the client.
  ///   - devices: The last positions of devices.
  ///   - now: The time on the machine's clock.
  ///   - localClock: The UTC offset of local time.
  init(
    own: PhotoProperties, old: OldPhoto, score: Double?, sent: CaptureTime? = nil,
    devices: [LocationFix], now: Instant, localClock: LocalClock
  ) {
    properties.make = own.make
    properties.model = own.model
    properties.focalLength = own.focalLength
    properties.orientation = own.orientation ?? 1
    properties.captured = Self.time(
      own: own.captured, sent: sent, old: old.captured, now, localClock)
    setPosition(own: own, old: old, devices)
    properties.heading = own.heading
    if properties.heading == nil, let score, score >= Self.scoreOfOneView {
      properties.heading = old.heading
    }
  }

  // MARK: - Time

  /// Returns the time of capture: that of the picture, else that of the client, else that of the
  /// machine. Implausible times are skipped.
  private static func time(
    own: CaptureTime?, sent: CaptureTime?, old: CaptureTime?, _ now: Instant,
    _ localClock: LocalClock
  ) -> CaptureTime? {
    let earliest = max(FeedReader.earliestClock, old?.instant ?? FeedReader.earliestClock)
    let minutes = localClock.utcOffsetMinutes(now)
    if let own = own.map({ inMachineZone($0, now, utcOffsetMinutes: minutes) }),
      own.instant > earliest
    {
      return own
    }
    // If the machine's clock was never set, it cannot tell whether a time is in the future.
    if let sent, sent.instant > earliest,
      now <= FeedReader.earliestClock
        || sent.instant.seconds(since: now) <= clockToleranceSeconds
    {
      let minutes = sent.utcOffsetMinutes ?? localClock.utcOffsetMinutes(sent.instant)
      return CaptureTime(instant: sent.instant, utcOffsetMinutes: minutes)
    }
    return now > earliest ? CaptureTime(instant: now, utcOffsetMinutes: minutes) : nil
  }

  /// Returns a time without an offset as a time in the machine's time zone, if it is then within a
  /// day of the current time.
  private static func inMachineZone(
    _ time: CaptureTime, _ now: Instant, utcOffsetMinutes minutes: Int
  ) -> CaptureTime {
    guard time.utcOffsetMinutes == nil else { return time }
    let instant = time.instant.advanced(bySeconds: Double(-minutes * 60))
    guard abs(instant.seconds(since: now)) <= 86_400 else { return time }
    return CaptureTime(instant: instant, utcOffsetMinutes: minutes)
  }

  // MARK: - Position

  /// Sets the position: that of the picture, else that of a device, else that of the old photo.
  ///
  /// A receiver's last position may be out of date, and a slightly wrong position would put the
  /// picture into another spot. Therefore only positions inside the old photo's spot are accepted,
  /// if the spot is known.
  private mutating func setPosition(
    own: PhotoProperties, old: OldPhoto, _ devices: [LocationFix]
  ) {
    let isThere = { (position: Coordinate) in
      old.spotArea?.contains(position)
        ?? old.coordinate.map { position.distance(to: $0) <= Self.maximumDistanceMeters }
    }
    if let position = own.coordinate, isThere(position) ?? true {
      properties.coordinate = position
      properties.altitudeMeters = own.altitudeMeters
      properties.horizontalAccuracyMeters = own.horizontalAccuracyMeters
    } else if let fix = best(of: devices, where: { isThere($0) ?? false }) {
      properties.coordinate = fix.coordinate
      properties.altitudeMeters = fix.altitudeMeters
      properties.horizontalAccuracyMeters = fix.horizontalAccuracyMeters
    } else {
      properties.coordinate = old.coordinate
      properties.altitudeMeters = old.altitudeMeters
    }
  }

  /// Returns the most accurate position of a device at the time of capture; of equally accurate
  /// ones, the first.
  private func best(
    of devices: [LocationFix], where isThere: (Coordinate) -> Bool
  ) -> LocationFix? {
    guard let taken = properties.captured?.instant else { return nil }
    return devices.filter { fix in
      guard let time = fix.time, let position = fix.coordinate else { return false }
      return abs(time.seconds(since: taken)) <= Self.maximumAgeSeconds && isThere(position)
    }
    .min { left, right in
      (left.horizontalAccuracyMeters ?? .infinity) < (right.horizontalAccuracyMeters ?? .infinity)
    }
  }
}
