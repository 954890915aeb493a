import CivilTime
package import LocationFeeds

/// How patient a source is that is opened again when it breaks.
public struct ConnectionPace: Hashable, Sendable {
  /// The pause before the first try to open it again; each further one is twice as long.
  public var firstPause = Duration.seconds(1)
  /// The longest pause.
  public var longestPause = Duration.seconds(30)
  /// How long connecting may take, and how long an answer.
  public var patience = Duration.seconds(10)
  /// How long without a report is worth telling.
  public var silence = Duration.seconds(30)

  /// Creates the usual pace.
  public init() {}
}

/// Decides when a source is opened again, and what of that is told.
///
/// It is told what happens, with the times, and does nothing itself.
package struct ConnectionSchedule {
  /// A time on the monotonic clock.
  package typealias Time = ContinuousClock.Instant

  /// What is to be done at a time, unless something happens before.
  package enum Step: Hashable {
    /// Open the source.
    case open
    /// Give an open source up, since it does not answer.
    case giveUp
    /// Say that it is silent.
    case tellSilence
    /// Wait for what comes.
    case wait
  }

  private enum State {
    case closed
    /// Opened, and nothing has shown yet that it is what it should be.
    case opened
    case answered
  }

  private let pace: ConnectionPace
  private let needsAnswer: Bool
  private var state = State.closed
  /// While closed: when to open it. While open: since when nothing was heard.
  private var time: Time
  private var pause: Duration
  private var isSilent = false
  private var toldOutage: FeedOutage?

  /// Begins with a source that is to be opened at once, and may have to answer before it reports.
  package init(_ pace: ConnectionPace, needsAnswer: Bool, now: Time) {
    self.pace = pace
    self.needsAnswer = needsAnswer
    time = now
    pause = pace.firstPause
  }

  /// What is to be done next, and when.
  package var next: (step: Step, time: Time) {
    switch state {
    case .closed: (.open, time)
    case .opened where needsAnswer: (.giveUp, time + pace.patience)
    case .opened, .answered:
      isSilent ? (.wait, time + .seconds(86_400)) : (.tellSilence, time + pace.silence)
    }
  }

  /// The source was opened.
  package mutating func didOpen(now: Time) {
    (state, time, isSilent) = (.opened, now, false)
  }

  /// The source could not be opened, or broke.
  package mutating func didFail(_ outage: FeedOutage, now: Time) -> FeedEvent? {
    (state, time) = (.closed, now + pause)
    pause = min(pause * 2, pace.longestPause)
    guard outage != toldOutage else { return nil }
    toldOutage = outage
    return .lost(outage)
  }

  /// The source showed that it is what it should be: by an answer, or by its first bytes.
  package mutating func didAnswer() -> FeedEvent? {
    guard state == .opened else { return nil }
    state = .answered
    pause = pace.firstPause
    defer { toldOutage = nil }
    return toldOutage == nil ? nil : .regained
  }

  /// A report came.
  package mutating func didReport(now: Time) -> FeedEvent? {
    let event = isSilent ? FeedEvent.heardAgain(after: time.duration(to: now)) : nil
    (time, isSilent) = (now, false)
    return event
  }

  /// Nothing was reported for the time that is worth telling.
  package mutating func didFallSilent(now: Time) -> FeedEvent {
    isSilent = true
    return .silent(time.duration(to: now))
  }
}
