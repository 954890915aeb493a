import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import SpotWatcher
import Synchronization

/// The lanes of a session, and what a lane must know before it decides about a fix.
extension WatchSession {
  /// The number of lanes, which may be used concurrently.
  package var laneCount: Int { lanes.count }

  /// Returns whether the last attempt of a lane to use the store succeeded. A number beyond those
  /// of the lanes stands for the connection of deliveries.
  package func isReachable(fromLane number: Int) -> Bool {
    (number < store.lanes.count ? store.lanes[number] : store.sessionLane).isReachable()
  }

  /// Returns the number of a device's lane, which is the same in all processes with equally many
  /// lanes.
  package func laneNumber(of device: String?) -> Int {
    guard lanes.count > 1 else { return 0 }
    var hash = FNV1a()
    hash.combine(device ?? "")
    return Int(hash.mixed % UInt64(lanes.count))
  }

  /// Restores the records of a device that this session has not seen yet.
  func prepare(
    for fix: LocationFix, now: Instant, _ lane: inout WatchLane.State
  ) throws(AlertStateError) {
    guard !lane.watcher.isTracking(fix.device), let journal = lane.journal else { return }
    // A recorded feed may begin at any time.
    let start =
      isLive ? now.advanced(bySeconds: -lane.watcher.settings.secondsToRemember) : nil
    let records = try journal.records(of: .device(fix.device), since: start)
    lane.watcher.startTracking(fix.device)
    restore(records, of: fix.device, &lane)
  }

  private func restore(
    _ records: [JournalRecord], of device: String?, _ lane: inout WatchLane.State
  ) {
    guard !records.isEmpty else { return }
    let radius = lane.watcher.settings.clusterRadiusMeters
    lane.watcher.restore(device) { [localClock] state in
      for record in records {
        state.restore(record.event, clusterRadiusMeters: radius, localClock: localClock)
      }
    }
  }

  /// Fetches the spots that may affect the decision about a fix, unless the device's region
  /// contains them.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time of the machine's clock.
  ///   - lane: The lane of the device.
  /// - Throws: `AlertStateError.unavailable` if the spots cannot be fetched and the fix cannot be
  ///   decided without them.
  func fetchRegion(
    for fix: LocationFix, now: Instant, _ lane: inout WatchLane.State
  ) throws(AlertStateError) {
    // A second fetch is needed if the first one finds a place with a larger alert radius.
    for _ in 0..<2 {
      guard let fetch = lane.watcher.requiredFetch(for: fix, now: now) else { return }
      do {
        let region = try lane.regions(fetch)
        lane.watcher.setRegion(
          region, of: fetch, for: fix.device, now: now,
          ownRadiusMeters: store.places.alertRadiusMeters(near: fetch.center))
      } catch {
        // The old region covers the fix; it is renewed when the store can be reached again.
        guard fetch.isNeeded else { return }
        throw (error as? AlertStateError) ?? .unavailable("\(error)")
      }
    }
  }

  // MARK: - Across devices

  /// Replaces the recent alerts known to a lane's watcher by those of all lanes; by none if no rule
  /// across devices is in force.
  func refreshSharedAlerts(_ lane: inout WatchLane.State) {
    guard lane.watcher.hasRulesAcrossDevices else {
      guard lane.sharedGeneration != Self.noSharedAlerts else { return }
      lane.watcher.setSharedAlerts(SharedAlerts())
      (lane.sharedGeneration, lane.ownerVersion) = (Self.noSharedAlerts, 0)
      return
    }
    let known = lane.sharedGeneration
    let alerts = sharedAlerts.withLock { $0.generation == known ? nil : $0 }
    guard let alerts else { return }
    lane.watcher.setSharedAlerts(alerts)
    (lane.sharedGeneration, lane.ownerVersion) = (alerts.generation, alerts.version)
  }

  /// The generation of a lane without recent alerts, since no rule across devices is in force.
  private static let noSharedAlerts = -1

  /// Records a lane's notifications for the decisions of all lanes.
  func recordShared(
    _ notifications: [SpotNotification], _ version: Int64?, _ settings: WatcherSettings
  ) {
    sharedAlerts.withLock { alerts in
      for notification in notifications {
        alerts.record(
          notification, seconds: settings.sharedIntervalSeconds, isFollowed: true)
      }
      // If the numbers have a gap, the alerts of other processes in it must still be read.
      if let version, version == alerts.version + Int64(notifications.count) {
        alerts.version = version
      }
    }
  }

  /// Adds the records and alerts of another process to the state.
  func merge(
    _ records: [JournalRecord], _ owner: OwnerAlerts?, of device: String?,
    _ lane: inout WatchLane.State
  ) {
    restore(records, of: device, &lane)
    if let owner { merge(owner, lane.watcher.settings) }
  }

  private func merge(_ owner: OwnerAlerts, _ settings: WatcherSettings) {
    sharedAlerts.withLock { alerts in
      for notification in owner.notifications {
        alerts.record(notification, seconds: settings.sharedIntervalSeconds)
      }
      alerts.version = max(alerts.version, owner.version)
    }
  }

  /// Reads the notifications to the owner's devices since a time.
  func mergeOwnerAlerts(
    since start: Instant, from journal: any AlertJournal, _ settings: WatcherSettings
  ) throws(AlertStateError) {
    merge(try journal.ownerAlerts(since: start, after: nil), settings)
  }
}

extension WatcherSettings {
  /// The age in seconds up to which recorded events may affect a decision: by the cooldown, which
  /// the routine rule lengthens, by the daily budget, or as a visit that continues after a restart.
  var secondsToRemember: Double {
    let cooldown = cooldownSeconds * Double(max(routineDays, 1))
    return min(max(cooldown, 2 * 86_400) + 86_400, JournalContents.historySeconds)
  }
}
