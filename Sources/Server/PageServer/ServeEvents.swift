import CivilTime
import Dispatch
import Encodings
import LocationFeeds
import SpotAlerts
import SpotService
import Synchronization
import WebService

/// Live events for pages. Changes that the watch reports are sent immediately; changes that other
/// programs write to files are sent within about a second.
final class ServeEvents: Sendable {
  private struct Seen {
    var generations: ServiceGenerations
    var library: String?
    /// The alerts that were published, or were in the history at the start, with the receivers for
    /// which their delivery has ended.
    var alerts: [AlertKey: Set<String>]
    /// The ids of the recreations that were published, or existed at the start.
    var recreations: Set<String>
  }

  private struct AlertKey: Hashable {
    let kind: HistoryEntry.Kind
    let time: Instant
    let recorded: Instant
    let device: String?
    let spotID: String
  }

  private let hub: EventHub
  private let service: Service
  private let state: ServedState
  /// Called when the settings have changed.
  private let settingsChanged: @Sendable () -> Void
  /// Called when the phones have changed.
  private let phonesChanged: @Sendable () -> Void
  private let seen: Mutex<Seen>
  private let queue = DispatchQueue(label: "photospots.events", qos: .utility)
  private let timer = Mutex<Task<Void, any Error>?>(nil)

  init(
    _ hub: EventHub, _ service: Service, _ state: ServedState,
    settingsChanged: @escaping @Sendable () -> Void,
    phonesChanged: @escaping @Sendable () -> Void
  ) {
    (self.hub, self.service, self.state) = (hub, service, state)
    self.settingsChanged = settingsChanged
    self.phonesChanged = phonesChanged
    seen = Mutex(
      Seen(
        generations: state.generations(), library: try? state.library().generation,
        alerts: Self.ended((try? state.history()) ?? []),
        recreations: Set(((try? state.recreations()) ?? []).map(\.id))))
  }

  /// Starts checking the files for changes.
  func start() {
    let task = Task { [weak self] in
      while true {
        try await Task.sleep(for: .seconds(1), tolerance: .milliseconds(200))
        self?.checkForChanges()
      }
    }
    timer.withLock { $0 = task }
  }

  /// Stops checking the files.
  func stop() {
    timer.withLock { $0 }?.cancel()
    queue.sync {}
  }

  /// Checks the files for changes without waiting for the next interval.
  func checkForChanges() {
    queue.async { [weak self] in self?.publishChanges() }
  }

  /// Publishes the new position of a device.
  func sendPosition(_ fix: LocationFix) {
    hub.publish(.position, device: fix.device ?? "") { Service.writePosition(fix, to: &$0) }
  }

  /// Publishes the progress of a scan.
  func sendProgress(_ state: IndexingState) {
    hub.publish(.progress) { state.writeProgress(to: &$0) }
  }

  /// Publishes that a scan ended.
  func sendIndexingEnd() { hub.publish(.indexing) }

  /// Publishes the changes since the last call.
  private func publishChanges() {
    state.readAgain()
    let generations = state.generations()
    let library = try? state.library().generation
    let (before, isIndexNew) = seen.withLock { seen in
      defer { (seen.generations, seen.library) = (generations, library) }
      return (seen.generations, seen.library != library)
    }
    if isIndexNew { sendIndex() }
    if before.settings != generations.settings {
      settingsChanged()
      hub.publish(.settings)
    }
    if before.phones != generations.phones {
      phonesChanged()
      hub.publish(.phones)
    }
    if before.outages != generations.outages { hub.publish(.outages) }
    if before.mutes != generations.mutes { hub.publish(.mutes) }
    if before.places != generations.places { hub.publish(.places) }
    if before.history != generations.history { sendAlerts() }
    if before.recreations != generations.recreations { sendRecreations() }
  }

  private func sendIndex() {
    do throws(Problem) {
      try hub.publish(.index) { json throws(Problem) in try service.writeIndex(to: &json) }
    } catch {
      // The page then reloads everything, and its requests report the error.
      hub.publish(.gap)
    }
  }

  private func sendAlerts() {
    guard let history = try? state.history() else { return }
    let ended = Self.ended(history)
    let known = seen.withLock { seen in
      defer { seen.alerts = ended }
      return seen.alerts
    }
    for entry in history {
      let key = Self.key(entry)
      let event: ServiceEvent.Kind = known[key] == nil ? .alert : .delivery
      guard known[key] != ended[key] else { continue }
      do throws(Problem) {
        try hub.publish(event) { json throws(Problem) in
          try service.writeAlert(entry, now: .now, to: &json)
        }
      } catch { hub.publish(.gap) }
    }
  }

  private func sendRecreations() {
    guard let recreations = try? state.recreations() else { return }
    let ids = Set(recreations.map(\.id))
    let known = seen.withLock { seen in
      defer { seen.recreations = ids }
      return seen.recreations
    }
    for recreation in recreations.reversed() where !known.contains(recreation.id) {
      hub.publish(.recreation) { recreation.write(to: &$0) }
    }
  }

  /// Returns the alerts of a history, each with the receivers for which its delivery has ended.
  private static func ended(_ history: [HistoryEntry]) -> [AlertKey: Set<String>] {
    let alerts = history.map { entry in
      let ended = entry.deliveries.filter { delivery in
        if case .pending = delivery.outcome { false } else { true }
      }
      return (key(entry), Set(ended.map(\.notifier)))
    }
    return Dictionary(alerts) { $0.union($1) }
  }

  private static func key(_ entry: HistoryEntry) -> AlertKey {
    AlertKey(
      kind: entry.kind, time: entry.time, recorded: entry.recorded, device: entry.device,
      spotID: entry.spotID)
  }
}
