import HTTPTypes
import HummingbirdCore
public import LocationFeeds
import Logging
import NIOCore
import NIOPosix
public import SystemPackage

/// Takes the positions that apps on phones send by HTTP.
///
/// It reads whatever is sent to any of its paths, recognised by its content, and answers as the app expects it:
/// OwnTracks, Overland, GPSLogger, Traccar Client and what else speaks OsmAnd's protocol, in the query or
/// in the body; also the other formats that ``FeedReader`` knows. An answer goes out when the positions have
/// been taken, so that an app that gets none sends them again.
public struct FeedServer: Sendable {
  /// What is expected of senders.
  public struct Limits: Hashable, Sendable {
    /// The longest body in bytes.
    public var bodyLength = 4 << 20
    /// How many seconds a connection may take for a request, from its opening or the last one's end.
    public var requestSeconds: Int64 = 60
    /// How many connections there may be; further ones wait.
    public var connections = 64
    /// How long the other side has to read why its connection is ended.
    public var farewell = Duration.seconds(1)

    /// Creates the usual limits.
    public init() {}
  }

  /// What one request brought.
  public struct Message: Sendable {
    /// The positions, in the order of the message.
    public var fixes: [LocationFix]
    /// The format that they are in.
    public var format: FeedFormat
    /// What could not be read.
    public var statistics: FeedStatistics
  }

  /// Takes what a request brought, and says whether that is kept: not where it cannot be written, nor any more
  /// where the program ends.
  public typealias Taking = @Sendable (Message) async -> Bool

  /// Where it listens, with the port that the system chose where none was given.
  public let place: HostAndPort

  private let server: Server<HTTP1Channel>
  private let running: Task<Void, Never>

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - place: The address, a loopback one where there are no tokens; port 0 takes one that is free.
  ///   - tokens: The tokens, one of which each request must show; none where nobody needs one.
  ///   - limits: What is expected of senders.
  ///   - take: Takes what each request brings, from any thread.
  /// - Throws: ``FeedServerError`` where it cannot listen there, or must not.
  public init(
    at place: HostAndPort, tokens: DeviceTokens, limits: Limits = Limits(), take: @escaping Taking
  ) async throws(FeedServerError) {
    guard !tokens.isEmpty || place.isLoopback else { throw .needsToken(place) }
    let endpoint = Endpoint(tokens: tokens, limits: limits, take: take)
    let logger = Logger(label: "photospots") { _ in SwiftLogNoOpLogHandler() }
    let (results, result) = AsyncStream.makeStream(of: Result<Int, any Error>.self)
    let server = Server(
      childChannelSetup: HTTP1Channel(
        responder: { request, writer, _ in
          try await endpoint.respond(to: request, writer)
        },
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [RequestDeadline(.seconds(limits.requestSeconds))],
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))),
      configuration: ServerConfiguration(
        address: .hostname(place.bindingHost, port: Int(place.port)),
        availableConnectionsDelegate: MaximumAvailableConnections(
          limits.connections, logger: logger)),
      onServerRunning: { result.yield(.success($0.localAddress?.port ?? Int(place.port))) },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    running = Task {
      do { try await server.run() } catch { result.yield(.failure(error)) }
      result.finish()
    }
    self.server = server
    switch await results.first(where: { _ in true }) {
    case .success(let port):
      self.place = HostAndPort(host: place.host, port: UInt16(clamping: port))
    case .failure(let error):
      throw .cannotListen(place, (error as? IOError).map { Errno(rawValue: $0.errnoCode) })
    case nil: throw .cannotListen(place, nil)
    }
  }

  /// Takes no further connection, lets requests end that have begun, for a time, and stops.
  public func stop(grace: Duration = .seconds(2)) async {
    let timer = Task {
      try await Task.sleep(for: grace)
      running.cancel()
    }
    try? await server.shutdownGracefully()
    timer.cancel()
    running.cancel()
  }
}

/// Why a server does not listen.
public enum FeedServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address can be reached from other machines, and there is no token.
  case needsToken(HostAndPort)
  /// The address cannot be listened at; with what the system said.
  case cannotListen(HostAndPort, Errno?)

  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .needsToken(let place):
      """
      other machines can reach \(place), so a token for each device is needed: set \
      "listenTokens": {"phone": "…"} in the settings file, with at least \(DeviceTokens.lengths.lowerBound) \
      characters ('openssl rand -hex 16' makes one), or listen at 127.0.0.1:\(place.port)
      """
    case .cannotListen(let place, let cause):
      "cannot listen at \(place)" + (cause.map { " (\($0))" } ?? "")
        + "; choose an address of this machine and a free port"
    }
  }
}

extension HostAndPort {
  /// Whether only this machine reaches it.
  var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The host by which the system knows it: `localhost` must not become an address of another machine, and no
  /// host is all addresses.
  fileprivate var bindingHost: String {
    switch host {
    case "localhost": "127.0.0.1"
    case "": "::"
    default: host
    }
  }
}
