public import CivilTime
public import LocationFeeds
public import PhotoLibrary
public import SpotWatcher
import Storage
import Synchronization
public import SystemPackage

/// A session that evaluates fixes, records the decisions, and delivers the notifications.
///
/// With a state folder, a notification and its cooldown are written to the disk together, before
/// the notification is sent. A crash therefore loses no notification, and nothing fires twice after
/// a restart. A notification may be *delivered* twice, with the same id, if the crash happened
/// between its delivery and the record of it.
///
/// ```swift
/// let session = try WatchSession(
///   stateFolder: folder, spots: spots, settings: settings, isLive: true, notifiers: [notifier])
/// session.start()
/// for await fix in feed { try session.process(fix) }
/// await session.drain()
/// await session.stop()
/// ```
public final class WatchSession: Sendable {
  /// The lanes of a shared store; one lane for a session with its own index and journal.
  let lanes: [WatchLane]
  /// The store that several processes share; `nil` for a session with its own index and journal.
  let store: SharedStore?
  /// The recent alerts on the devices of all lanes.
  let sharedAlerts = Mutex(SharedAlerts(sharing: SharedPositions()))
  /// The lock that a lane holds while it notifies under a rule across devices.
  let notificationLock = Mutex(())
  private let pasts: Mutex<SpotPasts>
  /// The journal; `nil` if nothing is stored.
  let journal: (any AlertJournal)?
  let outbox: Outbox
  let clock: any DeliveryClock
  private let localClock: LocalClock
  let isLive: Bool
  private let digests: Mutex<DigestTimer>
  private let counts = Mutex(WatchTally())
  /// The time at which to look for deliveries of other processes next.
  let nextTakeOver = Mutex(Instant(millisecondsSince1970: .min))
  let report: @Sendable (AlertEvent) -> Void
  /// The lock of the state folder for a session over a store, whose journal is in the store.
  private let folderLock: FolderLock?

  /// Opens the state of a session, which stays locked until the session is stopped or deallocated.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder of the state. If it is missing, it is created with access for its
  ///     owner only. With `nil`, the session begins without earlier firings, stores nothing, and
  ///     is independent of other sessions.
  ///   - spots: The spots.
  ///   - pasts: The pasts of the spots, for the texts of notifications.
  ///   - settings: The rules for notifications.
  ///   - alerts: The language and links of alerts, and the schedule of digests. No digest is sent
  ///     without a state folder, or if the feed is not live.
  ///   - localClock: The local time, for quiet hours and digests.
  ///   - isLive: Whether fixes arrive in real time. If so, the current time is that of the machine,
  ///     a fix without a time gets that of its arrival, and an old fix does not fire. Otherwise the
  ///     current time is that of each fix.
  ///   - notifiers: The receivers, with different names.
  ///   - schedule: The schedule of repeated delivery attempts.
  ///   - clock: The machine's clock.
  ///   - report: Called with events that the user may want to know about, from any thread.
  /// - Throws: `AlertStateError` if the state cannot be opened, is in use, or is of a later
  ///   version.
  public convenience init(
    stateFolder: FilePath?, spots: SpotIndex, pasts: SpotPasts = SpotPasts(),
    settings: WatcherSettings, alerts: AlertSettings = AlertSettings(),
    localClock: LocalClock = .machine, isLive: Bool, notifiers: [any Notifier],
    schedule: RetrySchedule = RetrySchedule(), clock: any DeliveryClock = SystemClock(),
    report: @escaping @Sendable (AlertEvent) -> Void = { _ in }
  ) throws(AlertStateError) {
    try self.init(
      stateFolder: stateFolder, journalLimits: JournalLimits(), spots: spots, pasts: pasts,
      settings: settings, alerts: alerts, localClock: localClock, isLive: isLive,
      notifiers: notifiers, schedule: schedule, clock: clock, report: report)
  }

