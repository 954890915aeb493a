import CivilTime
public import Encodings

extension LocationFix {
  /// Writes the fix as a JSON object with the known members of: `time` (ISO 8601, UTC,
  /// milliseconds), `latitude`, `longitude`, `altitude`, `horizontalAccuracy`, `speed`, `course`,
  /// `device`, `battery`, `cause` (`enter` or `leave`) and its `region`. Units are degrees, metres
  /// and metres per second.
  public func write(to writer: inout JSONWriter) {
    writer.object { writeMembers(to: &$0) }
  }

  /// Writes the members of the object.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("time", time?.iso8601)
    writer.member("latitude", degrees: latitude)
    writer.member("longitude", degrees: longitude)
    writer.member("altitude", altitudeMeters)
    writer.member("horizontalAccuracy", horizontalAccuracyMeters)
    writer.member("speed", speedMetersPerSecond)
    writer.member("course", courseDegrees)
    writer.member("device", device)
    writer.member("battery", battery)
    writer.member("cause", cause?.event.rawValue)
    writer.member("region", cause?.region)
  }
}
