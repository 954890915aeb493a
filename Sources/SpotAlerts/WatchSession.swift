public import CivilTime
public import LocationFeeds
public import PhotoLibrary
public import SpotWatcher
import Storage
import Synchronization
public import SystemPackage

/// A watch: takes fixes, decides, records and delivers, with its state on disk or without any.
///
/// With a state folder, what is decided is on the disk, cooldown and notification in one, before
/// anything is sent. So a crash loses no notification, and after a restart nothing fires twice; a
/// notification may be *delivered* twice, with the same id, if the crash came between the delivery
/// and its record.
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
  /// The watchers: one, or the lanes of a store that others share.
  let lanes: [WatchLane]
  /// The store that others share; `nil` where there is one index and one journal.
  let store: SharedStore?
  /// What devices of all lanes were notified of lately.
  let sharedAlerts = Mutex(SharedAlerts())
  /// Held by the lane that notifies where a rule across devices is in force.
  let ownerTurn = Mutex(())
  private let pasts: Mutex<SpotPasts>
  /// `nil` where nothing is remembered.
  let journal: (any AlertJournal)?
  let outbox: Outbox
  let clock: any DeliveryClock
  private let localClock: LocalClock
  let isLive: Bool
  private let digests: Mutex<DigestTimer>
  private let counts = Mutex(WatchTally())
  /// When deliveries of other processes are looked for next.
  let nextTakeOver = Mutex(Instant(millisecondsSince1970: .min))
  let report: @Sendable (AlertEvent) -> Void
  /// The lock of the state folder of a watch over a store, whose journal is elsewhere.
  private let folderLock: FolderLock?

  /// Opens the state of a watch; it stays locked until the session is stopped or gone.
  ///
  /// - Parameters:
  ///   - stateFolder: Where the state lies; created for its owner alone where it is missing. With
  ///     `nil` the session begins as if nothing had ever fired, and leaves nothing behind; other
  ///     sessions do not matter to it.
  ///   - spots: The spots.
  ///   - pasts: What notifications say of their past.
  ///   - settings: When to notify.
  ///   - alerts: How alerts are written, and when a digest is sent. Without a state folder, and
  ///     where the feed is not live, none is.
  ///   - localClock: The time on the wall, for the quiet hours and digests.
  ///   - isLive: Whether fixes come as they happen: then `now` is the machine's clock, a fix
  ///     without a time gets that of its arrival, and an old one does not fire. Else it is the time
  ///     of each fix.
  ///   - notifiers: Who is told; with different names.
  ///   - schedule: When a delivery that failed is tried again.
  ///   - clock: The machine's clock.
  ///   - report: Takes what the user may want to know; called from any thread.
  /// - Throws: `AlertStateError` where the state cannot be opened, is in use, or is of a later
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

  /// Opens the state of a watch whose journal has limits of its own.
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

  /// Opens a watch over a store that other processes share.
  ///
  /// Fixes of different lanes may be processed at once; see ``laneNumber(of:)``.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - stateFolder: The folder of the device log, which is locked until the session is stopped;
  ///     `nil` for none.
  ///   - settings: When to notify.
  ///   - alerts: How alerts are written, and when a digest is sent.
  ///   - localClock: The time on the wall, for the quiet hours and digests.
  ///   - isLive: Whether fixes come as they happen.
  ///   - notifiers: Who is told; with different names.
  ///   - schedule: When a delivery that failed is tried again.
  ///   - clock: The machine's clock.
  ///   - report: Takes what the user may want to know; called from any thread.
  /// - Throws: `AlertStateError.unavailable` where the store does not answer; `.inUse` where
  ///   another watch uses the folder.
  package init(
    over store: SharedStore, stateFolder: FilePath? = nil, settings: WatcherSettings,
    alerts: AlertSettings = AlertSettings(), localClock: LocalClock = .machine, isLive: Bool,
    notifiers: [any Notifier],
    schedule: RetrySchedule = RetrySchedule(), clock: any DeliveryClock = SystemClock(),
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
    let office = store.office.journal
    journal = office
    lanes = store.lanes.map { lane in
      WatchLane(
        LocationWatcher(overRegionsWith: settings, localClock: localClock), journal: lane.journal,
        regions: lane.regions)
    }
    outbox = Outbox(
      journal: office, notifiers: notifiers, schedule: schedule, clock: clock, pending: [],
      alerts: alerts, report: report)
    let digests =
      try office?.records(of: .digests, since: clock.now().advanced(bySeconds: -40 * 86_400)) ?? []
    self.digests = Mutex(
      DigestTimer(
        schedule: alerts.digest, clock: settings.localClock(or: localClock),
        ends: digests.compactMap { record in
          if case .digested(let digest, _) = record.event { digest.end } else { nil }
        }, now: clock.now()))
    if settings.hasRulesAcrossDevices, let office {
      try learnOwnerAlerts(
        since: clock.now().advanced(bySeconds: -settings.secondsAcrossDevices), from: office,
        settings)
    }
  }

  /// Starts to deliver, first what an earlier session left.
  public func start() {
    outbox.start()
    // What cannot be taken over now is with the next tick.
    if store != nil { try? takeOverIfDue(now: clock.now()) }
  }

  /// Takes a fix into account, records what is decided and hands it on to be delivered.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - isSentAgain: Whether the sender sends the fix again where this throws.
  /// - Returns: The decisions, as `LocationWatcher.evaluate(_:now:isLive:)` gives them.
  /// - Throws: `AlertStateError.cannotWrite`; then nothing is sent. Where the fix is sent again, it
  ///   is as if it had never come; else a notification is tried again with the next fix.
  @discardableResult
  public func process(
    _ fix: LocationFix, isSentAgain: Bool = false
  ) throws(AlertStateError) -> [WatcherDecision] {
    var fix = fix
    let now: Instant
    if isLive {
      now = clock.now()
      fix.time = fix.time ?? now
    } else {
      now = fix.time ?? clock.now()
    }
    return try lanes[laneNumber(of: fix.device)].state.withLock {
      lane throws(AlertStateError) in
      if store != nil {
        let decisions = try processShared(fix, now: now, &lane)
        if isLive { count(fix, decisions, at: now) }
        return decisions
      }
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

  /// Counts decisions that time alone led to.
  func count(_ decisions: [WatcherDecision]) { counts.withLock { $0.count(decisions) } }

  /// Lets time pass without a fix, for live feeds; see `LocationWatcher.tick(now:)`.
  ///
  /// - Throws: As `process(_:)`.
  @discardableResult
  public func tick() throws(AlertStateError) -> [WatcherDecision] {
    let now = clock.now()
    guard store == nil else {
      let decisions = try passTimeShared { $0.tick(now: now) }
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

  /// Sends the digest of a period that is over, once, and only where there is something to tell.
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
        // Another process that was first sends it.
        if case .recorded = answer { outbox.enqueue(.digest(digest), queued: now) }
      }
      digests.withLock { $0.finish(period, now: now) }
    } catch {
      report(.cannotRecord(error))
    }
  }

  /// The name of the place that an entry of the history is about.
  private func name(of entry: HistoryEntry) -> String {
    entry.notification?.memory?.place ?? pasts.withLock { $0[entry.spotID] }?.place
      ?? PlaceName.title(of: entry.coordinate)
  }

  /// Lets time pass after the last fix; see `LocationWatcher.finish(now:)`.
  ///
  /// - Throws: As `process(_:)`.
  @discardableResult
  public func finish() throws(AlertStateError) -> [WatcherDecision] {
    let now = isLive ? clock.now() : nil
    guard store == nil else { return try passTimeShared { $0.finish(now: now) } }
    return try lanes[0].state.withLock { lane throws(AlertStateError) in
      guard lane.watcher.hasTimers else { return [] }
      let decisions = lane.watcher.finish(now: now)
      _ = try act(on: decisions, &lane)
      return decisions
    }
  }

  /// Takes a new index while running, from any thread; a fix waits for it no longer than it takes
  /// to find the places where devices are now. A watch over a store fetches its spots anew instead.
  public func replace(spots: SpotIndex, pasts: SpotPasts = SpotPasts()) {
    self.pasts.withLock { $0 = pasts }
    guard store == nil else {
      for lane in lanes { lane.state.withLock { $0.watcher.forgetRegions() } }
      return
    }
    let old = lanes[0].state.withLock { lane in
      defer { lane.watcher.replace(spots: spots) }
      return lane.watcher.spots
    }
    // Freed here, after the lock: a large index takes its time.
    _ = consume old
  }

  // MARK: - In force

  /// The spots; none of a watch over a store, which holds but a part of them.
  public var spots: SpotIndex {
    store == nil ? lanes[0].state.withLock(\.watcher.spots) : SpotIndex(spots: [])
  }

  /// The rules.
  public var settings: WatcherSettings { lanes[0].state.withLock(\.watcher.settings) }

  /// How alerts are written, and what phones are told.
  public var alerts: AlertSettings { outbox.alerts }

  /// The counts of fixes and decisions since the session began, of a live feed.
  public var tally: WatchTally { counts.withLock { $0 } }

  /// The counts of deliveries since the session began, by notifier.
  public var deliveries: [DeliveryTally] { outbox.tallies }

  // MARK: - Ending

  /// Waits until everything is delivered, or waits for its next try.
  public func drain() async { await outbox.drain() }

  /// Waits until everything is delivered or given up, for a time at most; what failed is tried
  /// again meanwhile.
  public func settle(withinSeconds seconds: Double) async {
    await outbox.settle(withinSeconds: seconds)
  }

  /// Stops to deliver: what is being delivered may end within a time and is cut short after, the
  /// rest stays for the next session. Then the state is closed: no fix can be processed any more.
  ///
  /// - Returns: What was not delivered, by notifier.
  @discardableResult
  public func stop(graceSeconds: Double = 10) async -> [UndeliveredNotifications] {
    await outbox.stop(graceSeconds: graceSeconds)
    for lane in lanes { lane.state.withLock { $0.journal?.close() } }
    journal?.close()
    folderLock?.release()
    return outbox.undelivered
  }

  /// Returns what happened, the oldest first, as the journal in a folder tells; empty where there
  /// is none.
  ///
  /// It needs no lock, so a watch may be running.
  ///
  /// - Throws: `AlertStateError` where the journal cannot be read or is of a later version.
  public static func history(in stateFolder: FilePath) throws(AlertStateError) -> [HistoryEntry] {
    try wholeHistory(in: stateFolder).filter { $0.kind != .refused && $0.kind != .waited }
  }

  /// The same with what rules refused and what visits waited for.
  public static func wholeHistory(
    in stateFolder: FilePath
  ) throws(AlertStateError) -> [HistoryEntry] {
    try Journal.contents(in: stateFolder).history
  }

  /// The same as ``history(in:)`` with the numbers of the journal's lines that cannot be read, from
  /// 1; the next session sets these aside.
  public static func journal(
    in stateFolder: FilePath
  ) throws(AlertStateError) -> (history: [HistoryEntry], damagedLines: [Int]) {
    let contents = try Journal.contents(in: stateFolder)
    return (
      contents.history.filter { $0.kind != .refused && $0.kind != .waited }, contents.damagedLines
    )
  }

  /// Whether a session has the state in a folder open, in whatever process; `nil` where the system
  /// does not say.
  public static func isOpen(in stateFolder: FilePath) -> Bool? {
    Disk.isLocked(stateFolder.appending(FolderLock.fileName))
  }

  /// A text that differs after each change of the history in a folder.
  public static func historyGeneration(in stateFolder: FilePath) -> String {
    Disk.generation(of: stateFolder.appending(Journal.fileName))
  }

  /// The spots in force, and how near a spot is near, in metres.
  var spotsInForce: (spots: SpotIndex, radiusMeters: Double) {
    lanes[0].state.withLock { ($0.watcher.spots, $0.watcher.settings.proximityRadiusMeters) }
  }

  /// Takes other settings while running, from any thread.
  ///
  /// The radius of places in the journal stays that of the start.
  public func replace(settings: WatcherSettings) {
    for lane in lanes { lane.state.withLock { $0.watcher.replace(settings: settings) } }
    digests.withLock { $0.clock = settings.localClock(or: localClock) }
  }

  /// Has alerts written otherwise from now on, and digests sent at other times; from any thread.
  public func replace(alerts: AlertSettings) {
    outbox.replace(alerts: alerts)
    digests.withLock { $0.schedule = alerts.digest }
  }

  /// Records what is decided and hands it on to be delivered.
  ///
  /// - Returns: `nil` where it is recorded; else what another process recorded meanwhile, and then
  ///   the notifications are withdrawn.
  /// - Throws: `AlertStateError`; then the notifications are withdrawn.
  func act(
    on decisions: [WatcherDecision], _ lane: inout WatchLane.State
  ) throws(AlertStateError) -> JournalAnswer? {
    let recorded = clock.now()
    var records: [JournalRecord] = []
    var explanations: [JournalRecord] = []
    for decision in decisions {
      guard let event = event(of: decision, lane.watcher) else { continue }
      let record = JournalRecord(recorded: recorded, event: event)
      if event.isExplanation { explanations.append(record) } else { records.append(record) }
    }
    guard !records.isEmpty else {
      lane.journal?.note(explanations)
      return nil
    }
    let notifications = decisions.compactMap(\.notification)
    do throws(AlertStateError) {
      if let journal = lane.journal {
        let batch = batch(records, of: decisions, notifies: !notifications.isEmpty, lane)
        if store == nil { journal.note(explanations) }
        switch try journal.append(batch) {
        case .recorded(let version):
          noteShared(notifications, version, lane.watcher.settings)
          lane.ownerVersion = version ?? lane.ownerVersion
        case .overtaken(let newRecords, let owner):
          for notification in notifications { lane.watcher.withdraw(notification) }
          return .overtaken(records: newRecords, owner: owner)
        }
        if store != nil { journal.note(explanations) }
      } else {
        noteShared(notifications, nil, lane.watcher.settings)
      }
    } catch {
      for notification in notifications { lane.watcher.withdraw(notification) }
      throw error
    }
    for case .fired(let notification, _) in records.map(\.event) {
      outbox.enqueue(.spot(notification), queued: recorded)
    }
    do throws(AlertStateError) {
      try lane.journal?.compactIfGrown(now: recorded)
    } catch {
      // What was decided is in the journal, however long that is.
      report(.cannotRecord(error))
    }
    return nil
  }

  private func batch(
    _ records: [JournalRecord], of decisions: [WatcherDecision], notifies: Bool,
    _ lane: WatchLane.State
  ) -> JournalBatch {
    var batch = JournalBatch(
      subject: .device(decisions.first?.fix.device), records: records, isDurable: notifies)
    guard store != nil, notifies else { return batch }
    batch.minimumIntervalSeconds = lane.watcher.settings.minimumIntervalSeconds
    if lane.watcher.settings.hasRulesAcrossDevices { batch.ownerVersion = lane.ownerVersion }
    return batch
  }

  /// The notification with what is known of its spot's past, on the day of the machine's calendar.
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
    return JournalEvent(of: decision, watcher.spots(around: decision.fix.device))
  }
}

/// A part of a session's devices, which one thread decides about at a time.
final class WatchLane: Sendable {
  struct State: Sendable {
    var watcher: LocationWatcher
    /// `nil` where nothing is remembered.
    let journal: (any AlertJournal)?
    /// Fetches spots; `nil` where the watcher has them all.
    let regions: SharedStore.Regions?
    /// The number of the owner's last alert that the watcher knows of.
    var ownerVersion: Int64 = 0
  }

  let state: Mutex<State>

  init(
    _ watcher: LocationWatcher, journal: (any AlertJournal)?, regions: SharedStore.Regions? = nil
  ) {
    state = Mutex(State(watcher: watcher, journal: journal, regions: regions))
  }
}

extension WatcherSettings {
  /// The clock of quiet hours: that of their zone, else the machine's.
  fileprivate func localClock(or machine: LocalClock) -> LocalClock {
    quietHoursZone.map { .zone($0) } ?? machine
  }
}
