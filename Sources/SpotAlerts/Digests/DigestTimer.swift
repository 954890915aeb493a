import CivilTime

/// Says when a digest is to be made, from what was made before and the time: pure.
struct DigestTimer {
  /// When digests are sent; `nil` for never.
  var schedule: DigestSchedule? {
    didSet { if schedule != oldValue { next = nil } }
  }
  /// The clock that the schedule is of.
  var clock: LocalClock
  /// The end of the last period that was summed up.
  private var lastEnd: Instant?
  /// Before this nothing is due; `nil` where that is not known.
  private var next: Instant?

  /// A disk that is full is tried again so often, in seconds.
  private static let retrySeconds = 60.0

  /// Creates the timer of a watch.
  ///
  /// - Parameters:
  ///   - schedule: When digests are sent; `nil` for never.
  ///   - clock: The clock that the schedule is of.
  ///   - ends: The ends of the periods that were summed up, as far as they are remembered.
  ///   - now: The machine's clock. Ends of a later day were noted by one that was ahead.
  init(schedule: DigestSchedule?, clock: LocalClock, ends: [Instant], now: Instant) {
    self.schedule = schedule
    self.clock = clock
    lastEnd = ends.filter { $0 < now.advanced(bySeconds: 86_400) }.max()
  }

  /// The period that is to be summed up now; `nil` where none is.
  ///
  /// It is given again after a while unless ``finish(_:now:)`` says that it was. Of several that
  /// were missed it is the last. A period whose end is less than half of it after the last end is
  /// passed over, so that neither a new schedule nor a new time zone has a day told twice.
  mutating func due(at now: Instant) -> DigestSchedule.Period? {
    guard let schedule else { return nil }
    // A longer wait comes of a clock that was turned back.
    if let next, now < next, next.seconds(since: now) <= 9 * 86_400 { return nil }
    let period = schedule.lastPeriod(at: now, clock)
    if let lastEnd, lastEnd < now.advanced(bySeconds: 86_400),
      period.end.seconds(since: lastEnd) < period.end.seconds(since: period.start) / 2
    {
      next = schedule.nextEnd(after: now, clock)
      return nil
    }
    next = now.advanced(bySeconds: Self.retrySeconds)
    return period
  }

  /// Notes that a period was summed up, whether there was something to tell or not.
  mutating func finish(_ period: DigestSchedule.Period, now: Instant) {
    lastEnd = period.end
    next = schedule?.nextEnd(after: now, clock)
  }
}
