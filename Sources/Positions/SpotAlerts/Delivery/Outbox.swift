import CivilTime
import SpotWatcher
import Synchronization

/// The queue of pending deliveries, and the tasks that deliver them.
///
/// There is one task per notifier, which delivers one alert at a time: of those due, the oldest
/// first. A slow notifier therefore delays neither other notifiers nor the processing of fixes.
final class Outbox: Sendable {
  fileprivate struct State {
    var notifiers: [any Notifier]
    /// The pending deliveries by notifier, the oldest first.
    var waiting: [String: DeliveryQueue] = [:]
    /// The notifiers whose tasks wait, because no delivery is due.
    var idle: Set<String> = []
    /// The notifiers whose last result was `closed`, and those whose last result was `lost`.
    var closed: Set<String> = []
    var lost: Set<String> = []
    /// The ends of the pauses that receivers requested.
    var pauses: [String: Instant] = [:]
    /// The number of deliveries given up in this session, by notifier.
    var givenUp: [String: Int] = [:]
    /// The numbers of completed deliveries and of failed attempts in this session, by notifier.
    var delivered: [String: Int] = [:]
    var failedTries: [String: Int] = [:]
    /// The reason for each notifier's last failure.
    var failures: [String: String] = [:]
    var alerts: AlertSettings
    var isStopping = false
    var waiters: [Waiter] = []
    var wakers: [String: AsyncStream<Void>.Continuation] = [:]
    /// The latest task of each notifier, also of removed ones. It waits for the earlier ones.
    var workers: [String: Task<Void, Never>] = [:]
    /// The number of times that tasks were started. A task of an earlier start ends.
    var startCount = 0

    var notifierNames: [String] { notifiers.map(\.name) }
  }

  /// A condition for which ``wait(for:atMost:)`` waits.
  fileprivate enum Goal {
    /// Each delivery was attempted, and is done or waits for its next attempt.
    case tried
    /// Each delivery is done or given up.
    case settled
  }

  fileprivate final class Waiter: Sendable {
    let goal: Goal
    let continuation: CheckedContinuation<Void, Never>

    init(_ goal: Goal, _ continuation: CheckedContinuation<Void, Never>) {
      self.goal = goal
      self.continuation = continuation
    }
  }

  /// The recorded failure of deliveries whose notifier was removed.
  private static let removal = "the receiver was removed"

  private enum Step {
    case deliver(PendingDelivery)
    case expire(PendingDelivery)
    case rest(seconds: Double?)
    case stop
  }

  /// The journal; `nil` for a session that stores nothing.
  private let journal: (any AlertJournal)?
  private let schedule: RetrySchedule
  private let clock: any DeliveryClock
  /// The executor of the tasks; `nil` for the default one.
  private let executor: (any TaskExecutor)?
  private let report: @Sendable (AlertEvent) -> Void
  private let state: Mutex<State>

  init(
    journal: (any AlertJournal)?, notifiers: [any Notifier], schedule: RetrySchedule,
    clock: any DeliveryClock, pending: [PendingDelivery], alerts: AlertSettings = AlertSettings(),
    executor: (any TaskExecutor)? = nil, report: @escaping @Sendable (AlertEvent) -> Void
  ) {
    self.journal = journal
    self.schedule = schedule
    self.clock = clock
    self.executor = executor
    self.report = report
    var initial = State(notifiers: notifiers, alerts: alerts)
    for delivery in pending {
      initial.waiting[delivery.notifier, default: DeliveryQueue()]
        .append(delivery.afterUnendedTries(schedule))
    }
    state = Mutex(initial)
  }

  /// The receivers.
  var notifiers: [any Notifier] { state.withLock(\.notifiers) }

  var notifierNames: [String] { state.withLock(\.notifierNames) }

  /// Starts the tasks that deliver.
  func start() {
    setAside()
    startWorkers()
    expireOrphans()
  }

