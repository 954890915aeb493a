import CivilTime
import Dispatch
import IndexUpdates
import PhotoLibrary
import ProcessControl
import SystemPackage

/// Keeps the index current on a separate thread while the page is served, and publishes the
/// progress of scans to pages.
final class ServedIndexing: Sendable {
  /// The delay before checking again for folders to keep current.
  private static let retryInterval = Duration.seconds(5)

  private let done = DispatchSemaphore(value: 0)

  /// Starts to keep folders current.
  ///
  /// - Parameters:
  ///   - interruption: Ends the updates.
  ///   - log: Receives errors.
  ///   - make: Creates the update loop; returns `nil` if there is no folder yet. An error that it
  ///     throws is reported once, and the page is served without updates.
  init(
    orUntil interruption: Interruption, log: MessageLog,
    _ make: @escaping @Sendable () throws -> IndexUpdateLoop?
  ) {
    DispatchQueue(label: "photospots.indexing", qos: .utility).async { [done] in
      var lastReport: String?
      repeat {
        do {
          if var keeping = try make() { try keeping.run() }
        } catch {
          let text = "\(error) The index is not kept current."
          if lastReport != text { log.problem(text) }
          lastReport = text
        }
      } while !interruption.isRequested(within: Self.retryInterval)
      done.signal()
    }
  }

  /// Waits until the thread has ended, which happens when the process is asked to stop.
  func finish() { done.wait() }

  /// Publishes events about scans to pages.
  final class Reports: IndexUpdateReports {
    /// The interval of progress events.
    private static let interval = DispatchTimeInterval.milliseconds(500)

    private let events: ServeEvents
    private let scanned: @Sendable (IndexRun.Outcome) -> Void
    private var timer: (any DispatchSourceTimer)?

    init(_ events: ServeEvents, scanned: @escaping @Sendable (IndexRun.Outcome) -> Void) {
      (self.events, self.scanned) = (events, scanned)
    }

    func willScan(_ folders: [FilePath], _ monitor: ScanMonitor) {
      timer?.cancel()
      let folder = folders.count == 1 ? folders[0].lastComponent?.string ?? "/" : ""
      let start = ContinuousClock.now
      let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
      timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
      timer.setEventHandler { [events] in
        let progress = monitor.progress
        // There is no progress to report until the number of files to read is known.
        guard progress.toRead > 0, progress.read < progress.toRead else { return }
        let seconds = (ContinuousClock.now - start).seconds
        let rest = Double(progress.toRead - progress.read)
        events.sendProgress(
          folder: folder, scanned: progress.read, located: progress.located,
          secondsLeft: progress.read > 0 ? rest * seconds / Double(progress.read) : nil)
      }
      timer.activate()
      self.timer = timer
    }

    func didScan(_ outcome: IndexRun.Outcome?, isFirst: Bool) throws {
      timer?.cancel()
      timer = nil
      guard let outcome else { return }
      if isFirst || !outcome.report.foundNothingNew { scanned(outcome) }
      events.checkForChanges()
    }
  }
}
