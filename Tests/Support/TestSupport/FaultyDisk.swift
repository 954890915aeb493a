package import Storage
import Synchronization
package import SystemPackage

/// A disk on which one step fails, and optionally all later steps, as if the process had been
/// killed.
package final class FaultyDisk: Sendable {
  private struct State {
    var left: Int
    var failed: DiskStep?
  }

  private let state: Mutex<State>
  private let error: Errno
  private let staysFaulty: Bool

  /// Creates a disk.
  ///
  /// - Parameters:
  ///   - count: The number of steps that succeed before one fails.
  ///   - error: The error of the failing step.
  ///   - staysFaulty: Whether all later steps fail too, like the steps that a killed process does
  ///     not reach.
  package init(after count: Int, _ error: Errno, staysFaulty: Bool) {
    state = Mutex(State(left: count))
    self.error = error
    self.staysFaulty = staysFaulty
  }

  /// The first step that failed; `nil` if none did.
  package var failed: DiskStep? { state.withLock { $0.failed } }

  /// Runs a closure on the disk.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Disk.$interception.withValue({ try self.check($0) }) {
      try body()
    }
  }

  private func check(_ step: DiskStep) throws(Errno) {
    let fails = state.withLock { state in
      if state.left > 0 || state.failed != nil && !staysFaulty {
        state.left -= 1
        return false
      }
      state.failed = state.failed ?? step
      return true
    }
    if fails { throw error }
  }

  /// Runs a closure once for each step of an operation, with that step failing, until the operation
  /// has no more steps.
  ///
  /// - Parameters:
  ///   - error: The error of the failing step.
  ///   - staysFaulty: As in ``init(after:_:staysFaulty:)``.
  ///   - body: Receives the disk on which the step fails, and runs the operation on it.
  /// - Returns: The steps of the operation.
  package static func forEachStep(
    _ error: Errno, staysFaulty: Bool, _ body: (FaultyDisk) throws -> Void
  ) rethrows -> [DiskStep] {
    var steps: [DiskStep] = []
    while true {
      let disk = FaultyDisk(after: steps.count, error, staysFaulty: staysFaulty)
      try body(disk)
      guard let step = disk.failed else { return steps }
      steps.append(step)
    }
  }
}
