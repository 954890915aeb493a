import Synchronization

/// Work that may take only so long.
enum Deadline {
  /// Runs some work, and returns what it gives; `nil` where it takes longer than it may. It is
  /// cancelled then, and left to itself where it does not listen.
  static func run<Value: Sendable>(
    for duration: Duration, _ body: @escaping @Sendable () async -> Value
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let race = Race(continuation)
      let work = Task { race.end(with: await body()) }
      race.timer.withLock {
        $0 = Task {
          guard (try? await Task.sleep(for: duration)) != nil else { return }
          work.cancel()
          race.end(with: nil)
        }
      }
    }
  }

  /// What comes first: the value, or the end of the time.
  private final class Race<Value: Sendable>: Sendable {
    let timer = Mutex<Task<Void, Never>?>(nil)
    private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) {
      self.continuation = Mutex(continuation)
    }

    func end(with value: Value?) {
      continuation.withLock { continuation in
        continuation?.resume(returning: value)
        continuation = nil
      }
      timer.withLock { $0?.cancel() }
    }
  }
}
