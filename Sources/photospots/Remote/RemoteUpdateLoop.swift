import CLibrary
import Dispatch
import PhotoLibrary
import Storage
import SystemPackage

/// A loop that repeatedly fetches the changes of remote libraries, until the process is asked to
/// stop.
final class RemoteUpdateLoop: Sendable {
  private let interval: Duration
  /// Returns the runs of a round; empty if there is no library yet.
  private let runs: @Sendable () throws -> [RemoteRun]
  private let report: @Sendable (IndexRun.Outcome, _ isFirst: Bool) throws -> Void
  private let done = DispatchSemaphore(value: 0)

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - interval: The time between two rounds.
  ///   - runs: Returns the runs of a round.
  ///   - report: Receives the outcome of each run.
  init(
    every interval: Duration, runs: @escaping @Sendable () throws -> [RemoteRun],
    report: @escaping @Sendable (IndexRun.Outcome, _ isFirst: Bool) throws -> Void
  ) {
    (self.interval, self.runs, self.report) = (interval, runs, report)
  }

  /// Fetches changes until a descriptor becomes readable.
  func run(orUntil interruption: FileDescriptor) {
    var isFirst = true
    var told: [RemoteLibrary: String] = [:]
    var problem: String?
    repeat {
      do {
        for run in try runs() where !Interruption.isRequested {
          var reason: String?
          do {
            let outcome = try run.run()
            try report(outcome, isFirst)
            reason = outcome.report.staleReasons.values.first
          } catch {
            guard !Interruption.isRequested else { break }
            reason = "\(error)"
          }
          // A server that is unreachable for a day is reported once.
          if let reason, told[run.library] != reason {
            StandardError.writeLine("photospots: \(reason)")
          }
          told[run.library] = reason
        }
      } catch {
        if problem != "\(error)" { StandardError.writeLine("photospots: \(error)") }
        problem = "\(error)"
      }
      isFirst = false
      FreedMemory.returnToSystem()
    } while !Self.isReadable(interruption, within: interval)
  }

  /// Fetches changes on a separate thread.
  func start(orUntil interruption: FileDescriptor) {
    DispatchQueue(label: "photospots.remote", qos: .utility).async { [self] in
      run(orUntil: interruption)
      done.signal()
    }
  }

  /// Waits until the thread has ended, which happens when the process is asked to stop.
  func finish() { done.wait() }

  private static func isReadable(
    _ descriptor: FileDescriptor, within time: Duration
  ) -> Bool {
    var wait = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, CInt(saturating: time.seconds * 1000)) > 0
  }
}