  /// Opens the state of a session with given size limits of its journal.
  init(
    stateFolder: FilePath?, journalLimits: JournalLimits, spots: SpotIndex, pasts: SpotPasts,
    settings: WatcherSettings, alerts: AlertSettings = AlertSettings(), localClock: LocalClock,
    isLive: Bool, notifiers: [any Notifier], schedule: RetrySchedule, clock: any DeliveryClock,
    report: @escaping @Sendable (AlertEvent) -> Void
  ) throws(AlertStateError) {
    let contents: JournalContents
    let journal: Journal?
    if let stateFolder {
      let opened = try Journal.open(
        in: stateFolder, clusterRadiusMeters: settings.clusterRadiusMeters, limits: journalLimits,
        now: clock.now())
      if let damage = opened.damage { report(.damagedJournal(damage)) }
      (journal, contents) = (opened.journal, opened.contents)
    } else {
      (journal, contents) = (nil, JournalContents())
    }
    self.report = report
    self.clock = clock
    self.localClock = localClock
    self.pasts = Mutex(pasts)
    self.isLive = isLive
    self.journal = journal
    folderLock = nil
    store = nil
    lanes = [
      WatchLane(
        LocationWatcher(
          spots: spots, settings: settings, localClock: localClock,
          state: contents.watcherState(clusterRadiusMeters: settings.clusterRadiusMeters)),
        journal: journal)
    ]
    outbox = Outbox(
      journal: journal, notifiers: notifiers, schedule: schedule, clock: clock,
      pending: contents.pending, alerts: alerts, report: report)
    digests = Mutex(
      DigestTimer(
        schedule: alerts.digest, clock: settings.localClock(or: localClock),
        ends: contents.digests.map(\.digest.end), now: clock.now()))
  }

  /// Opens a session over a store that several processes share.
  ///
  /// Fixes of different lanes may be processed concurrently; see ``laneNumber(of:)``.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - stateFolder: The folder of the device log, which is locked until the session is stopped;
  ///     `nil` for none.
  ///   - settings: The rules for notifications.
  ///   - alerts: The language and links of alerts, and the schedule of digests.
  ///   - localClock: The local time, for quiet hours and digests.
  ///   - isLive: Whether fixes arrive in real time.
  ///   - notifiers: The receivers, with different names.
  ///   - schedule: The schedule of repeated delivery attempts.
  ///   - clock: The machine's clock.
  ///   - executor: The executor of deliveries, which write to the store; `nil` for the default one.
  ///   - report: Called with events that the user may want to know about, from any thread.
  /// - Throws: `AlertStateError.unavailable` if the store cannot be reached; `.inUse` if another
  ///   session uses the folder; `.cannotOpen` if the folder cannot be created or locked.
  package init(
    over store: SharedStore, stateFolder: FilePath? = nil, settings: WatcherSettings,
    alerts: AlertSettings = AlertSettings(), localClock: LocalClock = .machine, isLive: Bool,
    notifiers: [any Notifier],
    schedule: RetrySchedule = RetrySchedule(), clock: any DeliveryClock = SystemClock(),
    executor: (any TaskExecutor)? = nil,
    report: @escaping @Sendable (AlertEvent) -> Void = { _ in }
  ) throws(AlertStateError) {
    self.report = report
    self.clock = clock
    self.localClock = localClock
    self.isLive = isLive
    self.store = store
    folderLock = try stateFolder.map { folder throws(AlertStateError) in
      try FolderLock(creating: folder)
    }
    pasts = Mutex(SpotPasts())
    let sessionJournal = store.sessionLane.journal
    journal = sessionJournal
    lanes = store.lanes.map { lane in
      WatchLane(
        LocationWatcher(overRegionsWith: settings, localClock: localClock), journal: lane.journal,
        regions: lane.regions)
    }
    outbox = Outbox(
      journal: sessionJournal, notifiers: notifiers, schedule: schedule, clock: clock, pending: [],
      alerts: alerts, executor: executor, report: report)
    let digests =
      try sessionJournal?.records(
        of: .digests, since: clock.now().advanced(bySeconds: -40 * 86_400)) ?? []
    self.digests = Mutex(
      DigestTimer(
        schedule: alerts.digest, clock: settings.localClock(or: localClock),
        ends: digests.compactMap { record in
          if case .digested(let digest, _) = record.event { digest.end } else { nil }
        }, now: clock.now()))
    if settings.hasRulesAcrossDevices, let sessionJournal {
      try mergeOwnerAlerts(
        since: clock.now().advanced(bySeconds: -settings.secondsAcrossDevices),
        from: sessionJournal,
        settings)
    }
  }

