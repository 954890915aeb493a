import CivilTime
import LocationFeeds
import Testing

/// Clocks of devices that are off.
@Suite struct ClockShiftTests {
  private let start = Instant(secondsSince1970: 1_795_176_000)

  /// Sends a report every few seconds; returns the corrected shift of each and the changes.
  private func send(
    _ count: Int, every pause: Double = 3, ahead: (Int) -> Double
  ) -> (shifts: [Double], changes: [ClockShifts.Change]) {
    var clocks = ClockShifts()
    var (shifts, changes) = ([Double](), [ClockShifts.Change]())
    for number in 0..<count {
      let now = start.advanced(bySeconds: Double(number) * pause)
      var fix = LocationFix(
        time: now.advanced(bySeconds: ahead(number)), latitude: 48, longitude: 2, device: "a")
      if let change = clocks.correct(&fix, arrivedAt: now) { changes.append(change) }
      shifts.append(fix.time?.seconds(since: now) ?? .nan)
    }
    return (shifts, changes)
  }

  @Test(arguments: [90, 7200, -18_000, -1024.0 * 7 * 86_400])
  func `a steady shift is corrected after some reports, and reported once`(seconds: Double) {
    let sent = send(12) { seconds + [0, -0.6, -1.2][$0 % 3] }
    #expect(sent.changes.count == 1)
    #expect(sent.changes.first.map { abs(($0.seconds ?? 0) - seconds) < 2 } ?? false)
    #expect(sent.shifts.suffix(6).allSatisfy { abs($0) < 2 })
    #expect(abs(sent.shifts[0] - seconds) < 1e-3)
  }

  @Test func `late reports, right clocks and one wrong time are left alone`() {
    // A backlog of an hour: each report was made five seconds after the one before it.
    let backlog = send(40, every: 0.7) { -3600 + Double($0) * 4.3 }
    #expect(backlog.changes.isEmpty && abs(backlog.shifts[39] + 3600 - 39 * 4.3) < 0.01)
    #expect(send(20) { [0.5, -2, -30][$0 % 3] }.changes.isEmpty)
    #expect(send(20) { $0 == 3 ? 72_000 : 0 }.changes.isEmpty)
    // A short delay cannot be told from a clock that is behind, and loses no alert.
    #expect(send(20) { _ in -120 }.changes.isEmpty)
  }

  @Test func `a late report does not end the correction, and is not moved to its arrival`() {
    let sent = send(20) { $0 == 10 ? 7200 - 40 : 7200 }
    #expect(sent.changes.count == 1)
    #expect(abs(sent.shifts[10] + 40) < 1 && abs(sent.shifts[11]) < 1)
    // A report that waited for an hour.
    let old = send(20) { $0 == 10 ? -18_000 - 3600 : -18_000 }
    #expect(old.changes.count == 1)
    #expect(abs(old.shifts[10] + 3600) < 1 && abs(old.shifts[11]) < 1)
  }

  @Test func `the time of sending shows the clock where positions are of different age`() {
    var clocks = ClockShifts()
    var shifts: [Double] = []
    for number in 0..<12 {
      let now = start.advanced(bySeconds: Double(number) * 30)
      let age = [0.0, 20, 5][number % 3]
      var fix = LocationFix(
        time: now.advanced(bySeconds: 3600 - age), latitude: 48, longitude: 2, device: "a")
      fix.sent = now.advanced(bySeconds: 3600)
      _ = clocks.correct(&fix, arrivedAt: now)
      #expect(fix.sent == nil)
      shifts.append((fix.time?.seconds(since: now) ?? .nan) + age)
    }
    #expect(abs(shifts[0] - 3600) < 1 && shifts.suffix(6).allSatisfy { abs($0) < 1 })
    // Reports that arrive together show no clock, but a known one corrects them.
    var fix = LocationFix(
      time: start.advanced(bySeconds: 3600), latitude: 48, longitude: 2, device: "a")
    #expect(clocks.correct(&fix, arrivedAt: start, isNew: false) == nil && fix.time == start)
    #expect(clocks.seconds(of: "a").map { abs($0 - 3600) < 1 } == true)
    #expect(clocks.seconds(of: "b") == nil)
  }

  @Test func `a clock that was set right is right at once`() {
    let sent = send(20) { $0 < 10 ? 7200 : 0 }
    #expect(abs(sent.shifts[9]) < 1 && abs(sent.shifts[10]) < 1 && abs(sent.shifts[19]) < 1)
    #expect(sent.changes.map { $0.seconds == nil } == [false, true])
  }
}
