import CLibrary
import Dispatch
import ProcessControl
package import SystemPackage

/// The time in which a watch or a server ends after it was asked to. Containers and service
/// managers kill what takes longer, and Docker does so after ten seconds.
package enum StopDeadline {
  /// The time in seconds. Deliveries and requests that have begun take most of it.
  package static let seconds = 8

  /// Ends the process if it has not ended in time after a request.
  ///
  /// Nothing that was accepted is lost: journals and state files are written before answers. Only a
  /// disk that does not answer, or a program that was started, can take so long.
  ///
  /// - Parameter interruption: A descriptor that becomes readable on the request.
  package static func begin(on interruption: FileDescriptor) {
    let queue = DispatchQueue(label: "photospots.end", qos: .userInitiated)
    // The source keeps itself until then.
    _ = Interruption(interruption).calling {
      queue.asyncAfter(deadline: .now() + .seconds(seconds)) {
        StandardError.writeLine(
          "photospots: ending took more than \(seconds) s, so the rest is left to the next start")
        _exit(1)
      }
    }
  }
}
