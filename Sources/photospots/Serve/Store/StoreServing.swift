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
      let accounts = try accounts()
      let server = try server(accounts)
      let queue = DispatchQueue(label: "photospots.accounts", qos: .utility)
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(
        deadline: .now() + .seconds(Self.interval), repeating: .seconds(Self.interval))
      timer.setEventHandler { accounts.updatePages() }
      timer.resume()
      let hangup = try Hangup.calling { Serving.renewCertificate(of: server) }
      try reportAddress(server.place)

      try Serving.waitForInterruption(interruption)
      ServiceNotices().stopping()
      hangup.cancel()
      timer.cancel()
      queue.sync {}
      waitFor { await server.stop(grace: .seconds(2)) }
    }

    private func accounts() throws -> StoredAccounts {
      let outages = OutageReports()
      return StoredAccounts(
        PostgresPool(address, maximumCount: Self.threadCount), settings: settings,
        hosts: try command.hostRule(settings.settings, at: place),
        report: { outages.report($0) })
    }

    private func server(_ accounts: StoredAccounts) throws -> WebServer {
      var limits = WebServer.Limits()
      limits.threads = Self.threadCount
      return try waitForResult { [command, place, limits] in
        try await WebServer(
          at: place, tls: command.tlsFiles, isBehindProxy: command.behindProxy,
          directory: accounts,
          feed: WebServer.Feed(tokens: DeviceTokens(), take: { _ in false }), limits: limits,
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

  /// Reports of failures of the store, at most one a minute.
  private final class OutageReports: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    func report(_ error: PostgresError) {
      let isDue = last.withLock { last in
        let now = ContinuousClock.now
        if let last, now - last < .seconds(60) { return false }
        last = now
        return true
      }
      if isDue { StandardError.writeLine("photospots: \(error)") }
    }
  }
#endif
