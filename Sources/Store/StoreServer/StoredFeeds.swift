#if Postgres
  import FeedServer
  import PostgresStore
  import SpotService
  import Synchronization

  /// The feed tokens of a store: finds the owner and the device of each message.
  ///
  /// The token is looked up for each message, like a key of the page for each request, so a removed
  /// token ends with the next message.
  final class StoredFeeds: FeedDirectory {
    private let pool: PostgresPool
    private let openLookups: OpenLookups
    private let watches: StoredWatches
    private let report: @Sendable (PostgresError) -> Void
    private let verified = Mutex(VerifiedKeys())

    /// Creates the directory.
    ///
    /// - Parameters:
    ///   - pool: The connections to the store.
    ///   - openLookups: The current lookups of keys and tokens.
    ///   - watches: The watches, which receive the messages.
    ///   - report: Called with the error if the store could not be read, on any thread.
    init(
      _ pool: PostgresPool, openLookups: OpenLookups, watches: StoredWatches,
      report: @escaping @Sendable (PostgresError) -> Void
    ) {
      (self.pool, self.openLookups, self.watches) = (pool, openLookups, watches)
      self.report = report
    }

    func isKnown(_ token: [UInt8]) -> Bool {
      let credential = Self.credential(token)
      return verified.withLock { $0.contains(credential) }
    }

    func lookUp(_ token: [UInt8], from address: String?) -> FeedLookup {
      let credential = Self.credential(token)
      guard let name = AccountKeyName(of: credential.text) else { return .unknown }
      let isVerified = verified.withLock { $0.contains(credential) }
      do throws(Problem) {
        if !isVerified { try openLookups.begin(from: address) }
      } catch { return .unavailable }
      defer { if !isVerified { openLookups.end(from: address) } }
      let found: FeedTokenAccess?
      do throws(PostgresError) {
        found = try pool.read { connection throws(PostgresError) in
          try FeedTokenAccess.find(name.number, of: OwnerID(name.account), connection)
        }
      } catch {
        report(error)
        return .unavailable
      }
      guard let found, let hashes = KeyHashes(key: found.keyHash, session: found.sessionHash),
        hashes.isKey(credential.text)
      else {
        verified.withLock { $0.remove(credential) }
        return .unknown
      }
      verified.withLock { $0.insert(credential) }
      return .found(
        FeedSender(device: found.device) { [watches] message in
          await watches.take(message, of: found.owner)
        })
    }

    private static func credential(_ token: [UInt8]) -> ServiceRequest.Credential {
      .key(String(decoding: token, as: UTF8.self))
    }
  }
#endif
