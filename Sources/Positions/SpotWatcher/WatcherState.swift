package import CivilTime
import Encodings
import LocationFeeds
package import Spatial

/// The state of a watcher: the positions of devices, and the times of firings.
///
/// The parts that must survive a restart are restored by `restoreFiring(of:)` and
/// `restoreLeaving(device:spotID:center:time:day:radiusMeters:)`, among others.
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
  private let keepsEvicted: Bool
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
  public init() { keepsEvicted = true }

  /// Creates an empty state.
  ///
  /// - Parameter keepsEvicted: Whether the firings of devices that are no longer followed are kept.
  package init(keepsEvicted: Bool) { self.keepsEvicted = keepsEvicted }

  /// Returns the slot of a device, assigning one if needed, and whether it was assigned now.
  mutating func slot(of name: String?) -> (slot: Int, isNew: Bool) {
    if lastSlot < devices.count, devices[lastSlot].name == name { return (lastSlot, false) }
    let assignment = slots.use(name)
    lastSlot = assignment.slot
    switch assignment {
    case .known: return (lastSlot, false)
    case .new:
      devices.append(evicted.removeValue(forKey: name) ?? DeviceState(name: name))
      // While there was one device, its position was not needed.
      if devices.count == 2, let here = devices[0].track.lastAccepted?.standpoint {
        sharedFirings.follow(devices[0].key, to: here)
      }
    case .reused(let slot, let old):
      let state = evicted.removeValue(forKey: name) ?? DeviceState(name: name)
      if keepsEvicted, let fired = devices[slot].fired { evicted[old] = fired }
      devices[slot] = state
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

  /// Returns whether a device has a slot.
  func isTracking(_ name: String?) -> Bool { knownSlot(of: name) != nil }

  /// Returns the slot of a device; `nil` if it has none.
  func knownSlot(of name: String?) -> Int? {
    lastSlot < devices.count && devices[lastSlot].name == name ? lastSlot : slots.slot(of: name)
  }

  /// Whether firings may affect other devices: there are some here, or other watchers have them.
  private var hasOtherDevices: Bool { devices.count > 1 || sharedFirings.areShared }

  /// The recent firings on all devices; `nil` if none of another device can affect a fix.
  var firingsInReach: SharedFirings? {
    hasOtherDevices && !sharedFirings.firings.isEmpty ? sharedFirings : nil
  }

  /// Updates the position of a device that was notified recently.
  mutating func follow(_ key: Int, to here: Standpoint) {
    if hasOtherDevices { sharedFirings.follow(key, to: here) }
  }

  /// The pairs of a device and a spot that it is at.
  package var visits: [(device: String?, spotID: String)] {
    devices.flatMap { device in
      device.visits.all.filter(\.isEntered).map { (device.name, $0.id) }
    }
  }

  /// Restores a notification: its spots have fired, and the device is at them.
  package mutating func restoreFiring(of notification: SpotNotification) {
    let slot = slot(of: notification.device).slot
    devices[slot].didFire(notification)
    alerts.record(notification.time)
    sharedFirings.record(
      notification, key: devices[slot].key, seconds: SharedFirings.maximumSeconds)
  }

  /// Restores that a place counts as fired because it fired on another device carried along.
  package mutating func restoreShared(
    device name: String?, spotID: String, center: Coordinate, time: Instant
  ) {
    let slot = slot(of: name).slot
    devices[slot].alerts.add(AlertLog.Entry(time: time, center: center, isElsewhere: true))
    devices[slot].visits[spotID] = SpotVisit(
      id: spotID, center: center, enteredAt: time, phase: .blocked(by: .shared))
  }

  /// Restores that a device returned to a place within its cooldown.
  package mutating func restoreReturn(
    device name: String?, spotID: String, center: Coordinate, time: Instant
  ) {
    let slot = slot(of: name).slot
    devices[slot].visits[spotID] = SpotVisit(
      id: spotID, center: center, enteredAt: time, phase: .blocked(by: .cooldown))
  }

  /// Restores that a device left a place, regardless of the spot now there, and the time of its
  /// last presence, with the number of its local day.
  package mutating func restoreLeaving(
    device name: String?, spotID: String, center: Coordinate, time: Instant, day: Int,
    radiusMeters: Double
  ) {
    let slot = slot(of: name).slot
    devices[slot].visits.removeAll { place in
      place.id == spotID || place.center.distance(to: center) <= radiusMeters
    }
    devices[slot].ground.note(center, at: time, day: day)
  }

  /// Restores that a device was present and slow at positions.
  package mutating func restorePresence(device name: String?, _ presences: [Presence]) {
    let slot = slot(of: name).slot
    for presence in presences {
      devices[slot].ground.note(presence.coordinate, at: presence.time, day: presence.day)
    }
  }
}

/// The state of one device.
package struct DeviceState: Hashable, Sendable {
  /// The device's name.
  package let name: String?
  /// The number that identifies the device among all devices, also those of other watchers.
  let key: Int
  var track = DeviceTrack()
  var estimate = DeviceEstimate()
  var visits = DeviceVisits()
  var alerts = AlertLog()
  /// The ground that the device knows.
  var ground = PresenceLog()
  /// The presence at the last fix, until it is part of the ground.
  var presence: Presence?
  /// The presence that is not recorded in a journal yet.
  var newPresence: [Presence] = []

  init(name: String?) {
    self.name = name
    key = Self.key(of: name)
  }

  /// Returns the number that identifies a device: a hash of its name.
  static func key(of name: String?) -> Int {
    var hash = FNV1a()
    hash.combine(name ?? "")
    return Int(truncatingIfNeeded: hash.mixed)
  }

  /// The time of the last alert.
  fileprivate var lastFired: Instant? { alerts.entries.last?.time }

  /// The part of the state about firings; `nil` where there were none. The ground is forgotten.
  fileprivate var fired: DeviceState? {
    guard lastFired != nil else { return nil }
    var fired = DeviceState(name: name)
    fired.alerts = alerts
    fired.visits = visits
    fired.visits.removeAll { $0.phase != .fired }
    return fired
  }

  /// Records a notification.
  mutating func didFire(_ notification: SpotNotification) {
    for spot in notification.spots {
      var visit =
        visits[spot.id]
        ?? SpotVisit(
          id: spot.id, center: spot.coordinate, enteredAt: notification.time, phase: .fired)
      visit.phase = .fired
      visits[spot.id] = visit
    }
    alerts.add(AlertLog.Entry(time: notification.time, center: notification.spot.coordinate))
  }
}
