import FeedSources
import SystemPackage

#if HTTPServer
  import HummingbirdCore
  import Logging
  import NIOCore
  import NIOPosix

  /// A listening socket and the tasks that serve its connections.
  ///
  /// Each connection gets a task as soon as it is accepted. SwiftNIO's own sequence of connections
  /// would end the process if it ended while one of them had not been taken from it.
  struct Listener: Sendable {
    /// The port that it listens at.
    let port: UInt16
    /// The socket's channel.
    let channel: any Channel

    private let connections: OpenConnections

    init(
      at place: HostAndPort, tokens: DeviceTokens, limits: FeedServer.Limits,
      report: @escaping @Sendable (FeedServerEvent) -> Void, take: @escaping FeedServer.Taking
    ) async throws(FeedServerError) {
      let logger = Logger(label: "photospots") { _ in SwiftLogNoOpLogHandler() }
      let count = Self.connections(limits, report)
      let connections = OpenConnections(
        places: ConnectionPlaces(
          count: count, addressPlaces: limits.strangersOfAddress,
          courtesyNanoseconds: limits.courtesyNanoseconds))
      let http = Self.http(
        Endpoint(tokens: tokens, limits: limits, take: take), connections, limits)
      let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(ChannelOptions.backlog, value: 256)
        .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
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
          http.setup(channel: channel, logger: logger).map { connection in
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

    private static func http(
      _ endpoint: Endpoint, _ connections: OpenConnections, _ limits: FeedServer.Limits
    ) -> HTTP1Channel {
      HTTP1Channel(
        responder: { request, writer, _ in
          try await endpoint.respond(to: request, writer)
        },
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [
            ConnectionGuard(connections, limits) { endpoint.admission(of: $0).isGranted }
          ],
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
    }

    /// Returns the maximum number of connections that leaves enough descriptors for the rest of the
    /// program.
    private static func connections(
      _ limits: FeedServer.Limits, _ report: (FeedServerEvent) -> Void
    ) -> Int {
      guard let room = OpenFiles.room, room - limits.reservedDescriptors < limits.connections
      else { return max(limits.connections, 3) }
      let count = max(room - limits.reservedDescriptors, 3)
      report(.fewConnections(count))
      return count
    }

    func stop(grace: Duration) async {
      try? await channel.close().get()
      let open = connections.end()
      // This closes connections between two requests at once, and the others after their answer.
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
  /// The place of the server in a program that was built without it.
  struct Listener: Sendable {
    let port: UInt16

    init(
      at place: HostAndPort, tokens: DeviceTokens, limits: FeedServer.Limits,
      report: @escaping @Sendable (FeedServerEvent) -> Void, take: @escaping FeedServer.Taking
    ) async throws(FeedServerError) {
      throw .notBuilt
    }

    func stop(grace: Duration) async {}
  }
#endif
