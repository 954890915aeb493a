import CivilTime
import Dispatch
package import PhotoLibrary
package import ThenAndNow

/// Shows the progress of long work on a terminal, and cancels the work on a request to stop.
package final class ProgressDisplay {
  private let timer: any DispatchSourceTimer
  private let queue = DispatchQueue(label: "photospots.progress")

  /// Starts the display.
  ///
  /// - Parameters:
  ///   - cancel: Cancels the work.
  ///   - line: Returns the line to show after the given number of seconds.
  private init(
    cancel: @escaping @Sendable () -> Void, line: @escaping @Sendable (_ seconds: Double) -> String
  ) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    let clock = ContinuousClock()
    let start = clock.now
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
    timer.setEventHandler {
      if StopSignal.isRequested { cancel() }
      guard StandardError.isTerminal, !StandardError.isQuiet else { return }
      StandardError.showProgress(line((clock.now - start).seconds))
    }
    timer.activate()
  }

  /// Ends the display.
  package func stop() {
    timer.cancel()
    // Waits until a line that is being written is complete, before it is erased.
    queue.sync {}
    if StandardError.isTerminal { StandardError.hideProgress() }
  }
}

extension ProgressDisplay {
  /// Shows the progress of a scan.
  package convenience init(_ monitor: ScanMonitor) {
    self.init(cancel: { monitor.cancel() }) { seconds in
      let progress = monitor.progress
      guard progress.toRead > 0 else { return "\(progress.found) files found" }
      let rate = Double(progress.read) / max(seconds, 0.001)
      let left = rate > 0 ? Double(progress.toRead - progress.read) / rate : 0
      return """
        \(progress.read) of \(progress.toRead) files read, \(Int(saturating: rate)) files/s, \
        \(Int(saturating: left.rounded(.up))) s left
        """
    }
  }

  /// Shows the progress of a search for pairs.
  package convenience init(_ monitor: PairMonitor) {
    self.init(cancel: { monitor.cancel() }) { seconds in
      let progress = monitor.progress
      let rate = Double(progress.done) / max(seconds, 0.001)
      let left = rate > 0 ? Double(progress.spots - progress.done) / rate : 0
      let end = rate > 0 ? ", \(Int(saturating: left.rounded(.up))) s left" : ""
      return """
        \(Count.text(progress.done)) of \(Count.text(progress.spots)) spots, \
        \(Count.text(progress.compared)) pairs compared\(end)
        """
    }
  }
}
