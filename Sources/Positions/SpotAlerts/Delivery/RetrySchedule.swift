public import CivilTime

/// The schedule of repeated delivery attempts.
public struct RetrySchedule: Hashable, Sendable {
  /// The delay in seconds after each failed attempt; the last one applies to all further attempts.
  public var delaySeconds: [Double]
  /// The time in seconds after the event until which a notification is still delivered.
  public var lifetimeSeconds: Double
  /// The maximum pause in seconds that a receiver may request.
  public var longestPauseSeconds: Double

  /// Creates a schedule. By default attempts are repeated after 1, 5, 30, 120, 120… seconds, for 15
  /// minutes, with pauses of up to 5 minutes.
  public init(
    delaySeconds: [Double] = [1, 5, 30, 120], lifetimeSeconds: Double = 900,
    longestPauseSeconds: Double = 300
  ) {
    self.delaySeconds = delaySeconds
    self.lifetimeSeconds = lifetimeSeconds
    self.longestPauseSeconds = longestPauseSeconds
  }

  /// Returns whether it is too late for another attempt.
  ///
  /// A notification's time may be in the future if the clock has been set back since.
  public func isExpired(queued: Instant, at now: Instant) -> Bool {
    now.seconds(since: queued) > lifetimeSeconds
  }

  /// Returns the time of the next attempt.
  ///
  /// - Parameters:
  ///   - tries: The number of attempts so far, at least one.
  ///   - queued: The time of the event.
  ///   - now: The end of the last attempt.
  ///   - pauseSeconds: The pause that the receiver requested; limited to the maximum pause.
  /// - Returns: The time; `nil` if it would be too late.
  public func next(
    afterTries tries: Int, queued: Instant, at now: Instant, pauseSeconds: Double = 0
  ) -> Instant? {
    guard let last = delaySeconds.last else { return nil }
    let delay = delaySeconds.indices.contains(tries - 1) ? delaySeconds[tries - 1] : last
    let next = now.advanced(bySeconds: max(delay, granted(pauseSeconds: pauseSeconds)))
    return isExpired(queued: queued, at: next) ? nil : next
  }

  /// Returns a requested pause, limited to the maximum.
  func granted(pauseSeconds: Double) -> Double { min(max(pauseSeconds, 0), longestPauseSeconds) }

  /// The maximum delay in seconds; a longer remaining delay means that the clock was set back.
  var longestWaitSeconds: Double { max(delaySeconds.max() ?? 0, longestPauseSeconds) }
}
