public import CivilTime
import LocationFeeds
public import SpotWatcher

/// Counts of a session's fixes and decisions since it began.
///
/// They hold no position. New spots and settings leave them as they are.
public struct WatchTally: Hashable, Sendable {
  /// The greatest number of devices with counts of their own; all further ones share one.
  public static let maximumDeviceCount = 64

  /// The fixes of a device.
  public struct Device: Hashable, Sendable {
    /// The device; `nil` where the feed names none.
    public let name: String?
    /// How many fixes have come.
    public internal(set) var fixCount = 0
    /// When the last one came, by the machine's clock.
    public internal(set) var lastArrival: Instant
  }

  /// The devices with counts of their own, in the order in which they came.
  public private(set) var devices: [Device] = []
  /// How many fixes have come of all further devices.
  public private(set) var otherFixCount = 0
  /// How many decisions there were of each kind; of none, no count.
  public private(set) var decisions: [WatcherDecision.Kind: Int] = [:]
  private var places: [String?: Int] = [:]

  /// Counts a fix that came at a time.
  mutating func count(fixOf device: String?, at now: Instant) {
    if let place = places[device] {
      devices[place].fixCount += 1
      devices[place].lastArrival = now
    } else if devices.count < Self.maximumDeviceCount {
      places[device] = devices.count
      devices.append(Device(name: device, fixCount: 1, lastArrival: now))
    } else {
      otherFixCount += 1
    }
  }

  /// Counts decisions.
  mutating func count(_ decisions: [WatcherDecision]) {
    for decision in decisions { self.decisions[decision.kind, default: 0] += 1 }
  }
}

/// Counts of a notifier's deliveries since a session began, and what waits for it.
public struct DeliveryTally: Hashable, Sendable {
  /// The notifier's name.
  public let notifier: String
  /// How many were delivered.
  public let deliveredCount: Int
  /// How many tries failed.
  public let failedTryCount: Int
  /// How many were given up.
  public let givenUpCount: Int
  /// How many wait, for their first try or for another.
  public let waitingCount: Int
  /// When the oldest of these was to be delivered first; `nil` where none waits.
  public let oldestQueued: Instant?
}
