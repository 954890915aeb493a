import CivilTime
import Spatial

/// The last fixes of a device.
struct DeviceTrack: Hashable, Sendable {
  var lastAccepted: AcceptedFix?
  /// The position of the last fix that had moved, from which movement is measured.
  var lastEvaluated: Standpoint?
  /// The time of the last fix at which the spots around were looked up.
  var lastLookUp: Instant?
  /// The clock time until which more fixes of a late burst may arrive.
  var burstEnd: Instant?
  /// The time of the fix before the last accepted one.
  var previousTime: Instant?
}

/// An accepted fix.
struct AcceptedFix: Hashable, Sendable {
  let fix: SharedFix
  let time: Instant
  let standpoint: Standpoint
}

/// A run of late fixes in the order of their times.
struct LateRun: Hashable, Sendable {
  let time: Instant
  let count: Int
}