  /// Starts delivering, beginning with the deliveries that an earlier session left pending.
  public func start() {
    outbox.start()
    // If the store cannot be reached, the next tick tries again.
    if store != nil { try? takeOverIfDue(now: clock.now()) }
  }

  /// Evaluates a fix, records the decisions, and queues the notifications for delivery.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - isSentAgain: Whether the sender repeats the fix if this throws.
  /// - Returns: The decisions; see `LocationWatcher.evaluate(_:now:isLive:)`.
  /// - Throws: `AlertStateError.cannotWrite`; for a session over a store also `.unavailable` and
  ///   `.overtaken`. Nothing is sent then. If the sender repeats the fix, or the session is over a
  ///   store, the state is as if the fix had never arrived. Otherwise its notification is decided
  ///   again with the next fix.
  @discardableResult
  public func process(
    _ fix: LocationFix, isSentAgain: Bool = false
  ) throws(AlertStateError) -> [WatcherDecision] {
    if store != nil {
      switch process([fix], inLane: laneNumber(of: fix.device)).first {
      case .decided(let decisions): return decisions
      case .failed(let error): throw error
      case .notTried, nil: return []
      }
    }
    var fix = fix
    let now: Instant
    if isLive {
      now = clock.now()
      fix.time = fix.time ?? now
    } else {
      now = fix.time ?? clock.now()
    }
    return try lanes[0].state.withLock { lane throws(AlertStateError) in
      let before = isSentAgain ? lane.watcher.memory(of: fix.device) : nil
      let decisions = lane.watcher.evaluate(fix, now: now, isLive: isLive)
      if isLive { count(fix, decisions, at: now) }
      do throws(AlertStateError) {
        _ = try act(on: decisions, &lane)
      } catch {
        if let before { lane.watcher.restore(before) }
        throw error
      }
      return decisions
    }
  }

  private func count(_ fix: LocationFix, _ decisions: [WatcherDecision], at now: Instant) {
    counts.withLock { counts in
      counts.count(fixOf: fix.device, at: now)
      counts.count(decisions)
    }
  }

  /// Changes the counts.
  func count(_ body: (inout WatchTally) -> Void) { counts.withLock { body(&$0) } }

  /// Counts decisions that were made as time passed, without a fix.
  func count(_ decisions: [WatcherDecision]) { counts.withLock { $0.count(decisions) } }

  /// Advances time without a fix, for live feeds; see `LocationWatcher.tick(now:)`.
  ///
  /// - Throws: The errors of ``process(_:isSentAgain:)``.
  @discardableResult
  public func tick() throws(AlertStateError) -> [WatcherDecision] {
    let now = clock.now()
    guard store == nil else {
      let decisions = try passTimeShared(at: now) { $0.tick(now: now) }
      count(decisions)
      try tickDeliveries()
      return decisions
    }
    journal?.flush()
    let decisions = try lanes[0].state.withLock { lane throws(AlertStateError) in
      guard lane.watcher.hasTimers else { return [WatcherDecision]() }
      let decisions = lane.watcher.tick(now: now)
      count(decisions)
      _ = try act(on: decisions, &lane)
      return decisions
    }
    sendDigestIfDue(now: now)
    return decisions
  }

  /// Sends the digest of a period that has ended, once, unless it would be empty.
  func sendDigestIfDue(now: Instant) {
    guard isLive, let journal, let period = digests.withLock({ $0.due(at: now) }) else { return }
    do throws(AlertStateError) {
      let history = try journal.history()
      let offset = digests.withLock { $0.clock }.utcOffsetMinutes(period.end)
      let digest = AlertDigest(
        of: HistoryDigest(of: history, from: period.start, until: period.end), in: period,
        utcOffsetMinutes: offset, name: name(of:))
      if let digest {
        let event = JournalEvent.digested(digest, notifiers: outbox.notifierNames)
        let answer = try journal.append(
          JournalBatch(
            subject: .digests, records: [JournalRecord(recorded: now, event: event)],
            isDurable: true))
        // If another process recorded the digest first, that process sends it.
        if case .recorded = answer { outbox.enqueue(.digest(digest), queued: now) }
      }
      digests.withLock { $0.finish(period, now: now) }
    } catch {
      report(.cannotRecord(error))
    }
  }

