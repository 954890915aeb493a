import Synchronization

/// Runs asynchronous work with a time limit.
enum Deadline {
  /// Runs work and returns its result; `nil` if the time ran out or the task was cancelled before.
  ///
  /// In that case the work is cancelled. Work that ignores cancellation continues in the
  /// background.
  static func run<Value: Sendable>(
    for duration: Duration, _ body: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let race = Race<Value>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        race.begin(
          continuation, work: Task { race.end(with: await body()) },
          timer: Task {
            guard (try? await Task.sleep(for: duration)) != nil else { return }
            race.end(with: nil)
          })
      }
    } onCancel: {
      race.end(with: nil)
    }
  }

  /// A race between the work and the time limit; the first to end decides the result.
  private final class Race<Value: Sendable>: Sendable {
    private struct State {
      var continuation: CheckedContinuation<Value?, Never>?
      var tasks: [Task<Void, Never>] = []
      var hasEnded = false
      var value: Value?

      /// Resumes the waiting caller with the result and cancels both tasks, once there is both a
      /// result and a caller.
      mutating func finish() {
        guard hasEnded, let continuation else { return }
        self.continuation = nil
        for task in tasks { task.cancel() }
        continuation.resume(returning: value)
      }
    }

    private let state = Mutex(State())

    func begin(
      _ continuation: CheckedContinuation<Value?, Never>, work: Task<Void, Never>,
      timer: Task<Void, Never>
    ) {
      state.withLock { state in
        state.continuation = continuation
        state.tasks = [work, timer]
        state.finish()
      }
    }

    func end(with value: Value?) {
      state.withLock { state in
        guard !state.hasEnded else { return }
        (state.hasEnded, state.value) = (true, value)
        state.finish()
      }
    }
  }
}
