import Dispatch

/// Runs tasks on threads that may block, unlike those of Swift's concurrency, of which there is one
/// per processor.
final class ThreadExecutor: TaskExecutor {
  private let queue: DispatchQueue

  /// Creates an executor.
  init(label: String) { queue = DispatchQueue(label: label, attributes: .concurrent) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