  /// Returns the name of the place that an entry of the history is about.
  private func name(of entry: HistoryEntry) -> String {
    entry.notification?.memory?.place ?? pasts.withLock { $0[entry.spotID] }?.place
      ?? PlaceName.title(of: entry.coordinate)
  }

  /// Advances time after the last fix; see `LocationWatcher.finish(now:)`.
  ///
  /// - Throws: The errors of ``process(_:isSentAgain:)``.
  @discardableResult
  public func finish() throws(AlertStateError) -> [WatcherDecision] {
    let now = isLive ? clock.now() : nil
    guard store == nil else { return try passTimeShared(at: nil) { $0.finish(now: now) } }
    return try lanes[0].state.withLock { lane throws(AlertStateError) in
      guard lane.watcher.hasTimers else { return [] }
      let decisions = lane.watcher.finish(now: now)
      _ = try act(on: decisions, &lane)
      return decisions
    }
  }

  /// Replaces the index while the session runs; may be called from any thread.
  ///
  /// Fixes wait only while the devices' current spots are looked up in the new index. A session
  /// over a store ignores the given spots, and fetches those around each device again.
  public func replace(spots: SpotIndex, pasts: SpotPasts = SpotPasts()) {
    self.pasts.withLock { $0 = pasts }
    guard store == nil else {
      for lane in lanes { lane.state.withLock { $0.watcher.invalidateRegions() } }
      return
    }
    let old = lanes[0].state.withLock { lane in
      defer { lane.watcher.replace(spots: spots) }
      return lane.watcher.spots
    }
    // Freed after the lock is released, since freeing a large index takes long.
    _ = consume old
  }

  // MARK: - Current values

  /// The current spots; empty for a session over a store, which holds only those near devices.
  public var spots: SpotIndex {
    store == nil ? lanes[0].state.withLock(\.watcher.spots) : SpotIndex(spots: [])
  }

  /// The current rules.
  public var settings: WatcherSettings { lanes[0].state.withLock(\.watcher.settings) }

  /// The current settings of alerts.
  public var alerts: AlertSettings { outbox.alerts }

  /// The counts of a live feed's fixes and decisions since the session began.
  public var tally: WatchTally { counts.withLock { $0 } }

  /// The counts of deliveries since the session began, by notifier.
  public var deliveries: [DeliveryTally] { outbox.tallies }

  // MARK: - Ending

  /// Waits until each delivery is done or waits for its next attempt.
  public func drain() async { await outbox.drain() }

  /// Waits until each delivery is done or given up, at most for a number of seconds. Failed
  /// attempts are repeated meanwhile.
  public func settle(withinSeconds seconds: Double) async {
    await outbox.settle(withinSeconds: seconds)
  }

  /// Stops delivering and closes the state, after which no fix can be processed.
  ///
  /// - Parameter graceSeconds: The time in seconds after which running attempts are cancelled. All
  ///   other deliveries remain for the next session.
  /// - Returns: The undelivered notifications, by notifier.
  @discardableResult
  public func stop(graceSeconds: Double = 10) async -> [UndeliveredNotifications] {
    await outbox.stop(graceSeconds: graceSeconds)
    for lane in lanes { lane.state.withLock { $0.journal?.close() } }
    journal?.close()
    folderLock?.release()
    return outbox.undelivered
  }

  /// Returns the history in a folder, oldest first; empty if the folder has no journal. Visits that
  /// a rule refused, and the starts of waits, are left out.
  ///
  /// It needs no lock, so a watch may be running.
  ///
  /// - Throws: `AlertStateError` if the journal cannot be read or is of a later version.
  public static func history(in stateFolder: FilePath) throws(AlertStateError) -> [HistoryEntry] {
    try wholeHistory(in: stateFolder).filter { $0.kind != .refused && $0.kind != .waited }
  }

