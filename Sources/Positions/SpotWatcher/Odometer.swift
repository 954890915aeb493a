package import CivilTime
package import Spatial

/// The distance that a device covers, summed by the local day.
///
/// The straight line between two fixes counts if both are of one local day and the later one is at
/// most ``maximumGapSeconds`` after the last plausible fix before it. Otherwise it may join two
/// recordings, such as those of a trip and of the day back home, and adds nothing.
package struct Odometer: Hashable, Sendable {
  /// The gap in seconds beyond which nothing is known of the way between two fixes: an hour, as for
  /// the estimate of a device's position.
  package static let maximumGapSeconds = AlertRules().gapSeconds

  private var position: Coordinate?
  private var time: Instant?
  private var day: CivilDateTime?

  /// Creates an odometer before the first fix.
  package init() {}

  /// Moves to the position of a fix in which the device had moved.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - time: The time of the fix.
  ///   - day: The midnight that begins the local day of the fix.
  /// - Returns: The distance in metres that the fix adds to its day; zero for the first fix, after
  ///   a gap, and for a fix that is older than the one before.
  package mutating func move(
    to position: Coordinate, at time: Instant, of day: CivilDateTime
  ) -> Double {
    var meters = 0.0
    if let from = self.position, let before = self.time, self.day == day,
      (0...Self.maximumGapSeconds).contains(time.seconds(since: before))
    {
      meters = from.distance(to: position)
    }
    (self.position, self.time, self.day) = (position, time, day)
    return meters
  }

  /// Stays at the position until the time of a fix in which the device had not moved.
  package mutating func stay(until time: Instant, of day: CivilDateTime) {
    (self.time, self.day) = (time, day)
  }
}
