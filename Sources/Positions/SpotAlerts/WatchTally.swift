public import CivilTime
public import LocationFeeds
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
    /// The arrival of the last fix, by the machine's clock; `nil` before the first.
    public internal(set) var lastArrival: Instant?
    /// The numbers of its reports by their ends.
    public internal(set) var reports = ReportCounts()
    /// The seconds by which its clock is ahead, which are taken off; 0 if it is right or unknown.
    public internal(set) var clockShiftSeconds = 0.0
    /// The factor by which its stated speeds are too high, which is taken off.
    public internal(set) var speedFactor = 1.0
  }

  /// The devices with their own counters, in order of appearance.
  public private(set) var devices: [Device] = []
  /// The number of fixes of all further devices.
  public private(set) var otherFixCount = 0
  /// The numbers of the reports of all further devices by their ends.
  public private(set) var otherReports = ReportCounts()
  /// The number of decisions of each kind; kinds without any are missing.
  public private(set) var decisions: [WatcherDecision.Kind: Int] = [:]
  private var places: [String?: Int] = [:]

  /// Counts a fix that arrived at a time.
  mutating func count(fixOf device: String?, at now: Instant, _ end: ReportOutcome) {
    if let place = place(of: device) {
      devices[place].fixCount += 1
      devices[place].lastArrival = now
    } else {
      otherFixCount += 1
    }
    count(end, of: device)
  }

  /// Counts reports that have come to an end.
  mutating func count(_ end: ReportOutcome, of device: String?, times count: Int = 1) {
    if let place = place(of: device) {
      devices[place].reports.count(end, times: count)
    } else {
      otherReports.count(end, times: count)
    }
  }

  /// Notes how a device's reports are corrected.
  mutating func note(_ device: String?, clockShiftSeconds: Double, speedFactor: Double) {
    guard let place = place(of: device) else { return }
    devices[place].clockShiftSeconds = clockShiftSeconds
    devices[place].speedFactor = speedFactor
  }

  /// Returns the place of a device in the list, where it is added if there is room.
  private mutating func place(of device: String?) -> Int? {
    if let place = places[device] { return place }
    guard devices.count < Self.maximumDeviceCount else { return nil }
    places[device] = devices.count
    devices.append(Device(name: device))
    return devices.count - 1
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
