import SpotService
import Synchronization

/// The current lookups of keys and feed tokens that were never found valid. Their number is
/// limited, so that guesses cannot take all connections to the store.
final class OpenLookups: Sendable {
  /// The maximum number of such lookups at the same time.
  static let maximumCount = 8

  private let count = Mutex(0)

  /// Begins a lookup.
  ///
  /// - Throws: A problem if there are too many.
  func begin() throws(Problem) {
    let isAllowed = count.withLock { count in
      guard count < Self.maximumCount else { return false }
      count += 1
      return true
    }
    guard isAllowed else { throw Problem(.busy, "Too many keys are being checked; try again.") }
  }

  /// Ends a lookup that was begun.
  func end() { count.withLock { $0 -= 1 } }
}
