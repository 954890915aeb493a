import TestSupport
import Testing

@testable import SpotWatcher

@Suite struct MotionModelTests {
  private let model = MotionModel()

  @Test(arguments: [0.001, 0.7, 5, 61, 4000])
  func `transitions equal many small steps`(seconds: Double) {
    let count = 20_000
    var expected: ModeValues = [0.1, 0.2, 0.3, 0.4]
    let rates = MotionModel.rates(haltSeconds: 25, leavingRate: 1 / 60)
    for _ in 0..<count { expected += rates.applied(to: expected) * (seconds / Double(count)) }
    let result = ModeTransitions(rates: rates, seconds: seconds).applied(to: [0.1, 0.2, 0.3, 0.4])
    #expect(abs(result.sum() - 1) < 1e-9)
    for mode in MotionMode.allCases { #expect(abs(result[mode] - expected[mode]) < 0.003) }
  }

  @Test func `after a long time the modes are the usual ones`() {
    let rates = MotionModel.rates(haltSeconds: 25, leavingRate: 1 / 60)
    let result = ModeTransitions(rates: rates, seconds: 1e9).applied(to: [0, 0, 1, 0])
    for mode in MotionMode.allCases {
      #expect(abs(result[mode] - MotionModel.usualModes[mode]) < 1e-6)
    }
  }

  @Test(arguments: [(0, 20), (60, 20), (95, 8), (100, 9), (130, 30), (250, 90)])
  func `the probability within a circle equals a sum over a fine grid`(
    distance: Double, deviation: Double
  ) {
    let (radius, cell) = (100.0, 1.0)
    var sum = 0.0
    for x in stride(from: -radius, through: radius, by: cell) {
      for y in stride(from: -radius, through: radius, by: cell)
      where x * x + y * y <= radius * radius {
        let square = (x - distance) * (x - distance) + y * y
        sum += exponential(-square / (2 * deviation * deviation))
      }
    }
    sum *= cell * cell / (2 * Double.pi * deviation * deviation)
    let result = probability(
      within: radius, ofPointAt: distance, variance: deviation * deviation)
    #expect(abs(result - sum) < 0.03)
  }

  @Test func `a prediction equals two predictions of its halves`() {
    var whole = MotionStates(errorMeters: 5, model: model)
    whole.update(
      velocity: Velocities(
        speed: 12, courseDegrees: 90, step: PlanePoint(east: 0, north: 0), errorMeters: 5,
        states: whole), variance: 1)
    var halves = whole
    whole.predict(seconds: 8, model)
    halves.predict(seconds: 4, model)
    halves.predict(seconds: 4, model)
    for mode in MotionMode.allCases {
      #expect(abs(whole.east[mode] - halves.east[mode]) < 1e-9)
      #expect(abs(whole.eastVelocity[mode] - halves.eastVelocity[mode]) < 1e-9)
      #expect(abs(whole.positionVariance[mode] - halves.positionVariance[mode]) < 1e-6)
      #expect(abs(whole.covariance[mode] - halves.covariance[mode]) < 1e-6)
      #expect(abs(whole.velocityVariance[mode] - halves.velocityVariance[mode]) < 1e-6)
    }
  }

  @Test func `variances stay positive over very short steps`() {
    var states = MotionStates(errorMeters: 5, model: model)
    for _ in 0..<1000 {
      states.predict(seconds: 0.001, model)
      states.update(position: PlanePoint(east: 1, north: 1), variance: 25)
    }
    for mode in MotionMode.allCases {
      #expect(states.positionVariance[mode] > 0 && states.velocityVariance[mode] > 0)
    }
  }
}
