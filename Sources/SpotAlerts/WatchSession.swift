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
  private let watcher: Mutex<LocationWatcher>
  private let pasts: Mutex<SpotPasts>
  /// `nil` where nothing is remembered.
  private let journal: Journal?
  private let outbox: Outbox
  private let clock: any DeliveryClock
  private let localClock: LocalClock
  private let isLive: Bool
  private let digests: Mutex<DigestTimer>
  private let counts = Mutex(WatchTally())
  private let report: @Sendable (AlertEvent) -> Void

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
    watcher = Mutex(
      LocationWatcher(
        spots: spots, settings: settings, localClock: localClock,
        state: contents.watcherState(clusterRadiusMeters: settings.clusterRadiusMeters)))
    outbox = Outbox(
      journal: journal, notifiers: notifiers, schedule: schedule, clock: clock,
      pending: contents.pending, alerts: alerts, report: report)
    digests = Mutex(
      DigestTimer(
        schedule: alerts.digest, clock: settings.localClock(or: localClock),
        ends: contents.digests.map(\.digest.end), now: clock.now()))
  }

  /// Starts to deliver, first what an earlier session left.
  public func start() { outbox.start() }

  /// Takes a fix into account, records what is decided and hands it on to be delivered.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - isSentAgain: Whether the sender sends the fix again where this throws.
  /// - Returns: The decisions, as ``LocationWatcher/evaluate(_:now:isLive:)`` gives them.
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
    return try watcher.withLock { watcher throws(AlertStateError) in
      let before = isSentAgain ? watcher.memory(of: fix.device) : nil
      let decisions = watcher.evaluate(fix, now: now, isLive: isLive)
      if isLive {
        counts.withLock { counts in
          counts.count(fixOf: fix.device, at: now)
          counts.count(decisions)
        }
      }
      do throws(AlertStateError) {
        try act(on: decisions, &watcher)
      } catch {
        if let before { watcher.restore(before) }
        throw error
      }
      return decisions
    }
  }

  /// Lets time pass without a fix, for live feeds; see ``LocationWatcher/tick(now:)``.
  ///
  /// - Throws: As ``process(_:)``.
  @discardableResult
  public func tick() throws(AlertStateError) -> [WatcherDecision] {
    let now = clock.now()
    journal?.flush()
    let decisions = try watcher.withLock { watcher throws(AlertStateError) in
      guard watcher.hasTimers else { return [WatcherDecision]() }
      let decisions = watcher.tick(now: now)
      counts.withLock { $0.count(decisions) }
      try act(on: decisions, &watcher)
      return decisions
    }
    sendDigestIfDue(now: now)
    return decisions
  }

  /// Sends the digest of a period that is over, once, and only where there is something to tell.
  private func sendDigestIfDue(now: Instant) {
    guard isLive, let journal, let period = digests.withLock({ $0.due(at: now) }) else { return }
    do throws(AlertStateError) {
      let history = try journal.history()
      let offset = digests.withLock { $0.clock }.utcOffsetMinutes(period.end)
      let digest = AlertDigest(
        of: HistoryDigest(of: history, from: period.start, until: period.end), in: period,
        utcOffsetMinutes: offset, name: name(of:))
      if let digest {
        let event = JournalEvent.digested(digest, notifiers: outbox.notifierNames)
        try journal.append([JournalRecord(recorded: now, event: event)], isDurable: true)
        outbox.enqueue(.digest(digest), queued: now)
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

  /// Lets time pass after the last fix; see ``LocationWatcher/finish(now:)``.
  ///
  /// - Throws: As ``process(_:)``.
  @discardableResult
  public func finish() throws(AlertStateError) -> [WatcherDecision] {
    let now = isLive ? clock.now() : nil
    return try watcher.withLock { watcher throws(AlertStateError) in
      guard watcher.hasTimers else { return [] }
      let decisions = watcher.finish(now: now)
      try act(on: decisions, &watcher)
      return decisions
    }
  }

  /// Takes a new index while running, from any thread; a fix waits for it no longer than it takes
  /// to find the places where devices are now.
  public func replace(spots: SpotIndex, pasts: SpotPasts = SpotPasts()) {
    self.pasts.withLock { $0 = pasts }
    let old = watcher.withLock { watcher in
      defer { watcher.replace(spots: spots) }
      return watcher.spots
    }
    // Freed here, after the lock: a large index takes its time.
    _ = consume old
  }

  // MARK: - In force

  /// The spots.
  public var spots: SpotIndex { watcher.withLock(\.spots) }

  /// The rules.
  public var settings: WatcherSettings { watcher.withLock(\.settings) }

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
    journal?.close()
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
    watcher.withLock { ($0.spots, $0.settings.proximityRadiusMeters) }
  }

  /// Takes other settings while running, from any thread.
  ///
  /// The radius of places in the journal stays that of the start.
  public func replace(settings: WatcherSettings) {
    watcher.withLock { $0.replace(settings: settings) }
    digests.withLock { $0.clock = settings.localClock(or: localClock) }
  }

  /// Has alerts written otherwise from now on, and digests sent at other times; from any thread.
  public func replace(alerts: AlertSettings) {
    outbox.replace(alerts: alerts)
    digests.withLock { $0.schedule = alerts.digest }
  }

  private func act(
    on decisions: [WatcherDecision], _ watcher: inout LocationWatcher
  ) throws(AlertStateError) {
    let recorded = clock.now()
    var records: [JournalRecord] = []
    var explanations: [JournalRecord] = []
    for decision in decisions {
      guard let event = event(of: decision, watcher.spots) else { continue }
      let record = JournalRecord(recorded: recorded, event: event)
      if event.isExplanation { explanations.append(record) } else { records.append(record) }
    }
    journal?.note(explanations)
    guard !records.isEmpty else { return }
    let notifications = decisions.compactMap(\.notification)
    do throws(AlertStateError) {
      try journal?.append(records, isDurable: !notifications.isEmpty)
    } catch {
      for notification in notifications { watcher.withdraw(notification) }
      throw error
    }
    for case .fired(let notification, _) in records.map(\.event) {
      outbox.enqueue(.spot(notification), queued: recorded)
    }
    do throws(AlertStateError) {
      try journal?.compactIfGrown(now: recorded)
    } catch {
      // What was decided is in the journal, however long that is.
      report(.cannotRecord(error))
    }
  }

  /// The notification with what is known of its spot's past, on the day of the machine's calendar.
  private func remembering(_ notification: SpotNotification) -> SpotNotification {
    var notification = notification
    let today = CivilDay(
      notification.time, utcOffsetMinutes: localClock.utcOffsetMinutes(notification.time))
    notification.memory = pasts.withLock { $0[notification.spot.id] }
      .map { SpotMemory(of: $0, on: today) }
    return notification
  }

  private func event(of decision: WatcherDecision, _ spots: SpotIndex) -> JournalEvent? {
    if let notification = decision.notification {
      return .fired(remembering(notification), notifiers: outbox.notifierNames)
    }
    return JournalEvent(of: decision, spots)
  }
}

extension WatcherSettings {
  /// The clock of quiet hours: that of their zone, else the machine's.
  fileprivate func localClock(or machine: LocalClock) -> LocalClock {
    quietHoursZone.map { .zone($0) } ?? machine
  }
}
