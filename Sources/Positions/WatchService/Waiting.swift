import Dispatch
import Synchronization
package import SystemPackage

/// Blocks this thread until asynchronous work is done.
///
/// To avoid deadlocks, only for threads on which no asynchronous work runs, such as the main
/// thread.
package func waitFor(_ work: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await work()
    done.signal()
  }
  done.wait()
}

/// Blocks this thread until asynchronous work returns a result. See ``waitFor(_:)``.
package func waitForResult<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let box = ResultBox<Value>()
  waitFor {
    let result: Result<Value, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    box.result.withLock { $0 = result }
  }
  guard let result = box.result.withLock({ $0 }) else { preconditionFailure("nothing was done") }
  return try result.get()
}

private final class ResultBox<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
}

/// Blocks this thread until asynchronous work is done or a descriptor becomes readable; in the
/// second case the work continues in the background. See ``waitFor(_:)``.
package func waitFor(
  orUntil interruption: FileDescriptor, _ work: @escaping @Sendable () async -> Void
) {
  let done = DispatchSemaphore(value: 0)
  let source = DispatchSource.makeReadSource(fileDescriptor: interruption.rawValue)
  source.setEventHandler { done.signal() }
  source.activate()
  Task {
    await work()
    done.signal()
  }
  done.wait()
  source.cancel()
}
