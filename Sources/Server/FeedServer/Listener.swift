import SystemPackage

#if HTTPServer
  package import FeedSources
  package import HTTPTypes
  package import HummingbirdCore
  import Logging
  package import NIOCore
  import NIOPosix

  /// A listening socket and the tasks that serve its connections.
  ///
  /// Each connection is assigned a task as soon as it is accepted. SwiftNIO's own sequence of
  /// connections would terminate the process if the sequence ended with connections that were never
  /// taken from it.
  package struct Listener: Sendable {
    /// The port that the socket listens at.
    package let port: UInt16
    /// The socket's channel.
    let channel: any Channel

    private let connections: OpenConnections

    init(
      at place: HostAndPort, tokens: DeviceTokens, phones: (any PhoneTokens)?,
      limits: FeedServer.Limits, report: @escaping @Sendable (FeedServerEvent) -> Void,
      metrics: MetricsPage?,
      reply: @escaping FeedServer.Replying, take: @escaping FeedServer.Taking
    ) async throws(FeedServerError) {
      let endpoint = Endpoint(
        tokens: tokens, phones: phones, limits: limits, needsToken: !place.isLoopback,
        metrics: metrics, reply: reply, take: take)
      try await self.init(
        at: place, limits: limits.ofConnections, report: report, admits: endpoint.admits
      ) { request, writer, _ in try await endpoint.respond(to: request, writer) }
    }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - place: The address to listen at. For port 0, the system chooses a free port.
    ///   - limits: The limits of the connections.
    ///   - prepare: Adds handlers that precede HTTP, such as TLS, to a connection.
    ///   - report: Receives events that the user should know about; called on any thread.
    ///   - admits: Returns whether a request authenticates its connection; called on the threads of
    ///     the connections.
    ///   - respond: Answers a request.
    /// - Throws: ``FeedServerError`` if the address cannot be bound.
    package init(
      at place: HostAndPort, limits: ConnectionLimits,
      prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in },
      report: @escaping @Sendable (FeedServerEvent) -> Void,
      admits: @escaping @Sendable (HTTPRequest) -> Bool,
      respond: @escaping HTTPChannelHandler.Responder
    ) async throws(FeedServerError) {
      let logger = Logger(label: "photospots") { _ in SwiftLogNoOpLogHandler() }
      let count = Self.count(limits, report)
      let connections = OpenConnections(
        places: ConnectionPlaces(
          count: count, addressPlaces: limits.strangersOfAddress,
          courtesyNanoseconds: limits.courtesyNanoseconds))
      let http = HTTP1Channel(
        responder: respond,
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [ConnectionGuard(connections, limits, admits: admits)],
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
      let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(ChannelOptions.backlog, value: 256)
        .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
        // A connection keeps a buffer of the last size, so a thousand of them keep 16 MiB.
        .childChannelOption(
          ChannelOptions.recvAllocator,
          value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 16 << 10)
        )
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let operations = channel.pipeline.syncOperations
            try operations.addHandler(
              AcceptPause(.milliseconds(limits.acceptPauseMilliseconds), report: report))
            try operations.addHandler(
              AvailableConnectionsChannelHandler(
                delegate: MaximumAvailableConnections(count, logger: logger)))
          }
        }
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try prepare(channel) }
            .flatMap { http.setup(channel: channel, logger: logger) }
            .flatMapThrowing { connection in
              try OldClients.add(to: channel)
              return connection
            }
            .map { connection in
              Task { await http.handle(value: connection, logger: logger) }
            }
        }
      do {
        channel = try await bootstrap.bind(host: place.bindingHost, port: Int(place.port)).get()
      } catch {
        throw .cannotListen(place, (error as? IOError).map { Errno(rawValue: $0.errnoCode) })
      }
      self.connections = connections
      port = channel.localAddress?.port.map { UInt16(clamping: $0) } ?? place.port
    }

    /// Returns the maximum number of connections that leaves enough descriptors for the rest of the
    /// program.
    private static func count(
      _ limits: ConnectionLimits, _ report: (FeedServerEvent) -> Void
    ) -> Int {
      guard let room = OpenFiles.room, room - limits.reservedDescriptors < limits.connections
      else { return max(limits.connections, 3) }
      let count = max(room - limits.reservedDescriptors, 3)
      if count < limits.expectedConnections { report(.fewConnections(count)) }
      return count
    }

    /// The maximum number of open connections with an admitted request.
    package var admittedCount: Int { connections.admittedCount }

    /// Stops listening. Requests that have begun may finish within a grace period.
    package func stop(grace: Duration) async {
      try? await channel.close().get()
      let open = connections.end()
      // Closes idle connections at once, and the others after their answer.
      for connection in open {
        connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      }
      let timer = Task {
        try await Task.sleep(for: grace)
        for connection in open { connection.close(promise: nil) }
      }
      for connection in open { try? await connection.closeFuture.get() }
      timer.cancel()
    }
  }

  extension HostAndPort {
    /// The address to bind to. `localhost` is not looked up, since it might resolve to another
    /// machine; an empty host stands for all addresses.
    fileprivate var bindingHost: String {
      switch host {
      case "localhost": "127.0.0.1"
      case "": "::"
      default: host
      }
    }
  }
#else
  import FeedSources

  /// A placeholder for the server in a program built without the trait `HTTPServer`.
  struct Listener: Sendable {
    let port: UInt16

    init(
      at place: HostAndPort, tokens: DeviceTokens, phones: (any PhoneTokens)?,
      limits: FeedServer.Limits, report: @escaping @Sendable (FeedServerEvent) -> Void,
      metrics: MetricsPage?,
      reply: @escaping FeedServer.Replying, take: @escaping FeedServer.Taking
    ) async throws(FeedServerError) {
      throw .notBuilt
    }

    func stop(grace: Duration) async {}
  }
#endif
