import LocationFeeds
import TestSupport
import Testing

@Suite struct FixLimitsTests {
  private static let hugeNumbers = [
    1e300, -1e300, 1e19, -1e19, Double.greatestFiniteMagnitude, .infinity, -.infinity, .nan,
  ]

  @Test(arguments: hugeNumbers)
  func `values that no device can measure are nil`(number: Double) {
    let fix = LocationFix(
      time: nil, latitude: 1, longitude: 2, altitudeMeters: number, speedMetersPerSecond: number,
      courseDegrees: number, battery: number)
    #expect(fix == LocationFix(time: nil, latitude: 1, longitude: 2))
    var other = LocationFix(
      time: nil, latitude: 1, longitude: 2, altitudeMeters: 3, horizontalAccuracyMeters: 4,
      speedMetersPerSecond: 5, courseDegrees: 6, battery: 0.7)
    other.altitudeMeters = number
    other.speedMetersPerSecond = number
    other.courseDegrees = number
    other.battery = number
    #expect(other.altitudeMeters == nil && other.speedMetersPerSecond == nil)
    #expect(other.courseDegrees == nil && other.battery == nil)
  }

  @Test func `an excessive accuracy is clamped to the limit`() {
    var fix = LocationFix(time: nil, latitude: 1, longitude: 2, horizontalAccuracyMeters: 1e300)
    #expect(fix.horizontalAccuracyMeters == LocationFix.Limits.accuracyMeters.upperBound)
    for unknown in [0, -1, -1e300, .nan] {
      fix.horizontalAccuracyMeters = unknown
      #expect(fix.horizontalAccuracyMeters == nil)
    }
  }

  @Test func `values in range are kept`() {
    for (altitude, speed, course, battery) in [
      (-430.5, 0.0, 0.0, 0.0), (8848.86, 343, 360, 1), (400_000, 7_660, 12.5, 0.5),
    ] {
      let fix = LocationFix(
        time: nil, latitude: 1, longitude: 2, altitudeMeters: altitude,
        horizontalAccuracyMeters: 0.01, speedMetersPerSecond: speed, courseDegrees: course,
        battery: battery)
      #expect(fix.altitudeMeters == altitude && fix.speedMetersPerSecond == speed)
      #expect(fix.courseDegrees == course && fix.battery == battery)
      #expect(fix.horizontalAccuracyMeters == 0.01)
    }
  }
}
