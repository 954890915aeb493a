import CivilTime
import LocationFeeds
import Spatial
import TestSupport
import Testing

/// Stated speeds in the wrong unit.
@Suite struct SpeedScaleTests {
  private let start = Instant(secondsSince1970: 1_795_176_000)

  /// Moves north with a speed at each second, stated at an interval with a factor.
  private func send(
    stated factor: Double, noise: Double = 0, every interval: Int = 5, speed: (Int) -> Double
  ) -> (fixes: [LocationFix], changes: [SpeedScales.Change]) {
    var generator = SeededGenerator(seed: 7)
    var scales = SpeedScales()
    var (fixes, changes, meters) = ([LocationFix](), [SpeedScales.Change](), 0.0)
    for second in 0..<max(400, 80 * interval) {
      meters += speed(second)
      guard second % interval == 0 else { continue }
      let error = Double.random(in: -1...1, using: &generator) * noise
      var fix = LocationFix(
        time: start.advanced(bySeconds: Double(second)), latitude: 48 + (meters + error) / 111_195,
        longitude: 2, speedMetersPerSecond: speed(second) * factor, device: "a")
      if let change = scales.correct(&fix) { changes.append(change) }
      fixes.append(fix)
    }
    return (fixes, changes)
  }

  @Test(arguments: [3.6, 1 / 3.6, 3600.0 / 1852, 1852.0 / 3600])
  func `a speed in another unit is found by the way, and corrected`(factor: Double) {
    for interval in [1, 5, 30, 60] {
      let sent = send(stated: factor, every: interval) { _ in 2.5 }
      #expect(sent.changes.map(\.factor) == [factor], "every \(interval) s")
      #expect(abs((sent.fixes.last?.speedMetersPerSecond ?? 0) - 2.5) < 1e-6)
    }
  }

  @Test func `right speeds are left alone, with noise, stops and changes`() {
    for interval in [5, 28, 60] {
      #expect(send(stated: 1, noise: 4, every: interval) { _ in 1.4 }.changes.isEmpty)
      #expect(send(stated: 1, every: interval) { $0 % 61 < 25 ? 0 : 12 }.changes.isEmpty)
      #expect(send(stated: 1, every: interval) { Double($0 % 41) / 3 }.changes.isEmpty)
    }
  }
}
