public import CivilTime
import LocationFeeds
public import SpotWatcher

/// Counters of a session's fixes and decisions since it began.
///
/// They contain no positions. Replacing spots or settings does not reset them.
public struct WatchTally: Hashable, Sendable {
  /// The maximum number of devices with their own counters; all further devices share one.
  public static let maximumDeviceCount = 64

  /// The counters of a device.
  public struct Device: Hashable, Sendable {
    /// The device's name; `nil` if the feed names none.
    public let name: String?
    /// The number of fixes.
    public internal(set) var fixCount = 0
    /// The arrival of the last fix, by the machine's clock.
    public internal(set) var lastArrival: Instant
  }

  /// The devices with their own counters, in order of appearance.
  public private(set) var devices: [Device] = []
  /// The number of fixes of all further devices.
  public private(set) var otherFixCount = 0
  /// The number of decisions of each kind; kinds without any are missing.
  public private(set) var decisions: [WatcherDecision.Kind: Int] = [:]
  private var places: [String?: Int] = [:]

  /// Counts a fix that arrived at a time.
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

  /// Adds the counts of other decisions.
  mutating func add(_ kinds: KindCounts) {
    for entry in kinds.entries { decisions[entry.kind, default: 0] += entry.count }
  }
}

/// The numbers of decisions by kind, for the decisions of a run: mostly of few kinds, among which a
/// search is faster than a dictionary.
struct KindCounts: Sendable {
  private(set) var entries: [(kind: WatcherDecision.Kind, count: Int)] = []

  /// Counts decisions.
  mutating func count(_ decisions: [WatcherDecision]) {
    for place in decisions.indices {
      let kind = decisions[place].kind
      if let place = entries.firstIndex(where: { $0.kind == kind }) {
        entries[place].count += 1
      } else {
        entries.append((kind, 1))
      }
    }
  }
}

/// Counters of a notifier's deliveries since a session began, and of pending ones.
public struct DeliveryTally: Hashable, Sendable {
  /// The notifier's name.
  public let notifier: String
  /// The number of delivered notifications.
  public let deliveredCount: Int
  /// The number of failed attempts.
  public let failedTryCount: Int
  /// The number of notifications that were given up.
  public let givenUpCount: Int
  /// The number of pending notifications.
  public let waitingCount: Int
  /// The time of the oldest pending notification; `nil` if there is none.
  public let oldestQueued: Instant?
}
