import Dispatch

/// Blocks this thread until asynchronous work is done.
///
/// Only for the main thread: it is none of those that asynchronous work runs on, so nothing can be waiting
/// for itself.
func waitFor(_ work: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await work()
    done.signal()
  }
  done.wait()
}
