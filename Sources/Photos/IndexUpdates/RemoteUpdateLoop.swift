import CivilTime
import Dispatch
import PhotoLibrary
package import ProcessControl
import Storage

/// A loop that repeatedly fetches the changes of remote libraries, until the process is asked to
/// stop.
package final class RemoteUpdateLoop: Sendable {
  private let interval: Duration
  private let log: MessageLog
  /// Returns the runs of a round; empty if there is no library yet.
  private let runs: @Sendable () throws -> [RemoteRun]
  private let report: @Sendable (IndexRun.Outcome, _ isFirst: Bool) throws -> Void
  private let done = DispatchSemaphore(value: 0)

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - interval: The time between two rounds.
  ///   - log: Receives problems of libraries.
  ///   - runs: Returns the runs of a round.
  ///   - report: Receives the outcome of each run.
  package init(
    every interval: Duration, log: MessageLog,
    runs: @escaping @Sendable () throws -> [RemoteRun],
    report: @escaping @Sendable (IndexRun.Outcome, _ isFirst: Bool) throws -> Void
  ) {
    (self.interval, self.log, self.runs, self.report) = (interval, log, runs, report)
  }

  /// Fetches changes until an interruption is requested.
  package func run(orUntil interruption: Interruption) {
    var isFirst = true
    var told: [RemoteLibrary: String] = [:]
    var problem: String?
    repeat {
      do {
        for run in try runs() where !interruption.isRequested {
          var reason: String?
          do {
            let outcome = try run.run()
            try report(outcome, isFirst)
            reason = outcome.report.staleReasons.values.first
          } catch {
            guard !interruption.isRequested else { break }
            reason = "\(error)"
          }
          // A server that is unreachable for a day is reported once.
          if let reason, told[run.library] != reason {
            log.problem(reason)
          }
          told[run.library] = reason
        }
      } catch {
        if problem != "\(error)" { log.problem("\(error)") }
        problem = "\(error)"
      }
      isFirst = false
      FreedMemory.returnToSystem()
    } while !interruption.isRequested(within: interval)
  }

  /// Fetches changes on a separate thread.
  package func start(orUntil interruption: Interruption) {
    DispatchQueue(label: "photospots.remote", qos: .utility).async { [self] in
      run(orUntil: interruption)
      done.signal()
    }
  }

  /// Waits until the thread has ended, which happens when the process is asked to stop.
  package func finish() { done.wait() }
}
