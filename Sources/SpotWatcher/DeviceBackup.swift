/// The states of devices before the last fix or tick, to undo it if it cannot be recorded.
///
/// Only decisions about spots are ever undone, and most fixes lead to none: they change only the
/// device's track, and some numbers of its places. So the track is copied for each fix, and the
/// rest, which is large, only before the first change that may lead to such a decision.
struct DeviceBackup: Sendable {
  /// Whether states are saved; false for a watcher over one index.
  let isInUse: Bool
  /// The device that is decided, before any change.
  private var track = DeviceTrack()
  private var isSaved = false
  private var states: [DeviceState] = []

  init(isInUse: Bool) { self.isInUse = isInUse }

  /// Forgets the saved states, before the next fix or tick.
  mutating func clear() {
    if !states.isEmpty { states = [] }
  }

  /// Notes the track of a device before it changes.
  mutating func begin(_ device: DeviceState) {
    guard isInUse else { return }
    track = device.track
    isSaved = false
  }

  /// Saves the state of a device of which only the track has changed since ``begin(_:)``, unless it
  /// is saved already.
  mutating func save(_ device: DeviceState) {
    guard isInUse, !isSaved else { return }
    isSaved = true
    states.append(device)
    states[states.count - 1].track = track
  }

  /// Returns the saved states, and forgets them.
  mutating func take() -> [DeviceState] {
    defer { clear() }
    return states
  }
}
