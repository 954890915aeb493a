import Dispatch
import Synchronization

/// A bounded first-in, first-out queue of work identified by keys.
///
/// Concurrent requests with the same key share a single execution.
package final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The outcome of a request.
  package enum Outcome: Sendable {
    /// The work was done.
    case done(Value)
    /// The queue is full.
    case busy
    /// The requesting task was cancelled.
    case cancelled
  }

  private struct Job {
    let work: @Sendable () async -> Value
    var orders: [Int: CheckedContinuation<Outcome, Never>]
  }

  private enum Step { case wait, begin, refuse }

  private struct State {
    var jobs: [Key: Job] = [:]
    var waiting: [Key] = []
    var running = 0
    var orders = 0
  }

  private let atOnce: Int
  private let maximumWaiting: Int
  private let state = Mutex(State())

  /// Creates an empty queue.
  ///
  /// - Parameters:
  ///   - atOnce: The maximum number of concurrent executions.
  ///   - maximumWaiting: The maximum number of keys that wait beyond those.
  package init(atOnce: Int, maximumWaiting: Int) {
    (self.atOnce, self.maximumWaiting) = (max(1, atOnce), maximumWaiting)
  }

  /// Requests work and waits for its result.
  ///
  /// Queued work whose requests were all cancelled is dropped; work that has begun is finished.
  ///
  /// - Parameters:
  ///   - key: The key of the work. Concurrent requests with one key get the same result.
  ///   - work: A closure that does the work.
  /// - Returns: The outcome of the request.
  package func order(
    _ key: Key, _ work: @escaping @Sendable () async -> Value
  ) async -> Outcome {
    let number = state.withLock { state in
      state.orders += 1
      return state.orders
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        place(key, number, continuation, work)
        // If the task was cancelled before the request was placed, `onCancel` found nothing to
        // withdraw.
        if Task.isCancelled { withdraw(key, number) }
      }
    } onCancel: {
      withdraw(key, number)
    }
  }

  /// The number of requests without a result yet.
  var orderCount: Int { state.withLock { $0.jobs.values.reduce(0) { $0 + $1.orders.count } } }

  /// Adds a request to the job with its key, or creates the job: it begins at once, waits, or is
  /// refused with `busy` if the queue is full.
  private func place(
    _ key: Key, _ number: Int, _ continuation: CheckedContinuation<Outcome, Never>,
    _ work: @escaping @Sendable () async -> Value
  ) {
    let step: Step = state.withLock { state in
      if state.jobs[key] != nil {
        state.jobs[key]?.orders[number] = continuation
        return .wait
      }
      let job = Job(work: work, orders: [number: continuation])
      if state.running < atOnce {
        state.running += 1
        state.jobs[key] = job
        return .begin
      }
      guard state.waiting.count < maximumWaiting else { return .refuse }
      state.jobs[key] = job
      state.waiting.append(key)
      return .wait
    }
    switch step {
    case .wait: break
    case .begin: begin(key, work)
    case .refuse: continuation.resume(returning: .busy)
    }
  }

  private func begin(_ key: Key, _ work: @escaping @Sendable () async -> Value) {
    Task.detached { self.end(key, await work()) }
  }

  /// Completes a job, begins the next waiting one, and resumes the requests.
  private func end(_ key: Key, _ value: Value) {
    let (orders, next) = state.withLock { state in
      let orders = state.jobs.removeValue(forKey: key)?.orders ?? [:]
      var next: (Key, @Sendable () async -> Value)?
      if state.waiting.isEmpty {
        state.running -= 1
      } else {
        let key = state.waiting.removeFirst()
        next = state.jobs[key].map { (key, $0.work) }
      }
      return (orders, next)
    }
    if let (key, work) = next { begin(key, work) }
    for continuation in orders.values { continuation.resume(returning: .done(value)) }
  }

  /// Cancels a request; a waiting job without requests is removed. Does nothing if the request is
  /// already complete.
  private func withdraw(_ key: Key, _ number: Int) {
    let continuation = state.withLock { state in
      let continuation = state.jobs[key]?.orders.removeValue(forKey: number)
      if state.jobs[key]?.orders.isEmpty == true,
        let place = state.waiting.firstIndex(of: key)
      {
        state.waiting.remove(at: place)
        state.jobs[key] = nil
      }
      return continuation
    }
    continuation?.resume(returning: .cancelled)
  }
}

/// Runs blocking work (disk access or computation) on its own thread, so that it does not block
/// Swift's cooperative thread pool.
package func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () -> Value
) async -> Value {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "photospots.work").async { continuation.resume(returning: work()) }
  }
}
