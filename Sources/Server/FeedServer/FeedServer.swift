public import FeedSources
public import LocationFeeds
public import SystemPackage

/// A server for the positions that apps on phones send by HTTP.
///
/// The path of a request is ignored: the format is recognised from the content, and the answer has
/// the form that the app expects. Supported are OwnTracks, Overland, GPSLogger, Traccar Client and
/// other apps with OsmAnd's protocol, in the query or in the body, and the other formats of
/// ``FeedReader``. A request is answered after its positions were stored; an app that receives no
/// answer sends them again.
public struct FeedServer: Sendable {
  /// Limits of sizes, times and connections.
  public struct Limits: Hashable, Sendable {
    /// The maximum length of a body, in bytes.
    public var bodyLength = 4 << 20
    /// The seconds within which an admitted request must be complete, and the next one must follow.
    public var requestSeconds: Int64 = 60
    /// The maximum number of connections, at least 3. It is reduced if the process may open only a
    /// few files.
    public var connections = 64
    /// The seconds within which a new connection must send the header of an admitted request.
    var admissionSeconds: Int64 = 5
    /// The maximum number of connections from one address that have not done so.
    var strangersOfAddress = 16
    /// The time during which such a connection cannot lose its place to a new one.
    var courtesyNanoseconds: UInt64 = 1_000_000_000
    /// The number of descriptors reserved for the rest of the program.
    var reservedDescriptors = 32
    /// The pause in accepting connections after the system has run out of descriptors.
    var acceptPauseMilliseconds: Int64 = 1000
    /// The delay between a refusal and the end of its connection, during which the sender can read
    /// it.
    public var farewell = Duration.seconds(1)

    /// Creates the default limits.
    public init() {}

    /// The limits of the connections.
    var ofConnections: ConnectionLimits {
      var limits = ConnectionLimits()
      limits.connections = connections
      limits.expectedConnections = connections
      limits.strangersOfAddress = strangersOfAddress
      limits.courtesyNanoseconds = courtesyNanoseconds
      limits.admissionSeconds = admissionSeconds
      limits.requestSeconds = requestSeconds
      limits.writeSeconds = requestSeconds
      limits.reservedDescriptors = reservedDescriptors
      limits.acceptPauseMilliseconds = acceptPauseMilliseconds
      return limits
    }
  }

  /// The content of a request.
  public struct Message: Sendable {
    /// The positions, in the order of the message.
    public var fixes: [LocationFix]
    /// The format of the message; `nil` for one that cannot be read, which only counts.
    public var format: FeedFormat?
    /// The number of lines that were read and that could not be read, and the reports that made no
    /// fix.
    public var statistics: FeedStatistics

    /// Creates the content of a request.
    package init(fixes: [LocationFix], format: FeedFormat?, statistics: FeedStatistics) {
      self.fixes = fixes
      self.format = format
      self.statistics = statistics
    }

    /// Creates the content of a request that made no fix.
    init(_ format: FeedFormat?, _ end: ReportOutcome, of device: String?) {
      self.init(fixes: [], format: format, statistics: FeedStatistics(end, of: device))
    }

    /// Returns the message with other names of its devices.
    func named(_ name: (String?) -> String?) -> Message {
      var message = self
      message.fixes = fixes.map { fix in
        var fix = fix
        fix.device = name(fix.device)
        return fix
      }
      message.statistics.ends = statistics.ends.named(name)
      return message
    }
  }

  /// Stores the content of a request, and returns whether it was stored; false if it cannot be
  /// written or the program is ending.
  public typealias Taking = @Sendable (Message) async -> Bool

  /// Returns the messages to include in the answer to a stored message, encoded for its app; `nil`
  /// for the usual answer. Only OwnTracks reads such messages, as a list of JSON objects.
  public typealias Replying = @Sendable (Message) -> [UInt8]?

  /// The address and the port, which was chosen by the system if port 0 was given.
  public let place: HostAndPort

