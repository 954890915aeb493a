import SpotWatcher
import Synchronization

/// A part of a session's devices, processed by one thread at a time.
final class WatchLane: Sendable {
  struct State: Sendable {
    var watcher: LocationWatcher
    /// The journal; `nil` if nothing is stored.
    let journal: (any AlertJournal)?
    /// Fetches spots.
    let regions: WatchStore.Regions
    /// The number of the owner's last alert that the watcher has received.
    var ownerVersion: Int64 = 0
    /// The number of the alerts on all devices that the watcher knows of; zero if it must learn
    /// them again.
    var sharedGeneration = 0

    /// Restores devices to their states before a fix or a tick.
    mutating func undo(to before: [DeviceState]) {
      for device in before { watcher.restore(device) }
      sharedGeneration = 0
    }
  }

  let state: Mutex<State>

  init(_ watcher: LocationWatcher, _ lane: WatchStore.Lane) {
    state = Mutex(State(watcher: watcher, journal: lane.journal, regions: lane.regions))
  }
}
