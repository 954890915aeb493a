/// The states of devices before the last fix or tick, to undo it if it cannot be recorded.
///
/// Only decisions about spots are ever undone, and most fixes lead to none. A copy is made before
/// each fix, which shares its storage with the device, and kept only after such a decision.
struct DeviceBackup: Sendable {
  /// Whether states are saved; false if nothing is ever undone, as in a replay.
  let isInUse: Bool
  /// The device that is decided, before any change.
  private var before: DeviceState?
  private var states: [DeviceState] = []

  init(isInUse: Bool) { self.isInUse = isInUse }

  /// Forgets the saved states, before the next fix or tick.
  mutating func clear() {
    if !states.isEmpty { states = [] }
  }

  /// Copies a device before it changes.
  mutating func begin(_ device: DeviceState) {
    if isInUse { before = device }
  }

  /// Keeps the copy if any of the decisions concerns a spot.
  mutating func end(_ decisions: ArraySlice<WatcherDecision>) {
    if let device = before.take(), decisions.contains(where: \.kind.isAboutSpot) {
      states.append(device)
    }
  }

  /// Returns the saved states, and forgets them.
  mutating func take() -> [DeviceState] {
    defer { clear() }
    return states
  }
}
