import CivilTime
import Codecs
import LocationFeeds
package import PhotoLibrary
import Spatial
package import SpotWatcher
import Synchronization

/// A session over a store that several processes share.
extension WatchSession {
  /// A fix is decided so often at most.
  private static let maximumTryCount = 3
  /// So often, in seconds, deliveries are kept and those of others looked for.
  private static let takeOverSeconds = 15.0

  /// Whether the spots and the journal are in a store that several processes share.
  package var isOverStore: Bool { store != nil }

  /// Takes other places of one's own; only for a watch over a store.
  package func replace(places: [OwnPlace]) {
    store?.places.take(places)
    for lane in lanes { lane.state.withLock { $0.watcher.forgetRegions() } }
  }

  /// The number of lanes, which may be used at once.
  package var laneCount: Int { lanes.count }

  /// Whether the last attempt of a lane to use the store succeeded; that of deliveries for a number
  /// beyond the lanes.
  package func isReachable(fromLane number: Int) -> Bool {
    guard let store else { return true }
    return (number < store.lanes.count ? store.lanes[number] : store.office).isReachable()
  }

  /// The lane of a device: the same in every process with as many lanes.
  package func laneNumber(of device: String?) -> Int {
    guard lanes.count > 1 else { return 0 }
    var hash = FNV1a()
    hash.combine((device ?? "").utf8)
    return Int(hash.mixed % UInt64(lanes.count))
  }

  /// Takes a fix into account; one that throws is as if it had never come.
  func processShared(
    _ fix: LocationFix, now: Instant, _ lane: inout WatchLane.State
  ) throws(AlertStateError) -> [WatcherDecision] {
    try begin(with: fix, now: now, &lane)
    for attempt in 1...Self.maximumTryCount {
      try cover(fix, &lane)
      var outcome = try decide(fix, now: now, isTurn: false, &lane)
      if case .needsTurn = outcome {
        outcome = try ownerTurn.withLock { _ throws(AlertStateError) in
          try decide(fix, now: now, isTurn: true, &lane)
        }
      }
      switch outcome {
      case .decided(let decisions): return decisions
      case .overtaken(let isNew):
        // What comes too close to the last notification, though nobody else recorded anything, has
        // lost that from its memory.
        if !isNew, attempt == Self.maximumTryCount { return [] }
      case .needsTurn: break
      }
    }
    throw .overtaken(device: fix.device)
  }

  private enum Outcome {
    case decided([WatcherDecision])
    /// Another process was first; whether its records were not known here.
    case overtaken(isNew: Bool)
    /// A rule across devices is in force, and no other lane may notify meanwhile.
    case needsTurn
  }

  /// Decides about a fix once.
  ///
  /// Where a rule across devices is in force, lanes of one process would overtake each other over
  /// the owner's row. So a lane that notifies has the session's turn while it decides and records.
  private func decide(
    _ fix: LocationFix, now: Instant, isTurn: Bool, _ lane: inout WatchLane.State
  ) throws(AlertStateError) -> Outcome {
    takeSharedAlerts(&lane)
    let before = lane.watcher.memory(of: fix.device)
    let decisions = lane.watcher.evaluate(fix, now: now, isLive: isLive)
    if !isTurn, lane.watcher.settings.hasRulesAcrossDevices,
      decisions.contains(where: { $0.notification != nil })
    {
      lane.watcher.restore(before)
      return .needsTurn
    }
    let answer: JournalAnswer?
    do throws(AlertStateError) {
      answer = try act(on: decisions, &lane)
    } catch {
      lane.watcher.restore(before)
      throw error
    }
    guard case .overtaken(let records, let owner) = answer else {
      // Also after the alert of a timer, whose position is that of the fix before.
      if let here = fix.coordinate, lane.watcher.isSharing(fix.device),
        decisions.first?.kind != .invalid
      {
        sharedAlerts.withLock { $0.follow(fix.device, to: here) }
      }
      return .decided(decisions)
    }
    let isNew = !records.isEmpty || owner.map { $0.version != lane.ownerVersion } ?? false
    lane.watcher.restore(before)
    learn(records, owner, of: fix.device, &lane)
    return .overtaken(isNew: isNew)
  }

