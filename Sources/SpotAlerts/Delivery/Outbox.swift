import Interchange
import Synchronization

/// What waits to be delivered, and the tasks that deliver it: one for each notifier, one notification at a
/// time, the oldest that is due first. So a slow notifier holds up no other and no fix.
final class Outbox: Sendable {
  private struct State {
    /// By the notifier's name, the oldest first.
    var waiting: [String: [PendingDelivery]] = [:]
    /// The notifiers that have nothing to do now.
    var resting: Set<String> = []
    var closed: Set<String> = []
    /// Until when a receiver asked to be left alone.
    var pauses: [String: Instant] = [:]
    var isStopping = false
    var drains: [CheckedContinuation<Void, Never>] = []
    var wakers: [String: AsyncStream<Void>.Continuation] = [:]
    var workers: [Task<Void, Never>] = []
  }

  private enum Step {
    case deliver(PendingDelivery)
    case expire(PendingDelivery)
    case rest(seconds: Double?)
    case stop
  }

  private let journal: Journal
  private let notifiers: [any Notifier]
  private let schedule: RetrySchedule
  private let clock: any DeliveryClock
  private let report: @Sendable (AlertEvent) -> Void
  private let state: Mutex<State>

  init(
    journal: Journal, notifiers: [any Notifier], schedule: RetrySchedule,
    clock: any DeliveryClock, pending: [PendingDelivery],
    report: @escaping @Sendable (AlertEvent) -> Void
  ) {
    self.journal = journal
    self.notifiers = notifiers
    self.schedule = schedule
    self.clock = clock
    self.report = report
    var initial = State()
    for delivery in pending { initial.waiting[delivery.notifier, default: []].append(delivery) }
    state = Mutex(initial)
  }

  var notifierNames: [String] { notifiers.map(\.name) }

  /// Starts to deliver.
  func start() {
    for notifier in notifiers {
      let (wakes, waker) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let worker = Task { [self] in await work(for: notifier, wakes) }
      state.withLock { state in
        state.wakers[notifier.name] = waker
        state.workers.append(worker)
        _ = waker.yield()
      }
    }
    expireOrphans()
  }

  /// Takes a notification that is in the journal.
  func enqueue(_ notification: SpotNotification, queued: Instant) {
    state.withLock { state in
      for name in notifierNames {
        // The same event again, from a feed that was played again, replaces what still waits.
        state.waiting[name, default: []].removeAll { $0.notification.id == notification.id }
        state.waiting[name, default: []].append(
          PendingDelivery(notification: notification, notifier: name, queued: queued))
        state.resting.remove(name)
        state.wakers[name]?.yield()
      }
    }
  }

  /// Waits until everything is delivered, or waits for its next try.
  func drain() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if isAtRest(state) { return true }
        state.drains.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Stops: what is being delivered may end within a time, the rest stays for the next start.
  func stop(graceSeconds: Double) async {
    let workers = state.withLock { state in
      state.isStopping = true
      for waker in state.wakers.values { waker.yield() }
      return state.workers
    }
    let timer = Task { [clock] in
      try await clock.sleep(seconds: graceSeconds)
      for worker in workers { worker.cancel() }
    }
    for worker in workers { await worker.value }
    timer.cancel()
    resumeDrains(force: true)
  }

  private func isAtRest(_ state: borrowing State) -> Bool {
    state.isStopping || notifierNames.allSatisfy { state.resting.contains($0) }
  }