  /// Replaces the notifiers of an outbox that was started.
  ///
  /// Attempts that have begun are completed. A notifier delivers what waits for one of the same
  /// name; other waiting deliveries are given up.
  func replace(notifiers: [any Notifier]) {
    let orphans = state.withLock { state in
      state.notifiers = notifiers
      let names = Set(state.notifierNames)
      return state.waiting.filter { !names.contains($0.key) }.values.flatMap(\.all)
    }
    for orphan in orphans { expire(orphan, Self.removal) }
    startWorkers()
    resumeWaiters()
  }

  /// Starts a task for each notifier, which follows the earlier task of that name.
  private func startWorkers() {
    state.withLock { state in
      guard !state.isStopping else { return }
      state.startCount += 1
      let (earlier, number) = (state.workers, state.startCount)
      for waker in state.wakers.values { waker.yield() }
      (state.wakers, state.idle) = ([:], [])
      for notifier in state.notifiers {
        let (wakes, waker) = AsyncStream.makeStream(
          of: Void.self, bufferingPolicy: .bufferingNewest(1))
        waker.yield()
        state.wakers[notifier.name] = waker
        state.workers[notifier.name] = Task(executorPreference: executor) { [self] in
          await earlier[notifier.name]?.value
          await work(for: notifier, startedAs: number, wakes)
        }
      }
    }
  }

  /// Replaces the settings by which further alerts are written.
  func replace(alerts: AlertSettings) { state.withLock { $0.alerts = alerts } }

  /// Adds a delivery to each notifier of an alert that is in the journal.
  ///
  /// - Parameters:
  ///   - content: The subject of the alert.
  ///   - queued: The time of the record in the journal.
  ///   - names: The notifiers in the record; `nil` for the current ones. A delivery by a notifier
  ///     that was removed meanwhile is given up.
  func enqueue(_ content: Alert.Content, queued: Instant, for names: [String]? = nil) {
    let removed = state.withLock { state in
      let current = state.notifierNames
      for name in names ?? current where current.contains(name) {
        // A repeated event, from a feed that was replayed, replaces its pending delivery.
        state.waiting[name, default: DeliveryQueue()].append(
          PendingDelivery(content: content, notifier: name, queued: queued))
        state.idle.remove(name)
        state.wakers[name]?.yield()
      }
      return names?.filter { !current.contains($0) } ?? []
    }
    for name in removed {
      expire(PendingDelivery(content: content, notifier: name, queued: queued), Self.removal)
    }
  }

  /// Renews this process's claim to its deliveries, and takes over those of processes that ended.
  func takeOver() throws(AlertStateError) {
    guard let journal else { return }
    let held = state.withLock { state in state.waiting.values.flatMap(\.all) }
    let taken = try journal.takeOver(for: notifierNames, holding: held, now: clock.now())
    guard !taken.isEmpty else { return }
    state.withLock { state in
      for delivery in taken {
        let name = delivery.notifier
        // An attempt to deliver it may be running.
        let isHeld = state.waiting[name]?.contains(id: delivery.content.id) ?? false
        guard !isHeld else { continue }
        state.waiting[name, default: DeliveryQueue()].append(delivery.afterUnendedTries(schedule))
        state.idle.remove(name)
        state.wakers[name]?.yield()
      }
    }
    setAside()
  }

  /// Waits until each delivery was attempted: it is done or waits for its next attempt.
  ///
  /// - Parameter seconds: The maximum time to wait in seconds; `nil` for no limit.
  func drain(withinSeconds seconds: Double? = nil) async {
    await wait(for: .tried, atMost: seconds)
  }

  /// Waits until each delivery is done or given up, at most for a number of seconds. Failed
  /// attempts are repeated meanwhile.
  func settle(withinSeconds seconds: Double) async { await wait(for: .settled, atMost: seconds) }

  private func wait(for goal: Goal, atMost seconds: Double? = nil) async {
    var timer: Task<Void, any Error>?
    await withCheckedContinuation { continuation in
      let waiter = Waiter(goal, continuation)
      let isDone = state.withLock { state in
        if isReached(goal, state) { return true }
        state.waiters.append(waiter)
        return false
      }
      if isDone {
        continuation.resume()
      } else if let seconds {
        timer = Task {
          try await clock.sleep(seconds: seconds)
          resumeWaiters { $0 === waiter }
        }
      }
    }
    timer?.cancel()
  }

