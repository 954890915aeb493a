import CLibrary

/// A separate thread for work that must happen while the test blocks in a call.
///
/// It is not from the thread pool of Swift's tasks, which other tests may keep busy.
public struct BackgroundThread: ~Copyable {
  private let thread: pthread_t

  /// Starts a thread that runs a closure.
  public init(_ body: @escaping @Sendable () -> Void) throws {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      throw ThreadError(code: result)
    }
    self.thread = thread
  }

  /// Waits for the closure to return.
  public consuming func join() { pthread_join(thread, nil) }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private struct ThreadError: Error { let code: CInt }
}
