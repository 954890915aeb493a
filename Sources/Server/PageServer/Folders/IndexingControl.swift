import CivilTime
import IndexUpdates
import PhotoLibrary
import SpotService
import Synchronization
import SystemPackage

/// The scans of a page server: their progress and result, and the requests to start and stop them.
final class IndexingControl: Sendable {
  /// Ends the update loop after a person stopped a scan.
  struct Stopped: Error {}

  private struct State {
    /// The monitor of the running scan.
    var monitor: ScanMonitor?
    var folder = ""
    var start = ContinuousClock.now
    var isStopped = false
    /// The folders that a person chose and that are not scanned yet.
    var wanted: [FilePath] = []
    var result: IndexingState.Result?
  }

  private let requests: ScanRequests
  private let state = Mutex(State())

  /// Creates the control of the update loop that receives requests.
  init(_ requests: ScanRequests) {
    self.requests = requests
  }

  /// Whether scans were stopped, so that the update loop must wait.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Whether there is something to do for the update loop although it has no folder yet.
  var isWaitedFor: Bool { state.withLock { !$0.isStopped && !$0.wanted.isEmpty } }

  /// The folders that a person chose and that are not scanned yet.
  var wanted: [FilePath] { state.withLock { $0.wanted } }

  /// Starts to index folders, and goes on with a scan that was stopped.
  func start(_ folders: [FilePath]) {
    let wanted = state.withLock { state in
      state.isStopped = false
      state.result = nil
      state.wanted += folders.filter { !state.wanted.contains($0) }
      return state.wanted
    }
    for folder in wanted { requests.add(folder) }
  }

  /// Stops the running scan; what it found is kept. Without one nothing is stopped.
  func stop() {
    state.withLock { state in
      guard state.monitor != nil || !state.wanted.isEmpty else { return }
      state.isStopped = true
      state.monitor?.cancel()
    }
  }

  /// Notes the start of a scan.
  func willScan(_ folders: [FilePath], _ monitor: ScanMonitor) {
    state.withLock { state in
      (state.monitor, state.start) = (monitor, .now)
      state.folder = folders.count == 1 ? folders[0].lastComponent?.string ?? "/" : ""
      if state.isStopped { monitor.cancel() }
    }
  }

  /// Notes the end of a scan.
  ///
  /// - Parameter outcome: The outcome; `nil` if the folders are gone.
  /// - Throws: ``Stopped`` if a person stopped it.
  func didScan(_ outcome: IndexRun.Outcome?) throws {
    try state.withLock { state in
      state.monitor = nil
      if let report = outcome?.report {
        state.result = IndexingState.Result(
          files: report.files.photos, located: report.files.located,
          withoutPosition: report.files.withoutPosition,
          unread: report.unreadable + report.files.malformed)
      }
      if state.isStopped { throw Stopped() }
      let roots = outcome?.index.roots.map(\.path) ?? []
      state.wanted.removeAll { folder in
        outcome == nil || roots.contains { folder.starts(with: $0) }
      }
    }
  }

  /// Notes that a scan could not write the index and will be tried again.
  ///
  /// - Throws: ``Stopped`` if a person stopped it.
  func didPostpone() throws {
    try state.withLock { state in
      state.monitor = nil
      if state.isStopped { throw Stopped() }
    }
  }

  /// Notes that the update loop ended with an error, so that the folders are not waited for.
  func didFail() {
    state.withLock { state in
      (state.monitor, state.wanted) = (nil, [])
    }
  }

  /// The progress of the running scan, or the result of the latest.
  var current: IndexingState {
    state.withLock { state in
      var current = IndexingState(isStopped: state.isStopped, result: state.result)
      current.isRunning = !state.isStopped && (state.monitor != nil || !state.wanted.isEmpty)
      guard let progress = state.monitor?.progress else { return current }
      current.folder = state.folder
      (current.found, current.total) = (progress.found, progress.toRead)
      (current.read, current.located) = (progress.read, progress.located)
      let seconds = (ContinuousClock.now - state.start).seconds
      if progress.read > 0, progress.toRead >= progress.read {
        current.secondsLeft =
          Double(progress.toRead - progress.read) * seconds / Double(progress.read)
      }
      return current
    }
  }
}