  /// The pending and given up deliveries of each notifier, in the notifiers' order. The pending
  /// ones of a notifier whose receiver closed are not counted.
  var undelivered: [UndeliveredNotifications] {
    state.withLock { state in
      state.notifierNames.compactMap { name in
        let waiting = state.closed.contains(name) ? 0 : state.waiting[name]?.count ?? 0
        let givenUp = state.givenUp[name] ?? 0
        guard waiting + givenUp > 0 else { return nil }
        return UndeliveredNotifications(
          notifier: name, waitingCount: waiting, givenUpCount: givenUp,
          failure: state.failures[name])
      }
    }
  }

  /// The settings by which alerts are written.
  var alerts: AlertSettings { state.withLock(\.alerts) }

  /// The counts of the notifiers, in their order.
  var tallies: [DeliveryTally] {
    state.withLock { state in
      state.notifierNames.map { name in
        let waiting = state.waiting[name] ?? DeliveryQueue()
        return DeliveryTally(
          notifier: name, deliveredCount: state.delivered[name] ?? 0,
          failedTryCount: state.failedTries[name] ?? 0, givenUpCount: state.givenUp[name] ?? 0,
          waitingCount: waiting.count, oldestQueued: waiting.all.lazy.map(\.queued).min())
      }
    }
  }

  /// Stops delivering. Running attempts may end within a grace period; all other deliveries remain
  /// for the next start.
  func stop(graceSeconds: Double) async {
    let workers = state.withLock { state in
      state.isStopping = true
      for waker in state.wakers.values { waker.yield() }
      return Array(state.workers.values)
    }
    let timer = Task { [clock] in
      try await clock.sleep(seconds: graceSeconds)
      for worker in workers { worker.cancel() }
    }
    for worker in workers { await worker.value }
    timer.cancel()
    resumeWaiters { _ in true }
  }

  private func isReached(_ goal: Goal, _ state: borrowing State) -> Bool {
    if state.isStopping { return true }
    for name in state.notifierNames {
      switch goal {
      case .tried: if !state.idle.contains(name) { return false }
      case .settled:
        let isOver = state.closed.contains(name) || state.lost.contains(name)
        if !isOver, state.waiting[name]?.isEmpty == false { return false }
      }
    }
    return true
  }

  /// Resumes the waiters whose goal is reached, and those selected by a predicate.
  private func resumeWaiters(_ isOver: (Waiter) -> Bool = { _ in false }) {
    let ended = state.withLock { state -> [Waiter] in
      let reached = [Goal.tried, .settled].filter { isReached($0, state) }
      let ended = state.waiters.filter { reached.contains($0.goal) || isOver($0) }
      state.waiters.removeAll { waiter in ended.contains { $0 === waiter } }
      return ended
    }
    for waiter in ended { waiter.continuation.resume() }
  }

  // MARK: - Working

  private func work(
    for notifier: any Notifier, startedAs number: Int, _ wakes: AsyncStream<Void>
  ) async {
    var alarm: Task<Void, any Error>?
    defer { alarm?.cancel() }
    for await _ in wakes {
      alarm?.cancel()
      alarm = nil
      steps: while true {
        switch nextStep(for: notifier.name, startedAs: number) {
        case .deliver(let delivery): await deliver(delivery, by: notifier)
        case .expire(let delivery): expire(delivery, "not delivered in time")
        case .rest(let seconds):
          resumeWaiters()
          alarm = seconds.map { wake(notifier.name, afterSeconds: $0) }
          break steps
        case .stop: return
        }
      }
    }
  }

  private func wake(_ name: String, afterSeconds seconds: Double) -> Task<Void, any Error> {
    Task {
      try await clock.sleep(seconds: seconds)
      state.withLock { _ = $0.wakers[name]?.yield() }
    }
  }

