import Dispatch
import Synchronization
package import SystemPackage

/// Blocks this thread until asynchronous work is done.
///
/// Only for threads that asynchronous work does not run on, such as the main one, so that nothing
/// can be waiting for itself.
package func waitFor(_ work: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await work()
    done.signal()
  }
  done.wait()
}

/// Blocks this thread until asynchronous work has a result, and returns that. See ``waitFor(_:)``.
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

/// Blocks this thread until asynchronous work is done or a descriptor can be read; then the work
/// goes on alone. See ``waitFor(_:)``.
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
