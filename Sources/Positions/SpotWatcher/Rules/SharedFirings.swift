import CivilTime
import LocationFeeds
import Spatial

/// The recent firings on all devices and the positions of these devices, so that devices carried
/// together notify about a spot only once.
struct SharedFirings: Hashable, Sendable {
  struct Firing: Hashable, Sendable {
    let time: Instant
    /// The number that identifies the device: ``DeviceState/key``.
    let key: Int
    let spotID: String
    let center: Coordinate
  }

  private(set) var firings: [Firing] = []
  private var positions = DevicePositions.own([:])

  /// The maximum number of firings, which bounds the time of a look-up.
  private static let maximumCount = 1024
  /// The longest time in seconds for which settings can let a firing silence other devices.
  static let maximumSeconds = 86_400.0

  /// Records a notification to a device, and removes firings that no longer count.
  mutating func record(_ notification: SpotNotification, key: Int, seconds: Double) {
    recordFirings(of: notification, key: key, seconds: seconds)
    if let here = notification.fix.coordinate {
      positions.change { $0[key] = Standpoint(here) }
    }
    // The firings of a watcher that shares the positions may lack recent ones of others.
    if !positions.areShared { dropPositions() }
  }

  /// Records a notification in the alerts of all watchers that share the positions.
  ///
  /// If such a watcher decided the notification, `isFollowed` is true: it has set the device's
  /// position, which may be newer than the notification's, since a notification that waited is
  /// decided with a later fix.
  mutating func recordShared(
    _ notification: SpotNotification, key: Int, seconds: Double, isFollowed: Bool
  ) {
    recordFirings(of: notification, key: key, seconds: seconds)
    if let here = notification.fix.coordinate {
      positions.change { positions in
        if !isFollowed || positions[key] == nil { positions[key] = Standpoint(here) }
      }
    }
    // Watchers set positions some time before their notifications are recorded here.
    if positions.count > 2 * Self.maximumCount { dropPositions() }
  }

  private mutating func recordFirings(
    of notification: SpotNotification, key: Int, seconds: Double
  ) {
    firings.removeAll { abs(notification.time.seconds(since: $0.time)) >= seconds }
    for spot in notification.spots {
      firings.append(
        Firing(time: notification.time, key: key, spotID: spot.id, center: spot.coordinate))
    }
    if firings.count > Self.maximumCount { firings.removeFirst(firings.count - Self.maximumCount) }
  }

  /// Removes the positions of devices without firings.
  private mutating func dropPositions() {
    let keys = Set(firings.map(\.key))
    positions.change { positions in positions = positions.filter { keys.contains($0.key) } }
  }

  /// Whether watchers of other devices change the positions too.
  var areShared: Bool { positions.areShared }

  /// Has all further copies of this value share the positions of devices.
  mutating func share(_ store: any PositionStore) {
    let known = positions.all
    store.change { $0.merge(known) { $1 } }
    positions = .shared(store)
  }

  /// Updates the position of a device that was notified recently.
  mutating func follow(_ key: Int, to here: Standpoint) {
    guard !firings.isEmpty else { return }
    positions.change { positions in
      if let place = positions.index(forKey: key) { positions.values[place] = here }
    }
  }

  /// Returns the latest firing of a place on another device nearby; `nil` where there is none.
  func firing(
    spotID: String, center: Coordinate, radiusMeters: Double, at observation: Observation,
    within seconds: Double
  ) -> Firing? {
    firings.last { firing in
      firing.key != observation.deviceKey
        && abs(observation.now.seconds(since: firing.time)) < seconds
        && firing.center.distance(to: center) <= radiusMeters * (firing.spotID == spotID ? 2 : 1)
        && (positions.position(of: firing.key).map {
          $0.distance(to: observation.standpoint) <= WatcherRules.sharedDeviceMeters
        } ?? false)
    }
  }
}
