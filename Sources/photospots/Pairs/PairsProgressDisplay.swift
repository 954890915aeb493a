import Dispatch
import ThenAndNow

/// Shows how far a search for pairs is on a terminal, and ends it when the process is asked to stop.
final class PairsProgressDisplay {
  private let timer: any DispatchSourceTimer
  private let queue = DispatchQueue(label: "photospots.progress")

  init(monitor: PairMonitor) {
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

  private static func line(_ progress: PairMonitor.Progress, after seconds: Double) -> String {
    let rate = Double(progress.done) / max(seconds, 0.001)
    let left = rate > 0 ? Double(progress.spots - progress.done) / rate : 0
    let end = rate > 0 ? ", \(Int(saturating: left.rounded(.up))) s left" : ""
    return """
      \(Count.text(progress.done)) of \(Count.text(progress.spots)) spots, \
      \(Count.text(progress.compared)) pairs compared\(end)
      """
  }
}
