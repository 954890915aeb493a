import CivilTime
package import LocationFeeds
package import SpotWatcher
import Synchronization

/// The outcome of a fix in a run.
package enum FixOutcome: Sendable {
  /// It is decided, and recorded where necessary.
  case decided([WatcherDecision])
  /// It could not be recorded, and has no effect.
  case failed(AlertStateError)
  /// It was not examined, since an earlier fix failed.
  case notTried
}

/// Runs of fixes of one lane, which are recorded together.
///
/// A transaction records the decisions about several devices. Until a fix is recorded, no other fix
/// of the same device is decided. A fix that another process overtook is decided again alone, after
/// the transaction and before the next fix of its device.
extension WatchSession {
  /// The maximum number of times that a fix is decided.
  private static let maximumTryCount = 3

  /// The state of a run.
  private struct FixRun {
    /// The fixes, in their order.
    let fixes: [LocationFix]
    /// The time of the machine's clock when the run began.
    let now: Instant
    private(set) var outcomes: [FixOutcome]
    /// The numbers of decisions by kind.
    private(set) var kinds = KindCounts()
    /// The places of the fixes whose decisions are not recorded yet, with the decisions.
    var pending: [(place: Int, decided: UnrecordedDecisions)] = []
    /// The devices of the pending fixes.
    var devices: Set<String?> = []
    /// The places of the fixes that other processes overtook.
    private var overtaken: [(place: Int, isNew: Bool)] = []
    var hasFailed = false
    /// Whether the next fix needs the session's notification lock: it notifies, and a rule across
    /// devices is in force.
    var needsLock = false
    /// Whether no other lane can notify meanwhile.
    var hasLock: Bool

    init(_ fixes: [LocationFix], now: Instant, hasLock: Bool) {
      self.fixes = fixes
      self.now = now
      self.hasLock = hasLock
      outcomes = Array(repeating: .notTried, count: fixes.count)
    }

    mutating func note(_ decisions: [WatcherDecision], _ place: Int) {
      outcomes[place] = .decided(decisions)
      kinds.count(decisions)
    }

    mutating func note(_ recording: Recording, of decisions: [WatcherDecision], _ place: Int) {
      switch recording {
      case .recorded: note(decisions, place)
      case .overtaken(let isNew): overtaken.append((place, isNew))
      case .failed(let error): fail(place, error)
      }
    }

    mutating func fail(_ place: Int, _ error: AlertStateError) {
      outcomes[place] = .failed(error)
      hasFailed = true
    }

    /// Returns the overtaken fixes, and forgets them.
    mutating func takeOvertaken() -> [(place: Int, isNew: Bool)] {
      defer { overtaken = [] }
      return overtaken
    }
  }

  /// Evaluates fixes of one lane, records the decisions, and delivers the notifications.
  ///
  /// - Parameters:
  ///   - fixes: The fixes, in their order.
  ///   - number: The lane of their devices.
  /// - Returns: The outcomes of the fixes. After the first failure, the rest is not tried.
  package func process(_ fixes: [LocationFix], inLane number: Int) -> [FixOutcome] {
    lanes[number].state.withLock { process(fixes, &$0) }
  }

  private func process(_ fixes: [LocationFix], _ lane: inout WatchLane.State) -> [FixOutcome] {
    let now = clock.now()
    var run = FixRun(dated(fixes, now: now), now: now, hasLock: lanes.count == 1)
    var next = 0
    while next < fixes.count, !run.hasFailed {
      next = advance(&run, next..<fixes.count, &lane)
      for (place, _) in run.takeOvertaken() { decideAgain(place, &run, &lane) }
    }
    if isLive { count(run) }
    return run.outcomes
  }

  /// Returns fixes with the time of arrival for those without a time, if they arrive in real time.
  private func dated(_ fixes: [LocationFix], now: Instant) -> [LocationFix] {
    guard isLive, fixes.contains(where: { $0.time == nil }) else { return fixes }
    return fixes.map { fix in
      var fix = fix
      fix.time = fix.time ?? now
      return fix
    }
  }

