import Dispatch

/// Runs tasks on threads that may block, unlike those of Swift's concurrency, of which there is one
/// per processor.
final class ThreadExecutor: TaskExecutor {
  private let queue: DispatchQueue

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - label: The name of the threads.
  ///   - hasOneThread: Whether there is at most one thread.
  init(label: String, hasOneThread: Bool = false) {
    queue = DispatchQueue(label: label, attributes: hasOneThread ? [] : .concurrent)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
