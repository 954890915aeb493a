#if Postgres
  import ArgumentParser
  import Dispatch
  import FeedServer
  import FeedSources
  import PostgresStore
  import SpotService
  import Synchronization
  import SystemPackage
  import WatchService
  import WebService

  /// A run of `photospots serve --store`: the page and its API for the accounts of a store.
  struct StoreServing {
    private let command: ServeCommand
    private let address: StoreAddress
    private let settings: SettingsInForce
    private let interruption: FileDescriptor
    private let place: HostAndPort

    /// The number of threads that answer requests, each of which may wait for the store.
    private static let threadCount = 16
    /// The interval in seconds between two checks for changes that open pages are informed about.
    private static let interval = 2

    init(
      _ command: ServeCommand, _ address: StoreAddress, _ settings: SettingsInForce,
      _ interruption: FileDescriptor
    ) throws {
      (self.command, self.address, self.settings) = (command, address, settings)
      self.interruption = interruption
      place = try command.place()
    }

    /// Serves until the process is asked to stop.
    func run() throws {
      // The store must be usable at the start; later outages are waited out.
      try StoreSchema.verify(try PostgresConnection(address))
      let pool = PostgresPool(address, maximumCount: Self.threadCount)
      let (lookups, outages) = (OpenLookups(), OutageReports())
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
      let hangup = try Hangup.calling {
        watching?.watches.readAgain()
        Serving.renewCertificate(of: server)
      }
      if let watching { watching.receivers.start(for: watching.watches) }
      try reportAddress(server.place)

      try Serving.waitForInterruption(interruption)
      ServiceNotices().stopping()
      hangup.cancel()
      timer.cancel()
      queue.sync {}
      watching?.receivers.stop()
      waitFor { await server.stop(grace: .seconds(2)) }
      waitFor { await watching?.watches.end() }
    }

    /// Prepares the watches; `nil` without `--feeds`.
    private func watching(_ pool: PostgresPool) throws -> StoreWatching? {
      guard command.feeds else { return nil }
      var limits = StoredWatches.Limits()
      limits.owners = command.watchedOwners
      return try StoreWatching(address, pool, settings, limits: limits)
    }

    private func accounts(
      _ pool: PostgresPool, _ lookups: OpenLookups, _ outages: OutageReports
    ) throws -> StoredAccounts {
      StoredAccounts(
        pool, settings: settings, hosts: try command.hostRule(settings.settings, at: place),
        openLookups: lookups, report: { outages.report($0) })
    }

    private func server(
      _ accounts: StoredAccounts, _ feeds: StoredFeeds?
    ) throws -> WebServer {
      var limits = WebServer.Limits()
      limits.threads = Self.threadCount
      if feeds != nil {
        limits.reservedDescriptors +=
          command.watchedOwners * StoredWatches.Limits.descriptorsOfOwner
          + StoredReceivers.maximumDescriptorCount
      }
      var feed = WebServer.Feed(tokens: DeviceTokens(), take: { _ in false })
      feed.directory = feeds
      return try waitForResult { [command, place, limits, feed] in
        try await WebServer(
          at: place, tls: command.tlsFiles, isBehindProxy: command.behindProxy,
          directory: accounts, feed: feed, limits: limits,
          report: { StandardError.writeLine("photospots: \($0)") })
      }
    }

    private func reportAddress(_ place: HostAndPort) throws {
      let scheme = command.certificate == nil ? "http" : "https"
      try StandardOutput.write(
        "\(scheme)://\(MachineNames.displayed(place)):\(place.port)/\n")
      StandardError.note(
        "the page is at the address above with #key=KEY; 'photospots store account' creates keys; Ctrl-C stops the server"
      )
      var notices = ServiceNotices()
      notices.ready()
      notices.alive()
    }
  }
#endif
