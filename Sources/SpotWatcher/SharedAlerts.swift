import CivilTime
import Codecs
package import Spatial

/// What the rules across devices look at: which alerts were decided lately, on which devices, and
/// where these are.
///
/// For devices that are watched apart: a value that all of them are given before a decision, and
/// that notes what they decide.
package struct SharedAlerts: Sendable {
  var sharedFirings = SharedFirings()
  var rate = AlertRate()
  /// The ids of the latest notifications, so that none counts twice.
  private var ids: [String] = []
  /// How far the owner's alerts are known: the number of the last one.
  package var version: Int64 = 0

  private static let maximumIDCount = 1024

  /// Creates the alerts of an owner of whom nothing is known.
  package init() {}

  /// The number by which a device is known to others.
  static func key(of device: String?) -> Int {
    var hash = FNV1a()
    hash.combine((device ?? "").utf8)
    return Int(truncatingIfNeeded: hash.mixed)
  }

  /// Notes a notification; one that was noted before changes nothing.
  ///
  /// - Parameters:
  ///   - notification: The notification.
  ///   - seconds: For how long it matters to devices that are along.
  package mutating func record(_ notification: SpotNotification, seconds: Double) {
    guard !ids.contains(notification.id) else { return }
    if ids.count >= Self.maximumIDCount { ids.removeFirst(Self.maximumIDCount / 2) }
    ids.append(notification.id)
    rate.record(notification.time)
    sharedFirings.record(notification, slot: Self.key(of: notification.device), seconds: seconds)
  }

  /// Whether the position of a device matters to others.
  package func isFollowing(_ device: String?) -> Bool {
    sharedFirings.isFollowing(slot: Self.key(of: device))
  }

  /// Follows a device that was notified lately.
  package mutating func follow(_ device: String?, to here: Coordinate) {
    sharedFirings.follow(slot: Self.key(of: device), to: Standpoint(here))
  }
}

extension WatcherSettings {
  /// Whether an alert on one device may keep another silent.
  package var haveRulesAcrossDevices: Bool {
    maximumAlertsPerMinute != nil
      || (sharedIntervalSeconds > 0 && !rulesOff.contains(.devices))
  }

  /// For how long an alert matters to other devices, in seconds.
  package var secondsAcrossDevices: Double { max(sharedIntervalSeconds, 60) }
}
