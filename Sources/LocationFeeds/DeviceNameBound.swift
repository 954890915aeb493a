import CivilTime

/// Bounds how many devices a sender can name, since a sender may invent names without end.
///
/// A name that is in use keeps its place, whatever else is sent: only one that was silent for an
/// hour makes room.
package struct DeviceNameBound: Sendable {
  /// How many names senders share that show no token.
  package static let unknownSenders = 256
  /// How many names the holder of one token may use beside those that are listed.
  package static let tokenHolder = 16

  /// After so long a silence a name may be forgotten.
  private static let silence = Duration.seconds(3600)

  private var slots: DeviceSlots
  private var heard: [ContinuousClock.Instant] = []

  /// Creates a bound that no name counts against yet.
  package init(_ limit: Int) { slots = DeviceSlots(capacity: limit) }

  /// Whether a device may have a name: it has it already, or there is room.
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
