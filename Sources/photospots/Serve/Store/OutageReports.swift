import Synchronization

/// Reports of failures of a store on standard error, at most one a minute.
final class OutageReports: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  /// Reports a failure, unless another one was reported within the last minute.
  func report(_ error: any Error) {
    let isDue = last.withLock { last in
      let now = ContinuousClock.now
      if let last, now - last < .seconds(60) { return false }
      last = now
      return true
    }
    if isDue { StandardError.writeLine("photospots: \(error)") }
  }
}
