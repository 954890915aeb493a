import CivilTime
import LocationFeeds
import Spatial

/// The estimate of a device's position and motion, and whether its owner is free to take a picture.
struct DeviceEstimate: Hashable, Sendable {
  private var estimator = MotionEstimator()
  /// The number of fixes running in which the owner was free.
  private var freeCount = 0
  /// The start of the track at the last fix.
  private var trackStart: Instant?
  /// Whether the owner is free, by the last fix and the one before.
  private var isFree = false
  /// Whether the last fix alone shows presence.
  private var isPresent = false

  /// The time of the last fix, whether or not it was used; `nil` before the first one.
  var lastTime: Instant? { estimator.lastTime }

  /// The estimated position; `nil` before the first fix.
  var position: Coordinate? { estimator.track?.coordinate }

  /// Takes a fix.
  ///
  /// - Parameters:
  ///   - observation: The fix.
  ///   - model: The model of the device's motion.
  ///   - rules: The rules.
  /// - Returns: The use of the fix.
  mutating func take(
    _ observation: Observation, _ model: MotionModel, _ rules: AlertRules
  ) -> MotionEstimator.Outcome {
    let outcome = estimator.take(
      MotionFix(observation), model, mayResetClock: !observation.isLive)
    if outcome == .used { noteFreedom(rules) }
    return outcome
  }

  /// Forgets the track, whose fixes had wrong times.
  mutating func restart() { self = DeviceEstimate() }

  private mutating func noteFreedom(_ rules: AlertRules) {
    guard let modes = estimator.track?.modes, let start = estimator.track?.start,
      let seconds = estimator.track?.stepSeconds
    else { return }
    let free = modes[.still] + modes[.moving]
    if trackStart != start || seconds > rules.gapSeconds { freeCount = 0 }
    trackStart = start
    freeCount = free >= rules.leastFree ? freeCount + 1 : 0
    let isSparse = seconds >= rules.sparseSeconds && seconds <= rules.gapSeconds
    isFree = freeCount >= 2 || (isSparse && free >= rules.leastSparseFree)
    // Otherwise a halt at a light would make a habit of the ground beside it.
    let isAlone = seconds >= rules.sparseSeconds
    isPresent = free >= (isAlone ? rules.leastSparseFree : rules.leastFree)
  }

  /// Returns the device's state at its last used fix; `nil` before the first one.
  func whereabouts(
    _ observation: Observation, _ model: MotionModel, _ rules: AlertRules
  ) -> Whereabouts? {
    guard let track = estimator.track else { return nil }
    let stopped = observation.time.seconds(since: track.stoppedSince)
    var whereabouts = Whereabouts(
      standpoint: observation.standpoint, variance: 0, free: 1, isFree: true, isSlow: true,
      trackSeconds: track.time.seconds(since: track.start), isTrusted: true,
      stoppedSeconds: stopped, speedMetersPerSecond: track.speedMetersPerSecond)
    if rules.estimatesPosition {
      // The errors of consecutive fixes are partly the same, so their mean is not better than one.
      let error = model.errorMeters(accuracy: observation.fix.horizontalAccuracyMeters)
      whereabouts.standpoint = Standpoint(
        stopped >= rules.stopSeconds ? track.stopCoordinate : track.coordinate)
      whereabouts.variance = max(track.variance, error * error)
    }
    if rules.estimatesMode {
      whereabouts.free = track.modes[.still] + track.modes[.moving]
      whereabouts.isFree = isFree
      whereabouts.isSlow = isPresent
    }
    if rules.awaitsAgreement { whereabouts.isTrusted = estimator.isTrusted(model) }
    return whereabouts
  }
}

extension MotionFix {
  fileprivate init(_ observation: Observation) {
    let fix = observation.fix.fix
    self.init(
      time: observation.time, coordinate: observation.coordinate,
      accuracyMeters: fix.horizontalAccuracyMeters,
      speedMetersPerSecond: fix.speedMetersPerSecond, courseDegrees: fix.courseDegrees)
  }
}
