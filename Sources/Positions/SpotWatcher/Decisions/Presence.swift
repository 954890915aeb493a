package import CivilTime
package import Spatial

/// A time and an estimated position at which a device was slow. Only the first of a day in each
/// cell of the ``PresenceLog`` is recorded.
package struct Presence: Hashable, Sendable {
  /// The estimated position.
  package let coordinate: Coordinate
  /// The time.
  package let time: Instant
  /// The number of the local day.
  package let day: Int

  /// Creates a presence.
  package init(coordinate: Coordinate, time: Instant, day: Int) {
    (self.coordinate, self.time, self.day) = (coordinate, time, day)
  }
}

extension DeviceState {
  /// The number of presences that are recorded together.
  private static let presenceCount = 16
  /// The seconds after which a presence is recorded, even if there are few.
  private static let presenceSeconds = 600.0

  /// Adds the presence at the last fix to the ground.
  mutating func notePresence() {
    guard let presence = presence.take(),
      ground.note(presence.coordinate, at: presence.time, day: presence.day)
    else { return }
    newPresence.append(presence)
    // Without a journal, nobody takes them.
    if newPresence.count > 4 * Self.presenceCount { newPresence.removeFirst() }
  }

  /// Returns the presence that is due to be recorded, or all of it, and forgets it.
  mutating func takePresence(at now: Instant, all: Bool) -> [Presence] {
    guard let first = newPresence.first,
      all || newPresence.count >= Self.presenceCount
        || now.seconds(since: first.time) >= Self.presenceSeconds
    else { return [] }
    defer { newPresence = [] }
    return newPresence
  }
}
