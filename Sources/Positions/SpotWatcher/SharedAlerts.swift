import CivilTime

/// The input of the rules across devices: the recent alerts of all devices of one owner, and the
/// devices' positions.
///
/// Used where the devices are watched separately: each watcher gets the current value before a
/// decision, and the resulting notifications are recorded in it.
package struct SharedAlerts: Sendable {
  var sharedFirings = SharedFirings()
  var rate = AlertRate()
  /// The ids of the latest notifications, so that none is counted twice.
  private var ids: [String] = []
  private var knownIDs: Set<String> = []
  /// The number of the owner's last alert that is recorded here.
  package var version: Int64 = 0 {
    didSet { generation += 1 }
  }
  /// A number that changes with each alert.
  package private(set) var generation = 1

  private static let maximumIDCount = 1024

  /// Creates the recent alerts of a state.
  ///
  /// - Parameters:
  ///   - positions: The positions of devices, which all copies share; `nil` if each copy has its
  ///     own.
  ///   - state: The state.
  package init(
    sharing positions: (any PositionStore)? = nil, continuing state: WatcherState = WatcherState()
  ) {
    (sharedFirings, rate) = (state.sharedFirings, state.alerts)
    if let positions { sharedFirings.share(positions) }
  }

  /// Records a notification, unless it is recorded already.
  ///
  /// - Parameters:
  ///   - notification: The notification.
  ///   - seconds: The time for which a firing silences the place on devices carried along.
  ///   - isFollowed: Whether a watcher that shares the positions decided it, and so has set the
  ///     device's position.
  package mutating func record(
    _ notification: SpotNotification, seconds: Double, isFollowed: Bool = false
  ) {
    guard knownIDs.insert(notification.id).inserted else { return }
    if ids.count >= Self.maximumIDCount {
      for id in ids.prefix(Self.maximumIDCount / 2) { knownIDs.remove(id) }
      ids.removeFirst(Self.maximumIDCount / 2)
    }
    ids.append(notification.id)
    generation += 1
    rate.record(notification.time)
    sharedFirings.recordShared(
      notification, key: DeviceState.key(of: notification.device), seconds: seconds,
      isFollowed: isFollowed)
  }
}

extension WatcherSettings {
  /// Whether an alert on one device can prevent one on another.
  package var hasRulesAcrossDevices: Bool {
    maximumAlertsPerMinute != nil
      || (sharedIntervalSeconds > 0 && !rulesOff.contains(.devices))
  }

  /// The time in seconds for which an alert can affect other devices.
  package var secondsAcrossDevices: Double { max(sharedIntervalSeconds, 60) }
}
