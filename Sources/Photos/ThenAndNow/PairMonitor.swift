import Synchronization

/// An object to observe and cancel a search for pairs.
package final class PairMonitor: Sendable {
  /// The progress of a search.
  package struct Progress: Hashable, Sendable {
    /// The number of spots to search.
    package var spots = 0
    /// The number of spots searched so far.
    package var done = 0
    /// The number of pairs compared in this search.
    package var compared = 0
    /// The number of pairs whose verdict was cached.
    package var known = 0
    /// The number of photos that cannot be decoded as a picture.
    package var withoutPicture = 0
    /// The number of photos whose picture is cut off, or shows too little to be compared.
    package var damaged = 0
    /// The number of photos whose files no longer exist or were changed since they were indexed.
    package var gone = 0
    /// The number of photos that the system could not read.
    package var unreadable = 0
  }

  private let state = Mutex(Progress())
  private let isCancelledFlag = Atomic(false)

  /// Creates a monitor for a search that has not begun.
  package init() {}

  /// The progress of the search.
  package var progress: Progress { state.withLock { $0 } }

  /// Cancels the search; the results so far are kept.
  package func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }

  /// Whether the search was cancelled.
  package var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  /// Changes the progress.
  func update(_ change: (inout Progress) -> Void) { state.withLock { change(&$0) } }
}
