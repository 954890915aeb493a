import Dispatch
import Synchronization

/// A value whose changes threads and tasks can wait for.
public final class Observed<Value: Sendable>: Sendable {
  private struct Waiter {
    let isMet: @Sendable (Value) -> Bool
    let resume: @Sendable () -> Void
  }

  private struct State {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var waiterCount = 0
  }

  private let state: Mutex<State>

  /// Creates a value.
  public init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The current value.
  public var value: Value { state.withLock(\.value) }

  /// Changes the value, and resumes the waiters.
  public func update(_ change: (inout Value) -> Void) {
    let met = state.withLock { state in
      change(&state.value)
      let met = state.waiters.filter { $0.value.isMet(state.value) }
      for number in met.keys { state.waiters[number] = nil }
      return met.values.map(\.resume)
    }
    for resume in met { resume() }
  }

  /// Blocks the thread until the value meets a condition. Not for threads of Swift's tasks.
  public func wait(until isMet: @escaping @Sendable (Value) -> Bool) {
    let semaphore = DispatchSemaphore(value: 0)
    _ = add(isMet) { semaphore.signal() }
    semaphore.wait()
  }

  /// Suspends the task until the value meets a condition, or the task is cancelled.
  public func met(_ isMet: @escaping @Sendable (Value) -> Bool) async {
    let ending = Mutex<(number: Int?, isCancelled: Bool)>((nil, false))
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let number = add(isMet) { continuation.resume() }
        let isCancelled = ending.withLock { ending in
          ending.number = number
          return ending.isCancelled
        }
        if isCancelled { cancel(number) }
      }
    } onCancel: {
      let number = ending.withLock { ending in
        ending.isCancelled = true
        return ending.number
      }
      if let number { cancel(number) }
    }
  }

  /// Adds a waiter, which is resumed at once if its condition is met already.
  private func add(
    _ isMet: @escaping @Sendable (Value) -> Bool, _ resume: @escaping @Sendable () -> Void
  ) -> Int {
    let (number, isReady) = state.withLock { state in
      state.waiterCount += 1
      guard !isMet(state.value) else { return (state.waiterCount, true) }
      state.waiters[state.waiterCount] = Waiter(isMet: isMet, resume: resume)
      return (state.waiterCount, false)
    }
    if isReady { resume() }
    return number
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
  }
}
