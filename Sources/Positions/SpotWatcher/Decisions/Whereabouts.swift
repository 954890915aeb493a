import Spatial

/// The estimated state of a device at a fix.
struct Whereabouts {
  /// The estimated position.
  var standpoint: Standpoint
  /// The variance of the position on each axis, in m².
  var variance: Double
  /// The probability that the owner is free to take a picture.
  var free: Double
  /// Whether the owner is free, by this fix and the one before.
  var isFree: Bool
  /// Whether the owner is slow rather than in a vehicle that halts, by this fix alone.
  var isSlow: Bool
  /// The seconds since the track began.
  let trackSeconds: Double
  /// Whether the track has lasted long enough to decide by it.
  var isTrusted: Bool
  /// The seconds for which the device has stayed.
  let stoppedSeconds: Double
  let speedMetersPerSecond: Double

  /// Returns whether the device is present: trusted to be there, and slow.
  var isPresent: Bool { isTrusted && isSlow }
}
