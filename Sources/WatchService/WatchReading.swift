import LocationFeeds
import SpotAlerts
import SpotWatcher

/// The processing of a watch's fixes, on the thread that reads its feeds.
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

  /// Processes a reading; returns false if it could not be stored and should be sent again.
  func take(_ reading: FeedRun.Reading, _ decided: Watch.Decided) throws -> Bool {
    // The positions of a document are from the past, even if it arrives through a pipe.
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
        // A full disk may have space again for the next fix. A reading that is sent again comes
        // back as a whole.
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

  /// Writes the device log, so that acknowledged fixes are on the disk.
  ///
  /// - Returns: Whether it was written.
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

  /// Runs a step whose failure does not stop the watch. An error is reported and gives `nil`.
  private func reporting<Value, Reason: Error>(_ body: () throws(Reason) -> Value) -> Value? {
    do throws(Reason) {
      return try body()
    } catch {
      report(.notWritten(error))
      return nil
    }
  }
}
