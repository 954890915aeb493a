import SpotAlerts
import Synchronization

/// Reports an outage of a store once when it begins, and once when it is over.
///
/// Each lane has its own connection, so lanes fail and recover at different times. The outage is
/// over when a lane succeeds and no other lane has failed within the last ten seconds.
package final class StoreOutage: Sendable {
  private struct State {
    /// The time of the latest failure of each lane that has not succeeded since.
    var failures: [Int: ContinuousClock.Instant] = [:]
    var isReported = false
    var lastOvertaken: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let report: @Sendable (WatchEvent) -> Void

  /// The time for which a lane's failure prolongs the outage; longer than the longest pause between
  /// two attempts to connect.
  private static let memory = Duration.seconds(10)
  /// The minimum interval between two reports that other processes overtook a lane.
  private static let overtakenInterval = Duration.seconds(60)

  /// Creates a reporter.
  package init(_ report: @escaping @Sendable (WatchEvent) -> Void) { self.report = report }

  /// Records a failure of a lane, and reports it if it begins an outage. A lane that was overtaken
  /// is no outage, and is reported at most once a minute.
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

  /// Records a success of a lane, and reports the end of the outage if it is over.
  ///
  /// - Parameters:
  ///   - lane: The number of the lane.
  ///   - isReachable: Whether the lane's last use of the store succeeded; a lane may succeed
  ///     without using it.
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
