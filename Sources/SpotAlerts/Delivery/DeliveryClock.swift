import CLibrary
public import CivilTime

/// The machine's clock, and the one place where anything waits for it.
public protocol DeliveryClock: Sendable {
  /// The time.
  func now() -> Instant
  /// Waits; throws `CancellationError` as soon as the task is cancelled.
  func sleep(seconds: Double) async throws
}

/// The real clock.
public struct SystemClock: DeliveryClock {
  /// Creates the clock.
  public init() {}

  /// The time, UTC.
  public func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(
      millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Waits by the clock that no one sets.
  public func sleep(seconds: Double) async throws {
    try await Task.sleep(for: .seconds(saturating: min(max(seconds, 0), 86_400)))
  }
}
