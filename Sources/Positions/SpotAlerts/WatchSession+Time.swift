import CivilTime
import LocationFeeds
package import SpotWatcher
import Synchronization

/// The passing of time, and of responsibility for deliveries.
extension WatchSession {
  /// The interval in seconds between calls of ``Outbox/takeOver()``.
  private static let takeOverSeconds = 15.0

  /// Advances time in one lane, for live feeds; see `LocationWatcher.tick(now:)`.
  ///
  /// - Throws: The errors of ``process(_:)``; the decisions are made again at the next tick.
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
  func passTime(
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
    let groups = Self.byDevice(pass(&lane.watcher))
    let before = lane.watcher.takeBackups()
    var recorded: [WatcherDecision] = []
    var unrecorded: [UnrecordedDecisions] = []
    for decisions in groups {
      let (device, batch) = (decisions[0].fix.device, batch(of: decisions, lane))
      if concludeAtOnce(batch, &lane) {
        recorded += decisions
      } else {
        unrecorded.append(
          UnrecordedDecisions(
            device: device, decisions: decisions, batch: batch,
            before: before.filter { $0.name == device }))
      }
    }
    var failure: AlertStateError?
    for (decided, recording) in zip(unrecorded, record(unrecorded, &lane)) {
      switch recording {
      case .recorded: recorded += decided.decisions
      case .overtaken: break
      case .failed(let error): failure = error
      }
    }
    if recorded.isEmpty, let failure { throw failure }
    return recorded
  }

  /// Returns decisions by device, each group not empty.
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
}
