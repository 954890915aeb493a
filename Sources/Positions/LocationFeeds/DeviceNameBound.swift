import CivilTime

/// Bounds the number of device names that a sender can use, since a sender can make up any number
/// of them.
///
/// A name is replaced by a new one only after an hour without use, so names in use are never
/// evicted.
package struct DeviceNameBound: Sendable {
  /// The number of names shared by all senders that present no token.
  package static let unknownSenders = 256
  /// The number of names that the holder of one token may use in addition to the listed ones.
  package static let tokenHolder = 16

  /// The time without use after which a name may be evicted.
  private static let silence = Duration.seconds(3600)

  private var slots: DeviceSlots
  private var heard: [ContinuousClock.Instant] = []

  /// Creates a bound of a number of names, none of which is used yet.
  package init(_ limit: Int) { slots = DeviceSlots(capacity: limit) }

  /// Returns whether a device may use a name: the name is in use already, or there is room for it.
  /// Records the use of an admitted name.
  ///
  /// - Complexity: O(1) on average.
  package mutating func admits(_ name: String, at now: ContinuousClock.Instant) -> Bool {
    if slots.slot(of: name) == nil, slots.count == slots.capacity, let oldest = slots.leastRecent,
      now - heard[oldest] < Self.silence
    {
      return false
    }
    let assignment = slots.use(name)
    if case .new = assignment { heard.append(now) } else { heard[assignment.slot] = now }
    return true
  }
}