  private func resumeDrains(force: Bool = false) {
    let drains = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard force || isAtRest(state) else { return [] }
      defer { state.drains = [] }
      return state.drains
    }
    for drain in drains { drain.resume() }
  }

  // MARK: - Working

  private func work(for notifier: any Notifier, _ wakes: AsyncStream<Void>) async {
    var alarm: Task<Void, any Error>?
    defer { alarm?.cancel() }
    for await _ in wakes {
      alarm?.cancel()
      alarm = nil
      steps: while true {
        switch nextStep(for: notifier.name) {
        case .deliver(let delivery): await deliver(delivery, by: notifier)
        case .expire(let delivery): expire(delivery, "not delivered in time")
        case .rest(let seconds):
          resumeDrains()
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

  private func nextStep(for name: String) -> Step {
    let now = clock.now()
    return state.withLock { state in
      guard !state.isStopping else { return .stop }
      var wait: Double?
      let pause = state.pauses[name]?.seconds(since: now) ?? 0
      if !state.closed.contains(name) {
        for delivery in state.waiting[name] ?? [] {
          if schedule.isExpired(queued: delivery.queued, at: now) { return .expire(delivery) }
          let seconds = max(delivery.next?.seconds(since: now) ?? 0, pause)
          // A longer wait than was ever set comes of a clock that was turned back.
          if seconds <= 0 || seconds > schedule.longestWaitSeconds { return .deliver(delivery) }
          wait = min(wait ?? seconds, seconds)
        }
      }
      state.resting.insert(name)
      return .rest(seconds: wait)
    }
  }

  private func deliver(_ delivery: PendingDelivery, by notifier: any Notifier) async {
    let result = await notifier.deliver(delivery.notification)
    var tried = delivery
    tried.tries += 1
    switch result {
    case .delivered:
      tried.failure = nil
      remove(delivery)
      record(.delivered(event(tried)), isDurable: true)
    case .failed(let reason):
      // A try that was cut short by the end of the program is none.
      if Task.isCancelled { return }
      tried.failure = reason
      failed(tried)
    case .postponed(let reason, let seconds):
      tried.failure = reason
      // Whoever is asked to wait with one waits with all.
      let pause = clock.now().advanced(bySeconds: schedule.granted(pauseSeconds: seconds))
      state.withLock { $0.pauses[notifier.name] = pause }
      failed(tried, pauseSeconds: seconds)
    case .refused(let reason):
      tried.failure = reason
      expire(tried, reason)
    case .closed:
      state.withLock { _ = $0.closed.insert(notifier.name) }
      report(.receiverClosed(notifier: notifier.name))
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
      let place = state.waiting[delivery.notifier]?.firstIndex { delivery.isSame(as: $0) }
      if let place { state.waiting[delivery.notifier]?[place] = delivery }
    }
    record(.attempt(event(delivery), next: next), isDurable: false)
    report(
      .deliveryFailed(
        notifier: delivery.notifier, notification: delivery.notification.id,
        reason: delivery.failure ?? "", next: next))
  }

  private func expire(_ delivery: PendingDelivery, _ reason: String) {
    var delivery = delivery
    delivery.failure = delivery.failure ?? reason
    remove(delivery)
    record(.expired(event(delivery)), isDurable: true)
    report(
      .expired(
        notifier: delivery.notifier, notification: delivery.notification.id,
        reason: delivery.failure ?? reason))
  }

  /// Gives up what waits for a notifier that is not there any more, once its time is over.
  private func expireOrphans() {
    let now = clock.now()
    let names = notifierNames
    let orphans = state.withLock { state in
      state.waiting.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value)
    }
    for orphan in orphans where schedule.isExpired(queued: orphan.queued, at: now) {
      expire(orphan, "there is no notifier \(orphan.notifier) any more")
    }
  }

  private func remove(_ delivery: PendingDelivery) {
    state.withLock { state in
      state.waiting[delivery.notifier]?.removeAll { delivery.isSame(as: $0) }
    }
  }

  private func event(_ delivery: PendingDelivery) -> JournalEvent.DeliveryEvent {
    JournalEvent.DeliveryEvent(
      notification: delivery.notification.id, notifier: delivery.notifier, tries: delivery.tries,
      failure: delivery.failure)
  }

  private func record(_ event: JournalEvent, isDurable: Bool) {
    let now = clock.now()
    do throws(AlertStateError) {
      try journal.append([JournalRecord(recorded: now, event: event)], isDurable: isDurable)
      try journal.compactIfGrown(now: now)
    } catch {
      // It may be delivered again after a restart: at least once.
      report(.cannotRecord(error))
    }
  }
}

extension PendingDelivery {
  fileprivate func isSame(as other: PendingDelivery) -> Bool {
    notification.id == other.notification.id && queued == other.queued
  }
}
