import CivilTime

/// Knows on which day a receiver's times of day are, from the dates in RMC and ZDA sentences.
///
/// Most sentences tell the time of day alone. The last date is carried forward to them: a time of
/// day up to 12 hours ahead comes after the last one, past midnight if need be; one up to an hour
/// behind is a clock that was set back, or a late sentence. Anything between leaves the day unknown
/// until a sentence tells it, since a wrong date is worse than none.
struct NMEACalendar: Sendable {
  private static let day = 86_400_000
  private static let longestStepForward = 12 * 3_600_000
  private static let longestStepBack = 3_600_000

  private struct Reference {
    /// Milliseconds since 1970 at midnight UTC.
    var midnight: Int64
    var timeOfDay: Int
    /// Whether the receiver had a fix, or its clock, when it told the date.
    var isTrusted: Bool
  }

  private var reference: Reference?

  /// Takes the date that a sentence tells.
  ///
  /// - Parameters:
  ///   - midnight: Midnight UTC of the date.
  ///   - timeOfDay: The time of day in the sentence.
  ///   - isTrusted: Whether the date is sound; the date of a void RMC sentence, which may be that
  ///     of a clock that was never set, is taken only as long as there is no better one.
  mutating func set(midnight: Instant, timeOfDay: Int, isTrusted: Bool) {
    guard isTrusted || reference?.isTrusted != true else { return }
    reference = Reference(
      midnight: midnight.millisecondsSince1970, timeOfDay: timeOfDay, isTrusted: isTrusted)
  }

  /// Follows the receiver's clock to a time of day.
  mutating func advance(toTimeOfDay timeOfDay: Int) {
    guard let current = reference else { return }
    reference = midnight(atTimeOfDay: timeOfDay).map {
      Reference(midnight: $0, timeOfDay: timeOfDay, isTrusted: current.isTrusted)
    }
  }

  /// The instant at a time of day near the last one; `nil` where the day is not known.
  ///
  /// A leap second is the last millisecond of the second before it, as everywhere in ``Instant``.
  func instant(atTimeOfDay timeOfDay: Int) -> Instant? {
    midnight(atTimeOfDay: timeOfDay).map {
      Instant(millisecondsSince1970: $0 + Int64(min(timeOfDay, Self.day - 1)))
    }
  }

  private func midnight(atTimeOfDay timeOfDay: Int) -> Int64? {
    guard let reference,
      let days = Self.days(from: reference.timeOfDay, to: timeOfDay)
    else { return nil }
    return reference.midnight + Int64(days * Self.day)
  }

  /// How many midnights lie between a time of day and the next one that was told; `nil` where there
  /// is no telling.
  private static func days(from timeOfDay: Int, to next: Int) -> Int? {
    [0, 1, -1].first { days in
      (-longestStepBack...longestStepForward).contains(next - timeOfDay + days * day)
    }
  }

  /// The instants at times of day that came before one whose day is known, in the order in which
  /// they came: the date is carried back from each to the one before, as it is carried forward,
  /// until there is no telling.
  ///
  /// - Parameters:
  ///   - timesOfDay: The times of day.
  ///   - next: The first time of day behind them; its day is known.
  /// - Returns: As many instants, `nil` for those whose day is not known.
  func instants(atTimesOfDay timesOfDay: [Int], before next: Int) -> [Instant?] {
    var instants = [Instant?](repeating: nil, count: timesOfDay.count)
    guard var midnight = midnight(atTimeOfDay: next) else { return instants }
    var next = next
    for index in timesOfDay.indices.reversed() {
      let timeOfDay = timesOfDay[index]
      guard let days = Self.days(from: timeOfDay, to: next) else { break }
      midnight -= Int64(days * Self.day)
      instants[index] = Instant(
        millisecondsSince1970: midnight + Int64(min(timeOfDay, Self.day - 1)))
      next = timeOfDay
    }
    return instants
  }
}
