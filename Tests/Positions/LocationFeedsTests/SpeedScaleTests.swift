import CivilTime
import LocationFeeds
import Spatial
import TestSupport
import Testing

/// Stated speeds in the wrong unit.
@Suite struct SpeedScaleTests {
  private let start = Instant(secondsSince1970: 1_795_176_000)

  /// Moves north with a speed at each second, stated every five seconds with a factor.
  private func send(
    stated factor: Double, noise: Double = 0, speed: (Int) -> Double
  ) -> (fixes: [LocationFix], changes: [SpeedScales.Change]) {
    var generator = SeededGenerator(seed: 7)
    var scales = SpeedScales()
    var (fixes, changes, meters) = ([LocationFix](), [SpeedScales.Change](), 0.0)
    for second in 0..<400 {
      meters += speed(second)
      guard second % 5 == 0 else { continue }
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
    let sent = send(stated: factor) { _ in 2.5 }
    #expect(sent.changes.map(\.factor) == [factor])
    #expect(abs((sent.fixes.last?.speedMetersPerSecond ?? 0) - 2.5) < 1e-6)
  }

  @Test func `right speeds are left alone, with noise, stops and changes`() {
    #expect(send(stated: 1, noise: 4) { _ in 1.4 }.changes.isEmpty)
    #expect(send(stated: 1) { $0 % 60 < 25 ? 0 : 12 }.changes.isEmpty)
    #expect(send(stated: 1) { Double($0 % 40) / 3 }.changes.isEmpty)
  }
}
