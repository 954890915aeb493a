package import CivilTime
import LocationFeeds
package import Spatial

/// The state of a watcher: the positions of devices, and the times of firings.
///
/// The parts that must survive a restart are restored by `restoreFiring(of:)` and
/// `restoreLeaving(device:spotID:center:time:radiusMeters:)`, among others.
public struct WatcherState: Hashable, Sendable {
  /// The devices, by slot.
  var devices: [DeviceState] = []
  private(set) var slots = DeviceSlots(capacity: maximumDeviceCount)
  /// The recent firings on all devices, for devices carried together.
  var sharedFirings = SharedFirings()
  /// The slot of the last fix's device, to which the next fix usually belongs too.
  private var lastSlot = 0
  /// The firings of devices that lost their slots, so that other devices do not shorten their
  /// cooldowns.
  private(set) var evicted: [String?: DeviceState] = [:]
  /// Whether the firings of evicted devices are stored; false for a watcher that restores them from
  /// a journal.
  var keepsEvicted = true
  /// The number of evicted devices at which those with expired cooldowns are dropped.
  private var evictedLimit = minimumEvictedLimit
  /// The number of evicted devices examined so far by ``dropEvicted(cooldownSeconds:now:)``: the
  /// cost, for tests.
  private(set) var evictionStepCount = 0
  /// The times of notifications to all devices, for their common limit.
  var alerts = AlertRate()

  /// The maximum number of followed devices; beyond it, the least recently used one is no longer
  /// followed.
  static let maximumDeviceCount = 4096
  /// The maximum number of evicted devices whose cooldowns are kept. The limit of notifications per
  /// minute prevents reaching it within a day.
  static let maximumEvictedCount = 1 << 18
  private static let minimumEvictedLimit = 1024

  /// Creates an empty state.
  public init() {}

  /// Returns the slot of a device, assigning one if needed, and whether it was assigned now.
  mutating func slot(of name: String?) -> (slot: Int, isNew: Bool) {
    if lastSlot < devices.count, devices[lastSlot].name == name { return (lastSlot, false) }
    let assignment = slots.use(name)
    lastSlot = assignment.slot
    switch assignment {
    case .known: return (lastSlot, false)
    case .new: devices.append(evicted.removeValue(forKey: name) ?? DeviceState(name: name))
    case .reused(let slot, let old):
      let state = evicted.removeValue(forKey: name) ?? DeviceState(name: name)
      if keepsEvicted, let fired = devices[slot].fired { evicted[old] = fired }
      devices[slot] = state
      sharedFirings.forget(slot: slot)
    }
    return (lastSlot, true)
  }

  /// Drops the firings of evicted devices that no longer silence anything.
  ///
  /// - Complexity: O(1) on average.
  mutating func dropEvicted(cooldownSeconds: Double, now: Instant) {
    guard evicted.count >= evictedLimit else { return }
    // A firing also counts for the budget of its day, and belongs to a visit.
    let seconds = max(cooldownSeconds, 2 * WatcherRules.sameVisitSeconds)
    func fired(_ device: DeviceState) -> Instant {
      device.lastFired ?? Instant(millisecondsSince1970: .min)
    }
    evictionStepCount += evicted.count
    evicted = evicted.filter { now.seconds(since: fired($0.value)) <= seconds }
    if evicted.count > Self.maximumEvictedCount {
      evictionStepCount += evicted.count
      let times = evicted.values.map(fired).sorted()
      let middle = times[times.count / 2]
      evicted = evicted.filter { fired($0.value) > middle }
    }
    evictedLimit = max(Self.minimumEvictedLimit, 2 * evicted.count)
  }

  /// Updates the positions of devices with recent firings, which are not tracked while there is
  /// only one device.
  mutating func updateSharedPositions() {
    for slot in Set(sharedFirings.firings.map(\.slot)) {
      if let here = devices[slot].track.lastAccepted?.standpoint {
        sharedFirings.follow(slot: slot, to: here)
      }
    }
  }

