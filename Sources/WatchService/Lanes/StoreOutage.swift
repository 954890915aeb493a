import SpotAlerts
import Synchronization

/// Reports that a store cannot be reached, and that it can again, once each.
///
/// The lanes have connections of their own, which fail and recover at different times: the outage
/// is over when no lane has failed lately.
package final class StoreOutage: Sendable {
  private struct State {
    /// The time of the latest failure of each lane that has not succeeded since.
    var failures: [Int: ContinuousClock.Instant] = [:]
    var isReported = false
    var lastOvertaken: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let report: @Sendable (WatchEvent) -> Void

  /// Longer than the longest pause between two attempts to connect.
  private static let memory = Duration.seconds(10)
  private static let overtakenInterval = Duration.seconds(60)

  /// Creates a reporter.
  package init(_ report: @escaping @Sendable (WatchEvent) -> Void) { self.report = report }

  /// Notes a failure of a lane.
  func note(_ error: AlertStateError, of lane: Int) {
    let now = ContinuousClock.now
    let isNew = state.withLock { state in
      if case .overtaken = error {
        guard state.lastOvertaken.map({ now - $0 >= Self.overtakenInterval }) ?? true else {
          return false
        }
        state.lastOvertaken = now
        return true
      }
      state.failures[lane] = now
      defer { state.isReported = true }
      return !state.isReported
    }
    if isNew { report(.notWritten(error)) }
  }

  /// Notes a success of a lane, for which the store may not have been needed.
  func noteSuccess(of lane: Int, isReachable: @autoclosure () -> Bool) {
    guard state.withLock({ $0.isReported }), isReachable() else { return }
    let isOver = state.withLock { state in
      guard state.isReported else { return false }
      state.failures[lane] = nil
      let now = ContinuousClock.now
      guard state.failures.values.allSatisfy({ now - $0 >= Self.memory }) else { return false }
      (state.failures, state.isReported) = ([:], false)
      return true
    }
    if isOver { report(.recovered) }
  }
}
