public import LocationFeeds
public import SystemPackage

/// Takes the positions that apps on phones send by HTTP.
///
/// It reads whatever is sent to any of its paths, recognised by its content, and answers as the app
/// expects it: OwnTracks, Overland, GPSLogger, Traccar Client and what else speaks OsmAnd's
/// protocol, in the query or in the body; also the other formats that ``FeedReader`` knows. An
/// answer goes out when the positions have been taken, so that an app that gets none sends them
/// again.
public struct FeedServer: Sendable {
  /// What is expected of senders.
  public struct Limits: Hashable, Sendable {
    /// The longest body in bytes.
    public var bodyLength = 4 << 20
    /// How many seconds a connection may take for a request, from its headers or the last one's
    /// end.
    public var requestSeconds: Int64 = 60
    /// How many connections there may be: fewer where the process may open few files, and at least
    /// 3.
    public var connections = 64
    /// How many seconds a new connection has to show that it may send.
    var admissionSeconds: Int64 = 5
    /// How many connections of one address there may be that have not shown it.
    var strangersOfAddress = 16
    /// How long such a connection keeps its place when others come.
    var courtesyNanoseconds: UInt64 = 1_000_000_000
    /// How many descriptors are left to the rest of the program.
    var reservedDescriptors = 32
    /// How long no connection is taken where there was no descriptor for one.
    var acceptPauseMilliseconds: Int64 = 1000
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

  /// Takes what a request brought, and says whether that is kept: not where it cannot be written,
  /// nor any more where the program ends.
  public typealias Taking = @Sendable (Message) async -> Bool

  /// Where it listens, with the port that the system chose where none was given.
  public let place: HostAndPort

  let listener: Listener

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - place: The address, a loopback one where there are no tokens; port 0 takes one that is
  ///     free.
  ///   - tokens: The tokens, one of which each request must show; none where nobody needs one.
  ///   - limits: What is expected of senders.
  ///   - report: Is told what its user should know, from any thread.
  ///   - take: Takes what each request brings, from any thread.
  /// - Throws: ``FeedServerError`` where it cannot listen there, or must not.
  public init(
    at place: HostAndPort, tokens: DeviceTokens, limits: Limits = Limits(),
    report: @escaping @Sendable (FeedServerEvent) -> Void = { _ in }, take: @escaping Taking
  ) async throws(FeedServerError) {
    guard !tokens.isEmpty || place.isLoopback else { throw .needsToken(place) }
    listener = try await Listener(
      at: place, tokens: tokens, limits: limits, report: report, take: take)
    self.place = HostAndPort(host: place.host, port: listener.port)
  }

  /// Takes no further connection, lets requests end that have begun, for a time, and stops.
  public func stop(grace: Duration = .seconds(2)) async { await listener.stop(grace: grace) }
}

/// What a server's user should know.
public enum FeedServerEvent: Hashable, Sendable, CustomStringConvertible {
  /// The process may open so few files that there can be only so many connections.
  case fewConnections(Int)
  /// There was no descriptor for a connection; told once.
  case outOfDescriptors

  /// What happens and what to do about it.
  public var description: String {
    let advice = "raise the limit of open files ('ulimit -n 1024')"
    return switch self {
    case .fewConnections(let count): "only \(count) connections at a time are taken; \(advice)"
    case .outOfDescriptors: "no further file can be opened, so new connections wait; \(advice)"
    }
  }
}

/// Why a server does not listen.
public enum FeedServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address can be reached from other machines, and there is no token.
  case needsToken(HostAndPort)
  /// The address cannot be listened at; with what the system said.
  case cannotListen(HostAndPort, Errno?)
  /// The program was built without the trait `HTTPServer`.
  case notBuilt

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
    case .notBuilt:
      """
      this photospots was built for the demo, without what takes positions by HTTP; 'make install' or \
      'swift build' builds the whole of it
      """
    }
  }
}

extension HostAndPort {
  /// Whether only this machine reaches it.
  var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { $0 >= 0x30 } }
  }
}
