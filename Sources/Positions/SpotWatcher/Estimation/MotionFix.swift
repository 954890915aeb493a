import CivilTime
import Spatial

/// What an estimate uses of a fix.
struct MotionFix: Hashable, Sendable {
  var time: Instant
  var coordinate: Coordinate
  /// The accuracy radius in metres; `nil` if unknown.
  var accuracyMeters: Double?
  /// The speed over ground; `nil` if unknown.
  var speedMetersPerSecond: Double?
  /// The speed over ground where it means something: many senders write zero for an unknown one.
  var knownSpeed: Double? { speedMetersPerSecond.flatMap { $0 > 0 ? $0 : nil } }
  /// The direction of movement in degrees clockwise from true north; `nil` if unknown.
  var courseDegrees: Double?
}
