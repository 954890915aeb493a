import Dispatch
package import LocationFeeds
package import SpotAlerts
package import SpotWatcher
import Synchronization

/// The lanes of a watch over a store, each with a thread that decides about the fixes of its
/// devices.
///
/// While the store cannot be reached, fixes that their senders repeat are refused, and others wait.
/// Results are collected for the thread that reads the feeds.
package final class WatchLanes: Sendable {
  /// Decisions about a fix, or those made as time passed.
  package struct Decided: Sendable {
    /// The fix; `nil` for decisions made as time passed.
    package let fix: LocationFix?
    /// The decisions.
    package let decisions: [WatcherDecision]
  }

  /// The results since they were last taken.
  package struct Results: Sendable {
    /// The decisions, in order for each device.
    package var decided: [Decided] = []
    /// The devices of the fixes that could not be stored.
    package var notStored: [String?] = []
    /// The numbers of the readings whose fixes are all decided or refused, and whether none was
    /// refused.
    package var finished: [(reading: Int, isTaken: Bool)] = []

    var isEmpty: Bool { decided.isEmpty && finished.isEmpty && notStored.isEmpty }
  }

  private struct Collected {
    var results = Results()
    /// The number of undecided fixes of each reading, and whether none was refused so far.
    var open: [Int: (count: Int, isTaken: Bool)] = [:]

    /// Notes that a fix could not be stored.
    mutating func refuse(_ job: LaneQueue.Job) {
      results.notStored.append(job.fix.device)
      finish(job.reading, isTaken: false)
    }

    /// Notes that a fix of a reading is decided or refused.
    mutating func finish(_ reading: Int, isTaken: Bool) {
      guard let place = open.index(forKey: reading) else { return }
      open.values[place].count -= 1
      if !isTaken { open.values[place].isTaken = false }
      guard open.values[place].count == 0 else { return }
      results.finished.append((reading, open.remove(at: place).value.isTaken))
    }
  }

  /// A structure around an optional closure. A mutex that holds the closure itself would wrap it in
  /// two more closures at each access, and calls would become slower and slower.
  private struct Waker: Sendable {
    var wake: (@Sendable () -> Void)?
  }

  private final class Lane: Sendable {
    struct State {
      var queue = LaneQueue()
      var isRunning = false
      var isTickDue = false
      var isAlarmSet = false
      var isStopping = false
    }

    let state = Mutex(State())
    let thread: DispatchQueue

    init(_ number: Int) { thread = DispatchQueue(label: "photospots.lane.\(number)") }
  }

  private let session: WatchSession
  private let lanes: [Lane]
  private let deliveries = DispatchQueue(label: "photospots.deliveries")
  private let isDeliveryTickDue = Mutex(false)
  private let collected = Mutex(Collected())
  private let waker = Mutex(Waker(wake: nil))
  private let outage: StoreOutage

  /// Creates the threads of a session's lanes.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - outage: Reports errors and recoveries.
  package init(of session: WatchSession, _ outage: StoreOutage) {
    self.session = session
    lanes = (0..<session.laneCount).map(Lane.init)
    self.outage = outage
  }

  /// Sets a function that is called when there are results; `nil` for none.
  package func wake(by waker: (@Sendable () -> Void)?) { self.waker.withLock { $0.wake = waker } }

  /// Adds the fixes of a reading.
  package func add(_ fixes: [LocationFix], reading: Int, isSentAgain: Bool) {
    collected.withLock { $0.open[reading] = (fixes.count, true) }
    let numbers = fixes.map { session.laneNumber(of: $0.device) }
    for number in lanes.indices where numbers.contains(number) {
      change(number) { state in
        for (place, fix) in fixes.enumerated() where numbers[place] == number {
          state.queue.add(LaneQueue.Job(fix, reading: reading, isSentAgain: isSentAgain))
        }
      }
    }
  }

  /// Advances time on the threads of the lanes: postponed alerts fire, and deliveries of processes
  /// that ended are taken over.
  package func tick() {
    for number in lanes.indices { change(number) { $0.isTickDue = true } }
    let isFirst = isDeliveryTickDue.withLock { isDue in
      defer { isDue = true }
      return !isDue
    }
    guard isFirst else { return }
    deliveries.async { [self] in
      isDeliveryTickDue.withLock { $0 = false }
      do throws(AlertStateError) {
        try session.tickDeliveries()
        let number = lanes.count
        outage.noteSuccess(of: number, isReachable: session.isReachable(fromLane: number))
      } catch { outage.note(error, of: lanes.count) }
    }
  }

  /// Returns the results since the last call.
  package func takeResults() -> Results {
    collected.withLock { collected in
      defer { collected.results = Results() }
      return collected.results
    }
  }

  /// Refuses the fixes that wait for the store, now and from now on, so that all readings finish.
  func stopWaiting() {
    for number in lanes.indices {
      change(number) { $0.isStopping = true }
    }
  }

  /// Waits until the threads of the lanes are idle.
  package func join() {
    for lane in lanes { lane.thread.sync {} }
    deliveries.sync {}
  }

  // MARK: - On the thread of a lane

  private func change(_ number: Int, _ body: (inout Lane.State) -> Void) {
    let isIdle = lanes[number].state.withLock { state in
      body(&state)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isIdle { lanes[number].thread.async { [self] in run(number) } }
  }

  private enum Step {
    case decide([LaneQueue.Job])
    case drop([LaneQueue.Job])
    case tick
    /// Stop until the lane's state changes, which an alarm does after a time; `nil` if no alarm is
    /// needed, or one is set already.
    case rest(alarm: Duration?)
  }

  private func run(_ number: Int) {
    while true {
      switch lanes[number].state.withLock({ Self.nextStep(&$0) }) {
      case .decide(let jobs): decide(jobs, number)
      case .drop(let jobs):
        collect { collected in
          for job in jobs { collected.refuse(job) }
        }
      case .tick: tick(number)
      case .rest(let alarm):
        if let alarm { setAlarm(number, after: alarm) }
        return
      }
    }
  }

  private static func nextStep(_ state: inout Lane.State) -> Step {
    if state.isTickDue {
      state.isTickDue = false
      return .tick
    }
    switch state.queue.next(at: .now) {
    case .decide(let jobs): return .decide(jobs)
    case .wait where state.isStopping: return .drop(state.queue.dropLasting())
    case .wait(let duration):
      defer { (state.isRunning, state.isAlarmSet) = (false, true) }
      return .rest(alarm: state.isAlarmSet ? nil : duration)
    case .rest:
      state.isRunning = false
      return .rest(alarm: nil)
    }
  }

  private func setAlarm(_ number: Int, after duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    lanes[number].thread.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in
      change(number) { $0.isAlarmSet = false }
    }
  }

  private func decide(_ jobs: [LaneQueue.Job], _ number: Int) {
    let outcomes = session.process(jobs.map(\.fix), inLane: number)
    var returned: [LaneQueue.Job] = []
    var (isPostponed, isDecided, isLastingDecided) = (false, false, false)
    for (place, outcome) in outcomes.enumerated() {
      let isSentAgain = jobs[place].isSentAgain
      switch outcome {
      case .decided:
        isDecided = true
        if !isSentAgain { isLastingDecided = true }
      case .notTried: returned.append(jobs[place])
      case .failed(let error):
        if case .overtaken = error, !isSentAgain {
          // Tried again soon.
        } else {
          outage.note(error, of: number)
        }
        guard !isSentAgain else { continue }
        returned.append(jobs[place])
        isPostponed = true
      }
    }
    if isDecided {
      outage.noteSuccess(of: number, isReachable: session.isReachable(fromLane: number))
    }
    lanes[number].state.withLock { [returned, isPostponed, isLastingDecided] state in
      if isLastingDecided { state.queue.noteSuccess() }
      state.queue.putBack(returned)
      if isPostponed { state.queue.postponeLasting(at: .now) }
    }
    finish(jobs, outcomes)
  }

  private func tick(_ number: Int) {
    do throws(AlertStateError) {
      let decisions = try session.tick(lane: number)
      guard !decisions.isEmpty else { return }
      collect { $0.results.decided.append(Decided(fix: nil, decisions: decisions)) }
    } catch { outage.note(error, of: number) }
  }

  /// Notes the outcomes of fixes, except of those that are tried again.
  private func finish(_ jobs: [LaneQueue.Job], _ outcomes: [FixOutcome]) {
    collect { collected in
      for (place, outcome) in outcomes.enumerated() {
        switch outcome {
        case .decided(let decisions):
          collected.results.decided.append(Decided(fix: jobs[place].fix, decisions: decisions))
          collected.finish(jobs[place].reading, isTaken: true)
        case .failed where jobs[place].isSentAgain:
          collected.refuse(jobs[place])
        case .failed, .notTried: break
        }
      }
    }
  }

  private func collect(_ body: (inout Collected) -> Void) {
    let isFirst = collected.withLock { collected in
      let wasEmpty = collected.results.isEmpty
      body(&collected)
      return wasEmpty && !collected.results.isEmpty
    }
    if isFirst { waker.withLock { $0 }.wake?() }
  }
}
