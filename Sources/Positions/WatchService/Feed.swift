public import FeedServer
public import FeedSources
public import LocationFeeds
public import SystemPackage

/// The description of a feed: its origin, names and format.
public struct Feed: Sendable {
  /// The origin of a feed.
  public enum Origin: Hashable, Sendable {
    /// Standard input.
    case standardInput
    /// A file, read to its end.
    case file(FilePath)
    /// A file, followed as it grows, like `tail -F`.
    case followedFile(FilePath)
    /// A serial device with its speed in baud.
    case serialDevice(FilePath, baudRate: Int)
    /// A network address.
    case address(FeedAddress)
    /// Messages that the program itself passes in.
    case inlet(FeedInlet)
  }

  /// The origin.
  public var origin: Origin
  /// The name for reports, as the user gave it.
  public var label: String
  /// The prefix of its devices' names if there are several feeds; see ``SourceReader``.
  public var deviceName: String
  /// The format; `nil` to detect it.
  public var format: FeedFormat?

  /// Creates the description of a feed.
  public init(
    origin: Origin, label: String, deviceName: String, format: FeedFormat? = nil
  ) {
    self.origin = origin
    self.label = label
    self.deviceName = deviceName
    self.format = format
  }

  /// The format, if known before reading.
  var knownFormat: FeedFormat? {
    if case .address(let address) = origin { address.format ?? format } else { format }
  }

  /// Checks by its first bytes that a followed file may grow by appending. A file that is missing
  /// or empty may.
  ///
  /// - Throws: ``FeedRunError/cannotFollow(_:)`` or ``FeedRunError/cannotFollowCompressed``.
  package func checkFollowed() throws(FeedRunError) {
    guard case .followedFile(let path) = origin, let start = FeedSource.start(of: path) else {
      return
    }
    if start.isCompressed { throw .cannotFollowCompressed }
    var reader = FeedReader(format: format)
    _ = reader.consume(start.bytes) + reader.finish()
    if let format = reader.format, format.isDocument { throw .cannotFollow(format) }
  }

  /// Opens the feed; `nil` if the feed is not read but receives messages.
  func open() throws(FeedSourceError) -> FeedSource? {
    switch origin {
    case .standardInput: try .standardInput()
    case .file(let path): try FeedSource(file: path)
    case .followedFile(let path): try FeedSource(following: path)
    case .serialDevice(let path, let baudRate):
      try FeedSource(serialDevice: path, baudRate: baudRate)
    case .address(.stream(let address)): try FeedSource(connectingTo: address)
    case .address(.http), .address(.mqtt), .inlet: nil
    }
  }
}

/// Credentials and services for feeds that receive messages or require a login.
public struct FeedAccess: Sendable {
  /// The devices that may send positions by HTTP, with their tokens.
  public var tokens: DeviceTokens
  /// The password for the users named in addresses of MQTT brokers.
  public var mqttPassword: String?
  /// The page of metrics served at the addresses that apps send to; `nil` for none.
  public var metrics: MetricsPage?
  /// The tokens of phones, besides ``tokens``; `nil` for none.
  package var phones: (any PhoneTokens)?
  /// Makes the responses to messages of apps.
  var reply: FeedServer.Replying = { _ in nil }

  /// Creates the access settings of feeds.
  public init(
    tokens: DeviceTokens = DeviceTokens(), mqttPassword: String? = nil, metrics: MetricsPage? = nil
  ) {
    self.tokens = tokens
    self.mqttPassword = mqttPassword
    self.metrics = metrics
  }
}
