import CivilTime
import LocationFeeds
import PhotoMetadata
import Spatial

/// Decides what the EXIF block of a recreation says, of all that is known: pure.
struct RecreationFacts {
  /// The content of the EXIF block.
  private(set) var properties = PhotoProperties()

  /// The maximum distance of a recreation from an old photo without a spot, in metres.
  static let maximumDistanceMeters = 200.0
  /// The maximum age of a device's position, in seconds.
  static let maximumAgeSeconds = 300.0
  /// From which score on the camera faces where it faced.
  static let scoreOfOneView = 0.75
  /// The maximum lead of the sender's clock over the machine's, in seconds.
  private static let clockToleranceSeconds = 60.0
  /// A clock that shows an earlier time was never set; this program is no older.
  private static let oldestClock = Instant(secondsSince1970: 1_577_836_800)  // 2020-01-01

  /// Decides.
  ///
  /// - Parameters:
  ///   - own: The picture's own metadata.
  ///   - old: The old photo.
  ///   - score: The alignment score, 0–1.
  ///   - sent: When it was taken, as its sender says.
  ///   - devices: The last positions of devices.
  ///   - now: The machine's clock.
  ///   - localClock: The offset of local time.
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

  /// The picture's own time, where the camera's clock was set; else the sender's, else the
  /// machine's, where those were.
  private static func time(
    own: CaptureTime?, sent: CaptureTime?, old: CaptureTime?, _ now: Instant,
    _ localClock: LocalClock
  ) -> CaptureTime? {
    let earliest = max(oldestClock, old?.instant ?? oldestClock)
    let minutes = localClock.utcOffsetMinutes(now)
    if let own = own.map({ located($0, now, utcOffsetMinutes: minutes) }),
      own.instant > earliest
    {
      return own
    }
    // A machine whose clock was never set cannot say what the future is.
    if let sent, sent.instant > earliest,
      now <= oldestClock || sent.instant.seconds(since: now) <= clockToleranceSeconds
    {
      let minutes = sent.utcOffsetMinutes ?? localClock.utcOffsetMinutes(sent.instant)
      return CaptureTime(instant: sent.instant, utcOffsetMinutes: minutes)
    }
    return now > earliest ? CaptureTime(instant: now, utcOffsetMinutes: minutes) : nil
  }

  /// A local time without an offset that is of this day: a camera of the machine's own zone.
  private static func located(
    _ time: CaptureTime, _ now: Instant, utcOffsetMinutes minutes: Int
  ) -> CaptureTime {
    guard time.utcOffsetMinutes == nil else { return time }
    let instant = time.instant.advanced(bySeconds: Double(-minutes * 60))
    guard abs(instant.seconds(since: now)) <= 86_400 else { return time }
    return CaptureTime(instant: instant, utcOffsetMinutes: minutes)
  }

  // MARK: - Position

  /// The picture's own position, else that of a device that is there, else that of the old photo.
  ///
  /// A receiver's last position may be of somewhere else, and one that is some way off would put
  /// the picture into another spot: where the old photo's spot is known, only a position in it
  /// counts.
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

  /// The most accurate of the positions that are of the time of the picture; of equal ones the
  /// first.
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
