public import Interchange

/// When a delivery that failed is tried again.
public struct RetrySchedule: Hashable, Sendable {
  /// The seconds to wait after each failed try; after the last, always as long.
  public var delaySeconds: [Double]
  /// How long after the event a notification is still of use, in seconds.
  public var lifetimeSeconds: Double

  /// Creates a schedule: by default after 1, 5, 30, 120, 120… seconds, for 15 minutes.
  public init(delaySeconds: [Double] = [1, 5, 30, 120], lifetimeSeconds: Double = 900) {
    self.delaySeconds = delaySeconds
    self.lifetimeSeconds = lifetimeSeconds
  }

  /// Whether it is too late to try.
  ///
  /// A notification of the future has its time from a clock that was turned back since.
  public func isExpired(queued: Instant, at now: Instant) -> Bool {
    now.seconds(since: queued) > lifetimeSeconds
  }

  /// Returns when to try again.
  ///
  /// - Parameters:
  ///   - tries: How often it was tried, at least once.
  ///   - queued: When the event was.
  ///   - now: When the last try ended.
  /// - Returns: The time; `nil` where it would be too late.
  public func next(afterTries tries: Int, queued: Instant, at now: Instant) -> Instant? {
    guard let last = delaySeconds.last else { return nil }
    let next = now.advanced(
      bySeconds: delaySeconds.indices.contains(tries - 1) ? delaySeconds[tries - 1] : last)
    return isExpired(queued: queued, at: next) ? nil : next
  }

  /// The longest wait; one that seems longer comes of a clock that was turned back.
  var longestDelaySeconds: Double { delaySeconds.max() ?? 0 }
}
