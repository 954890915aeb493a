import Synchronization

/// Limits the number of requests to receivers that are sent at the same time, each of which takes a
/// thread. Requests wait in the order of their arrival.
final class RequestSemaphore: Sendable {
  private struct State {
    var freeCount: Int
    var waiters: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var waiterCount = 0
  }

  private let state: Mutex<State>

  /// Creates a semaphore for a number of concurrent requests.
  init(_ count: Int) { state = Mutex(State(freeCount: count)) }

  /// Waits until a request may be sent; each successful call is followed by one of ``release()``.
  ///
  /// - Returns: Whether it may be sent; false if the task was cancelled.
  func acquire() async -> Bool {
    let number = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isAcquired = state.withLock { state -> Bool? in
          // Under the lock, since a cancellation may come at the same time.
          if Task.isCancelled { return false }
          if state.freeCount > 0 {
            state.freeCount -= 1
            return true
          }
          state.waiters.append((number, continuation))
          return nil
        }
        if let isAcquired { continuation.resume(returning: isAcquired) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: false)
    }
  }

  /// Lets the next request be sent, since one has ended.
  func release() {
    let next = state.withLock { state in
      if state.waiters.isEmpty {
        state.freeCount += 1
        return nil as CheckedContinuation<Bool, Never>?
      }
      return state.waiters.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
