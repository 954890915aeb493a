#if Postgres
  import CivilTime
  import Dispatch
  import FeedServer
  package import FeedSources
  package import PageServer
  package import PostgresStore
  package import ProcessControl
  import ProgramSettings
  import SpotService
  import Synchronization
  package import SystemPackage
  import WatchService
  package import WebService

  /// What a server of a store serves, and where it reports.
  package struct StoreServeConfiguration: Sendable {
    /// The store.
    package let address: StoreAddress
    /// The address to listen on.
    package let place: HostAndPort
    /// The certificate and its key; `nil` for plain HTTP.
    package var tls: TLSFiles?
    /// Whether a proxy in front provides TLS.
    package var isBehindProxy = false
    /// The number of owners that are watched at the same time; `nil` where no positions are
    /// accepted.
    package var watchedOwners: Int?
    /// The folder of files that can be made again.
    package var cachesFolder = Paths.caches
    /// Receives messages about the server.
    package var log = MessageLog.none

    /// Creates the configuration of a server without TLS that accepts no positions.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - place: The address to listen on.
    package init(_ address: StoreAddress, at place: HostAndPort) {
      (self.address, self.place) = (address, place)
    }
  }

  /// A page server for the accounts of a store: the page and its API, and the watches of the owners
  /// whose devices send positions.
  package final class StoreServing: Sendable {
    private let configuration: StoreServeConfiguration
    private let settings: SettingsInForce
    private let parts = Mutex<Parts?>(nil)

    /// What runs between start and stop.
    private struct Parts: Sendable {
      let server: WebServer
      let watching: StoreWatching?
      nonisolated(unsafe) let timer: any DispatchSourceTimer
      let queue: DispatchQueue
    }

    /// The number of threads that answer requests, each of which may wait for the store.
    private static let threadCount = 16
    /// The interval in seconds between two checks for changes that open pages are informed about.
    private static let interval = 2

    /// Creates a server that is not running.
    ///
    /// - Parameters:
    ///   - configuration: What is served.
    ///   - settings: The settings, which may change while the server runs.
    package init(_ configuration: StoreServeConfiguration, _ settings: SettingsInForce) {
      (self.configuration, self.settings) = (configuration, settings)
    }

    /// Starts to serve and to watch.
    ///
    /// - Returns: The address of the page, with a slash at its end.
    /// - Throws: `PostgresError` if the store cannot be used; later outages are waited out. Another
    ///   error if the address cannot be listened on or a setting is invalid.
    package func start() throws -> String {
      try StoreSchema.verify(try PostgresConnection(configuration.address))
      let pool = PostgresPool(configuration.address, maximumCount: Self.threadCount)
      let (lookups, outages) = (OpenLookups(), OutageReports(log: configuration.log))
      let accounts = try accounts(pool, lookups, outages)
      let watching = try watching(pool)
      let feeds = watching.map { watching in
        StoredFeeds(
          pool, openLookups: lookups, watches: watching.watches, report: { outages.report($0) })
      }
      let server = try server(accounts, feeds)
      let queue = DispatchQueue(label: "photospots.accounts", qos: .utility)
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(
        deadline: .now() + .seconds(Self.interval), repeating: .seconds(Self.interval))
      timer.setEventHandler {
        accounts.updatePages()
        watching?.watches.stopIdle()
      }
      timer.resume()
      if let watching { watching.receivers.start(for: watching.watches) }
      parts.withLock {
        $0 = Parts(server: server, watching: watching, timer: timer, queue: queue)
      }
      let scheme = configuration.tls == nil ? "http" : "https"
      return "\(scheme)://\(MachineNames.displayed(server.place)):\(server.place.port)/"
    }

    /// Reads the settings, the spots and the certificate again.
    package func readAgain() {
      guard let parts = parts.withLock({ $0 }) else { return }
      parts.watching?.watches.readAgain()
      parts.server.renewCertificate(log: configuration.log)
    }

    /// Stops the server and the watches.
    package func stop() {
      guard let parts = parts.withLock({ $0.take() }) else { return }
      parts.timer.cancel()
      parts.queue.sync {}
      parts.watching?.receivers.stop()
      waitFor { await parts.server.stop(grace: .seconds(2)) }
      waitFor { await parts.watching?.watches.end() }
    }

    /// Prepares the watches; `nil` where no positions are accepted.
    private func watching(_ pool: PostgresPool) throws -> StoreWatching? {
      guard let owners = configuration.watchedOwners else { return nil }
      var limits = StoredWatches.Limits()
      limits.owners = owners
      return try StoreWatching(
        configuration.address, pool, settings, limits: limits, log: configuration.log)
    }

    private func accounts(
      _ pool: PostgresPool, _ lookups: OpenLookups, _ outages: OutageReports
    ) throws -> StoredAccounts {
      StoredAccounts(
        pool, settings: settings,
        hosts: try HostRule(settings.settings, at: configuration.place),
        tiles: ServedTiles(
          settings, cachesFolder: configuration.cachesFolder, log: configuration.log),
        openLookups: lookups, report: { outages.report($0) })
    }

    private func server(
      _ accounts: StoredAccounts, _ feeds: StoredFeeds?
    ) throws -> WebServer {
      var limits = WebServer.Limits()
      limits.threads = Self.threadCount
      if let owners = configuration.watchedOwners {
        limits.reservedDescriptors +=
          owners * StoredWatches.Limits.descriptorsOfOwner
          + StoredReceivers.maximumDescriptorCount
      }
      var feed = WebServer.Feed(tokens: DeviceTokens(), take: { _ in false })
      feed.directory = feeds
      return try waitForResult { [configuration, limits, feed] in
        try await WebServer(
          at: configuration.place, tls: configuration.tls,
          isBehindProxy: configuration.isBehindProxy, directory: accounts, feed: feed,
          limits: limits, report: { [log = configuration.log] in log.problem("\($0)") })
      }
    }
  }
#endif
