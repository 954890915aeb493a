import CivilTime
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

@Suite struct MotionEstimatorTests {
  private static let origin = Coordinate(latitude: 48.2, longitude: 11.5)!
  private let model = MotionModel()

  /// Returns a fix east and north of the origin.
  private func fix(
    _ seconds: Double, east: Double, north: Double = 0, accuracy: Double? = 8,
    speed: Double? = nil
  ) -> MotionFix {
    MotionFix(
      time: noon.advanced(bySeconds: seconds),
      coordinate: Self.origin.offset(north: north, east: east), accuracyMeters: accuracy,
      speedMetersPerSecond: speed)
  }

  private func position(_ estimator: MotionEstimator) throws -> PlanePoint {
    LocalPlane(origin: Self.origin).point(of: try #require(estimator.track).coordinate)
  }

  @Test(arguments: [EstimateVectors.walk, EstimateVectors.halt, EstimateVectors.jump])
  func `estimates equal those of an independent implementation`(lines: String) throws {
    var estimator = MotionEstimator()
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ")
      let numbers = words.map { Double($0) }
      let known = numbers.map { $0 ?? .nan }
      let fix = MotionFix(
        time: noon.advanced(bySeconds: known[0]),
        coordinate: Coordinate(latitude: known[1], longitude: known[2])!,
        accuracyMeters: numbers[3], speedMetersPerSecond: numbers[4], courseDegrees: numbers[5])
      #expect((estimator.take(fix, model) == .used) == (words[6] == "used"), "\(line)")
      let here = try position(estimator)
      let modes = try #require(estimator.track).modes
      #expect(abs(here.east - known[7]) < 0.2, "\(line): \(here)")
      #expect(abs(here.north - known[8]) < 0.2, "\(line): \(here)")
      for mode in MotionMode.allCases {
        #expect(abs(modes[mode] - known[9 + mode.rawValue]) < 0.005, "\(line): \(modes)")
      }
    }
  }

  @Test func `a fix far away is rejected, and the estimate stays`() throws {
    var estimator = MotionEstimator()
    for step in 0..<10 {
      #expect(estimator.take(fix(Double(step) * 5, east: 0), model) == .used)
    }
    let before = estimator.track
    #expect(estimator.take(fix(50, east: 2000), model) == .elsewhere)
    #expect(estimator.track == before)
    #expect(estimator.take(fix(55, east: 3), model) == .used)
  }

  @Test func `fixes elsewhere are believed once they agree for up to half a minute`() throws {
    var estimator = MotionEstimator()
    for step in 0..<60 { _ = estimator.take(fix(Double(step) * 5, east: 0), model) }
    let outcomes = (0..<8).map { step in
      estimator.take(fix(300 + Double(step) * 5, east: 340 + Double(step % 2)), model)
    }
    let change = try #require(outcomes.firstIndex(of: .used))
    #expect((3...6).contains(change))
    #expect(outcomes[..<change].allSatisfy { $0 == .elsewhere })
    let here = try position(estimator)
    #expect(abs(here.east - 340) < 20)
  }

  @Test func `a jump that no vehicle makes is believed only after ten minutes`() {
    var estimator = MotionEstimator()
    for step in 0..<20 { _ = estimator.take(fix(Double(step) * 30, east: 0), model) }
    let uses = (0..<30).map { step in
      estimator.take(fix(600 + Double(step) * 30, east: 40_000), model) == .used
    }
    #expect(uses.firstIndex(of: true) == 20)
  }

  @Test func `a phone that sleeps at the start of a ride is believed once it moves`() throws {
    var estimator = MotionEstimator()
    for step in 0..<20 { _ = estimator.take(fix(Double(step) * 60, east: 0), model) }
    let uses = (0..<8).map { step in
      estimator.take(
        fix(1200 + Double(step) * 20, east: 1500 + Double(step) * 320), model) == .used
    }
    #expect(!uses[0])
    #expect(try #require(uses.firstIndex(of: true)) <= 2)
  }

  @Test func `digits that repeat in a moving vehicle are ignored, and at rest are not`() {
    var estimator = MotionEstimator()
    for step in 0..<30 {
      _ = estimator.take(fix(Double(step) * 5, east: Double(step) * 80, speed: 16), model)
    }
    #expect(estimator.take(fix(150, east: 29 * 80, speed: 16), model) == .repeated)
    var resting = MotionEstimator()
    for step in 0..<10 { _ = resting.take(fix(Double(step) * 20, east: 0), model) }
    #expect(resting.track?.fixCount == 10)
  }

  @Test func `late fixes are ignored until five in order show that a clock was ahead`() {
    var estimator = MotionEstimator()
    _ = estimator.take(fix(0, east: 0), model)
    _ = estimator.take(fix(86_400, east: 0), model)
    let outcomes = (1...6).map { estimator.take(fix(Double($0) * 10, east: 0), model) }
    #expect(outcomes == [.late, .late, .late, .late, .used, .used])
  }

  @Test func `the estimate follows a walk across the antimeridian`() throws {
    var estimator = MotionEstimator()
    let start = try #require(Coordinate(latitude: -16.8, longitude: 179.999))
    for step in 0..<60 {
      let here = start.offset(north: 0, east: Double(step) * 7)
      let fix = MotionFix(time: noon.advanced(bySeconds: Double(step) * 5), coordinate: here)
      #expect(estimator.take(fix, model) == .used)
    }
    let here = try #require(estimator.track).coordinate
    #expect(here.longitude < -179.99)
    #expect(here.distance(to: start.offset(north: 0, east: 59 * 7)) < 15)
  }

  @Test func `a thousand kilometres in small steps move the plane`() throws {
    var estimator = MotionEstimator()
    for step in 0..<2000 {
      _ = estimator.take(fix(Double(step) * 20, east: Double(step) * 500, speed: 25), model)
    }
    let here = try #require(estimator.track).coordinate
    #expect(here.distance(to: Self.origin.offset(north: 0, east: 1999 * 500)) < 50)
    let variance = try #require(estimator.track).variance
    #expect(variance < 400)
  }
}
