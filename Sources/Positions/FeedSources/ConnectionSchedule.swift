import CivilTime
package import LocationFeeds

/// The delays and time limits of a source that is reopened after failures.
public struct ConnectionPace: Hashable, Sendable {
  /// The pause before the first attempt to reopen the source; each further pause is twice as long.
  public var firstPause = Duration.seconds(1)
  /// The longest pause.
  public var longestPause = Duration.seconds(30)
  /// The time limit for connecting, and for the first answer.
  public var patience = Duration.seconds(10)
  /// The time without a report after which the source is reported as silent.
  public var silence = Duration.seconds(30)

  /// Creates the default pace.
  public init() {}
}

/// Decides when a source is reopened, and which of its events are reported.
///
/// A pure state machine: events and times are passed in, and it performs no effects itself.
package struct ConnectionSchedule {
  /// A time on the monotonic clock.
  package typealias Time = ContinuousClock.Instant

  /// A step that is due at a time unless something happens before.
  package enum Step: Hashable {
    /// Open the source.
    case open
    /// Close an open source, since it does not answer.
    case giveUp
    /// Report that the source is silent.
    case reportSilence
    /// Wait for data.
    case wait
  }

  private enum State {
    case closed
    /// Open, but nothing has shown yet that the server is of the expected kind.
    case opened
    case answered
  }

  private let pace: ConnectionPace
  private let needsAnswer: Bool
  private var state = State.closed
  /// While closed, the time of the next attempt; while open, the time of the last report or of
  /// opening.
  private var time: Time
  private var pause: Duration
  private var isSilent = false
  private var reportedOutage: FeedOutage?

  /// Creates a schedule that opens the source at once.
  ///
  /// - Parameters:
  ///   - pace: The delays and time limits.
  ///   - needsAnswer: Whether the source must answer a request before it reports.
  ///   - now: The current time.
  package init(_ pace: ConnectionPace, needsAnswer: Bool, now: Time) {
    self.pace = pace
    self.needsAnswer = needsAnswer
    time = now
    pause = pace.firstPause
  }

  /// The next step, and the time at which it is due.
  package var next: (step: Step, time: Time) {
    switch state {
    case .closed: (.open, time)
    case .opened where needsAnswer: (.giveUp, time + pace.patience)
    case .opened, .answered:
      isSilent ? (.wait, time + .seconds(86_400)) : (.reportSilence, time + pace.silence)
    }
  }

  /// Records that the source was opened.
  package mutating func didOpen(now: Time) {
    (state, time, isSilent) = (.opened, now, false)
  }

  /// Records that the source could not be opened, or broke. Returns the event to report; `nil` if
  /// the same reason was reported already.
  package mutating func didFail(_ outage: FeedOutage, now: Time) -> FeedEvent? {
    (state, time) = (.closed, now + pause)
    pause = min(pause * 2, pace.longestPause)
    guard outage != reportedOutage else { return nil }
    reportedOutage = outage
    return .lost(outage)
  }

  /// Records that the source proved to be of the expected kind, by an answer or by its first bytes.
  /// Returns the event to report, if any.
  package mutating func didAnswer() -> FeedEvent? {
    guard state == .opened else { return nil }
    state = .answered
    pause = pace.firstPause
    defer { reportedOutage = nil }
    return reportedOutage == nil ? nil : .regained
  }

  /// Records a report. Returns the event to report if the source was silent before.
  package mutating func didReport(now: Time) -> FeedEvent? {
    let event = isSilent ? FeedEvent.heardAgain(after: time.duration(to: now)) : nil
    (time, isSilent) = (now, false)
    return event
  }

  /// Records that no report arrived for ``ConnectionPace/silence``, and returns the event to
  /// report.
  package mutating func didFallSilent(now: Time) -> FeedEvent {
    isSilent = true
    return .silent(time.duration(to: now))
  }
}
