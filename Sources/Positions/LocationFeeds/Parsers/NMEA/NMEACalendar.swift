import CivilTime

/// Infers the date of a receiver's times of day from the dates in RMC and ZDA sentences.
///
/// Most sentences hold a time of day only, and the last date is carried forward to them. A time of
/// day up to 12 hours ahead follows the last one, past midnight if need be; a time of day up to an
/// hour behind is due to a clock that was set back, or to a late sentence. After any other step the
/// day is unknown until a sentence holds a date, since a wrong date is worse than none.
struct NMEACalendar: Sendable {
  private static let day = 86_400_000
  private static let longestStepForward = 12 * 3_600_000
  private static let longestStepBack = 3_600_000

  private struct Reference {
    /// Milliseconds since 1970 at midnight UTC.
    var midnight: Int64
    var timeOfDay: Int
    /// Whether the receiver had a position, or a set clock, when it sent the date.
    var isTrusted: Bool
  }

  private var reference: Reference?

  /// Sets the date from a sentence.
  ///
  /// - Parameters:
  ///   - midnight: Midnight UTC of the date.
  ///   - timeOfDay: The time of day in the sentence, in milliseconds.
  ///   - isTrusted: Whether the date is reliable. The date of a void RMC sentence may be that of a
  ///     clock that was never set; it is used only until a reliable one arrives.
  mutating func set(midnight: Instant, timeOfDay: Int, isTrusted: Bool) {
    guard isTrusted || reference?.isTrusted != true else { return }
    reference = Reference(
      midnight: midnight.millisecondsSince1970, timeOfDay: timeOfDay, isTrusted: isTrusted)
  }

  /// Moves the reference forward or back to a time of day; the day may become unknown.
  mutating func advance(toTimeOfDay timeOfDay: Int) {
    guard let current = reference else { return }
    reference = midnight(atTimeOfDay: timeOfDay).map {
      Reference(midnight: $0, timeOfDay: timeOfDay, isTrusted: current.isTrusted)
    }
  }

  /// Returns the instant of a time of day near the last one; `nil` where the day is unknown.
  ///
  /// A leap second becomes the last millisecond of the second before it, as everywhere in
  /// ``Instant``.
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

  /// Returns the number of midnights between a time of day and the next reported one, from -1 to 1;
  /// `nil` where it cannot be inferred.
  private static func days(from timeOfDay: Int, to next: Int) -> Int? {
    [0, 1, -1].first { days in
      (-longestStepBack...longestStepForward).contains(next - timeOfDay + days * day)
    }
  }

  /// Returns the instants of times of day that precede one whose day is known.
  ///
  /// The date is carried back from each time of day to the one before, by the rule by which it is
  /// carried forward, until the day cannot be inferred.
  ///
  /// - Parameters:
  ///   - timesOfDay: The times of day in milliseconds, in the order of their arrival.
  ///   - next: The first time of day after them, whose day is known.
  /// - Returns: One instant per time of day; `nil` for those whose day is unknown.
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
