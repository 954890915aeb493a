import CivilTime
import Spatial

/// A hypothesis of where a device is, how fast it moves and in which mode.
struct MotionTrack: Hashable, Sendable {
  /// The time of the first fix.
  let start: Instant
  /// The time of the last fix.
  private(set) var time: Instant
  private(set) var fixCount = 1
  /// The time since which the device has been within ``stopMeters``.
  private(set) var stoppedSince: Instant
  /// The seconds between the last two fixes.
  private(set) var stepSeconds = 0.0
  /// The probabilities of the modes at the last fix.
  private(set) var modes: ModeValues
  private var stop = PlanePoint(east: 0, north: 0)
  /// The mean of the estimated positions since ``stoppedSince``, weighted by time.
  private var stopMean = PlanePoint(east: 0, north: 0)
  private var plane: LocalPlane
  private var states: MotionStates
  /// The probabilities of the modes after all transitions but the pending ones.
  private var weights: ModeValues
  /// The transitions in the last half of the last step.
  private var pending = ModeTransitions.none
  private var ride = RideMemory()

  /// The distance in metres that a device that stays somewhere does not exceed.
  static let stopMeters = 40.0
  /// The distance in metres from the origin at which the plane is moved, and beyond which a fix
  /// has nothing to do with the track.
  private static let (planeMeters, farMeters) = (20_000.0, 200_000.0)

  /// Creates a track that starts with a fix, with the probabilities of the modes before it.
  init(_ fix: MotionFix, _ model: MotionModel, modes usual: ModeValues) {
    let error = model.errorMeters(accuracy: fix.accuracyMeters)
    (start, time, stoppedSince) = (fix.time, fix.time, fix.time)
    plane = LocalPlane(origin: fix.coordinate)
    states = MotionStates(errorMeters: error, model: model)
    (weights, modes) = (usual, usual)
    if let speed = fix.knownSpeed {
      let likelihood = measure(
        speed, fix.courseDegrees, step: PlanePoint(east: 0, north: 0), error, model)
      let shares = weights * likelihood
      if shares.sum() > 0 { weights = shares / shares.sum() }
      modes = weights
    }
  }

  /// The estimated position.
  var coordinate: Coordinate { plane.coordinate(of: states.position(weights)) }

  /// The mean of the estimated positions during the stop, which drift around the true one.
  var stopCoordinate: Coordinate { plane.coordinate(of: stopMean) }

  /// The estimated speed in m/s.
  var speedMetersPerSecond: Double { states.velocity(weights).length }

  /// The variance of the position on each axis, in m².
  var variance: Double { states.variance(weights) }

  /// Takes the next fix; returns false, and changes nothing, if the fix has nothing to do with the
  /// track.
  mutating func take(_ fix: MotionFix, _ model: MotionModel) -> Bool {
    let seconds = fix.time.seconds(since: time)
    let point = plane.point(of: fix.coordinate)
    guard abs(point.east) <= Self.farMeters, abs(point.north) <= Self.farMeters else {
      return false
    }
    var next = self
    guard next.follow(point, fix, seconds, model) else { return false }
    self = next
    let here = states.position(weights)
    if here.distance(to: stop) > Self.stopMeters {
      (stop, stopMean, stoppedSince) = (here, here, fix.time)
    } else {
      let stopped = fix.time.seconds(since: stoppedSince)
      if stopped > 0 { stopMean = stopMean.moved(to: here, by: stepSeconds / stopped) }
    }
    if here.length > Self.planeMeters { movePlane(to: here) }
    return true
  }

  /// Updates the track by a fix; returns false, with the track undefined, if it does not fit.
  private mutating func follow(
    _ point: PlanePoint, _ fix: MotionFix, _ seconds: Double, _ model: MotionModel
  ) -> Bool {
    let before = states.position(weights)
    // Half of a step's transitions happen before the fix, and half after it.
    let half = ModeTransitions(rates: ride.rates(step: seconds, model), seconds: seconds / 2)
    let transitions = pending.times(half)
    let reached = transitions.applied(to: weights)
    states.mix(weights, by: transitions, to: reached)
    states.predict(seconds: seconds, model)
    let error = model.errorMeters(accuracy: fix.accuracyMeters)
    var likelihood = ModeValues(repeating: 1)
    if let speed = fix.knownSpeed {
      likelihood = measure(speed, fix.courseDegrees, step: point - before, error, model)
    }
    let fit = reached * likelihood * states.likelihood(of: point, variance: error * error)
    let weight = (reached * likelihood).sum()
    guard weight > 0, fit.sum() / weight >= model.outlierDensity(afterSeconds: seconds) else {
      return false
    }
    let variance = model.variance(error: error, afterSeconds: seconds)
    likelihood *= states.likelihood(of: point, variance: variance)
    states.update(position: point, variance: variance)
    likelihood[.moving] *= slowness(model)
    let shares = reached * likelihood
    guard shares.sum() > 0 else { return false }
    weights = shares / shares.sum()
    (time, stepSeconds, fixCount) = (fix.time, seconds, fixCount + 1)
    ride.note(speed: speedMetersPerSecond, seconds: seconds)
    (pending, modes) = (half, half.applied(to: weights))
    return true
  }

  /// Updates the states by a reported speed, and returns its likelihood in each mode.
  private mutating func measure(
    _ speed: Double, _ course: Double?, step: PlanePoint, _ error: Double, _ model: MotionModel
  ) -> ModeValues {
    let velocity = Velocities(
      speed: speed, courseDegrees: course, step: step, errorMeters: error, states: states)
    let deviation = model.speedError + model.speedErrorShare * speed
    let likelihood = states.likelihood(ofVelocity: velocity, variance: deviation * deviation)
    states.update(velocity: velocity, variance: deviation * deviation)
    return likelihood
  }

  /// The probability that a device on foot or on a bicycle is as slow as they are. Without it, a
  /// car that drives evenly fits them better than a vehicle, whose speed varies more.
  private func slowness(_ model: MotionModel) -> Double {
    let speed = PlanePoint(
      east: states.eastVelocity[.moving], north: states.northVelocity[.moving]
    ).length
    let within = probability(
      within: model.slowMetersPerSecond, ofPointAt: speed,
      variance: states.velocityVariance[.moving])
    return max(within, 1e-9)
  }

  private mutating func movePlane(to point: PlanePoint) {
    plane = LocalPlane(origin: plane.coordinate(of: point))
    states.subtract(point)
    stop = stop - point
    stopMean = stopMean - point
  }
}
