package import Storage
import Synchronization
package import SystemPackage

/// A disk on which a step fails, and those after it where the process is killed.
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
  ///   - count: How many steps succeed before one fails.
  ///   - error: What that throws.
  ///   - staysFaulty: Whether all steps after it fail too, as those that a killed process does not
  ///     make.
  package init(after count: Int, _ error: Errno, staysFaulty: Bool) {
    state = Mutex(State(left: count))
    self.error = error
    self.staysFaulty = staysFaulty
  }

  /// The step that failed first; `nil` where none did.
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

  /// Runs something once for each of its steps, which fails, until none is left.
  ///
  /// - Parameters:
  ///   - error: What the step throws.
  ///   - staysFaulty: As in ``init(after:_:staysFaulty:)``.
  ///   - body: What to do with the disk on which the step fails; it runs the steps itself.
  /// - Returns: The steps.
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