  private func nextStep(for name: String, startedAs number: Int) -> Step {
    let now = clock.now()
    return state.withLock { state in
      guard !state.isStopping, state.startCount == number else { return .stop }
      var wait: Double?
      let pause = state.pauses[name]?.seconds(since: now) ?? 0
      if !state.closed.contains(name), !state.lost.contains(name) {
        for delivery in state.waiting[name]?.inDeliveryOrder ?? AnySequence([]) {
          if schedule.isExpired(queued: delivery.queued, at: now) { return .expire(delivery) }
          let seconds = max(delivery.next?.seconds(since: now) ?? 0, pause)
          // A wait longer than any that is set means that the clock was set back.
          if seconds <= 0 || seconds > schedule.longestWaitSeconds { return .deliver(delivery) }
          wait = min(wait ?? seconds, seconds)
        }
      }
      state.idle.insert(name)
      return .rest(seconds: wait)
    }
  }

  private func alert(_ delivery: PendingDelivery) -> Alert {
    let alerts = state.withLock(\.alerts)
    var links: [AlertLink] = []
    if case .spot(let notification) = delivery.content {
      links = alerts.links?.links(of: notification, queued: delivery.queued) ?? []
    }
    return Alert(
      delivery.content, in: alerts.language, units: alerts.units, links: links)
  }

  /// Makes one attempt to deliver, and records its result.
  private func deliver(_ delivery: PendingDelivery, by notifier: any Notifier) async {
    var tried = delivery
    tried.tries += 1
    guard begin(tried) else { return remove(delivery) }
    let result = await notifier.deliver(alert(delivery))
    tried.unended = nil
    switch result {
    case .delivered:
      tried.failure = nil
      // Removed last, since ``takeOver()`` returns deliveries that are neither held nor recorded as
      // ended.
      record(.delivered(event(tried)), isDurable: true)
      state.withLock { $0.delivered[delivery.notifier, default: 0] += 1 }
      remove(delivery)
    case .failed(let reason):
      // An attempt cut short by the end of the program does not count.
      if Task.isCancelled { return interrupt(delivery) }
      tried.failure = reason
      countFailure(of: delivery)
      failed(tried)
    case .postponed(let reason, let seconds):
      tried.failure = reason
      countFailure(of: delivery)
      // A requested pause applies to all of the notifier's deliveries.
      let pause = clock.now().advanced(bySeconds: schedule.granted(pauseSeconds: seconds))
      state.withLock { $0.pauses[notifier.name] = pause }
      failed(tried, pauseSeconds: seconds)
    case .refused(let reason):
      tried.failure = reason
      countFailure(of: delivery)
      expire(tried, reason)
    case .closed:
      interrupt(delivery)
      state.withLock { _ = $0.closed.insert(notifier.name) }
      report(.receiverClosed(notifier: notifier.name))
    case .lost(let reason):
      interrupt(delivery)
      state.withLock { state in
        state.lost.insert(notifier.name)
        state.failures[notifier.name] = reason
      }
      report(.receiverLost(notifier: notifier.name, reason: reason))
    }
  }

  private func countFailure(of delivery: PendingDelivery) {
    state.withLock { $0.failedTries[delivery.notifier, default: 0] += 1 }
  }

  /// Records that an attempt begins.
  ///
  /// The record is written but not synced to the disk, so it survives the end of this process.
  ///
  /// - Returns: Whether the delivery still belongs to this process.
  private func begin(_ delivery: PendingDelivery) -> Bool {
    let record = JournalRecord(recorded: clock.now(), event: .begun(event(delivery)))
    // A failure to write is reported when the result is recorded.
    let answer = try? journal?.append(
      JournalBatch(subject: .deliveries, records: [record], isDurable: false))
    if case .overtaken = answer { return false }
    return true
  }

  /// Records the end of an attempt that does not count.
  private func interrupt(_ delivery: PendingDelivery) {
    record(.attempt(event(delivery), next: delivery.next), isDurable: false)
  }

