import CLibrary
import Dispatch
import PhotoLibrary
import SystemPackage

/// Keeps the index current on a separate thread while the page is served, and publishes the
/// progress of scans to pages.
final class ServedIndexing {
  /// The delay before checking again for folders to keep current.
  private static let retryInterval = Duration.seconds(5)

  private let done = DispatchSemaphore(value: 0)

  /// Starts to keep folders current.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when the process is asked to stop.
  ///   - make: Creates the update loop; returns `nil` if there is no folder yet. An error that it
  ///     throws is reported once, and the page is served without updates.
  init(
    orUntil interruption: FileDescriptor, _ make: @escaping @Sendable () throws -> IndexUpdateLoop?
  ) {
    DispatchQueue(label: "photospots.indexing", qos: .utility).async { [done] in
      var lastReport: String?
      repeat {
        do {
          if var keeping = try make() { try keeping.run(orUntil: interruption) }
        } catch {
          let text = "\(error) The index is not kept current."
          if lastReport != text { StandardError.writeLine("photospots: \(text)") }
          lastReport = text
        }
      } while !Self.isReadable(interruption, within: Self.retryInterval)
      done.signal()
    }
  }

  private static func isReadable(
    _ descriptor: FileDescriptor, within time: Duration
  ) -> Bool {
    var wait = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, CInt(saturating: time.seconds * 1000)) > 0
  }

  /// Waits until the thread has ended, which happens when the process is asked to stop.
  func finish() { done.wait() }

  /// Publishes events about scans to pages.
  final class Reports: IndexUpdateReports {
    /// The interval of progress events.
    private static let interval = DispatchTimeInterval.milliseconds(500)

    private let events: ServeEvents
    private var timer: (any DispatchSourceTimer)?

    init(_ events: ServeEvents) {
      self.events = events
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
      if isFirst || !outcome.report.foundNothingNew {
        StandardError.note(ScanSummary(outcome).line)
      }
      events.checkForChanges()
    }
  }
}
