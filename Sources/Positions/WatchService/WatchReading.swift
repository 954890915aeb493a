import LocationFeeds
import SpotAlerts
import SpotWatcher

/// The processing of a watch's fixes, on the thread that reads its feeds, or by lanes beside it.
final class WatchReading {
  private let session: WatchSession
  private let lanes: WatchLanes?
  private var log: DeviceLog?
  private let isLive: Bool
  private let report: (WatchEvent) -> Void
  private var clockShifts = ClockShifts()
  private var speedScales = SpeedScales()
  private var hasFix = false
  private var hasUndatedFix = false
  private var lastTick = ContinuousClock.now

  /// The number of fixes that are decided together at most, on the thread that reads.
  private static let maximumRunCount = 32
  /// The interval of the lanes' ticks.
  private static let tickInterval = Duration.milliseconds(200)

  init(
    _ session: WatchSession, lanes: WatchLanes?, log: DeviceLog?, isLive: Bool,
    report: @escaping (WatchEvent) -> Void
  ) {
    self.session = session
    self.lanes = lanes
    self.log = log
    self.isLive = isLive
    self.report = report
  }

  /// Processes a reading, or passes it to the lanes.
  func take(
    _ reading: SourceReader.Reading, as number: Int, _ decided: Watch.Decided
  ) throws -> FeedRun.Handled {
    guard let lanes else { return try take(reading, decided) ? .taken : .refused }
    let now = ContinuousClock.now
    if isLive, now - lastTick >= Self.tickInterval {
      lastTick = now
      lanes.tick()
      saveIfDue()
    }
    note(reading)
    let fixes = dated(reading)
    guard !fixes.isEmpty else { return .taken }
    lanes.add(fixes, reading: number, isSentAgain: reading.isSentAgain)
    return .later
  }

  /// Logs the positions in the results of lanes, and passes their decisions on.
  func take(_ results: WatchLanes.Results, _ decided: Watch.Decided) throws {
    for result in results.decided { try pass(result.decisions, about: result.fix, decided) }
    for device in results.notStored { note(.refused(.notStored), of: device) }
  }

  /// Counts the reports of a reading that made no fix, or repeat one.
  private func note(_ reading: SourceReader.Reading) {
    for (key, count) in reading.ends.counts { note(key.end, of: key.device, times: count) }
    for fix in reading.repeated { note(.refused(.repeated), of: fix.device) }
  }

  /// Counts reports that are not decided.
  private func note(_ end: ReportOutcome, of device: String?, times count: Int = 1) {
    log?.note(end, of: device, times: count, at: SystemClock().now())
    session.count(end, of: device, times: count)
  }

  /// Logs the position of a fix, and passes the decisions on.
  private func pass(
    _ decisions: [WatcherDecision], about fix: LocationFix?, _ decided: Watch.Decided
  ) throws {
    if let fix {
      log?.note(decisions)
      if isLive { report(.decided(fix)) }
    }
    try decided(decisions)
  }

  /// Processes a reading; returns false if it could not be stored and should be sent again.
  private func take(_ reading: SourceReader.Reading, _ decided: Watch.Decided) throws -> Bool {
    note(reading)
    let fixes = dated(reading)
    var next = 0
    while next < fixes.count {
      let run = fixes[next..<min(next + Self.maximumRunCount, fixes.count)]
      for (fix, outcome) in zip(run, session.process(Array(run), inLane: 0)) {
        switch outcome {
        case .decided(let decisions): try pass(decisions, about: fix, decided)
        case .failed(let error):
          report(.notWritten(error))
          // A reading that is sent again comes back as a whole.
          if reading.isSentAgain {
            for fix in fixes[next...] { note(.refused(.notStored), of: fix.device) }
            return false
          }
          note(.refused(.notStored), of: fix.device)
        // A full disk may have space again for the next fix.
        case .notTried: continue
        }
        next += 1
      }
    }
    if isLive {
      try decided(reporting { () throws(AlertStateError) in try session.tick() } ?? [])
      saveIfDue()
    }
    return true
  }

  private func saveIfDue() {
    _ = reporting { () throws(DeviceLogError) in try log?.saveIfDue(now: SystemClock().now()) }
  }

  /// Returns the fixes of a reading that have a time, or that the session gives the time of their
  /// arrival.
  private func dated(_ reading: SourceReader.Reading) -> [LocationFix] {
    // The positions of a document are from the past, even if it arrives through a pipe.
    let stampsUndated = isLive && reading.format?.isDocument != true
    if !hasFix, let fix = reading.fixes.first {
      hasFix = true
      report(.firstFix(fix))
    }
    guard !stampsUndated else { return scaled(corrected(reading.fixes)) }
    let undated = reading.fixes.filter { $0.time == nil }
    for fix in undated { note(.refused(.undated), of: fix.device) }
    if !undated.isEmpty { passOverUndated() }
    return scaled(reading.fixes.filter { $0.time != nil })
  }

  /// Returns fixes whose times are corrected where the clock of their device is certainly off.
  private func corrected(_ fixes: [LocationFix]) -> [LocationFix] {
    let now = SystemClock().now()
    // Several fixes that arrive together were collected before, so they do not show the clock.
    let isNew = fixes.count == 1
    return fixes.map { fix in
      var fix = fix
      if let change = clockShifts.correct(&fix, arrivedAt: now, isNew: isNew) {
        report(.clockShifted(change))
        noteCorrections(of: fix.device)
      }
      return fix
    }
  }

  /// Returns fixes whose stated speeds are corrected where they contradict the way by a factor.
  private func scaled(_ fixes: [LocationFix]) -> [LocationFix] {
    fixes.map { fix in
      var fix = fix
      if let change = speedScales.correct(&fix) {
        report(.speedScaled(change))
        noteCorrections(of: fix.device)
      }
      return fix
    }
  }

  private func noteCorrections(of device: String?) {
    let (shift, factor) = (clockShifts.seconds(of: device), speedScales.factor(of: device))
    session.note(device, clockShiftSeconds: shift ?? 0, speedFactor: factor)
    log?.note(
      device, clockShiftSeconds: shift, speedFactor: factor == 1 ? nil : factor,
      at: SystemClock().now())
  }

  /// Writes the device log, so that acknowledged fixes are on the disk.
  ///
  /// - Returns: Whether it was written.
  func save() -> Bool {
    reporting { () throws(DeviceLogError) in try log?.save() } != nil
  }

  /// Advances time after the last fix.
  func finish() -> [WatcherDecision] {
    reporting { () throws(AlertStateError) in try session.finish() } ?? []
  }

  private func passOverUndated() {
    guard !hasUndatedFix else { return }
    hasUndatedFix = true
    report(.undatedFixes)
  }

  /// Runs a step whose failure does not stop the watch. An error is reported, and the result is
  /// `nil`.
  private func reporting<Value, Reason: Error>(_ body: () throws(Reason) -> Value) -> Value? {
    do throws(Reason) {
      return try body()
    } catch {
      report(.notWritten(error))
      return nil
    }
  }
}
