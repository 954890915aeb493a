/// The delay before a picture worker is started again after workers have ended unexpectedly.
///
/// The first is started again at once, so that one photo that crashes its decoder delays no other.
struct RestartDelay: Hashable {
  private static let shortest = Duration.milliseconds(100)
  private static let longest = Duration.seconds(5)

  /// The number of workers that have ended since the last success.
  private var failures = 0
  private var notBefore: ContinuousClock.Instant?

  /// Notes that a worker has ended unexpectedly, or could not be started.
  mutating func fail(at now: ContinuousClock.Instant) {
    failures += 1
    guard failures > 1 else { return }
    notBefore = now + min(Self.longest, Self.shortest * (1 << min(failures - 2, 10)))
  }

  /// Notes that a worker has finished an order.
  mutating func succeed() { self = RestartDelay() }

  /// Whether a worker may be started.
  func allowsStart(at now: ContinuousClock.Instant) -> Bool { notBefore.map { $0 <= now } ?? true }
}
