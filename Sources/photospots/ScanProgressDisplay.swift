import Dispatch
import PhotoLibrary

/// Shows how far a scan is on a terminal, and ends it when the process is asked to stop.
final class ScanProgressDisplay {
  private let timer: any DispatchSourceTimer
  private let queue = DispatchQueue(label: "photospots.progress")

  init(monitor: ScanMonitor) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    let clock = ContinuousClock()
    let start = clock.now
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
    timer.setEventHandler {
      if Interruption.isRequested { monitor.cancel() }
      guard StandardError.isTerminal, !StandardError.isQuiet else { return }
      StandardError.showProgress(Self.line(monitor.progress, after: (clock.now - start).seconds))
    }
    timer.activate()
  }

  func stop() {
    timer.cancel()
    // Lets a line that is being written come out before it is taken away.
    queue.sync {}
    if StandardError.isTerminal { StandardError.hideProgress() }
  }

  private static func line(_ progress: ScanMonitor.Progress, after seconds: Double) -> String {
    guard progress.toRead > 0 else { return "\(progress.found) files found" }
    let rate = Double(progress.read) / max(seconds, 0.001)
    let left = rate > 0 ? Double(progress.toRead - progress.read) / rate : 0
    return """
      \(progress.read) of \(progress.toRead) files read, \(Int(saturating: rate)) files/s, \
      \(Int(saturating: left.rounded(.up))) s left
      """
  }
}
