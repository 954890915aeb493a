import CivilTime
import ProcessControl
import Synchronization

/// Reports of failures of a store, at most one a minute.
final class OutageReports: Sendable {
  private let log: MessageLog
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  /// Creates reports that go to a log.
  init(log: MessageLog) { self.log = log }

  /// Reports a failure, unless another one was reported within the last minute.
  func report(_ error: any Error) {
    let isDue = last.withLock { last in
      let now = ContinuousClock.now
      if let last, now - last < .seconds(60) { return false }
      last = now
      return true
    }
    if isDue { log.problem("\(error)") }
  }
}
