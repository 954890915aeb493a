import CLibrary

/// Threads for work that mostly waits for the disk.
///
/// Swift's tasks run on as many threads as there are processors, but a disk needs more concurrent
/// reads than that to stay busy. So these are system threads.
package enum WorkerThreads {
  /// Runs a closure on a number of threads at once, including the caller's, and returns when all
  /// are done.
  ///
  /// If the system cannot create a thread, fewer threads do the work. So the closure must fetch its
  /// work items from a shared counter.
  package static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 1..<max(1, count) {
      let work = Unmanaged.passRetained(Work(body))
      var thread = pthread_t()
      guard pthread_create(&thread, nil, runWork, work.toOpaque()) == 0 else {
        work.release()
        break
      }
      threads.append(thread)
    }
    body()
    for thread in threads { pthread_join(thread, nil) }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static let runWork:
    @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }
}
