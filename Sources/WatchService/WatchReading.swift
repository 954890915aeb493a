import LocationFeeds
import SpotAlerts
import SpotWatcher

/// What becomes of the fixes of a watch; used by the thread that reads its feeds.
final class WatchReading {
  private let session: WatchSession
  private var log: DeviceLog?
  private let isLive: Bool
  private let report: (WatchEvent) -> Void
  private var hasFix = false
  private var hasUndatedFix = false

  init(
    _ session: WatchSession, log: DeviceLog?, isLive: Bool,
    report: @escaping (WatchEvent) -> Void
  ) {
    self.session = session
    self.log = log
    self.isLive = isLive
    self.report = report
  }

  /// Takes what feeds brought; false where it could not be kept and is to be sent again.
  func take(_ reading: FeedRun.Reading, _ decided: Watch.Decided) throws -> Bool {
    // The positions in a document are of the past, also when it comes through a pipe.
    let stampsUndated = isLive && reading.format?.isDocument != true
    if !hasFix, let fix = reading.fixes.first {
      hasFix = true
      report(.firstFix(fix))
    }
    for fix in reading.fixes {
      guard fix.time != nil || stampsUndated else {
        passOverUndated()
        continue
      }
      let decisions = reporting { () throws(AlertStateError) in
        try session.process(fix, isSentAgain: reading.isSentAgain)
      }
      guard let decisions else {
        // A disk that is full now need not be so with the next fix; what is sent again comes again
        // in whole.
        if reading.isSentAgain { return false }
        continue
      }
      log?.note(decisions)
      if isLive { report(.decided(fix)) }
      try decided(decisions)
    }
    if isLive {
      try decided(reporting { () throws(AlertStateError) in try session.tick() } ?? [])
      _ = reporting { () throws(DeviceLogError) in try log?.saveIfDue(now: SystemClock().now()) }
    }
    return true
  }

  /// Writes down what is known of devices: what is answered as taken is on the disk.
  ///
  /// - Returns: Whether it is written.
  func save() -> Bool {
    reporting { () throws(DeviceLogError) in try log?.save() } != nil
  }

  /// Lets time pass after the last fix.
  func finish() -> [WatcherDecision] {
    reporting { () throws(AlertStateError) in try session.finish() } ?? []
  }

  private func passOverUndated() {
    guard !hasUndatedFix else { return }
    hasUndatedFix = true
    report(.undatedFixes)
  }

  /// Does what the watch goes on without where it fails, which is told; then there is no result.
  private func reporting<Value, Reason: Error>(_ body: () throws(Reason) -> Value) -> Value? {
    do throws(Reason) {
      return try body()
    } catch {
      report(.notWritten(error))
      return nil
    }
  }
}
