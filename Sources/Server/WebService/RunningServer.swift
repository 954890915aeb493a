import FeedServer
import FeedSources
import SpotService

#if HTTPServer
  import HTTPTypes
  import NIOCore
  import NIOPosix

  /// The listening socket of a server, with its threads and timers.
  struct RunningServer: Sendable {
    let port: UInt16

    private let listener: Listener
    private let endpoint: WebEndpoint
    private let secured: SecuredChannels?
    private let pulse: Task<Void, Never>

    init(
      at place: HostAndPort, tls: TLSFiles?, keepsLocalPlain: Bool, isBehindProxy: Bool,
      directory: any ServiceDirectory, feed: WebServer.Feed,
      metrics: MetricsPage?, limits: WebServer.Limits,
      report: @escaping @Sendable (FeedServerEvent) -> Void
    ) async throws(WebServerError) {
      OpenFiles.raiseLimit(to: limits.connections.connections + 1024)
      let secured = try tls.map { tls throws(WebServerError) in
        try SecuredChannels(tls, keepsLocalPlain: keepsLocalPlain)
      }
      self.secured = secured
      let endpoint = WebEndpoint(
        directory: directory, feed: feed, metrics: metrics, limits: limits,
        secured: secured, isBehindProxy: isBehindProxy)
      var ofConnections = limits.connections
      // All strangers have the proxy's address.
      if isBehindProxy { ofConnections.strangersOfAddress = ofConnections.connections }
      do {
        listener = try await Listener(
          at: place, limits: ofConnections,
          prepare: { channel in
            try channel.pipeline.syncOperations.addHandler(DisconnectHandler())
            try secured?.prepare(channel)
          }, report: report,
          admits: endpoint.admits, respond: endpoint.respond)
      } catch {
        await endpoint.stop()
        guard case .cannotListen(let place, let cause) = error else {
          throw .cannotListen(place, nil)
        }
        throw .cannotListen(place, cause)
      }
      self.endpoint = endpoint
      port = listener.port
      // A sixth of the places is left for the other requests of the pages.
      directory.limitPages(to: listener.admittedCount * 5 / 6)
      pulse = Task {
        let pause = Duration.seconds(saturating: ServiceEvent.keepAliveSeconds)
        while (try? await Task.sleep(for: pause)) != nil { directory.keepAlive() }
      }
    }

    func renewCertificate() throws(WebServerError) { try secured?.renew() }

    func stop(grace: Duration) async {
      pulse.cancel()
      endpoint.directory.end()
      await listener.stop(grace: grace)
      await endpoint.stop()
    }
  }
#else
  /// A placeholder for the server in a program built without the trait `HTTPServer`.
  struct RunningServer: Sendable {
    let port: UInt16

    init(
      at place: HostAndPort, tls: TLSFiles?, keepsLocalPlain: Bool, isBehindProxy: Bool,
      directory: any ServiceDirectory, feed: WebServer.Feed,
      metrics: MetricsPage?, limits: WebServer.Limits,
      report: @escaping @Sendable (FeedServerEvent) -> Void
    ) async throws(WebServerError) {
      throw .notBuilt
    }

    func renewCertificate() throws(WebServerError) {}

    func stop(grace: Duration) async {}
  }
#endif
