#if Postgres
  import PageServer
  import PhotoLibrary
  import PostgresStore
  import SpotService
  import Synchronization
  import WebService

  /// The accounts of a store: finds the account of each request by its key.
  ///
  /// The key is looked up in the store for each request, so a removed key ends at once. A key names
  /// its account and its number. A connection that acts for that account reads the key's row, and
  /// the hash in the row decides whether the key is valid.
  final class StoredAccounts: ServiceDirectory {
    let strangers: ServedAccount
    private let pool: PostgresPool
    private let libraries: StoredLibraries
    private let settings: SettingsInForce
    private let effects: StoredEffects
    private let hosts: HostRule
    private let report: @Sendable (PostgresError) -> Void
    private let pages: AccountPages
    private let verified = Mutex(VerifiedKeys())
    /// The current lookups of keys that were never found valid.
    private let openLookups: OpenLookups

    /// Creates the directory.
    ///
    /// - Parameters:
    ///   - pool: The connections to the store.
    ///   - settings: The settings of the server.
    ///   - hosts: The hosts that are served.
    ///   - tiles: The map tiles, which are the same for all accounts.
    ///   - openLookups: The current lookups of keys.
    ///   - limits: The bounds of memory for libraries.
    ///   - report: Called with the error if the store could not be read, on any thread.
    init(
      _ pool: PostgresPool, settings: SettingsInForce, hosts: HostRule, tiles: ServedTiles,
      openLookups: OpenLookups, limits: StoredLibraries.Limits = StoredLibraries.Limits(),
      report: @escaping @Sendable (PostgresError) -> Void
    ) {
      (self.pool, self.settings, self.hosts, self.report) = (pool, settings, hosts, report)
      self.openLookups = openLookups
      libraries = StoredLibraries(pool, limits: limits, report: report)
      effects = StoredEffects(tiles: tiles)
      let boot = Serving.boot
      pages = AccountPages(boot: boot)
      // A random key, which nobody has.
      let configuration = Self.configuration(hosts, SessionKey.random().hashes)
      strangers = ServedAccount(
        service: Service(configuration, sources: NoSources()), outside: effects,
        events: EventHub(boot: boot))
    }

    private static func configuration(
      _ hosts: HostRule, _ key: KeyHashes
    ) -> Service.Configuration {
      var configuration = Service.Configuration(
        version: PhotoSpotsVersion.current, hosts: hosts, key: key,
        description: APIDescription.bytes)
      configuration.keyAdvice =
        "Open the page's address with '#key=' and the key of your account at its end."
      return configuration
    }

    func account(of request: ServiceRequest) throws(Problem) -> ServedAccount {
      // A request for another host is refused before any key is looked up.
      guard strangers.service.problem(withOpen: request) == nil else { return strangers }
      for credential in request.credentials {
        guard let name = AccountKeyName(of: credential.text) else { continue }
        if let found = try access(name, credential, from: request.address) {
          return account(name, found.access, found.hashes)
        }
      }
      return strangers
    }

    func isKnown(_ request: ServiceRequest) -> Bool {
      verified.withLock { verified in
        request.credentials.contains { verified.contains($0) }
      }
    }

    func limitPages(to count: Int) { pages.limit(to: count) }

    func keepAlive() { pages.forEach { $0.keepAlive() } }

    func end() { pages.end() }

    // MARK: - Keys

    /// Looks up a key, or the key of a session; `nil` if it is not valid.
    private func access(
      _ name: AccountKeyName, _ credential: ServiceRequest.Credential, from address: String?
    ) throws(Problem) -> (access: AccountAccess, hashes: KeyHashes)? {
      let isVerified = verified.withLock { $0.contains(credential) }
      if !isVerified { try openLookups.begin(from: address) }
      defer { if !isVerified { openLookups.end(from: address) } }
      let found: AccountAccess?
      do throws(PostgresError) {
        found = try lookUp(name)
      } catch {
        report(error)
        throw Problem(error)
      }
      guard let found,
        let hashes = KeyHashes(key: found.keyHash, session: found.sessionHash),
        hashes.recognizes(credential)
      else {
        verified.withLock { $0.remove(credential) }
        return nil
      }
      verified.withLock { $0.insert(credential) }
      return (found, hashes)
    }

    private func lookUp(_ name: AccountKeyName) throws(PostgresError) -> AccountAccess? {
      try pool.read { connection throws(PostgresError) in
        try AccountAccess.find(name.number, of: OwnerID(name.account), connection)
      }
    }

    private func account(
      _ name: AccountKeyName, _ access: AccountAccess, _ hashes: KeyHashes
    ) -> ServedAccount {
      ServedAccount(
        service: service(access, hashes), outside: effects,
        events: pages.events(of: name, access),
        prepare: { [libraries] in await libraries.prepare(for: access) })
    }

    private func service(_ access: AccountAccess, _ hashes: KeyHashes) -> Service {
      Service(
        Self.configuration(hosts, hashes),
        sources: StoredSources(
          access: access, libraries: libraries, pool: pool, settingsInForce: settings))
    }

    // MARK: - Open pages

    /// Informs open pages about changes in the store, and ends those whose keys were removed.
    func updatePages() {
      for name in pages.listening {
        do throws(PostgresError) {
          guard let access = try lookUp(name),
            let hashes = KeyHashes(key: access.keyHash, session: access.sessionHash)
          else {
            pages.end(of: name)
            continue
          }
          let records = try pool.read { connection throws(PostgresError) in
            try connection.act(for: access.owner.id)
            return try PostgresJournal.recordCount(connection)
          }
          guard let (hub, changes) = pages.changes(of: name, access, records: records) else {
            continue
          }
          for change in changes { send(change, to: hub, access, service(access, hashes)) }
        } catch { report(error) }
      }
      pages.forgetUnused()
    }

    private func send(
      _ change: AccountPages.Change, to hub: EventHub, _ access: AccountAccess, _ service: Service
    ) {
      switch change {
      case .alerts: hub.publish(.gap)
      case .photos:
        // Pages of other accounts do not wait for this library.
        Task { [libraries] in
          do throws(Problem) {
            if let problem = await libraries.prepare(for: access) { throw problem }
            try hub.publish(.index) { json throws(Problem) in try service.writeIndex(to: &json) }
          } catch {
            // The page then requests everything again, and shows the problem.
            hub.publish(.gap)
          }
        }
      }
    }
  }
#endif
