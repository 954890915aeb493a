import CivilTime
import LocationFeeds
import Spatial

/// What fired lately on which device, and where those devices are, so that devices on one walk tell
/// a spot once.
struct Company: Hashable, Sendable {
  struct Firing: Hashable, Sendable {
    let time: Instant
    let slot: Int
    let spotID: String
    let center: Coordinate
  }

  private(set) var firings: [Firing] = []
  private var positions: [Int: Standpoint] = [:]

  /// Bounds the time that many devices cost.
  private static let maximumCount = 1024
  /// No setting lets a firing count for longer, in seconds.
  static let maximumSeconds = 86_400.0

  /// Notes that a device was notified, and forgets what is over.
  mutating func record(_ notification: SpotNotification, slot: Int, seconds: Double) {
    firings.removeAll { abs(notification.time.seconds(since: $0.time)) >= seconds }
    for spot in notification.spots {
      firings.append(
        Firing(time: notification.time, slot: slot, spotID: spot.id, center: spot.coordinate))
    }
    if firings.count > Self.maximumCount { firings.removeFirst(firings.count - Self.maximumCount) }
    let slots = Set(firings.map(\.slot))
    positions = positions.filter { slots.contains($0.key) }
    if let here = notification.fix.coordinate { positions[slot] = Standpoint(here) }
  }

  /// Forgets a device whose slot another one gets.
  mutating func forget(slot: Int) {
    guard positions.removeValue(forKey: slot) != nil else { return }
    firings.removeAll { $0.slot == slot }
  }

  /// Takes back that a device was notified.
  mutating func withdraw(_ notification: SpotNotification, slot: Int) {
    firings.removeAll { $0.slot == slot && $0.time == notification.time }
  }

  /// Follows a device that was notified lately.
  mutating func follow(slot: Int, to here: Standpoint) {
    if positions[slot] != nil { positions[slot] = here }
  }

  /// The firing of a place on another device that is near.
  func firing(
    spotID: String, center: Coordinate, radiusMeters: Double, at observation: Observation,
    within seconds: Double
  ) -> Firing? {
    firings.last { firing in
      firing.slot != observation.slot && abs(observation.now.seconds(since: firing.time)) < seconds
        && firing.center.distance(to: center) <= radiusMeters * (firing.spotID == spotID ? 2 : 1)
        && (positions[firing.slot].map {
          $0.distance(to: observation.standpoint) <= WatcherRules.companyMeters
        } ?? false)
    }
  }
}
