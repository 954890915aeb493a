package import CivilTime
import LocationFeeds
package import Spatial

/// What a watcher remembers: where each device is, and what fired when.
///
/// A value; what of it must outlive the program is put back by ``restoreFiring(of:)`` and
/// ``restoreLeaving(device:spotID:center:time:radiusMeters:)``.
public struct WatcherState: Hashable, Sendable {
  /// By their slots.
  var devices: [DeviceState] = []
  private(set) var slots = DeviceSlots(capacity: maximumDeviceCount)
  /// What fired lately, for devices that are along with others.
  var company = Company()
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

  /// The slot of a device, which gets one where it has none, and whether it had none.
  mutating func slot(of name: String?) -> (slot: Int, isNew: Bool) {
    if lastSlot < devices.count, devices[lastSlot].name == name { return (lastSlot, false) }
    let assignment = slots.use(name)
    lastSlot = assignment.slot
    switch assignment {
    case .known: return (lastSlot, false)
    case .new: devices.append(evicted.removeValue(forKey: name) ?? DeviceState(name: name))
    case .reused(let slot, let old):
      let state = evicted.removeValue(forKey: name) ?? DeviceState(name: name)
      if let fired = devices[slot].fired { evicted[old] = fired }
      devices[slot] = state
      company.forget(slot: slot)
    }
    return (lastSlot, true)
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

  /// Looks where the devices are that fired lately; with one device alone nobody asks.
  mutating func followCompany() {
    for slot in Set(company.firings.map(\.slot)) {
      if let here = devices[slot].lastAccepted?.standpoint { company.follow(slot: slot, to: here) }
    }
  }

  /// The spots that devices are at, with their devices.
  package var visits: [(device: String?, spotID: String)] {
    devices.flatMap { device in device.places.all.map { (device.name, $0.id) } }
  }

  /// Puts back that a notification was decided: its spots fired, and the device is at them.
  package mutating func restoreFiring(of notification: SpotNotification) {
    let slot = slot(of: notification.device).slot
    devices[slot].didFire(notification)
    alerts.record(notification.time)
    company.record(notification, slot: slot, seconds: Company.maximumSeconds)
  }

  /// Puts back that a place counts as fired since it fired on a device that was along.
  package mutating func restoreShared(
    device name: String?, spotID: String, center: Coordinate, time: Instant
  ) {
    let slot = slot(of: name).slot
    devices[slot].firings.record(spotID: spotID, center: center, time: time)
    devices[slot].places[spotID] = Place(
      id: spotID, center: center, enteredAt: time, phase: .blocked(by: .shared))
  }

  /// Puts back that a device came back to a place that is silent.
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

  /// Puts back that a device left a place, whatever spot is there now, and when it was there last.
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

/// What a watcher remembers of one device.
package struct DeviceState: Hashable, Sendable {
  let name: String?
  var lastAccepted: AcceptedFix?
  var lastEvaluated: Standpoint?
  var jumpCandidate: JumpCandidate?
  var places = Places()
  var firings = FiringLog()
  var notifications = NotificationLog()
  /// How it moves.
  var motion = Motion()
  /// When the fixes began that follow one another without a gap, by the clock.
  var trackStart: Instant?
  /// Until when others of a burst of late fixes may come, by the clock.
  var burstEnd: Instant?
  /// The time of the fix before the last accepted one.
  var previousTime: Instant?
  var lateRun: LateRun?

  init(name: String?) { self.name = name }

  /// When something fired last.
  fileprivate var lastFired: Instant? { notifications.entries.last?.time }

  /// The part that tells what fired; `nil` where nothing did.
  fileprivate var fired: DeviceState? {
    guard lastFired != nil else { return nil }
    var fired = DeviceState(name: name)
    fired.notifications = notifications
    fired.firings = firings
    fired.places = places
    fired.places.removeAll { $0.phase != .fired }
    return fired
  }

  /// The time of the device at a time of the clock: that of its last fix, and what passed since.
  func time(at now: Instant) -> Instant {
    guard let lastAccepted else { return now }
    return lastAccepted.time.advanced(bySeconds: max(now.seconds(since: lastAccepted.arrived), 0))
  }

  /// Forgets the last fixes, whose times were wrong.
  mutating func forgetTrack() {
    lastAccepted = nil
    jumpCandidate = nil
    lateRun = nil
  }

  /// Notes that a notification was decided.
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

  /// Takes back that a notification was decided.
  mutating func withdraw(_ notification: SpotNotification) {
    for spot in notification.spots {
      firings.withdraw(spotID: spot.id, center: spot.coordinate, time: notification.time)
      places[spot.id]?.phase = .waiting(notBefore: nil, for: nil)
    }
    notifications.withdraw(time: notification.time)
  }
}

/// A fix that was believed.
struct AcceptedFix: Hashable, Sendable {
  let fix: SharedFix
  let time: Instant
  /// When it came, by the clock.
  let arrived: Instant
  let standpoint: Standpoint
}

/// Late fixes that came in the order of their times.
struct LateRun: Hashable, Sendable {
  let time: Instant
  let count: Int
}

/// A position too far off to be believed, unless the next fix agrees with it.
struct JumpCandidate: Hashable, Sendable {
  let coordinate: Coordinate
  let time: Instant
}
