/// The parts of a device's past by which a pause in a ride is told from its end.
///
/// A vehicle that was as fast as a train stands for minutes at stations, and one that stopped and
/// went on a short time ago is likely to do so again: at the next light or bus stop.
struct RideMemory: Hashable, Sendable {
  /// The greatest recent speed in m/s.
  private var topSpeed = 0.0
  /// The number of recent halts after which the ride went on.
  private var haltCount = 0.0
  /// The seconds for which the device has been standing.
  private var standingSeconds = 0.0
  /// Whether the device stood and did not ride on since.
  private var hasStood = false

  /// The speed in m/s below which a device stands.
  private static let standingSpeed = 1.5
  /// The speed in m/s above which a ride goes on.
  private static let ridingSpeed = 8.0
  /// The seconds after which a vehicle's speed is forgotten, while it moves.
  private static let speedSeconds = 1200.0
  /// The seconds after which a halt is forgotten.
  private static let haltSeconds = 200.0
  /// The seconds of standing that make a halt.
  private static let leastHaltSeconds = 10.0

  /// Takes the estimated speed after a step.
  mutating func note(speed: Double, seconds: Double) {
    haltCount *= exponential(-seconds / Self.haltSeconds)
    if speed < Self.standingSpeed {
      standingSeconds += seconds
      topSpeed = max(topSpeed, speed)
      return
    }
    topSpeed = max(speed, topSpeed * exponential(-seconds / Self.speedSeconds))
    if standingSeconds >= Self.leastHaltSeconds { hasStood = true }
    standingSeconds = 0
    if hasStood, speed > Self.ridingSpeed {
      haltCount += 1
      hasStood = false
    }
  }

  /// Returns the transitions per second during the next step.
  ///
  /// Nobody gets off before the vehicle has stood for a time; in a long step it may have. Once it
  /// stands for longer than others do, the halts before no longer say that it will go on.
  func rates(step seconds: Double, _ model: MotionModel) -> ModeTransitions {
    let isTrain = topSpeed > model.roadMetersPerSecond
    let halt = isTrain ? model.stationSeconds : model.haltSeconds
    let hasTime =
      standingSeconds >= model.doorSeconds || seconds >= 2 * model.doorSeconds
    guard hasTime else { return MotionModel.rates(haltSeconds: halt, leavingRate: 0) }
    let longest = isTrain ? model.longestStationSeconds : model.longestHaltSeconds
    if standingSeconds > longest {
      return MotionModel.rates(haltSeconds: halt, leavingRate: 1 / halt)
    }
    let odds = (isTrain ? model.stationOdds : model.endOdds) / (1 + 2 * haltCount)
    return MotionModel.rates(haltSeconds: halt, leavingRate: odds / halt)
  }
}
