import ArgumentParser
import SpotAlerts
import Synchronization
import SystemPackage
import WatchService

/// A watch from its first delivery to its last.
///
/// Whatever ends the reading of its feeds, a signal, a fault or the end of the feeds, what was
/// decided is delivered, or told to be waiting or lost: there is one way out, ``deliver(during:)``.
struct WatchRun {
  let session: WatchSession
  let output: WatchOutput
  /// A descriptor that becomes readable when the process is asked to stop.
  let interruption: FileDescriptor
  /// How long to wait at the end for further tries, in seconds; `nil` waits for the first try of
  /// each.
  let drainSeconds: Double?
  /// Where what is not delivered waits for the next watch; `nil` where nothing is remembered.
  let stateFolder: FilePath?

  /// Delivers while feeds are read, and what is left after that.
  ///
  /// - Parameter read: Reads the feeds to their ends; an exit with success that it throws ends the
  ///   reading alone.
  /// - Throws: What `read` throws; why standard output cannot be written; ``ExitCode/undelivered``
  ///   where something stays undelivered and the process was not asked to stop.
  func deliver(during read: () throws -> Void) throws {
    session.start()
    var failure: (any Error)?
    do {
      try read()
    } catch let code as ExitCode where code.isSuccess {
      // Nobody reads standard output any more.
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
    if !rest.isEmpty, !Interruption.isRequested { throw ExitCode.undelivered }
  }

  /// `hook: 2 notifications are not delivered (exit status 1). …`
  private func lines(about rest: UndeliveredNotifications) -> [String] {
    let reason = rest.failure.map { " (\($0))" } ?? ""
    var lines: [String] = []
    if rest.waitingCount > 0 {
      let what = "\(Self.notifications(rest.waitingCount)) not delivered\(reason)"
      let outlook =
        if let stateFolder {
          """
          kept in \(stateFolder.escaped), to be tried again by the next watch within 15 minutes of \
          the event
          """
        } else {
          "not kept, since a replay leaves nothing behind; --drain-timeout waits for further tries"
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

/// Whether the notifications on standard output still reach somebody.
final class WatchOutput: Sendable {
  private enum State {
    case open
    /// The reader went away, having seen enough.
    case closed
    /// It cannot be written, and why.
    case lost(String)
  }

  /// The name of its notifier.
  static let notifierName = "stdout"

  private let state = Mutex(State.open)

  /// Whether it cannot be written through a fault.
  var isLost: Bool {
    state.withLock { if case .lost = $0 { true } else { false } }
  }

  /// Notes that the reader went away.
  func close() { state.withLock { $0 = .closed } }

  /// Notes that it cannot be written.
  func lose(_ reason: String) { state.withLock { $0 = .lost(reason) } }

  /// Ends what reads the feeds where nobody is reached any more.
  ///
  /// - Throws: An exit with success where the reader went away; ``Failure`` where it cannot be
  ///   written.
  func check() throws {
    switch state.withLock({ $0 }) {
    case .open: return
    case .closed: throw ExitCode.success
    case .lost(let reason): throw Failure("the output cannot be written: \(reason)")
    }
  }
}
