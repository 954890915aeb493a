import CivilTime

/// Decides when a digest is due, from the digests made before and the time. It has no side effects.
struct DigestTimer {
  /// The schedule; `nil` for no digests.
  var schedule: DigestSchedule? {
    didSet { if schedule != oldValue { next = nil } }
  }
  /// The local clock of the schedule.
  var clock: LocalClock
  /// The end of the last summarised period.
  private var lastEnd: Instant?
  /// The time before which nothing is due; `nil` if unknown.
  private var next: Instant?

  /// The interval in seconds at which a failed digest is tried again, such as on a full disk.
  private static let retrySeconds = 60.0

  /// Creates the timer of a watch.
  ///
  /// - Parameters:
  ///   - schedule: The schedule; `nil` for no digests.
  ///   - clock: The local clock of the schedule.
  ///   - ends: The ends of the summarised periods, as far as they are known.
  ///   - now: The machine's clock. Ends of a later day were recorded with a clock that was ahead,
  ///     and are ignored.
  init(schedule: DigestSchedule?, clock: LocalClock, ends: [Instant], now: Instant) {
    self.schedule = schedule
    self.clock = clock
    lastEnd = ends.filter { $0 < now.advanced(bySeconds: 86_400) }.max()
  }

  /// Returns the period to summarise now; `nil` if none is due.
  ///
  /// The same period is returned again after a while unless ``finish(_:now:)`` is called. Of
  /// several missed periods, only the last is returned. A period that ends less than half its
  /// length after the last end is skipped, so that a new schedule or time zone does not summarise a
  /// day twice.
  mutating func due(at now: Instant) -> DigestSchedule.Period? {
    guard let schedule else { return nil }
    // A longer remaining time means that the clock was set back.
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

  /// Records that a period was summarised, even if its digest was empty.
  mutating func finish(_ period: DigestSchedule.Period, now: Instant) {
    lastEnd = period.end
    next = schedule?.nextEnd(after: now, clock)
  }
}
