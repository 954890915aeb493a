#if HTTPServer
  import Synchronization

  /// The memory for bodies of requests without a key or session, which all of them share.
  final class StrangerBodies: Sendable {
    /// The maximum total length in bytes: 64 bodies with a key at a time.
    static let maximumBytes = 256 << 10

    private let bytes = Mutex(0)

    /// Reserves memory for a body; returns `false` if too much is in use. Each reservation must be
    /// released by ``leave(reading:)``.
    func enter(reading limit: Int) -> Bool {
      bytes.withLock { bytes in
        guard bytes + limit <= Self.maximumBytes else { return false }
        bytes += limit
        return true
      }
    }

    /// Releases the memory of a body.
    func leave(reading limit: Int) { bytes.withLock { $0 -= limit } }
  }
#endif
