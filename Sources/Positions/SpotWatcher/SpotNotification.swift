public import CivilTime
import Encodings
public import LocationFeeds
package import PhotoLibrary
public import PhotoMetadata
public import Spatial
public import SystemPackage

/// A notification that a device came near a spot.
public struct SpotNotification: Hashable, Sendable, Identifiable {
  /// The kind of event.
  public enum Kind: String, Hashable, Sendable {
    /// The device came near the spot.
    case enter
  }

  /// The id: thirteen characters of base32, the same for all attempts to deliver the notification;
  /// see ``makeID(device:spotID:time:)``.
  public let id: String
  /// The kind of event.
  public let kind: Kind
  /// The time of the event.
  public let time: Instant
  /// The device; `nil` where the feed names none.
  public let device: String?
  /// The distance from the fix to the spot's centre in metres, rounded to 0.1 m.
  public let distanceMeters: Double
  /// The direction from the fix to the spot, in degrees clockwise from true north, rounded to
  /// 0.1°.
  public let bearingDegrees: Double
  /// The spot that the notification is about.
  public let spot: NotifiedSpot
  /// The other spots entered at the same time, the best first.
  public let alsoNear: [NotifiedSpot]
  /// The fix of the device at the time of the event.
  public let fix: LocationFix
  /// Information that helps to take the picture again; `nil` where there is none.
  public var memory: SpotMemory?

  /// Creates a notification from its stored parts.
  public init(
    id: String, kind: Kind = .enter, time: Instant, device: String?, distanceMeters: Double,
    bearingDegrees: Double, spot: NotifiedSpot, alsoNear: [NotifiedSpot], fix: LocationFix,
    memory: SpotMemory? = nil
  ) {
    self.id = id
    self.kind = kind
    self.time = time
    self.device = device
    self.distanceMeters = distanceMeters
    self.bearingDegrees = bearingDegrees
    self.spot = spot
    self.alsoNear = alsoNear
    self.fix = fix
    self.memory = memory
  }

  /// Creates the notification that a device came near spots.
  ///
  /// - Parameters:
  ///   - spot: The spot that the notification is about.
  ///   - alsoNear: The other entered spots, the best first.
  ///   - fix: The device's fix.
  ///   - position: The validated position of the fix.
  ///   - time: The time of the decision.
  package init(
    entering spot: PhotoSpot, alsoNear: [PhotoSpot], fix: LocationFix, position: Coordinate,
    time: Instant
  ) {
    let bearing = (position.bearing(to: spot.coordinate) * 10).rounded() / 10
    self.init(
      id: Self.makeID(device: fix.device, spotID: spot.id, time: time), time: time,
      device: fix.device, distanceMeters: Self.rounded(position.distance(to: spot.coordinate)),
      bearingDegrees: bearing < 360 ? bearing : 0,
      spot: NotifiedSpot(
        spot, distanceMeters: Self.rounded(position.distance(to: spot.coordinate))),
      alsoNear: alsoNear.map {
        NotifiedSpot(
          $0, distanceMeters: Self.rounded(position.distance(to: $0.coordinate)), isBeside: true)
      },
      fix: fix)
  }

  private static func rounded(_ meters: Double) -> Double { (meters * 10).rounded() / 10 }

  /// The spot and the others that were entered.
  package var spots: [NotifiedSpot] { [spot] + alsoNear }

  /// Returns the id of the notification that a device came near a spot at a time.
  ///
  /// The id is a hash of the three values: FNV-1a over their bytes, each followed by a zero byte,
  /// mixed and encoded as base32.
  public static func makeID(device: String?, spotID: String, time: Instant) -> String {
    var hash = FNV1a()
    for text in [device ?? "", spotID, String(time.millisecondsSince1970)] {
      hash.combine(text.utf8)
      hash.combine(0)
    }
    return Base32.text(hash.mixed)
  }
}

/// A spot in a notification.
public struct NotifiedSpot: Hashable, Sendable, Identifiable {
  /// The spot's id.
  public let id: String
  /// The spot's centre.
  public let coordinate: Coordinate
  /// The distance from the fix to the centre in metres, rounded to 0.1 m.
  public let distanceMeters: Double
  /// The number of photos.
  public let photoCount: Int
  /// The earliest capture; `nil` where no photo is dated.
  public let firstCaptured: CaptureTime?
  /// The latest capture; `nil` where no photo is dated.
  public let lastCaptured: CaptureTime?
  /// The absolute path of the cover; `nil` for a place of the user's own without photos.
  public let cover: FilePath?
  /// The place of the user's own at the spot, or pinned to it; `nil` where there is none.
  public let place: NotifiedPlace?

  /// Creates a spot from its stored parts.
  public init(
    id: String, coordinate: Coordinate, distanceMeters: Double, photoCount: Int,
    firstCaptured: CaptureTime?, lastCaptured: CaptureTime?, cover: FilePath?,
    place: NotifiedPlace? = nil
  ) {
    self.id = id
    self.coordinate = coordinate
    self.distanceMeters = distanceMeters
    self.photoCount = photoCount
    self.firstCaptured = firstCaptured
    self.lastCaptured = lastCaptured
    self.cover = cover
    self.place = place
  }

  init(_ spot: PhotoSpot, distanceMeters: Double, isBeside: Bool = false) {
    self.init(
      id: spot.id, coordinate: spot.coordinate, distanceMeters: distanceMeters,
      photoCount: spot.photoCount, firstCaptured: spot.firstCaptured,
      lastCaptured: spot.lastCaptured, cover: spot.cover,
      place: spot.place.map { NotifiedPlace($0, isBeside: isBeside) })
  }
}
