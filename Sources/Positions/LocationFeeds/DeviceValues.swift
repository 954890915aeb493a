/// A value for each of a bounded number of devices. Beyond the limit, the value of the least
/// recently used device is forgotten.
package struct DeviceValues<Value> {
  private let initial: Value
  private var slots: DeviceSlots
  private var values: [Value] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - capacity: The greatest number of devices, at least one.
  ///   - initial: The value of a device that is not known yet.
  package init(capacity: Int = 4096, of initial: Value) {
    (slots, self.initial) = (DeviceSlots(capacity: capacity), initial)
  }

  /// Returns the value of a device without using it; `nil` where it has none.
  package func value(of device: String?) -> Value? { slots.slot(of: device).map { values[$0] } }

  /// Marks a device as the most recently used one, and changes its value.
  ///
  /// - Complexity: O(1) on average, besides that of the change.
  package mutating func change<Result>(
    _ device: String?, _ change: (inout Value) -> Result
  ) -> Result {
    let assignment = slots.use(device)
    switch assignment {
    case .known: break
    case .new: values.append(initial)
    case .reused(let slot, _): values[slot] = initial
    }
    return change(&values[assignment.slot])
  }
}

extension DeviceValues: Sendable where Value: Sendable {}
