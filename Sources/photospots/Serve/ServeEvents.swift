import CivilTime
import Dispatch
import Interchange
import LocationFeeds
import SpotAlerts
import SpotService
import Synchronization
import WebService

/// Tells pages what changes: what the watch reports at once, and what other programs write within
/// a second.
final class ServeEvents: Sendable {
  private struct Seen {
    var generations: ServiceGenerations
    var library: String?
    /// The latest of the alerts that pages know.
    var alerts: Set<AlertKey>
    /// The ids of the pictures taken again that pages know.
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
  /// Called where the settings are others.
  private let settingsChanged: @Sendable () -> Void
  private let seen: Mutex<Seen>
  private let queue = DispatchQueue(label: "photospots.events", qos: .utility)
  private let timer = Mutex<Task<Void, any Error>?>(nil)

  init(
    _ hub: EventHub, _ service: Service, _ state: ServedState,
    settingsChanged: @escaping @Sendable () -> Void
  ) {
    (self.hub, self.service, self.state) = (hub, service, state)
    self.settingsChanged = settingsChanged
    seen = Mutex(
      Seen(
        generations: state.generations(), library: try? state.library().generation,
        alerts: Set(((try? state.history()) ?? []).map(Self.key)),
        recreations: Set(((try? state.recreations()) ?? []).map(\.id))))
  }

  /// Begins to look at the files.
  func start() {
    let task = Task { [weak self] in
      while true {
        try await Task.sleep(for: .seconds(1), tolerance: .milliseconds(200))
        self?.look()
      }
    }
    timer.withLock { $0 = task }
  }

  /// Ends looking.
  func stop() {
    timer.withLock { $0 }?.cancel()
    queue.sync {}
  }

  /// Looks at the files at once: something was just written.
  func look() {
    queue.async { [weak self] in self?.lookNow() }
  }

  /// Tells that a device moved.
  func tellPosition(_ fix: LocationFix) {
    hub.publish(.position, device: fix.device ?? "") { Service.writePosition(fix, to: &$0) }
  }

  /// Tells how far a scan has come.
  ///
  /// - Parameters:
  ///   - folder: The name of the scanned folder.
  ///   - scanned: The number of files read.
  ///   - located: The number of those with a position.
  ///   - secondsLeft: The estimated rest of the scan in seconds; `nil` if unknown.
  func tellProgress(folder: String, scanned: Int, located: Int, secondsLeft: Double?) {
    hub.publish(.progress) { writer in
      writer.object { writer in
        writer.member("folder", folder)
        writer.member("scanned", scanned)
        writer.member("located", located)
        writer.member("secondsLeft", secondsLeft)
      }
    }
  }

  private func lookNow() {
    let generations = state.generations()
    let library = try? state.library().generation
    let (before, isIndexNew) = seen.withLock { seen in
      defer { (seen.generations, seen.library) = (generations, library) }
      return (seen.generations, seen.library != library)
    }
    if isIndexNew { tellIndex() }
    if before.settings != generations.settings {
      settingsChanged()
      hub.publish(.settings)
    }
    if before.mutes != generations.mutes { hub.publish(.mutes) }
    if before.places != generations.places { hub.publish(.places) }
    if before.history != generations.history { tellAlerts() }
    if before.recreations != generations.recreations { tellRecreations() }
  }

  private func tellIndex() {
    do throws(Problem) {
      try hub.publish(.index) { json throws(Problem) in try service.writeIndex(to: &json) }
    } catch {
      // The page asks for all again, and is told what is wrong.
      hub.publish(.gap)
    }
  }

  private func tellAlerts() {
    guard let history = try? state.history() else { return }
    let keys = history.map(Self.key)
    let known = seen.withLock { seen in
      defer { seen.alerts = Set(keys) }
      return seen.alerts
    }
    for (entry, key) in zip(history, keys) where !known.contains(key) {
      do throws(Problem) {
        try hub.publish(.alert) { json throws(Problem) in
          try service.writeAlert(entry, now: .now, to: &json)
        }
      } catch { hub.publish(.gap) }
    }
  }

  private func tellRecreations() {
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

  private static func key(_ entry: HistoryEntry) -> AlertKey {
    AlertKey(
      kind: entry.kind, time: entry.time, recorded: entry.recorded, device: entry.device,
      spotID: entry.spotID)
  }
}
