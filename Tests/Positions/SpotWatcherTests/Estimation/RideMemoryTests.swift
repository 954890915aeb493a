import TestSupport
import Testing

@testable import SpotWatcher

@Suite struct RideMemoryTests {
  private let model = MotionModel()

  /// The rate at which the owner leaves a halted vehicle, after periods of speeds.
  private func leavingRate(_ periods: [(speed: Double, seconds: Double)]) -> Double {
    var ride = RideMemory()
    for (speed, seconds) in periods {
      for _ in 0..<Int(saturating: seconds / 5) { ride.note(speed: speed, seconds: 5) }
    }
    let rates = ride.rates(step: 5, model)
    return rates.toStill[.halted] + rates.toMoving[.halted]
  }

  @Test func `nobody gets off before the vehicle has stood for a time`() {
    #expect(leavingRate([(14, 300), (0, 10)]) == 0)
    #expect(leavingRate([(14, 300), (5, 60)]) == 0)
    #expect(leavingRate([(14, 300), (0, 15)]) > 0)
  }

  @Test func `after halts a short time ago, the next one is less likely the end`() {
    let first = leavingRate([(14, 300), (0, 30)])
    let second = leavingRate([(14, 300), (0, 30), (14, 60), (0, 30)])
    let later = leavingRate([(14, 300), (0, 30), (14, 1200), (0, 30)])
    #expect(second < 0.5 * first)
    #expect(later > 0.9 * first)
  }

  @Test func `a train stands for minutes`() {
    let train = leavingRate([(33, 600), (10, 60), (0, 30)])
    #expect(train < 0.1 * leavingRate([(20, 600), (10, 60), (0, 30)]))
    #expect(leavingRate([(33, 600), (10, 60), (0, 300)]) == train)
  }

  @Test(arguments: [(14.0, 120.0), (33, 300)])
  func `a vehicle that stands for longer than others do has arrived`(
    speed: Double, longest: Double
  ) {
    let halt = leavingRate([(speed, 300), (0, longest)])
    let arrival = leavingRate([(speed, 300), (0, longest + 5)])
    let later = leavingRate([(speed, 300), (0, 30), (speed, 60), (0, longest + 5)])
    #expect(arrival == later, "the halts before no longer count")
    #expect(speed < 30 || arrival > 4 * halt)
    #expect(later > 1.5 * leavingRate([(speed, 300), (0, 30), (speed, 60), (0, longest)]))
  }

  @Test func `a stop within a long step is possible`() {
    var ride = RideMemory()
    ride.note(speed: 14, seconds: 60)
    #expect(ride.rates(step: 60, model).toMoving[.halted] > 0)
    #expect(ride.rates(step: 20, model).toMoving[.halted] == 0)
  }

  @Test func `a walk with a pause is no ride`() {
    let paused = leavingRate([(1.4, 300), (0, 60), (1.4, 300), (0, 30)])
    #expect(paused == leavingRate([(1.4, 300), (0, 30)]))
  }
}
