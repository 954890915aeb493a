/// Suspends the task until a condition is met, or the task is cancelled.
///
/// For conditions whose changes cannot be observed (see ``Observed``). Between two checks the
/// processors are free for what the test waits for.
public nonisolated(nonsending) func until(_ isMet: () throws -> Bool) async rethrows {
  while try !isMet(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
}
