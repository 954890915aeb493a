public import FeedServer
public import FeedSources
public import LocationFeeds
public import SystemPackage

/// A feed that is to be read: where it comes from, and what it is called.
public struct Feed: Sendable {
  /// Where a feed comes from.
  public enum Origin: Hashable, Sendable {
    /// Standard input.
    case standardInput
    /// A file, which is read to its end.
    case file(FilePath)
    /// A file, which is followed as it grows, as `tail -F` does.
    case followedFile(FilePath)
    /// A serial device, and its speed in baud.
    case serialDevice(FilePath, baudRate: Int)
    /// An address.
    case address(FeedAddress)
    /// Messages that the program itself hands in.
    case inlet(FeedInlet)
  }

  /// Where it comes from.
  public var origin: Origin
  /// What it is called in reports: as its user named it.
  public var label: String
  /// What its devices are called by where there are several feeds; see ``SourceReader``.
  public var deviceName: String
  /// The format that it is in; `nil` recognises it.
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

  /// The format that it is in, as far as that is known before it is read.
  var knownFormat: FeedFormat? {
    if case .address(let address) = origin { address.format ?? format } else { format }
  }

  /// Opens the feed; `nil` where it is no source that is read, but one that hands in messages.
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

/// What feeds that others send to, or that ask who reads, need to know.
public struct FeedAccess: Sendable {
  /// The devices that may send positions by HTTP, and their tokens.
  public var tokens: DeviceTokens
  /// The password of the users whom addresses of MQTT brokers name.
  public var mqttPassword: String?
  /// The page of metrics of addresses that apps send to; `nil` for none.
  public var metrics: MetricsPage?
  /// Makes answers to what apps send.
  var reply: FeedServer.Replying = { _ in nil }

  /// Creates what feeds need to know.
  public init(
    tokens: DeviceTokens = DeviceTokens(), mqttPassword: String? = nil, metrics: MetricsPage? = nil
  ) {
    self.tokens = tokens
    self.mqttPassword = mqttPassword
    self.metrics = metrics
  }
}
