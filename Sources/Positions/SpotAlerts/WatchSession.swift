public import CivilTime
public import LocationFeeds
public import PhotoLibrary
public import SpotWatcher
import Storage
import Synchronization
public import SystemPackage

/// A session that evaluates fixes, records the decisions, and delivers the notifications.
///
/// Its devices are divided among *lanes*, each with a watcher of its own: one for a library in a
/// file, many for a store that several processes share.
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
  /// The lanes, at least one.
  let lanes: [WatchLane]
  /// The spots and the journal.
  let store: WatchStore
  /// The recent alerts on the devices of all lanes.
  let sharedAlerts: Mutex<SharedAlerts>
  /// The lock that a lane holds while it notifies under a rule across devices.
  let notificationLock = Mutex(())
  let outbox: Outbox
  let clock: any DeliveryClock
  let localClock: LocalClock
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
  convenience init(
    stateFolder: FilePath?, journalLimits: JournalLimits, spots: SpotIndex, pasts: SpotPasts,
    settings: WatcherSettings, alerts: AlertSettings = AlertSettings(), localClock: LocalClock,
    isLive: Bool, notifiers: [any Notifier], schedule: RetrySchedule, clock: any DeliveryClock,
    report: @escaping @Sendable (AlertEvent) -> Void
  ) throws(AlertStateError) {
    let library = WholeLibrary(spots, pasts)
    var journal: Journal?
    var restored = WatchStore.Restored(state: WatcherState())
    if let stateFolder {
      let radius = settings.clusterRadiusMeters
      let opened = try Journal.open(
        in: stateFolder, clusterRadiusMeters: radius, limits: journalLimits, now: clock.now())
      if let damage = opened.damage { report(.damagedJournal(damage)) }
      journal = opened.journal
      restored = WatchStore.Restored(
        state: opened.contents.watcherState(
          clusterRadiusMeters: radius, localClock: localClock),
        pending: opened.contents.pending, digestEnds: opened.contents.digests.map(\.digest.end))
    }
    try self.init(
      over: WatchStore(library, journal), continuing: restored, settings: settings,
      alerts: alerts, localClock: localClock, isLive: isLive, notifiers: notifiers,
      schedule: schedule, clock: clock, report: report)
  }

  /// Opens a session over spots and a journal.
  ///
  /// Fixes of different lanes may be processed concurrently; see ``laneNumber(of:)``.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - restored: The contents of its journal, if it was read already.
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
    over store: WatchStore, continuing restored: WatchStore.Restored = .nothing,
    stateFolder: FilePath? = nil, settings: WatcherSettings,
    alerts: AlertSettings = AlertSettings(), localClock: LocalClock = .machine, isLive: Bool,
    notifiers: [any Notifier], schedule: RetrySchedule = RetrySchedule(),
    clock: any DeliveryClock = SystemClock(),
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
    sharedAlerts = Mutex(SharedAlerts(sharing: SharedPositions(), continuing: restored.state))
    lanes = store.lanes.map { lane in
      // A lone lane without a journal can record everything.
      let canUndo = lane.journal != nil || store.lanes.count > 1
      return WatchLane(
        LocationWatcher(
          allSpots: store.library.allSpots, settings: settings, localClock: localClock,
          state: restored.state, canUndo: canUndo), lane)
    }
    let journal = store.sessionLane.journal
    outbox = Outbox(
      journal: journal, notifiers: notifiers, schedule: schedule, clock: clock,
      pending: restored.pending, alerts: alerts, executor: executor, report: report)
    let digests =
      try journal?.records(
        of: .digests, since: clock.now().advanced(bySeconds: -40 * 86_400)) ?? []
    self.digests = Mutex(
      DigestTimer(
        schedule: alerts.digest, clock: settings.localClock(or: localClock),
        ends: restored.digestEnds
          + digests.compactMap { record in
            if case .digested(let digest, _) = record.event { digest.end } else { nil }
          }, now: clock.now()))
    if settings.hasRulesAcrossDevices, let journal {
      try mergeOwnerAlerts(
        since: clock.now().advanced(bySeconds: -settings.secondsAcrossDevices), from: journal,
        settings)
    }
  }

  /// Starts delivering, beginning with the deliveries that an earlier session left pending.
  public func start() {
    outbox.start()
    // If the store cannot be reached, the next tick tries again.
    try? takeOverIfDue(now: clock.now())
  }

  /// Evaluates a fix, records the decisions, and queues the notifications for delivery.
  ///
  /// - Parameter fix: The fix.
  /// - Returns: The decisions; see `LocationWatcher.evaluate(_:now:isLive:)`.
  /// - Throws: `AlertStateError.cannotWrite`; for a session over a store also `.unavailable` and
  ///   `.overtaken`. Nothing is sent then, and the state is as if the fix had never arrived.
  @discardableResult
  public func process(_ fix: LocationFix) throws(AlertStateError) -> [WatcherDecision] {
    switch process([fix], inLane: laneNumber(of: fix.device)).first {
    case .decided(let decisions): return decisions
    case .failed(let error): throw error
    case .notTried, nil: return []
    }
  }

  /// Changes the counts.
  func count(_ body: (inout WatchTally) -> Void) { counts.withLock { body(&$0) } }

  /// Counts reports that have come to an end without a decision.
  package func count(_ end: ReportOutcome, of device: String?, times count: Int = 1) {
    counts.withLock { $0.count(end, of: device, times: count) }
  }

  /// Notes how a device's reports are corrected.
  package func note(_ device: String?, clockShiftSeconds: Double, speedFactor: Double) {
    counts.withLock {
      $0.note(device, clockShiftSeconds: clockShiftSeconds, speedFactor: speedFactor)
    }
  }

  /// Counts decisions that were made as time passed, without a fix.
  func count(_ decisions: [WatcherDecision]) { counts.withLock { $0.count(decisions) } }

  /// Advances time without a fix, for live feeds; see `LocationWatcher.tick(now:)`.
  ///
  /// - Throws: The errors of ``process(_:)``.
  @discardableResult
  public func tick() throws(AlertStateError) -> [WatcherDecision] {
    let now = clock.now()
    let decisions = try passTime(at: now) { $0.tick(now: now) }
    count(decisions)
    try tickDeliveries()
    return decisions
  }

  /// Sends the digest of a period that has ended, once, unless it would be empty.
  func sendDigestIfDue(now: Instant) {
    guard isLive, let journal = store.sessionLane.journal,
      let period = digests.withLock({ $0.due(at: now) })
    else { return }
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
    entry.notification?.memory?.place
      ?? store.library.past(ofSpot: entry.spotID, in: SpotIndex(spots: []))?.place
      ?? PlaceName.title(of: entry.coordinate)
  }

  /// Decides after the last fix what waits for the end of a late burst; see
  /// `LocationWatcher.finish(now:)`.
  ///
  /// - Throws: The errors of ``process(_:)``.
  @discardableResult
  public func finish() throws(AlertStateError) -> [WatcherDecision] {
    let now = clock.now()
    defer { notePresence() }
    return try passTime(at: nil) { [isLive] in isLive ? $0.finish(now: now) : [] }
  }

  /// Replaces the index while the session runs; may be called from any thread.
  ///
  /// Fixes wait only while the devices' current spots are looked up in the new index. A session
  /// over a store ignores the given spots, and fetches those around each device again.
  public func replace(spots: SpotIndex, pasts: SpotPasts = SpotPasts()) {
    let old = store.library.allSpots
    store.library.replace(spots: spots, pasts: pasts)
    for lane in lanes { lane.state.withLock { $0.watcher.replace(spots: spots) } }
    // Freed after the locks are released, since freeing a large index takes long.
    _ = consume old
  }

  /// Replaces the user's places that are joined with fetched spots.
  package func replace(places: [OwnPlace]) {
    store.places.take(places)
    fetchRegionsAgain()
  }

  /// Fetches the spots around each device again with its next fix.
  package func fetchRegionsAgain() {
    for lane in lanes { lane.state.withLock { $0.watcher.invalidateRegions() } }
  }

  // MARK: - Current values

  /// The current spots; empty for a session over a store, which holds only those near devices.
  public var spots: SpotIndex { allSpots ?? SpotIndex(spots: []) }

  /// The current spots; `nil` for a session that holds only those near devices.
  package var allSpots: SpotIndex? { store.library.allSpots }

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

  /// The time in seconds for which deliveries that have begun may go on when a program is asked to
  /// end. With the two seconds of a server, it leaves room in the ten seconds that containers give.
  public static let graceSeconds = 5.0

  /// Stops delivering and closes the state, after which no fix can be processed.
  ///
  /// - Parameter graceSeconds: The time in seconds after which running attempts are cancelled. All
  ///   other deliveries remain for the next session.
  /// - Returns: The undelivered notifications, by notifier.
  @discardableResult
  public func stop(
    graceSeconds: Double = WatchSession.graceSeconds
  ) async -> [UndeliveredNotifications] {
    await outbox.stop(graceSeconds: graceSeconds)
    notePresence()
    for lane in lanes { lane.state.withLock { $0.journal?.close() } }
    store.sessionLane.journal?.close()
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
    Disk.generation(of: stateFolder.appending(Journal.fileName)).text
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
}

extension WatcherSettings {
  /// Returns the clock of quiet hours: that of their time zone if one is set, else the machine's.
  fileprivate func localClock(or machine: LocalClock) -> LocalClock {
    quietHoursZone.map { .zone($0) } ?? machine
  }
}
