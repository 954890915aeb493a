/// The parameters of the motion of devices and of the errors of their fixes.
///
/// In each mode, the velocity on each axis is an Ornstein–Uhlenbeck process (the continuous-time
/// correlated random walk of D. S. Johnson et al., Ecology 89, 2008), and the modes are a Markov
/// chain. Both are filtered together by interacting multiple models (H. A. P. Blom and
/// Y. Bar-Shalom, IEEE Transactions on Automatic Control 33, 1988).
struct MotionModel: Hashable, Sendable {
  /// The standard deviation of the velocity on each axis, in m/s.
  var speeds: ModeValues = [0.2, 2.5, 20, 0.2]
  /// The seconds after which a velocity is forgotten.
  var correlationSeconds: ModeValues = [10, 10, 250, 10]
  /// The speed in m/s that nobody on foot or on a bicycle exceeds.
  var slowMetersPerSecond = 6.9

  /// The mean seconds for which a vehicle stands on a road, and a train in a station.
  var haltSeconds = 25.0
  var stationSeconds = 100.0
  /// The seconds after which a vehicle on a road, or a train in a station, rarely still halts.
  var longestHaltSeconds = 120.0
  var longestStationSeconds = 300.0
  /// The odds that a halt on a road, or in a station, is the end of the ride.
  var endOdds = 1.1
  var stationOdds = 0.15
  /// The speed in m/s that only trains, and cars on motorways, exceed.
  var roadMetersPerSecond = 26.0
  /// The seconds for which a vehicle stands before its owner can have left it.
  var doorSeconds = 15.0

  /// The standard deviation on each axis, in metres, below which no receiver among houses is.
  var leastErrorMeters = 5.0
  /// The standard deviation on each axis, in metres, of a fix without an accuracy.
  var unknownErrorMeters = 12.0
  /// The seconds for which the error of a position stays the same.
  var errorSeconds = 10.0
  /// The standard deviation of a reported speed, in m/s, and the part of the speed added to it.
  var speedError = 0.4
  var speedErrorShare = 0.05
  /// The share of fixes that have nothing to do with the device's position.
  var outlierShare = 1e-3

  /// The seconds for which fixes elsewhere must agree until the device is believed to be there.
  var agreementSeconds = 30.0
  /// The same if no vehicle on the ground could have come there.
  var teleportSeconds = 600.0
  /// The distance in metres within which such a jump is the error of a receiver that found the sky.
  var correctionMeters = 500.0
  /// The mean speed in m/s that no short ride exceeds between two places where it stands.
  var townMetersPerSecond = 15.0
  /// The seconds up to which a ride is short.
  var leapSeconds = 300.0
  /// The acceleration in m/s² that no vehicle exceeds.
  var acceleration = 3.0
  /// The speed in m/s that no vehicle on the ground exceeds.
  var groundMetersPerSecond = 70.0

  /// The shortest step in seconds after which an outlier is expected anywhere within reach.
  private static let leastStepSeconds = 5.0

  /// Creates the model of the product.
  init() {}

  /// The probabilities of the modes of an unknown device: those after a long time.
  static let usualModes = modes(afterRide: .infinity)

  /// Returns the probabilities of the modes some seconds after a ride.
  static func modes(afterRide seconds: Double) -> ModeValues {
    ModeTransitions(rates: rates(haltSeconds: 25, leavingRate: 1 / 60), seconds: seconds)
      .applied(to: [0, 0, 1, 0])
  }

  /// The rate per second at which a vehicle turns out to be a bicycle, which was fast downhill: it
  /// is so low that only minutes of cycling show it.
  private static let bicycleRate = 1e-9

  /// Returns the transitions between the modes per second. A vehicle is left only where it stands.
  ///
  /// - Parameters:
  ///   - haltSeconds: The mean time until a standing vehicle goes on.
  ///   - leavingRate: The rate at which its owner leaves it, to stand or to walk.
  /// - Returns: The rates.
  static func rates(haltSeconds: Double, leavingRate: Double) -> ModeTransitions {
    let (rest, walk, start, halt) = (1 / 180.0, 1 / 120.0, 1 / 3600.0, 1 / 100.0)
    let (drive, leave) = (1 / haltSeconds, leavingRate / 2)
    return ModeTransitions(
      toStill: [-walk - start, rest, 0, leave],
      toMoving: [walk, -rest - start, bicycleRate, leave],
      toRiding: [start, start, -halt - bicycleRate, drive],
      toHalted: [0, 0, halt, -drive - leavingRate])
  }

  /// Returns the standard deviation on each axis of a fix with an accuracy.
  ///
  /// An accuracy is the radius of the circle that contains 68 % of the errors, 1.515 standard
  /// deviations of one axis.
  func errorMeters(accuracy: Double?) -> Double {
    accuracy.map { max(leastErrorMeters, $0 / 1.515) } ?? unknownErrorMeters
  }

  /// The variance of a position with an error, which counts less if it soon repeats the last one,
  /// since their errors are the same.
  func variance(error: Double, afterSeconds seconds: Double) -> Double {
    error * error * max(1, errorSeconds / max(seconds, 0.1))
  }

  /// Returns the distance in metres within which a device can be elsewhere after a time, at an
  /// estimated speed before.
  func reach(afterSeconds seconds: Double, from speed: Double) -> Double {
    let mean = min(speed + acceleration * seconds / 2, groundMetersPerSecond)
    return max(mean * seconds, correctionMeters)
  }

  /// Returns the distance in metres that a ride from one place where it stood to another does not
  /// exceed, for a short time between two fixes; infinite for a long one.
  func rideMeters(inSeconds seconds: Double) -> Double {
    guard seconds <= leapSeconds else { return .infinity }
    return max(townMetersPerSecond * seconds, correctionMeters)
  }

  /// The density, per m², of fixes that have nothing to do with the device's position: they are
  /// anywhere that a vehicle can reach since the last fix.
  func outlierDensity(afterSeconds seconds: Double) -> Double {
    let reach = groundMetersPerSecond * max(seconds, Self.leastStepSeconds)
    return outlierShare / (Double.pi * reach * reach)
  }
}