  /// Returns the history as ``history(in:)`` does, including visits that a rule refused or that
  /// began to wait.
  public static func wholeHistory(
    in stateFolder: FilePath
  ) throws(AlertStateError) -> [HistoryEntry] {
    try Journal.contents(in: stateFolder).history
  }

  /// Returns the same as ``history(in:)``, and the numbers of the journal's unreadable lines, from
  /// 1. The next session continues without these lines, and keeps a copy of the damaged journal.
  public static func journal(
    in stateFolder: FilePath
  ) throws(AlertStateError) -> (history: [HistoryEntry], damagedLines: [Int]) {
    let contents = try Journal.contents(in: stateFolder)
    return (
      contents.history.filter { $0.kind != .refused && $0.kind != .waited }, contents.damagedLines
    )
  }

  /// Returns whether a session of any process has the state in a folder open; `nil` if that cannot
  /// be determined.
  public static func isOpen(in stateFolder: FilePath) -> Bool? {
    Disk.isLocked(stateFolder.appending(FolderLock.fileName))
  }

  /// Returns a text that differs after each change of the history in a folder.
  public static func historyGeneration(in stateFolder: FilePath) -> String {
    Disk.generation(of: stateFolder.appending(Journal.fileName))
  }

  /// The current spots, and the proximity radius in metres.
  var spotsInForce: (spots: SpotIndex, radiusMeters: Double) {
    lanes[0].state.withLock { ($0.watcher.spots, $0.watcher.settings.proximityRadiusMeters) }
  }

  /// Replaces the rules while the session runs; may be called from any thread.
  ///
  /// The journal continues to use the cluster radius with which the session was opened.
  public func replace(settings: WatcherSettings) {
    for lane in lanes { lane.state.withLock { $0.watcher.replace(settings: settings) } }
    digests.withLock { $0.clock = settings.localClock(or: localClock) }
  }

  /// Replaces the settings of further alerts, and the schedule of digests; may be called from any
  /// thread.
  public func replace(alerts: AlertSettings) {
    outbox.replace(alerts: alerts)
    digests.withLock { $0.schedule = alerts.digest }
  }

  /// Records decisions, and queues their notifications for delivery.
  ///
  /// - Returns: `nil` if the decisions are recorded, or need no record; otherwise
  ///   ``JournalAnswer/overtaken(records:owner:)``, and the notifications are withdrawn.
  /// - Throws: `AlertStateError`; the notifications are withdrawn then.
  func act(
    on decisions: [WatcherDecision], _ lane: inout WatchLane.State
  ) throws(AlertStateError) -> JournalAnswer? {
    let draft = draft(of: decisions, lane)
    guard let journal = lane.journal, !draft.records.isEmpty else {
      conclude(draft, ownerVersion: nil, &lane)
      return nil
    }
    do throws(AlertStateError) {
      if store == nil { journal.note(draft.explanations) }
      switch try journal.append(batch(of: draft, lane)) {
      case .recorded(let version): conclude(draft, ownerVersion: version, &lane)
      case .overtaken(let newRecords, let owner):
        withdraw(draft, &lane)
        return .overtaken(records: newRecords, owner: owner)
      }
    } catch {
      withdraw(draft, &lane)
      throw error
    }
    compact(journal)
    return nil
  }

  /// The records and notifications that result from the decisions about one device.
  struct Draft {
    let device: String?
    let decisions: [WatcherDecision]
    let recorded: Instant
    var records: [JournalRecord] = []
    var explanations: [JournalRecord] = []
    var notifications: [SpotNotification] = []
  }

  /// Returns the records and notifications that result from decisions about one device.
  func draft(of decisions: [WatcherDecision], _ lane: WatchLane.State) -> Draft {
    var draft = Draft(
      device: decisions.first?.fix.device, decisions: decisions, recorded: clock.now())
    for decision in decisions {
      guard let event = event(of: decision, lane.watcher) else { continue }
      let record = JournalRecord(recorded: draft.recorded, event: event)
      if event.isExplanation {
        draft.explanations.append(record)
      } else {
        draft.records.append(record)
      }
      if let notification = decision.notification { draft.notifications.append(notification) }
    }
    return draft
  }

