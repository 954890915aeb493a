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

  /// A fix whose decisions are not recorded yet.
  private struct Pending {
    let place: Int
    /// The state of the device before the fix.
    let before: [DeviceState]
    let draft: Draft
    let batch: JournalBatch
  }

  /// The state of a run.
  private struct FixRun {
    /// The time of the machine's clock when the run began.
    let now: Instant
    private(set) var outcomes: [FixOutcome]
    /// The numbers of decisions by kind.
    private(set) var kinds = KindCounts()
    var pending: [Pending] = []
    /// The devices of the pending fixes.
    var devices: Set<String?> = []
    /// The places of the fixes that other processes overtook.
    var overtaken: [Int] = []
    var hasFailed = false
    /// Whether the next fix needs the session's notification lock: it notifies, and a rule across
    /// devices is in force.
    var needsLock = false
    /// Whether the lane holds the session's notification lock.
    var hasLock = false

    init(count: Int, now: Instant) {
      self.now = now
      outcomes = Array(repeating: .notTried, count: count)
    }

    mutating func note(_ decisions: [WatcherDecision], _ place: Int) {
      outcomes[place] = .decided(decisions)
      kinds.count(decisions)
    }

    mutating func fail(_ place: Int, _ error: AlertStateError) {
      outcomes[place] = .failed(error)
      hasFailed = true
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
    var run = FixRun(count: fixes.count, now: clock.now())
    let fixes = dated(fixes, now: run.now)
    var next = 0
    while next < fixes.count, !run.hasFailed {
      if run.needsLock {
        // Lanes of one process would overtake each other over the owner's row.
        notificationLock.withLock { _ in
          (run.needsLock, run.hasLock) = (false, true)
          refreshSharedAlerts(&lane)
          next = decide(fixes, from: next, &run, &lane)
          commit(&run, &lane)
          run.hasLock = false
        }
      } else {
        next = decide(fixes, from: next, &run, &lane)
        commit(&run, &lane)
      }
      decideOvertaken(fixes, &run, &lane)
    }
    if isLive { count(fixes, run) }
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

  /// Returns the current time for the decision about a fix.
  private func decisionTime(of fix: LocationFix, _ run: FixRun) -> Instant {
    isLive ? run.now : fix.time ?? run.now
  }

  private func count(_ fixes: [LocationFix], _ run: FixRun) {
    count { counts in
      for (place, outcome) in run.outcomes.enumerated() {
        if case .decided = outcome { counts.count(fixOf: fixes[place].device, at: run.now) }
      }
      counts.add(run.kinds)
    }
  }

  /// Decides fixes until one must wait for the transaction of those before it.
  ///
  /// - Returns: The place of the first fix that was not decided.
  private func decide(
    _ fixes: [LocationFix], from first: Int, _ run: inout FixRun,
    _ lane: inout WatchLane.State
  ) -> Int {
    for place in first..<fixes.count {
      let fix = fixes[place]
      guard !run.devices.contains(fix.device) else { return place }
      let now = decisionTime(of: fix, run)
      do throws(AlertStateError) {
        try prepare(for: fix, now: now, &lane)
        try fetchRegion(for: fix, now: run.now, &lane)
      } catch {
        run.fail(place, error)
        return place
      }
      if !run.hasLock { refreshSharedAlerts(&lane) }
      let decisions = lane.watcher.evaluate(fix, now: now, isLive: isLive)
      guard decisions.contains(where: { $0.kind.isAboutSpot }) else {
        run.note(decisions, place)
        continue
      }
      let before = lane.watcher.takeBackups()
      let notifies = decisions.contains { $0.isNotification }
      if notifies, !run.hasLock, lane.watcher.hasRulesAcrossDevices {
        lane.undo(to: before)
        run.needsLock = true
        return place
      }
      let draft = draft(of: decisions, lane)
      if draft.records.isEmpty || lane.journal == nil {
        conclude(draft, ownerVersion: nil, &lane)
        run.note(decisions, place)
      } else {
        run.pending.append(
          Pending(place: place, before: before, draft: draft, batch: batch(of: draft, lane)))
        run.devices.insert(fix.device)
      }
    }
    return fixes.count
  }

  /// Records the pending decisions in one transaction.
  private func commit(_ run: inout FixRun, _ lane: inout WatchLane.State) {
    guard !run.pending.isEmpty, let journal = lane.journal else { return }
    let answers = journal.append(together: run.pending.map(\.batch))
    for (waiting, answer) in zip(run.pending, answers) {
      switch answer {
      case .success(.recorded(let version)):
        conclude(waiting.draft, ownerVersion: version, &lane)
        run.note(waiting.draft.decisions, waiting.place)
      case .success(.overtaken(let records, let owner)):
        lane.undo(to: waiting.before)
        merge(records, owner, of: waiting.draft.device, &lane)
        run.overtaken.append(waiting.place)
      case .failure(let error):
        lane.undo(to: waiting.before)
        run.fail(waiting.place, error)
      }
    }
    run.pending.removeAll(keepingCapacity: true)
    run.devices.removeAll(keepingCapacity: true)
    compact(journal)
  }

  /// Decides the overtaken fixes again, one by one.
  private func decideOvertaken(
    _ fixes: [LocationFix], _ run: inout FixRun,
    _ lane: inout WatchLane.State
  ) {
    for place in run.overtaken {
      do throws(AlertStateError) {
        let now = decisionTime(of: fixes[place], run)
        run.note(try decideAgain(fixes[place], now: now, &lane), place)
      } catch {
        run.fail(place, error)
      }
    }
    run.overtaken = []
  }

  // MARK: - One fix

  /// The outcome of an attempt to decide a fix alone.
  private enum Outcome {
    case decided([WatcherDecision])
    /// Another process recorded something first; `isNew` is true if its records were unknown here.
    case overtaken(isNew: Bool)
    /// A rule across devices is in force, and no other lane may notify meanwhile.
    case needsLock
  }

  /// Decides about a fix that another process overtook. If it throws, the fix has no effect.
  ///
  /// - Throws: `AlertStateError.overtaken` after the last attempt; `.unavailable` if the store
  ///   cannot be reached.
  private func decideAgain(
    _ fix: LocationFix, now: Instant, _ lane: inout WatchLane.State
  ) throws(AlertStateError) -> [WatcherDecision] {
    for attempt in 1...Self.maximumTryCount {
      try prepare(for: fix, now: now, &lane)
      try fetchRegion(for: fix, now: clock.now(), &lane)
      var outcome = try decide(fix, now: now, hasLock: false, &lane)
      if case .needsLock = outcome {
        outcome = try notificationLock.withLock { _ throws(AlertStateError) in
          try decide(fix, now: now, hasLock: true, &lane)
        }
      }
      switch outcome {
      case .decided(let decisions): return decisions
      case .overtaken(let isNew):
        // The store refuses a notification within the minimum interval of an earlier one. If it
        // returned no new records, the watcher has forgotten the earlier one, and another attempt
        // would be refused too.
        if !isNew, attempt == Self.maximumTryCount { return [] }
      case .needsLock: break
      }
    }
    throw .overtaken(device: fix.device)
  }

  /// Decides about a fix once.
  private func decide(
    _ fix: LocationFix, now: Instant, hasLock: Bool, _ lane: inout WatchLane.State
  ) throws(AlertStateError) -> Outcome {
    refreshSharedAlerts(&lane)
    let decisions = lane.watcher.evaluate(fix, now: now, isLive: isLive)
    let before = lane.watcher.takeBackups()
    if !hasLock, lane.watcher.hasRulesAcrossDevices,
      decisions.contains(where: \.isNotification)
    {
      lane.undo(to: before)
      return .needsLock
    }
    let answer: JournalAnswer?
    do throws(AlertStateError) {
      answer = try act(on: decisions, &lane)
    } catch {
      lane.undo(to: before)
      throw error
    }
    guard case .overtaken(let records, let owner) = answer else { return .decided(decisions) }
    let isNew = !records.isEmpty || owner.map { $0.version != lane.ownerVersion } ?? false
    lane.undo(to: before)
    merge(records, owner, of: fix.device, &lane)
    return .overtaken(isNew: isNew)
  }
}

extension WatchLane.State {
  /// Restores a device to its state before a fix.
  fileprivate mutating func undo(to before: [DeviceState]) {
    for device in before { watcher.restore(device) }
    sharedGeneration = 0
  }
}
