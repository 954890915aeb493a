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
    let before: DeviceState
    let draft: Draft
    let batch: JournalBatch
  }

  /// The state of a run.
  private struct FixRun {
    var outcomes: [FixOutcome]
    var pending: [Pending] = []
    /// The devices of the pending fixes.
    var devices: Set<String?> = []
    /// The places of the fixes that other processes overtook.
    var overtaken: [Int] = []
    var hasFailed = false
    /// Whether the next fix needs the session's turn: it notifies, and a rule across devices is in
    /// force.
    var needsTurn = false
    /// Whether the lane has the session's turn.
    var isTurn = false

    init(count: Int) { outcomes = Array(repeating: .notTried, count: count) }

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
    let fixes = fixes.map(arrived)
    var run = FixRun(count: fixes.count)
    var next = 0
    while next < fixes.count, !run.hasFailed {
      if run.needsTurn {
        // Lanes of one process would overtake each other over the owner's row.
        ownerTurn.withLock { _ in
          (run.needsTurn, run.isTurn) = (false, true)
          takeSharedAlerts(&lane)
          next = decide(fixes, from: next, &run, &lane)
          commit(&run, &lane)
          run.isTurn = false
        }
      } else {
        next = decide(fixes, from: next, &run, &lane)
        commit(&run, &lane)
      }
      decideOvertaken(fixes, &run, &lane)
    }
    if isLive { count(fixes, run.outcomes) }
    return run.outcomes
  }

  /// Returns a fix, dated if it had no time, with the current time of its decision.
  private func arrived(_ fix: LocationFix) -> (fix: LocationFix, now: Instant) {
    guard isLive else { return (fix, fix.time ?? clock.now()) }
    var fix = fix
    let now = clock.now()
    fix.time = fix.time ?? now
    return (fix, now)
  }

  private func count(_ fixes: [(fix: LocationFix, now: Instant)], _ outcomes: [FixOutcome]) {
    count { counts in
      for (place, outcome) in outcomes.enumerated() {
        guard case .decided(let decisions) = outcome else { continue }
        counts.count(fixOf: fixes[place].fix.device, at: fixes[place].now)
        counts.count(decisions)
      }
    }
  }

  /// Decides fixes until one must wait for the transaction of those before it.
  ///
  /// - Returns: The place of the first fix that was not decided.
  private func decide(
    _ fixes: [(fix: LocationFix, now: Instant)], from first: Int, _ run: inout FixRun,
    _ lane: inout WatchLane.State
  ) -> Int {
    for place in first..<fixes.count {
      let (fix, now) = fixes[place]
      guard !run.devices.contains(fix.device) else { return place }
      do throws(AlertStateError) {
        try begin(with: fix, now: now, &lane)
        try cover(fix, &lane)
      } catch {
        run.fail(place, error)
        return place
      }
      if !run.isTurn { takeSharedAlerts(&lane) }
      let before = lane.watcher.memory(of: fix.device)
      let decisions = lane.watcher.evaluate(fix, now: now, isLive: isLive)
      let notifies = decisions.contains { $0.isNotification }
      if notifies, !run.isTurn, lane.watcher.settings.hasRulesAcrossDevices {
        lane.undo(to: before)
        run.needsTurn = true
        return place
      }
      let draft = draft(of: decisions, lane)
      if draft.records.isEmpty || lane.journal == nil {
        conclude(draft, ownerVersion: nil, &lane)
        run.outcomes[place] = .decided(decisions)
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
        run.outcomes[waiting.place] = .decided(waiting.draft.decisions)
      case .success(.overtaken(let records, let owner)):
        lane.undo(to: waiting.before)
        learn(records, owner, of: waiting.draft.device, &lane)
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
    _ fixes: [(fix: LocationFix, now: Instant)], _ run: inout FixRun,
    _ lane: inout WatchLane.State
  ) {
    for place in run.overtaken {
      do throws(AlertStateError) {
        run.outcomes[place] = .decided(
          try decideAgain(fixes[place].fix, now: fixes[place].now, &lane))
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
    case needsTurn
  }

  /// Decides about a fix that another process overtook. If it throws, the fix has no effect.
  ///
  /// - Throws: `AlertStateError.overtaken` after the last attempt; `.unavailable` if the store
  ///   cannot be reached.
  private func decideAgain(
    _ fix: LocationFix, now: Instant, _ lane: inout WatchLane.State
  ) throws(AlertStateError) -> [WatcherDecision] {
    for attempt in 1...Self.maximumTryCount {
      try begin(with: fix, now: now, &lane)
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
        // The store refuses a notification within the minimum interval of an earlier one. If it
        // returned no new records, the watcher has forgotten the earlier one, and another attempt
        // would be refused too.
        if !isNew, attempt == Self.maximumTryCount { return [] }
      case .needsTurn: break
      }
    }
    throw .overtaken(device: fix.device)
  }

  /// Decides about a fix once.
  private func decide(
    _ fix: LocationFix, now: Instant, isTurn: Bool, _ lane: inout WatchLane.State
  ) throws(AlertStateError) -> Outcome {
    takeSharedAlerts(&lane)
    let before = lane.watcher.memory(of: fix.device)
    let decisions = lane.watcher.evaluate(fix, now: now, isLive: isLive)
    if !isTurn, lane.watcher.settings.hasRulesAcrossDevices,
      decisions.contains(where: \.isNotification)
    {
      lane.undo(to: before)
      return .needsTurn
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
    learn(records, owner, of: fix.device, &lane)
    return .overtaken(isNew: isNew)
  }
}

extension WatchLane.State {
  /// Restores a device to its state before the last fix.
  fileprivate mutating func undo(to before: DeviceState) {
    watcher.restore(before)
    sharedGeneration = 0
  }
}
