import CLibrary
public import CivilTime

/// The machine's clock, which also provides all waiting.
public protocol DeliveryClock: Sendable {
  /// Returns the current time.
  func now() -> Instant
  /// Waits; throws `CancellationError` as soon as the task is cancelled.
  func sleep(seconds: Double) async throws
}

/// The real clock.
public struct SystemClock: DeliveryClock {
  /// Creates the clock.
  public init() {}

  /// Returns the current time in UTC.
  public func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(
      millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Waits by the monotonic clock, which is unaffected by changes of the time.
  public func sleep(seconds: Double) async throws {
    try await Task.sleep(for: .seconds(saturating: min(max(seconds, 0), 86_400)))
  }
}
