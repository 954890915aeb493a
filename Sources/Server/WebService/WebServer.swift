public import FeedServer
public import FeedSources
import SpotAlerts
public import SpotService
public import SystemPackage

/// The server of `photospots serve`: the page, the API, its events, and the address for phones.
///
/// ``Service`` decides the answers. This type reads requests and writes the answers: compressed if
/// possible, in full or in part, or as streams. Slow clients are disconnected, and half of the
/// connections are reserved for clients that present the key.
public struct WebServer: Sendable {
  /// The endpoint for positions of phones.
  public struct Feed: Sendable {
    /// The tokens of the devices; if empty, no positions are accepted.
    public var tokens: DeviceTokens
    /// Stores the content of a request.
    public var take: FeedServer.Taking
    /// Creates the answer to content that was stored.
    public var reply: FeedServer.Replying
    /// Finds the senders of tokens, instead of `tokens`; `nil` for none.
    package var directory: (any FeedDirectory)?
    /// The tokens of phones, besides `tokens`; `nil` for none.
    package var phones: (any PhoneTokens)?

    /// Creates the endpoint for positions.
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
    /// The number of threads on which answers are prepared.
    package var threads = 4
    /// The time limit of a replay.
    public var replay = Duration.seconds(60)
    /// The delay between the refusal of a request's body and the end of its connection.
    public var farewell = Duration.seconds(2)
    /// The limits of the connections.
    var connections: ConnectionLimits
    /// The number of descriptors reserved for the rest of the program.
    package var reservedDescriptors: Int {
      get { connections.reservedDescriptors }
      set { connections.reservedDescriptors = newValue }
    }

    /// Creates the default limits, for a thousand open pages.
    public init() {
      connections = ConnectionLimits()
      // 1201 connections for clients with the key, of which five sixths may be open pages; 1200 for
      // other clients; and one that is being accepted.
      connections.connections = 2402
      // After a restart of the server, all pages reconnect within a moment.
      connections.strangersOfAddress = 1024
      connections.admissionSeconds = 10
      // At 1 Mbit/s, 32 MiB arrive within this time.
      connections.requestSeconds = 300
      connections.writeSeconds = 60
    }

    /// The limits of a server in a test. Other tests may keep every processor busy for minutes. A
    /// client waits less, at most a minute, for the end of a connection: none of these limits
    /// closes it in time for a test.
    package static var unhurried: Self {
      var limits = Self()
      limits.connections.admissionSeconds = 600
      limits.connections.requestSeconds = 600
      limits.connections.writeSeconds = 600
      limits.farewell = .milliseconds(100)
      return limits
    }
  }

  /// The address and the port, which was chosen by the system if port 0 was given.
  public let place: HostAndPort

  private let running: RunningServer

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - place: The address to listen at. For port 0, the system chooses a free port.
  ///   - tls: The certificate and its key; `nil` for plain HTTP.
  ///   - keepsLocalPlain: Whether connections of this machine to itself may stay without TLS.
  ///   - isBehindProxy: Whether all requests come through a trusted proxy, whose header
  ///     `X-Forwarded-Proto` states how they reached it.
  ///   - service: The API.
  ///   - outside: Performs the work that the service requests.
  ///   - events: The events for open pages.
  ///   - feed: The endpoint for positions of phones.
  ///   - metrics: The page of metrics, for requests with its token or the key; `nil` for none.
  ///   - limits: The limits of times and connections.
  ///   - report: Receives events that the user should know about; called on any thread.
  /// - Throws: ``WebServerError`` if the address cannot be bound or the certificate cannot be used.
  public init(
    at place: HostAndPort, tls: TLSFiles? = nil, keepsLocalPlain: Bool = false,
    isBehindProxy: Bool = false, service: Service,
    outside: any ServiceEffects, events: EventHub, feed: Feed,
    metrics: MetricsPage? = nil, limits: Limits = Limits(),
    report: @escaping @Sendable (FeedServerEvent) -> Void = { _ in }
  ) async throws(WebServerError) {
    try await self.init(
      at: place, tls: tls, keepsLocalPlain: keepsLocalPlain, isBehindProxy: isBehindProxy,
      directory: SingleAccount(
        strangers: ServedAccount(service: service, outside: outside, events: events)),
      feed: feed, metrics: metrics, limits: limits, report: report)
  }

  /// Starts a server for several accounts.
  ///
  /// - Parameters:
  ///   - place: The address to listen at. For port 0, the system chooses a free port.
  ///   - tls: The certificate and its key; `nil` for plain HTTP.
  ///   - keepsLocalPlain: Whether connections of this machine to itself may stay without TLS.
  ///   - isBehindProxy: Whether all requests come through a trusted proxy.
  ///   - directory: Finds the account of a request.
  ///   - feed: The endpoint for positions of phones.
  ///   - metrics: The page of metrics, for requests with its token; `nil` for none.
  ///   - limits: The limits of times and connections.
  ///   - report: Receives events that the user should know about; called on any thread.
  /// - Throws: ``WebServerError`` if the address cannot be bound or the certificate cannot be used.
  package init(
    at place: HostAndPort, tls: TLSFiles? = nil, keepsLocalPlain: Bool = false,
    isBehindProxy: Bool = false,
    directory: any ServiceDirectory, feed: Feed, metrics: MetricsPage? = nil,
    limits: Limits = Limits(),
    report: @escaping @Sendable (FeedServerEvent) -> Void = { _ in }
  ) async throws(WebServerError) {
    running = try await RunningServer(
      at: place, tls: tls, keepsLocalPlain: keepsLocalPlain, isBehindProxy: isBehindProxy,
      directory: directory, feed: feed, metrics: metrics, limits: limits, report: report)
    self.place = HostAndPort(host: place.host, port: running.port)
  }

  /// Rereads the certificate and its key for later connections. Does nothing without TLS.
  ///
  /// - Throws: ``WebServerError/badCertificate(_:_:)``; the earlier files then remain in force.
  public func renewCertificate() throws(WebServerError) { try running.renewCertificate() }

  /// Stops the server. It accepts no more connections, ends streams, and lets requests that have
  /// begun finish within a grace period.
  public func stop(grace: Duration = .seconds(2)) async { await running.stop(grace: grace) }
}

/// The files of TLS.
public struct TLSFiles: Hashable, Sendable {
  /// The certificate, followed by those of the chain up to its root, as PEM.
  public var certificate: FilePath
  /// The private key, as PEM.
  public var key: FilePath

  /// Creates the pair of files.
  public init(certificate: FilePath, key: FilePath) {
    self.certificate = certificate
    self.key = key
  }
}

/// A reason why a server cannot be started.
public enum WebServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system does not allow listening at the address; the value is its reason.
  case cannotListen(HostAndPort, Errno?)
  /// The file of a certificate or key cannot be read or used; the value is the reason.
  case badCertificate(FilePath, String)
  /// The program was built without the trait `HTTPServer`.
  case notBuilt

  /// The reason, with advice about it.
  public var description: String {
    switch self {
    case .cannotListen(let place, let cause):
      FeedServerError.cannotListen(place, cause).description
    case .badCertificate(let path, let reason): "cannot use \(path) for TLS: \(reason)"
    case .notBuilt: FeedServerError.notBuilt.description
    }
  }
}