  private func count(_ run: FixRun) {
    count { counts in
      for (place, outcome) in run.outcomes.enumerated() {
        guard case .decided(let decisions) = outcome else { continue }
        counts.count(
          fixOf: run.fixes[place].device, at: run.now, ReportOutcome(of: decisions))
      }
      counts.add(run.kinds)
    }
  }

  /// Decides about fixes until one must wait for the transaction of those before it, and records
  /// the decisions.
  ///
  /// - Returns: The place of the first fix that was not decided.
  private func advance(
    _ run: inout FixRun, _ places: Range<Int>, _ lane: inout WatchLane.State
  ) -> Int {
    guard run.needsLock else { return decideAndRecord(&run, places, &lane) }
    // Lanes of one process would overtake each other over the owner's row.
    return notificationLock.withLock { _ in
      (run.needsLock, run.hasLock) = (false, true)
      defer { run.hasLock = false }
      return decideAndRecord(&run, places, &lane)
    }
  }

  private func decideAndRecord(
    _ run: inout FixRun, _ places: Range<Int>, _ lane: inout WatchLane.State
  ) -> Int {
    refreshSharedAlerts(&lane)
    let next = decide(&run, places, &lane)
    let recordings = record(run.pending.map(\.decided), &lane)
    for (pending, recording) in zip(run.pending, recordings) {
      run.note(recording, of: pending.decided.decisions, pending.place)
    }
    run.pending.removeAll(keepingCapacity: true)
    run.devices.removeAll(keepingCapacity: true)
    return next
  }

  private func decide(
    _ run: inout FixRun, _ places: Range<Int>, _ lane: inout WatchLane.State
  ) -> Int {
    for place in places {
      let fix = run.fixes[place]
      guard !run.devices.contains(fix.device) else { return place }
      let now = isLive ? run.now : fix.time ?? run.now
      do throws(AlertStateError) {
        try prepare(for: fix, now: now, &lane)
        try fetchRegion(for: fix, now: run.now, &lane)
      } catch {
        run.fail(place, error)
        return place
      }
      if !run.hasLock { refreshSharedAlerts(&lane) }
      let decisions = lane.watcher.evaluate(fix, now: now, isLive: isLive)
      notePresence(of: fix.device, at: now, &lane)
      guard decisions.contains(where: { $0.kind.isAboutSpot }) else {
        run.note(decisions, place)
        continue
      }
      let before = lane.watcher.takeBackups()
      if !run.hasLock, lane.watcher.hasRulesAcrossDevices,
        decisions.contains(where: \.isNotification)
      {
        lane.undo(to: before)
        run.needsLock = true
        return place
      }
      let batch = batch(of: decisions, lane)
      if concludeAtOnce(batch, &lane) {
        run.note(decisions, place)
      } else {
        let decided = UnrecordedDecisions(
          device: fix.device, decisions: decisions, batch: batch, before: before)
        run.pending.append((place, decided))
        run.devices.insert(fix.device)
      }
    }
    return places.upperBound
  }

  /// Decides about a fix that another process overtook. If it fails, the fix has no effect.
  private func decideAgain(
    _ place: Int, _ run: inout FixRun, _ lane: inout WatchLane.State
  ) {
    for attempt in 1...Self.maximumTryCount {
      // The first attempt may only find that the notification lock is needed.
      repeat { _ = advance(&run, place..<place + 1, &lane) } while run.needsLock
      guard let overtaken = run.takeOvertaken().first else { return }
      // The store refuses a notification within the minimum interval of an earlier one. If it
      // returned no new records, the watcher has forgotten the earlier one, and another attempt
      // would be refused too.
      if !overtaken.isNew, attempt == Self.maximumTryCount { return run.note([], place) }
    }
    run.fail(place, .overtaken(device: run.fixes[place].device))
  }
}
