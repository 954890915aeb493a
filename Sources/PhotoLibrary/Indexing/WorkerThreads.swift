import CLibrary

/// Threads for work that waits for the disk.
///
/// Swift's own tasks run on as many threads as there are processors, and a disk is kept busy by
/// more reads in flight than that; so these are threads of the system.
package enum WorkerThreads {
  /// Runs a closure on a number of threads at once, the caller's among them, and returns when all
  /// are done.
  ///
  /// Where the system gives no further thread, fewer do the work: the closure takes its work from a
  /// shared counter.
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
