import CivilTime
import Codecs
import LocationFeeds
package import PhotoLibrary
import Spatial
package import SpotWatcher
import Synchronization

/// A session over a store that several processes share.
extension WatchSession {
  /// The interval in seconds between calls of ``Outbox/takeOver()``.
  private static let takeOverSeconds = 15.0

  /// Whether the spots and the journal are in a store that several processes share.
  package var isOverStore: Bool { store != nil }

  /// Replaces the user's places; only for a session over a store.
  package func replace(places: [OwnPlace]) {
    store?.places.take(places)
    for lane in lanes { lane.state.withLock { $0.watcher.invalidateRegions() } }
  }

  /// The number of lanes, which may be used concurrently.
  package var laneCount: Int { lanes.count }

  /// Returns whether the last attempt of a lane to use the store succeeded. A number beyond those
  /// of the lanes stands for the connection of deliveries.
  package func isReachable(fromLane number: Int) -> Bool {
    guard let store else { return true }
    return (number < store.lanes.count ? store.lanes[number] : store.sessionLane).isReachable()
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
    lane.watcher.restore(device) { state in
      for record in records { state.restore(record.event, clusterRadiusMeters: radius) }
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
      guard let fetch = lane.watcher.requiredFetch(for: fix, now: now), let regions = lane.regions,
        let store
      else { return }
      do {
        let region = try regions(fetch)
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
    guard store != nil, !notifications.isEmpty else { return }
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

  // MARK: - Time

  /// Advances time in one lane, for live feeds; see `LocationWatcher.tick(now:)`.
  ///
  /// - Throws: The errors of ``process(_:isSentAgain:)``; the decisions are made again at the next
  ///   tick.
  package func tick(lane number: Int) throws(AlertStateError) -> [WatcherDecision] {
    let now = clock.now()
    let decisions = try passTime(in: lanes[number], at: now) { $0.tick(now: now) }
    count(decisions)
    return decisions
  }

  /// Renews this process's claim to its deliveries, takes over those of processes that ended, and
  /// sends a digest that is due.
  package func tickDeliveries() throws(AlertStateError) {
    let now = clock.now()
    sendDigestIfDue(now: now)
    try takeOverIfDue(now: now)
  }

  /// Advances time in every lane. Decisions that another process overtook are made again with the
  /// next fix or tick.
  ///
  /// - Parameters:
  ///   - now: The time of a tick; `nil` for the end of a feed.
  ///   - pass: Advances time in a watcher.
  /// - Returns: The decisions that are recorded.
  /// - Throws: The errors of ``tick(lane:)``.
  func passTimeShared(
    at now: Instant?, _ pass: (inout LocationWatcher) -> [WatcherDecision]
  ) throws(AlertStateError) -> [WatcherDecision] {
    var all: [WatcherDecision] = []
    var failure: AlertStateError?
    for lane in lanes {
      do throws(AlertStateError) {
        all += try passTime(in: lane, at: now, pass)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return all
  }

  private func passTime(
    in lane: WatchLane, at now: Instant?, _ pass: (inout LocationWatcher) -> [WatcherDecision]
  ) throws(AlertStateError) -> [WatcherDecision] {
    try lane.state.withLock { lane throws(AlertStateError) in
      if let now { lane.journal?.flushIfDue(now: now) } else { lane.journal?.flush() }
      guard lane.watcher.mayTimersBeDue(at: now) else { return [] }
      guard lane.watcher.hasRulesAcrossDevices else { return try passTime(in: &lane, pass) }
      return try notificationLock.withLock { _ throws(AlertStateError) in
        try passTime(in: &lane, pass)
      }
    }
  }

  private func passTime(
    in lane: inout WatchLane.State, _ pass: (inout LocationWatcher) -> [WatcherDecision]
  ) throws(AlertStateError) -> [WatcherDecision] {
    refreshSharedAlerts(&lane)
    let drafts = Self.byDevice(pass(&lane.watcher)).map { draft(of: $0, lane) }
    let before = lane.watcher.takeBackups()
    var recorded: [WatcherDecision] = []
    var waiting: [Draft] = []
    for draft in drafts {
      if draft.records.isEmpty || lane.journal == nil {
        conclude(draft, ownerVersion: nil, &lane)
        recorded += draft.decisions
      } else {
        waiting.append(draft)
      }
    }
    guard !waiting.isEmpty, let journal = lane.journal else { return recorded }
    let answers = journal.append(together: waiting.map { batch(of: $0, lane) })
    var failure: AlertStateError?
    for (draft, answer) in zip(waiting, answers) {
      switch answer {
      case .success(.recorded(let version)):
        conclude(draft, ownerVersion: version, &lane)
        recorded += draft.decisions
      case .success(.overtaken(let records, let owner)):
        lane.undo(draft.device, to: before)
        merge(records, owner, of: draft.device, &lane)
      case .failure(let error):
        lane.undo(draft.device, to: before)
        failure = error
      }
    }
    compact(journal)
    if recorded.isEmpty, let failure { throw failure }
    return recorded
  }

  private static func byDevice(_ decisions: [WatcherDecision]) -> [[WatcherDecision]] {
    var order: [String?] = []
    var groups: [String?: [WatcherDecision]] = [:]
    for decision in decisions {
      if groups[decision.fix.device] == nil { order.append(decision.fix.device) }
      groups[decision.fix.device, default: []].append(decision)
    }
    return order.map { groups[$0] ?? [] }
  }

  /// Renews this process's claim to its deliveries and takes over those of processes that ended, if
  /// that is due.
  func takeOverIfDue(now: Instant) throws(AlertStateError) {
    let isDue = nextTakeOver.withLock { next in
      guard now >= next || next.seconds(since: now) > Self.takeOverSeconds else { return false }
      next = now.advanced(bySeconds: Self.takeOverSeconds)
      return true
    }
    if isDue { try outbox.takeOver() }
  }

  /// Returns the spots around a position, fetched from the store; none if it cannot be reached.
  func nearbyShared(_ position: Coordinate) -> NearbySpots {
    let radius = settings.proximityRadiusMeters
    guard let store else { return NearbySpots(count: 0, nearest: nil) }
    let reach = max(radius, store.places.alertRadiusMeters(near: position)) + 1
    let fetch = RegionFetch(around: position, radiusMeters: reach)
    let spots = (try? store.sessionLane.regions(fetch).spots) ?? SpotIndex(spots: [])
    let nearest = try? store.nearest(position)
    return Self.nearby(spots, radius, position, nearest: nearest)
  }
}

extension WatchLane.State {
  /// Restores a device to one of some states, as if no time had passed since.
  fileprivate mutating func undo(_ device: String?, to states: [DeviceState]) {
    watcher.restore(device, from: states)
    sharedGeneration = 0
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
