import Synchronization

/// Lets others watch a search for pairs, and end it.
package final class PairMonitor: Sendable {
  /// The progress of a search.
  package struct Progress: Hashable, Sendable {
    /// The number of spots to be searched.
    package var spots = 0
    /// The number of spots that were searched.
    package var done = 0
    /// The number of pairs that were compared, and not known before.
    package var compared = 0
    /// The number of pairs that were known.
    package var known = 0
    /// The number of photos that no small picture can be made of.
    package var withoutPicture = 0
    /// The number of photos whose files are gone, or were changed since they were indexed.
    package var gone = 0
    /// The number of photos that the system does not give out.
    package var unreadable = 0
  }

  private let state = Mutex(Progress())
  private let isCancelledFlag = Atomic(false)

  /// Creates a monitor of a search that has not begun.
  package init() {}

  /// The progress of the search.
  package var progress: Progress { state.withLock { $0 } }

  /// Ends the search soon; what was compared is kept.
  package func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }

  /// Whether the search was ended.
  package var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  func note(_ change: (inout Progress) -> Void) { state.withLock { change(&$0) } }
}
