public import CivilTime

/// When a delivery that failed is tried again.
public struct RetrySchedule: Hashable, Sendable {
  /// The seconds to wait after each failed try; after the last, always as long.
  public var delaySeconds: [Double]
  /// How long after the event a notification is still of use, in seconds.
  public var lifetimeSeconds: Double
  /// The longest pause, in seconds, that a receiver is granted when it asks for one.
  public var longestPauseSeconds: Double

  /// Creates a schedule: by default after 1, 5, 30, 120, 120… seconds, for 15 minutes, with
  /// pauses of up to 5 minutes.
  public init(
    delaySeconds: [Double] = [1, 5, 30, 120], lifetimeSeconds: Double = 900,
    longestPauseSeconds: Double = 300
  ) {
    self.delaySeconds = delaySeconds
    self.lifetimeSeconds = lifetimeSeconds
    self.longestPauseSeconds = longestPauseSeconds
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
  ///   - pauseSeconds: How long the receiver asked to be left alone; no more than the longest pause
  ///     counts.
  /// - Returns: The time; `nil` where it would be too late.
  public func next(
    afterTries tries: Int, queued: Instant, at now: Instant, pauseSeconds: Double = 0
  ) -> Instant? {
    guard let last = delaySeconds.last else { return nil }
    let delay = delaySeconds.indices.contains(tries - 1) ? delaySeconds[tries - 1] : last
    let next = now.advanced(bySeconds: max(delay, granted(pauseSeconds: pauseSeconds)))
    return isExpired(queued: queued, at: next) ? nil : next
  }

  /// So much of a pause that a receiver asked for is kept.
  func granted(pauseSeconds: Double) -> Double { min(max(pauseSeconds, 0), longestPauseSeconds) }

  /// The longest wait; one that seems longer comes of a clock that was turned back.
  var longestWaitSeconds: Double { max(delaySeconds.max() ?? 0, longestPauseSeconds) }
}