  /// Restores what must be remembered of a device that is not followed yet.
  private func begin(
    with fix: LocationFix, now: Instant, _ lane: inout WatchLane.State
  ) throws(AlertStateError) {
    guard !lane.watcher.knows(fix.device), let journal = lane.journal else { return }
    // A recorded feed may begin anywhere.
    let start =
      isLive ? now.advanced(bySeconds: -lane.watcher.settings.secondsToRemember) : nil
    let records = try journal.records(of: .device(fix.device), since: start)
    lane.watcher.follow(fix.device)
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

  /// Sees to it that the spots are there that a fix may concern.
  private func cover(
    _ fix: LocationFix, _ lane: inout WatchLane.State
  ) throws(AlertStateError) {
    guard let regions = lane.regions, let store else { return }
    let now = clock.now()
    // A second time where a place of one's own reaches farther than was known.
    for _ in 0..<2 {
      guard let fetch = lane.watcher.fetch(for: fix, now: now) else { return }
      do {
        let spots = try regions(fetch)
        lane.watcher.take(
          spots, of: fetch, for: fix.device, now: now,
          ownRadiusMeters: store.places.alertRadiusMeters(near: fetch.center))
      } catch {
        // Old spots are better than none, until the store is back.
        guard fetch.isNeeded else { return }
        throw (error as? AlertStateError) ?? .unavailable("\(error)")
      }
    }
  }

  // MARK: - Across devices

  /// Has a lane decide by what fired in all of them.
  private func takeSharedAlerts(_ lane: inout WatchLane.State) {
    let areInForce = lane.watcher.settings.hasRulesAcrossDevices
    let alerts = areInForce ? sharedAlerts.withLock { $0 } : SharedAlerts()
    lane.ownerVersion = alerts.version
    lane.watcher.take(alerts)
  }

  /// Notes what was recorded for other lanes.
  func noteShared(
    _ notifications: [SpotNotification], _ version: Int64?, _ settings: WatcherSettings
  ) {
    guard store != nil, !notifications.isEmpty else { return }
    sharedAlerts.withLock { alerts in
      for notification in notifications {
        alerts.record(notification, seconds: settings.sharedIntervalSeconds)
      }
      // With a gap, others were first: these are still to be learned.
      if let version, version == alerts.version + Int64(notifications.count) {
        alerts.version = version
      }
    }
  }

  /// Takes what another process recorded.
  private func learn(
    _ records: [JournalRecord], _ owner: OwnerAlerts?, of device: String?,
    _ lane: inout WatchLane.State
  ) {
    restore(records, of: device, &lane)
    if let owner { learn(owner, lane.watcher.settings) }
  }

  private func learn(_ owner: OwnerAlerts, _ settings: WatcherSettings) {
    sharedAlerts.withLock { alerts in
      for notification in owner.notifications {
        alerts.record(notification, seconds: settings.sharedIntervalSeconds)
      }
      alerts.version = max(alerts.version, owner.version)
    }
  }

  /// Learns what the owner's devices were notified of.
  func learnOwnerAlerts(
    since start: Instant, from journal: any AlertJournal, _ settings: WatcherSettings
  ) throws(AlertStateError) {
    learn(try journal.ownerAlerts(since: start, after: nil), settings)
  }

  // MARK: - Time

  /// Lets time pass in one lane, for live feeds; see `LocationWatcher.tick(now:)`.
  ///
  /// - Throws: As `process(_:)`; the decisions are made again with the next tick.
  package func tick(lane number: Int) throws(AlertStateError) -> [WatcherDecision] {
    let now = clock.now()
    let decisions = try passTime(in: lanes[number]) { $0.tick(now: now) }
    count(decisions)
    return decisions
  }

  /// Keeps this process's deliveries, takes over those of processes that are gone, and sends a
  /// digest that is due.
  package func tickDeliveries() throws(AlertStateError) {
    let now = clock.now()
    sendDigestIfDue(now: now)
    try takeOverIfDue(now: now)
  }

  /// Lets time pass in every lane; decisions overtaken by other processes are made with the next
  /// fix or tick.
  func passTimeShared(
    _ pass: (inout LocationWatcher) -> [WatcherDecision]
  ) throws(AlertStateError) -> [WatcherDecision] {
    var all: [WatcherDecision] = []
    var failure: AlertStateError?
    for lane in lanes {
      do throws(AlertStateError) { all += try passTime(in: lane, pass) } catch { failure = error }
    }
    if let failure { throw failure }
    return all
  }

  private func passTime(
    in lane: WatchLane, _ pass: (inout LocationWatcher) -> [WatcherDecision]
  ) throws(AlertStateError) -> [WatcherDecision] {
    try lane.state.withLock { lane throws(AlertStateError) in
      lane.journal?.flush()
      guard lane.watcher.hasTimers else { return [] }
      guard lane.watcher.settings.hasRulesAcrossDevices else {
        return try passTime(in: &lane, pass)
      }
      return try ownerTurn.withLock { _ throws(AlertStateError) in try passTime(in: &lane, pass) }
    }
  }

  private func passTime(
    in lane: inout WatchLane.State, _ pass: (inout LocationWatcher) -> [WatcherDecision]
  ) throws(AlertStateError) -> [WatcherDecision] {
    takeSharedAlerts(&lane)
    let before = lane.watcher.devicesWithTimers
    var recorded: [WatcherDecision] = []
    var failure: AlertStateError?
    for decisions in Self.byDevice(pass(&lane.watcher)) {
      let device = decisions.first?.fix.device
      do throws(AlertStateError) {
        guard case .overtaken(let records, let owner) = try act(on: decisions, &lane) else {
          recorded += decisions
          continue
        }
        lane.watcher.restore(device, from: before)
        learn(records, owner, of: device, &lane)
      } catch {
        lane.watcher.restore(device, from: before)
        failure = error
      }
    }
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

  /// Keeps this process's deliveries, and takes those of processes that are gone.
  func takeOverIfDue(now: Instant) throws(AlertStateError) {
    let isDue = nextTakeOver.withLock { next in
      guard now >= next || next.seconds(since: now) > Self.takeOverSeconds else { return false }
      next = now.advanced(bySeconds: Self.takeOverSeconds)
      return true
    }
    if isDue { try outbox.takeOver() }
  }

  /// The spots around a position, asked of the store.
  func nearbyShared(_ position: Coordinate) -> NearbySpots {
    let radius = settings.proximityRadiusMeters
    guard let store else { return NearbySpots(count: 0, nearest: nil) }
    let reach = max(radius, store.places.alertRadiusMeters(near: position)) + 1
    let fetch = RegionFetch(around: position, radiusMeters: reach)
    let spots = (try? store.office.regions(fetch)) ?? SpotIndex(spots: [])
    let nearest = try? store.nearest(position)
    return Self.nearby(spots, radius, position, nearest: nearest)
  }
}

extension WatcherSettings {
  /// How long ago an event may be that decides about a fix, in seconds: cooldowns, which a routine
  /// lengthens, the budget of a day, and how long a visit lasts after a restart.
  var secondsToRemember: Double {
    let cooldown = cooldownSeconds * Double(max(routineDays, 1))
    return min(max(cooldown, 2 * 86_400) + 86_400, JournalContents.historySeconds)
  }
}
