import CivilTime
import Encodings
import SpotAlerts

/// The time zone of the machine at the start of a command.
package enum MachineZone {
  /// Checks that the zone is known, so that quiet hours and digests are not silently in UTC.
  ///
  /// - Parameter isLive: Whether alerts are sent. A replay reports the problem, and goes on.
  /// - Throws: A `MessageError` if alerts are sent and the zone is unknown.
  package static func check(isLive: Bool) throws {
    guard let problem = LocalClock.machineProblem else { return }
    if isLive { throw MessageError("\(problem)") }
    StandardError.writeLine("photospots: \(problem)")
  }
}