  /// The pairs of a device and a spot that it is at.
  package var visits: [(device: String?, spotID: String)] {
    devices.flatMap { device in device.places.all.map { (device.name, $0.id) } }
  }

  /// Restores a notification: its spots have fired, and the device is at them.
  package mutating func restoreFiring(of notification: SpotNotification) {
    let slot = slot(of: notification.device).slot
    devices[slot].didFire(notification)
    alerts.record(notification.time)
    sharedFirings.record(notification, slot: slot, seconds: SharedFirings.maximumSeconds)
  }

  /// Restores that a place counts as fired because it fired on another device carried along.
  package mutating func restoreShared(
    device name: String?, spotID: String, center: Coordinate, time: Instant
  ) {
    let slot = slot(of: name).slot
    devices[slot].firings.record(spotID: spotID, center: center, time: time)
    devices[slot].places[spotID] = Place(
      id: spotID, center: center, enteredAt: time, phase: .blocked(by: .shared))
  }

  /// Restores that a device returned to a place within its cooldown.
  package mutating func restoreReturn(
    device name: String?, spotID: String, center: Coordinate, time: Instant, radiusMeters: Double
  ) {
    let slot = slot(of: name).slot
    devices[slot].places[spotID] = Place(
      id: spotID, center: center, enteredAt: time, phase: .blocked(by: .cooldown))
    devices[slot].firings.noteStay(
      FiringLog.Stay(start: time, end: time), spotID: spotID, center: center,
      radiusMeters: radiusMeters)
  }

  /// Restores that a device left a place, regardless of the spot now there, and the time of its
  /// last presence.
  package mutating func restoreLeaving(
    device name: String?, spotID: String, center: Coordinate, time: Instant, radiusMeters: Double
  ) {
    let slot = slot(of: name).slot
    var start = time
    devices[slot].places.removeAll { place in
      let isLeft = place.id == spotID || place.center.distance(to: center) <= radiusMeters
      if isLeft { start = min(start, place.enteredAt) }
      return isLeft
    }
    devices[slot].firings.noteStay(
      FiringLog.Stay(start: start, end: time), spotID: spotID, center: center,
      radiusMeters: radiusMeters)
  }
}

/// The state of one device.
package struct DeviceState: Hashable, Sendable {
  let name: String?
  var track = DeviceTrack()
  var places = Places()
  var firings = FiringLog()
  var notifications = NotificationLog()

  init(name: String?) { self.name = name }

  /// The position of the last accepted fix.
  var lastPosition: Coordinate? { track.lastAccepted?.standpoint.coordinate }

  /// The time of the last notification.
  fileprivate var lastFired: Instant? { notifications.entries.last?.time }

  /// The part of the state about firings; `nil` where there were none.
  fileprivate var fired: DeviceState? {
    guard lastFired != nil else { return nil }
    var fired = DeviceState(name: name)
    fired.notifications = notifications
    fired.firings = firings
    fired.places = places
    fired.places.removeAll { $0.phase != .fired }
    return fired
  }

  /// Records a notification.
  mutating func didFire(_ notification: SpotNotification) {
    for spot in notification.spots {
      firings.record(spotID: spot.id, center: spot.coordinate, time: notification.time)
      var place =
        places[spot.id]
        ?? Place(
          id: spot.id, center: spot.coordinate, enteredAt: notification.time, phase: .fired)
      place.phase = .fired
      places[spot.id] = place
    }
    notifications.record(
      NotificationLog.Entry(
        time: notification.time, center: notification.spot.coordinate,
        photoCount: notification.spot.photoCount))
  }

  /// Reverts a notification.
  mutating func withdraw(_ notification: SpotNotification) {
    for spot in notification.spots {
      firings.withdraw(spotID: spot.id, center: spot.coordinate, time: notification.time)
      places[spot.id]?.phase = .waiting(notBefore: nil, for: nil)
    }
    notifications.withdraw(time: notification.time)
  }
}