  /// Returns the batch that records a draft.
  func batch(of draft: Draft, _ lane: WatchLane.State) -> JournalBatch {
    var batch = JournalBatch(
      subject: .device(draft.device), records: draft.records,
      isDurable: !draft.notifications.isEmpty)
    guard store != nil, batch.isDurable else { return batch }
    batch.minimumIntervalSeconds = lane.watcher.settings.minimumIntervalSeconds
    if lane.watcher.hasRulesAcrossDevices { batch.ownerVersion = lane.ownerVersion }
    return batch
  }

  /// Shares and delivers the notifications of a recorded draft, and buffers its explanations.
  ///
  /// - Parameters:
  ///   - draft: The records and notifications, which the journal contains.
  ///   - ownerVersion: The number of the owner's last alert after the draft; `nil` if unknown.
  ///   - lane: The lane of the device.
  func conclude(_ draft: Draft, ownerVersion: Int64?, _ lane: inout WatchLane.State) {
    if store != nil || draft.records.isEmpty { lane.journal?.note(draft.explanations) }
    if !draft.notifications.isEmpty {
      recordShared(draft.notifications, ownerVersion, lane.watcher.settings)
      lane.ownerVersion = ownerVersion ?? lane.ownerVersion
      lane.sharedGeneration = 0
    }
    for case .fired(let notification, let names) in draft.records.lazy.map(\.event) {
      outbox.enqueue(.spot(notification), queued: draft.recorded, for: names)
    }
  }

  private func withdraw(_ draft: Draft, _ lane: inout WatchLane.State) {
    for notification in draft.notifications { lane.watcher.withdraw(notification) }
    lane.sharedGeneration = 0
  }

  /// Compacts a journal if that is due. A failure is reported.
  func compact(_ journal: any AlertJournal) {
    do throws(AlertStateError) {
      try journal.compactIfGrown(now: clock.now())
    } catch {
      // Only the compaction failed; the decisions are recorded.
      report(.cannotRecord(error))
    }
  }

  /// Returns a notification with the past of its spot, as seen from the local day of its time.
  private func remembering(
    _ notification: SpotNotification, _ watcher: LocationWatcher
  ) -> SpotNotification {
    var notification = notification
    let today = CivilDay(
      notification.time, utcOffsetMinutes: localClock.utcOffsetMinutes(notification.time))
    if store != nil {
      let spot = watcher.spots(around: notification.device).spot(withID: notification.spot.id)
      notification.memory = spot.map {
        SpotMemory(of: SpotPast(days: [], place: $0.placeName), on: today)
      }
      return notification
    }
    notification.memory = pasts.withLock { $0[notification.spot.id] }
      .map { SpotMemory(of: $0, on: today) }
    return notification
  }

  private func event(
    of decision: WatcherDecision, _ watcher: LocationWatcher
  ) -> JournalEvent? {
    if let notification = decision.notification {
      return .fired(remembering(notification, watcher), notifiers: outbox.notifierNames)
    }
    guard decision.kind.isAboutSpot else { return nil }
    return JournalEvent(of: decision, watcher.spots(around: decision.fix.device))
  }
}

/// A part of a session's devices, processed by one thread at a time.
final class WatchLane: Sendable {
  struct State: Sendable {
    var watcher: LocationWatcher
    /// The journal; `nil` if nothing is stored.
    let journal: (any AlertJournal)?
    /// Fetches spots; `nil` if the watcher has all spots.
    let regions: SharedStore.Regions?
    /// The number of the owner's last alert that the watcher has received.
    var ownerVersion: Int64 = 0
    /// The number of the alerts on all devices that the watcher knows of; zero if it must learn
    /// them again.
    var sharedGeneration = 0
  }

  let state: Mutex<State>

  init(
    _ watcher: LocationWatcher, journal: (any AlertJournal)?, regions: SharedStore.Regions? = nil
  ) {
    state = Mutex(State(watcher: watcher, journal: journal, regions: regions))
  }
}

extension WatcherSettings {
  /// Returns the clock of quiet hours: that of their time zone if one is set, else the machine's.
  fileprivate func localClock(or machine: LocalClock) -> LocalClock {
    quietHoursZone.map { .zone($0) } ?? machine
  }
}