  /// Gives up the deliveries during which the program ended twice, so that they do not end this
  /// session too.
  private func setAside() {
    let names = notifierNames
    let suspects = state.withLock { state in
      names.flatMap { name in
        state.waiting[name]?.all.filter { $0.unended.map { $0.count >= 2 } ?? false } ?? []
      }
    }
    for suspect in suspects {
      record(.setAside(event(suspect)), isDurable: true)
      remove(suspect)
      noteGivenUp(suspect)
      report(.setAside(notifier: suspect.notifier, notification: suspect.content.id))
    }
  }

  private func noteGivenUp(_ delivery: PendingDelivery) {
    state.withLock { state in
      state.givenUp[delivery.notifier, default: 0] += 1
      state.failures[delivery.notifier] = delivery.failure
    }
  }

  private func failed(_ delivery: PendingDelivery, pauseSeconds: Double = 0) {
    let next = schedule.next(
      afterTries: delivery.tries, queued: delivery.queued, at: clock.now(),
      pauseSeconds: pauseSeconds)
    guard let next else { return expire(delivery, delivery.failure ?? "not delivered in time") }
    var delivery = delivery
    delivery.next = next
    state.withLock { state in
      state.waiting[delivery.notifier]?.replace(delivery)
      state.failures[delivery.notifier] = delivery.failure
    }
    record(.attempt(event(delivery), next: next), isDurable: false)
    report(
      .deliveryFailed(
        notifier: delivery.notifier, notification: delivery.content.id,
        reason: delivery.failure ?? "", next: next))
  }

  private func expire(_ delivery: PendingDelivery, _ reason: String) {
    var delivery = delivery
    delivery.failure = delivery.failure ?? reason
    record(.expired(event(delivery)), isDurable: true)
    remove(delivery)
    noteGivenUp(delivery)
    report(
      .expired(
        notifier: delivery.notifier, notification: delivery.content.id,
        reason: delivery.failure ?? reason))
  }

  /// Gives up the expired deliveries of notifiers that no longer exist.
  private func expireOrphans() {
    let now = clock.now()
    let names = notifierNames
    let orphans = state.withLock { state in
      state.waiting.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        .flatMap(\.value.all)
    }
    for orphan in orphans where schedule.isExpired(queued: orphan.queued, at: now) {
      expire(orphan, "the notifier \(orphan.notifier) is no longer set")
    }
  }

  private func remove(_ delivery: PendingDelivery) {
    state.withLock { $0.waiting[delivery.notifier]?.remove(delivery) }
  }

  private func event(_ delivery: PendingDelivery) -> JournalEvent.DeliveryEvent {
    JournalEvent.DeliveryEvent(
      notification: delivery.content.id, notifier: delivery.notifier, tries: delivery.tries,
      failure: delivery.failure)
  }

  private func record(_ event: JournalEvent, isDurable: Bool) {
    guard let journal else { return }
    let now = clock.now()
    do throws(AlertStateError) {
      let records = [JournalRecord(recorded: now, event: event)]
      _ = try journal.append(
        JournalBatch(subject: .deliveries, records: records, isDurable: isDurable))
      try journal.compactIfGrown(now: now)
    } catch {
      // The alert may be delivered again after a restart: delivery is at least once.
      report(.cannotRecord(error))
    }
  }
}

/// The notifications that a notifier had not delivered when a session ended.
public struct UndeliveredNotifications: Hashable, Sendable {
  /// The notifier's name.
  public let notifier: String
  /// The number of pending notifications.
  public let waitingCount: Int
  /// The number of notifications given up in the session.
  public let givenUpCount: Int
  /// The reason for the last failure; `nil` where no attempt failed.
  public let failure: String?
}

extension PendingDelivery {
  /// Returns the delivery with the attempts counted during which the program ended, and with a
  /// pause before the next attempt.
  fileprivate func afterUnendedTries(_ schedule: RetrySchedule) -> PendingDelivery {
    guard let unended else { return self }
    var delivery = self
    delivery.tries += unended.count
    let pause = schedule.delaySeconds.first ?? 0
    delivery.next = max(next ?? unended.latest, unended.latest.advanced(bySeconds: pause))
    delivery.failure = "the program ended during the try"
    return delivery
  }
}
