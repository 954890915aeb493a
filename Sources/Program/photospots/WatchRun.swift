import ArgumentParser
import Encodings
import ProcessControl
import SpotAlerts
import Synchronization
import SystemPackage
import TerminalOutput
import WatchService

/// A watch from its first delivery to its last.
///
/// Reading the feeds may end by a signal, an error or the end of the feeds. In each case the
/// notifications already decided are delivered, or reported as pending or lost. All cases go
/// through ``deliver(during:)``.
struct WatchRun {
  let session: WatchSession
  let output: WatchOutput
  /// A descriptor that becomes readable when the process is asked to stop.
  let interruption: FileDescriptor
  /// The time in seconds to wait for retries at the end; `nil` waits only for the first attempt of
  /// each delivery.
  let drainSeconds: Double?
  /// The name of the place where undelivered notifications are stored for the next watch; `nil` if
  /// state is not stored.
  let storage: String?

  /// Delivers notifications while feeds are read, and afterwards the remaining ones.
  ///
  /// - Parameter read: Reads the feeds until they end. If it throws an exit with success, only the
  ///   reading ends.
  /// - Throws: The error of `read`, the error of standard output, or ``ExitCode/undelivered`` if
  ///   notifications remain undelivered and the process was not asked to stop.
  func deliver(during read: () throws -> Void) throws {
    session.start()
    var failure: (any Error)?
    do {
      try read()
    } catch let code as ExitCode where code.isSuccess {
      // Standard output was closed by its reader.
    } catch { failure = error }
    ServiceNotices().stopping()
    waitFor(orUntil: interruption) { [session, drainSeconds] in
      await session.drain()
      if let drainSeconds { await session.settle(withinSeconds: drainSeconds) }
    }
    let rest = try waitForResult { [session] in await session.stop() }
    for undelivered in rest {
      for line in lines(about: undelivered) { StandardError.writeLine("photospots: \(line)") }
    }
    if let failure { throw failure }
    if output.isLost || rest.contains(where: { $0.notifier == WatchOutput.notifierName }) {
      throw ExitCode.failure
    }
    if !rest.isEmpty, !StopSignal.isRequested { throw ExitCode.undelivered }
  }

  /// Returns lines such as `hook: 2 notifications are not delivered (exit status 1). …`.
  private func lines(about rest: UndeliveredNotifications) -> [String] {
    let reason = rest.failure.map { " (\($0))" } ?? ""
    var lines: [String] = []
    if rest.waitingCount > 0 {
      let what = "\(Self.notifications(rest.waitingCount)) not delivered\(reason)"
      let outlook =
        if let storage {
          """
          stored in \(storage); the next watch tries again within 15 minutes of the event
          """
        } else {
          "not stored, since this is a replay; --drain-timeout allows more tries"
        }
      lines.append("\(rest.notifier): \(what); \(outlook)")
    }
    if rest.givenUpCount > 0 {
      lines.append("\(rest.notifier): \(Self.notifications(rest.givenUpCount)) given up\(reason)")
    }
    return lines
  }

  private static func notifications(_ count: Int) -> String {
    count == 1 ? "1 notification is" : "\(count) notifications are"
  }
}

/// The state of standard output, which receives notifications.
final class WatchOutput: Sendable {
  private enum State {
    case open
    /// The reader closed the pipe.
    case closed
    /// Writing failed, with the reason.
    case lost(String)
  }

  /// The name of the standard output notifier.
  static let notifierName = "stdout"

  private let state = Mutex(State.open)

  /// Whether writing failed with an error.
  var isLost: Bool {
    state.withLock { if case .lost = $0 { true } else { false } }
  }

  /// Records that the reader closed the pipe.
  func close() { state.withLock { $0 = .closed } }

  /// Records that writing failed.
  func lose(_ reason: String) { state.withLock { $0 = .lost(reason) } }

  /// Ends the reading of feeds if standard output can no longer be written.
  ///
  /// - Throws: An exit with success if the reader closed the pipe, or `MessageError` if writing
  ///   failed.
  func check() throws {
    switch state.withLock({ $0 }) {
    case .open: return
    case .closed: throw ExitCode.success
    case .lost(let reason): throw MessageError("the output cannot be written: \(reason)")
    }
  }
}
