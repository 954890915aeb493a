import Interchange
import LocationFeeds
import Spatial

/// What a watcher remembers: where each device is, and what fired when.
///
/// A value; what of it must outlive the program is put back by ``restoreFiring(of:)`` and
/// ``restoreLeaving(device:spotID:center:radiusMeters:)``.
public struct WatcherState: Hashable, Sendable {
  /// In the order in which the devices were first seen.
  private(set) var devices: [DeviceState] = []
  private var slots: [String?: Int] = [:]
  /// The device of the last fix; mostly the next fix is of the same.
  private var lastSlot = 0

  /// So many devices are told apart; one more, and the one that was silent longest is forgotten.
  static let maximumDeviceCount = 4096

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
    if let slot = slots[name] {
      lastSlot = slot
    } else if devices.count < Self.maximumDeviceCount {
      lastSlot = devices.count
      devices.append(DeviceState(name: name))
      slots[name] = lastSlot
    } else {
      let silent = devices.indices.min { devices[$0].lastSeen < devices[$1].lastSeen } ?? 0
      slots[devices[silent].name] = nil
      devices[silent] = DeviceState(name: name)
      slots[name] = silent
      lastSlot = silent
    }
    return lastSlot
  }

  /// Puts back that a notification was decided: its spots fired, and the device is at them.
  mutating func restoreFiring(of notification: SpotNotification) {
    self[slot: slot(of: notification.device)].didFire(notification)
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

  /// When the device was heard of last.
  var lastSeen: Instant {
    lastAccepted?.time ?? lastNotification ?? Instant(millisecondsSince1970: .min)
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