  let listener: Listener

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - place: The address to listen at. Without tokens, it must be a loopback address. For port
  ///     0, the system chooses a free port.
  ///   - tokens: The tokens, one of which each request must present; if empty, no request needs
  ///     one.
  ///   - limits: The limits of sizes, times and connections.
  ///   - report: Receives events that the user should know about; called on any thread.
  ///   - metrics: The page of metrics; `nil` for none.
  ///   - reply: Creates the answer to a message that was stored; called on any thread.
  ///   - take: Stores the content of each request; called on any thread.
  /// - Throws: ``FeedServerError`` if the address needs a token or cannot be bound.
  public init(
    at place: HostAndPort, tokens: DeviceTokens, limits: Limits = Limits(),
    report: @escaping @Sendable (FeedServerEvent) -> Void = { _ in },
    metrics: MetricsPage? = nil, reply: @escaping Replying = { _ in nil }, take: @escaping Taking
  ) async throws(FeedServerError) {
    try await self.init(
      at: place, tokens: tokens, phones: nil, limits: limits, report: report, metrics: metrics,
      reply: reply, take: take)
  }

  /// Starts a server, as the other initializer does, that accepts the tokens of phones too.
  package init(
    at place: HostAndPort, tokens: DeviceTokens, phones: (any PhoneTokens)?,
    limits: Limits = Limits(),
    report: @escaping @Sendable (FeedServerEvent) -> Void = { _ in },
    metrics: MetricsPage? = nil, reply: @escaping Replying = { _ in nil }, take: @escaping Taking
  ) async throws(FeedServerError) {
    let hasTokens = !tokens.isEmpty || phones?.names.isEmpty == false
    guard hasTokens || place.isLoopback else { throw .needsToken(place) }
    listener = try await Listener(
      at: place, tokens: tokens, phones: phones, limits: limits, report: report, metrics: metrics,
      reply: reply,
      take: take)
    self.place = HostAndPort(host: place.host, port: listener.port)
  }

  /// Stops the server. It accepts no more connections, and requests that have begun may finish
  /// within a grace period.
  public func stop(grace: Duration = .seconds(2)) async { await listener.stop(grace: grace) }
}

/// An event that the user of a server should know about.
public enum FeedServerEvent: Hashable, Sendable, CustomStringConvertible {
  /// The process may open only a few files, so the maximum number of connections was reduced to the
  /// value.
  case fewConnections(Int)
  /// The system has run out of descriptors; reported once.
  case outOfDescriptors

  /// The event, with advice about it.
  public var description: String {
    let advice = "raise the limit of open files ('ulimit -n 1024')"
    return switch self {
    case .fewConnections(let count): "only \(count) connections at a time are accepted; \(advice)"
    case .outOfDescriptors: "too many open files, so new connections have to wait; \(advice)"
    }
  }
}

/// A reason why a server cannot be started.
public enum FeedServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address is not a loopback address, and no device has a token.
  case needsToken(HostAndPort)
  /// The system does not allow listening at the address; the value is its reason.
  case cannotListen(HostAndPort, Errno?)
  /// The program was built without the trait `HTTPServer`.
  case notBuilt

  /// The reason, with advice about it.
  public var description: String {
    switch self {
    case .needsToken(let place):
      """
      other machines can reach \(place), so a token for each device is needed: 'photospots phone add \
      NAME' makes one, as does "listenTokens": {"phone": "…"} in the settings file, with at \
      least \(DeviceTokens.lengths.lowerBound) characters; or listen at 127.0.0.1:\(place.port)
      """
    case .cannotListen(let place, let cause):
      "cannot listen at \(place)" + (cause.map { " (\($0))" } ?? "")
        + "; choose an address of this machine and a free port"
    case .notBuilt:
      """
      this photospots was built without the HTTP server; build it with 'make install' or 'swift \
      build'
      """
    }
  }
}
