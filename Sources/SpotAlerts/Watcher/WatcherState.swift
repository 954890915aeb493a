import Interchange
import LocationFeeds
import Spatial

/// What a watcher remembers: where each device is, and what fired when.
///
/// A value; what of it must outlive the program is put back by ``restoreFiring(of:)`` and
/// ``restoreLeaving(device:spotID:center:radiusMeters:)``.
public struct WatcherState: Hashable, Sendable {
  /// By their slots.
  private(set) var devices: [DeviceState] = []
  private(set) var slots = DeviceSlots(capacity: maximumDeviceCount)
  /// The device of the last fix; mostly the next fix is of the same.
  private var lastSlot = 0
  /// What fired for devices that have no slot any more, so that no other device shortens their
  /// cooldowns.
  private(set) var evicted: [String?: DeviceState] = [:]
  /// When there are so many of these, those are dropped whose cooldowns are over.
  private var evictedLimit = minimumEvictedLimit
  /// When notifications were decided, for the limit of all devices together.
  var alerts = AlertRate()

  /// How many devices are followed at once; one more, and the least recently used one is no longer
  /// followed.
  static let maximumDeviceCount = 4096
  /// How many devices that are not followed keep their cooldowns; the limit of notifications a
  /// minute does not lead there within a day.
  static let maximumEvictedCount = 1 << 18
  private static let minimumEvictedLimit = 1024

  /// Creates the state in which nothing was seen and nothing fired.
  public init() {}

  /// The state of the device in a slot, changed where it lies.
  subscript(slot slot: Int) -> DeviceState {
    _read { yield devices[slot] }
    _modify { yield &devices[slot] }
  }

  /// The slot of a device, which gets one where it has none.
  mutating func slot(of name: String?) -> Int {
    if lastSlot < devices.count, devices[lastSlot].name == name { return lastSlot }
    let assignment = slots.use(name)
    lastSlot = assignment.slot
    switch assignment {
    case .known: break
    case .new: devices.append(evicted.removeValue(forKey: name) ?? DeviceState(name: name))
    case .reused(let slot, let old):
      let state = evicted.removeValue(forKey: name) ?? DeviceState(name: name)
      if let fired = devices[slot].fired { evicted[old] = fired }
      devices[slot] = state
    }
    return lastSlot
  }

  /// Drops what fired for devices that are not followed, once it keeps nothing silent any more.
  ///
  /// - Complexity: O(1) on average.
  mutating func dropEvicted(cooldownSeconds: Double, now: Instant) {
    guard evicted.count >= evictedLimit else { return }
    // A firing counts for the budget of its day too, and belongs to a visit.
    let seconds = max(cooldownSeconds, 2 * WatcherRules.sameVisitSeconds)
    func fired(_ device: DeviceState) -> Instant {
      device.lastFired ?? Instant(millisecondsSince1970: .min)
    }
    evicted = evicted.filter { now.seconds(since: fired($0.value)) <= seconds }
    if evicted.count > Self.maximumEvictedCount {
      let times = evicted.values.map(fired).sorted()
      let middle = times[times.count / 2]
      evicted = evicted.filter { fired($0.value) > middle }
    }
    evictedLimit = max(Self.minimumEvictedLimit, 2 * evicted.count)
  }

  /// Puts back that a notification was decided: its spots fired, and the device is at them.
  mutating func restoreFiring(of notification: SpotNotification) {
    self[slot: slot(of: notification.device)].didFire(notification)
    alerts.record(notification.time)
  }

  /// Puts back that a device left a place, whatever spot is there now.
  mutating func restoreLeaving(
    device name: String?, spotID: String, center: Coordinate, radiusMeters: Double
  ) {
    self[slot: slot(of: name)].places.removeAll { place in
      place.id == spotID || place.center.distance(to: center) <= radiusMeters
    }
  }
}

/// What a watcher remembers of one device.
struct DeviceState: Hashable, Sendable {
  let name: String?
  var lastAccepted: AcceptedFix?
  var lastEvaluated: Standpoint?
  var jumpCandidate: JumpCandidate?
  var places = Places()
  var lastNotification: Instant?
  var firings = FiringLog()
  /// What fired of late, the earliest first, for the daily budget.
  private(set) var recentFirings: [RecentFiring] = []

  init(name: String?) { self.name = name }

  /// When something fired last, also where the latest notification was taken back.
  fileprivate var lastFired: Instant? { lastNotification ?? recentFirings.last?.time }

  /// The part that tells what fired; `nil` where nothing did.
  fileprivate var fired: DeviceState? {
    guard lastFired != nil else { return nil }
    var fired = DeviceState(name: name)
    fired.lastNotification = lastNotification
    fired.firings = firings
    fired.recentFirings = recentFirings
    fired.places = places
    fired.places.removeAll { $0.phase != .fired }
    return fired
  }

  /// Notes that a notification was decided.
  mutating func didFire(_ notification: SpotNotification) {
    for spot in notification.spots {
      firings.record(
        FiringLog.Firing(spotID: spot.id, center: spot.coordinate, time: notification.time))
      var place =
        places[spot.id]
        ?? Place(
          id: spot.id, center: spot.coordinate, enteredAt: notification.time, phase: .fired)
      place.phase = .fired
      places[spot.id] = place
    }
    lastNotification = notification.time
    // A local day is over after 26 hours at the latest; a clock may be turned back.
    recentFirings.removeAll { notification.time.seconds(since: $0.time) > 2 * 86_400 }
    if recentFirings.count == Self.maximumRecentFiringCount { recentFirings.removeFirst() }
    recentFirings.append(
      RecentFiring(time: notification.time, photoCount: notification.spot.photoCount))
  }

  /// Takes back that a notification was decided.
  mutating func withdraw(_ notification: SpotNotification) {
    for spot in notification.spots {
      firings.withdraw(spotID: spot.id, center: spot.coordinate, time: notification.time)
      places[spot.id]?.phase = .pending
    }
    lastNotification = nil
    _ = recentFirings.popLast()
  }

  /// More than the largest daily budget.
  private static let maximumRecentFiringCount = 1024
}

/// A notification that counts for the budget of its day.
struct RecentFiring: Hashable, Sendable {
  let time: Instant
  let photoCount: Int
}

/// A fix that was believed.
struct AcceptedFix: Hashable, Sendable {
  let fix: SharedFix
  let time: Instant
  let standpoint: Standpoint
  /// As reported, else as moved since the fix before; in m/s.
  let speed: Double?
}

/// A position too far off to be believed, unless the next fix agrees with it.
struct JumpCandidate: Hashable, Sendable {
  let coordinate: Coordinate
  let time: Instant
}
