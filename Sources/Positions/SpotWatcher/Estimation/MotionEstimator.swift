import CivilTime
import Spatial

/// The estimate of a device's position and motion from its fixes.
///
/// Fixes that do not fit the track are rejected. Those that agree with each other form a rival
/// track, which takes over if it lasts while the track gets no fix.
///
/// Tracks are read member by member where each fix passes: a whole one has some hundred bytes to
/// copy.
struct MotionEstimator: Hashable, Sendable {
  /// The track; `nil` before the first fix.
  private(set) var track: MotionTrack?
  private var rival: Rival?
  /// The last fix, whether or not it was used.
  private var last: MotionFix?
  private var lateRun: LateRun?

  /// A track of rejected fixes.
  private struct Rival: Hashable {
    var track: MotionTrack
    /// The seconds for which it must last.
    let agreementSeconds: Double
    /// The same while it does not move.
    let standingSeconds: Double

    /// The speed in m/s below which it stands, whatever its errors.
    private static let standingSpeed = 0.8

    /// Whether it lasted long enough to be believed.
    var isBelieved: Bool {
      let isStanding =
        track.stoppedSince == track.start || track.speedMetersPerSecond < Self.standingSpeed
      return track.fixCount >= 2
        && track.time.seconds(since: track.start)
          >= (isStanding ? standingSeconds : agreementSeconds)
    }
  }

  /// The use of a fix.
  enum Outcome: Hashable, Sendable {
    /// The track was updated.
    case used
    /// The fix is not newer than the last one.
    case late
    /// The fix repeats the digits of the last one, as receivers do that lost their signal in a
    /// moving vehicle.
    case repeated
    /// The fix is somewhere else.
    case elsewhere
  }

  /// The seconds by which a fix must be late to suggest that the clock was ahead.
  private static let lateSeconds = 900.0
  /// The number of such fixes in order after which the clock was ahead.
  private static let lateCount = 5

  /// The time of the last fix, whether or not it was used; `nil` before the first one.
  var lastTime: Instant? { last?.time }

  /// Creates the estimator of a device without fixes.
  init() {}

  /// Whether the track has lasted long enough to decide by it.
  func isTrusted(_ model: MotionModel) -> Bool {
    guard let track else { return false }
    return track.fixCount >= 2 && track.time.seconds(since: track.start) >= model.agreementSeconds
  }

  /// Takes a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - model: The model of the device's motion.
  ///   - mayResetClock: Whether late fixes may show that the last one was ahead of its time.
  /// - Returns: The use of the fix.
  mutating func take(
    _ fix: MotionFix, _ model: MotionModel, mayResetClock: Bool = true
  ) -> Outcome {
    if let last, fix.time <= last.time {
      guard mayResetClock, isClockReset(fix, after: last.time) else { return .late }
      self = MotionEstimator()
    }
    let isRepeated = last?.coordinate == fix.coordinate
    (last, lateRun) = (fix, nil)
    guard track != nil else {
      track = MotionTrack(fix, model, modes: MotionModel.usualModes)
      return .used
    }
    if isRepeated, let modes = track?.modes, modes[.riding] > 0.5 { return .repeated }
    // Otherwise a jump would be believed once a vehicle could have covered it, however fast it was.
    if isNearRival(fix), rival?.track.take(fix, model) == true { return settle() }
    if !isLeap(fix, model), track?.take(fix, model) == true {
      rival = nil
      return .used
    }
    if rival?.track.take(fix, model) != true { startRival(fix, model) }
    return settle()
  }

  /// Returns whether a fix is nearer to the rival track than to the track.
  private func isNearRival(_ fix: MotionFix) -> Bool {
    guard let rival = rival?.track.coordinate, let own = track?.coordinate else { return false }
    return rival.distance(to: fix.coordinate) < own.distance(to: fix.coordinate)
  }

  /// Returns whether a device that was slow is elsewhere after so short a time that no ride could
  /// have begun and ended there in between.
  ///
  /// Only movement there shows that it is a ride; phones that locate themselves by radio networks
  /// jump like that and come back minutes later.
  private func isLeap(_ fix: MotionFix, _ model: MotionModel) -> Bool {
    guard (fix.knownSpeed ?? 0) <= model.slowMetersPerSecond,
      let speed = track?.speedMetersPerSecond, speed <= model.slowMetersPerSecond,
      let place = track?.coordinate, let time = track?.time
    else { return false }
    return place.distance(to: fix.coordinate)
      > model.rideMeters(inSeconds: fix.time.seconds(since: time))
  }

  /// Starts a rival track with a fix that does not fit the track.
  private mutating func startRival(_ fix: MotionFix, _ model: MotionModel) {
    guard let track else { return }
    let meters = track.coordinate.distance(to: fix.coordinate)
    let seconds = fix.time.seconds(since: track.time)
    let isRide = meters > model.slowMetersPerSecond * seconds
    let modes =
      isRide ? MotionModel.modes(afterRide: seconds) : MotionModel.usualModes
    let isReachable =
      meters <= model.reach(afterSeconds: seconds, from: track.speedMetersPerSecond)
    let agreement = isReachable ? model.agreementSeconds : model.teleportSeconds
    rival = Rival(
      track: MotionTrack(fix, model, modes: modes), agreementSeconds: agreement,
      standingSeconds: isLeap(fix, model) ? model.teleportSeconds : agreement)
  }

  /// Lets the rival track take over if it has lasted long enough.
  private mutating func settle() -> Outcome {
    guard let rival, rival.isBelieved else { return .elsewhere }
    track = rival.track
    self.rival = nil
    return .used
  }

  /// Returns whether so many late fixes arrived in order that the last one must have been ahead of
  /// its time.
  private mutating func isClockReset(_ fix: MotionFix, after last: Instant) -> Bool {
    guard last.seconds(since: fix.time) > Self.lateSeconds else { return false }
    let count = lateRun.map { $0.time < fix.time ? $0.count + 1 : 1 } ?? 1
    lateRun = LateRun(time: fix.time, count: count)
    return count >= Self.lateCount
  }
}
