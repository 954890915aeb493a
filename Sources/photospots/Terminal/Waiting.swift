import Dispatch
import SystemPackage

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

/// Blocks this thread until asynchronous work is done or a descriptor can be read; then the work goes on
/// alone. See ``waitFor(_:)``.
func waitFor(
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
