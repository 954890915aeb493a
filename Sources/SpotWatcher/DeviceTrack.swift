import CivilTime
import Spatial

/// The part of a device's state that almost every fix changes: the last fixes and the motion.
///
/// It is small and of fixed size, so that copying it for each fix costs little.
struct DeviceTrack: Hashable, Sendable {
  var lastAccepted: AcceptedFix?
  var lastEvaluated: Standpoint?
  var jumpCandidate: JumpCandidate?
  /// The device's motion.
  var motion = Motion()
  /// The clock time at which the current run of fixes without gaps began.
  var start: Instant?
  /// The clock time until which more fixes of a late burst may arrive.
  var burstEnd: Instant?
  /// The time of the fix before the last accepted one.
  var previousTime: Instant?
  var lateRun: LateRun?

  /// Returns the device's own time at a clock time: that of its last fix plus the time passed
  /// since.
  func time(at now: Instant) -> Instant {
    guard let lastAccepted else { return now }
    return lastAccepted.time.advanced(bySeconds: max(now.seconds(since: lastAccepted.arrived), 0))
  }

  /// Forgets the last fixes, which had wrong times.
  mutating func forgetFixes() {
    lastAccepted = nil
    jumpCandidate = nil
    lateRun = nil
  }
}

/// An accepted fix.
struct AcceptedFix: Hashable, Sendable {
  let fix: SharedFix
  let time: Instant
  /// The clock time of its arrival.
  let arrived: Instant
  let standpoint: Standpoint
}

/// A run of late fixes in the order of their times.
struct LateRun: Hashable, Sendable {
  let time: Instant
  let count: Int
}

/// An implausible position. If the rule ``WatcherRule/jumps`` is off, a second fix nearby confirms
/// it.
struct JumpCandidate: Hashable, Sendable {
  let coordinate: Coordinate
  let time: Instant
}
