public import FeedServer
public import FeedSources
import SpotAlerts
public import SpotService
public import SystemPackage

/// The server of `photospots serve`: the page, the API, its events, and the address for phones.
///
/// What is answered is decided by ``Service``; this reads requests, asks it, and writes answers: as
/// they are or packed, whole or in part, and as streams. Nobody keeps a connection by being slow,
/// and who shows the key has places that strangers cannot take.
public struct WebServer: Sendable {
  /// The address for positions of phones.
  public struct Feed: Sendable {
    /// The tokens of the devices; without any, no positions are taken.
    public var tokens: DeviceTokens
    /// Takes the content of a request.
    public var take: FeedServer.Taking
    /// Makes answers, once the content is stored.
    public var reply: FeedServer.Replying

    /// Creates the address for phones.
    public init(
      tokens: DeviceTokens, reply: @escaping FeedServer.Replying = { _ in nil },
      take: @escaping FeedServer.Taking
    ) {
      self.tokens = tokens
      self.reply = reply
      self.take = take
    }
  }

  /// Limits of times and connections.
  public struct Limits: Sendable {
    /// The time limit of a replay.
    public var replay = Duration.seconds(60)
    /// The delay between the refusal of a body and the end of its connection.
    public var farewell = Duration.seconds(2)
    /// The limits of the connections.
    var connections: ConnectionLimits

    /// Creates the usual limits: for a thousand open pages.
    public init() {
      connections = ConnectionLimits()
      connections.connections = 2402
      // After a restart of the server all pages come back within a moment.
      connections.strangersOfAddress = 1024
      connections.admissionSeconds = 10
      // 32 MiB come in this time at 1 Mbit/s.
      connections.requestSeconds = 300
      connections.writeSeconds = 60
    }
  }

  /// The address and the port, which the system has chosen if none was given.
  public let place: HostAndPort

  private let running: RunningServer

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - place: The address to listen at. For port 0, the system chooses a free port.
  ///   - tls: The certificate and its key; `nil` for plain HTTP.
  ///   - isBehindProxy: Whether all requests come through a proxy that is trusted, and whose header
  ///     `X-Forwarded-Proto` says how they came to it.
  ///   - service: The API.
  ///   - outside: Does what the service asks for.
  ///   - events: The events of the page.
  ///   - feed: The address for phones.
  ///   - metrics: The page of metrics, for those who show its token or the key; `nil` for none.
  ///   - limits: The limits of times and connections.
  ///   - report: Receives what the user should know; called on any thread.
  /// - Throws: ``WebServerError``.
  public init(
    at place: HostAndPort, tls: TLSFiles? = nil, isBehindProxy: Bool = false, service: Service,
    outside: any ServiceOutside, events: EventHub, feed: Feed,
    metrics: MetricsPage? = nil, limits: Limits = Limits(),
    report: @escaping @Sendable (FeedServerEvent) -> Void = { _ in }
  ) async throws(WebServerError) {
    running = try await RunningServer(
      at: place, tls: tls, isBehindProxy: isBehindProxy, service: service, outside: outside,
      events: events, feed: feed, metrics: metrics, limits: limits, report: report)
    self.place = HostAndPort(host: place.host, port: running.port)
  }

  /// Reads the certificate and its key again, for connections from now on; without TLS, does
  /// nothing.
  ///
  /// - Throws: ``WebServerError/badCertificate(_:_:)``; then those of before stay in force.
  public func renewCertificate() throws(WebServerError) { try running.renewCertificate() }

  /// Stops the server: no connection is accepted any more, streams end, and requests that have
  /// begun may end within a time.
  public func stop(grace: Duration = .seconds(2)) async { await running.stop(grace: grace) }
}

/// The files of TLS.
public struct TLSFiles: Hashable, Sendable {
  /// The certificate with those that lead to its root, as PEM.
  public var certificate: FilePath
  /// The private key, as PEM.
  public var key: FilePath

  /// Creates the files.
  public init(certificate: FilePath, key: FilePath) {
    self.certificate = certificate
    self.key = key
  }
}

/// A reason why a server cannot be started.
public enum WebServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system refuses to listen at the address, for this reason.
  case cannotListen(HostAndPort, Errno?)
  /// The file of a certificate or key cannot be read, or is none, for this reason.
  case badCertificate(FilePath, String)
  /// The program was built without the trait `HTTPServer`.
  case notBuilt

  /// The reason and what to do about it.
  public var description: String {
    switch self {
    case .cannotListen(let place, let cause):
      FeedServerError.cannotListen(place, cause).description
    case .badCertificate(let path, let reason): "cannot use \(path) for TLS: \(reason)"
    case .notBuilt: FeedServerError.notBuilt.description
    }
  }
}
