import Dispatch
import IndexUpdates
import PhotoLibrary
import ProcessControl
import SpotService
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
  ///   - control: Receives the progress, and stops and starts scans.
  ///   - interruption: Ends the updates.
  ///   - log: Receives errors.
  ///   - make: Creates the update loop; returns `nil` if there is no folder yet. An error that it
  ///     throws is reported once, and the page is served without updates.
  init(
    _ control: IndexingControl, orUntil interruption: Interruption, log: MessageLog,
    _ make: @escaping @Sendable () throws -> IndexUpdateLoop?
  ) {
    DispatchQueue(label: "photospots.indexing", qos: .utility).async { [done] in
      var lastReport: String?
      repeat {
        do {
          if !control.isStopped, var keeping = try make() { try keeping.run() }
        } catch is IndexingControl.Stopped {
        } catch {
          control.didFail()
          let text = "\(error) The index is not kept current."
          if lastReport != text { log.problem(text) }
          lastReport = text
        }
      } while !Self.waits(orUntil: interruption, control)
      done.signal()
    }
  }

  /// Waits until folders are looked for again, or a person chose some.
  ///
  /// - Returns: Whether the updates were interrupted.
  private static func waits(
    orUntil interruption: Interruption, _ control: IndexingControl
  ) -> Bool {
    let end = ContinuousClock.now + retryInterval
    while ContinuousClock.now < end, !control.isWaitedFor {
      if interruption.isRequested(within: .milliseconds(100)) { return true }
    }
    return interruption.isRequested
  }

  /// Waits until the thread has ended, which happens when the process is asked to stop.
  func finish() { done.wait() }

  /// Publishes events about scans to pages.
  final class Reports: IndexUpdateReports {
    /// The interval of progress events.
    private static let interval = DispatchTimeInterval.milliseconds(500)

    private let events: ServeEvents
    private let control: IndexingControl
    private let scanned: @Sendable (IndexRun.Outcome) -> Void
    private var timer: (any DispatchSourceTimer)?

    init(
      _ events: ServeEvents, _ control: IndexingControl,
      scanned: @escaping @Sendable (IndexRun.Outcome) -> Void
    ) {
      (self.events, self.control, self.scanned) = (events, control, scanned)
    }

    func willScan(_ folders: [FilePath], _ monitor: ScanMonitor) {
      timer?.cancel()
      control.willScan(folders, monitor)
      let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
      timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
      timer.setEventHandler { [events, control] in
        let state = control.current
        // A scan that finds nothing to read reports no progress.
        guard state.total > 0, state.read < state.total else { return }
        events.sendProgress(state)
      }
      timer.activate()
      self.timer = timer
    }

    func didScan(_ outcome: IndexRun.Outcome?, isFirst: Bool) throws {
      timer?.cancel()
      timer = nil
      defer { events.sendIndexingEnd() }
      if let outcome {
        if isFirst || !outcome.report.foundNothingNew { scanned(outcome) }
        events.checkForChanges()
      }
      try control.didScan(outcome)
    }

    func didPostpone() throws {
      timer?.cancel()
      timer = nil
      defer { events.sendIndexingEnd() }
      try control.didPostpone()
    }
  }
}
