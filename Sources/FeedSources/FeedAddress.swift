public import LocationFeeds

/// Where a feed is found that is no file: `gpsd://nas.local:2947/dev/ttyACM0`.
public enum FeedAddress: Hashable, Sendable, CustomStringConvertible {
  /// An address that a ``FeedSource`` reads.
  case stream(StreamAddress)
  /// An address of this machine to which apps on phones send requests; without a host all of them.
  case http(HostAndPort)
  /// A topic of an MQTT broker.
  case mqtt(MQTTAddress)

  /// Reads an address.
  ///
  /// - Returns: The address; `nil` where the text has no scheme, so that it is a path.
  /// - Throws: ``FeedAddressError`` where it has one, and is no address all the same.
  public init?(_ text: String) throws(FeedAddressError) {
    guard let (scheme, rest) = Self.split(text) else { return nil }
    guard let scheme = Scheme(rawValue: scheme) else { throw .unknownScheme(scheme) }
    let hostEnd = rest.firstIndex(of: "/") ?? rest.endIndex
    var host = rest[..<hostEnd]
    var user: String?
    if let end = host.lastIndex(of: "@") {
      user = String(host[..<end])
      host = host[host.index(after: end)...]
      if user?.contains(":") == true { throw .holdsPassword }
      guard scheme == .mqtt, user?.isEmpty == false else { throw .malformed(scheme) }
    }
    let place = HostAndPort(
      host, defaultPort: scheme.defaultPort,
      mayLackHost: scheme == .udp || scheme == .http)
    let path = rest[hostEnd...]
    guard let place, scheme == .gpsd || scheme == .mqtt || path.count <= 1 else {
      throw .malformed(scheme)
    }
    switch scheme {
    case .gpsd: self = .stream(.gpsd(place, device: try Self.device(path)))
    case .nmeaTCP: self = .stream(.nmeaTCP(place))
    case .udp: self = .stream(.udp(place))
    case .http: self = .http(place)
    case .mqtt: self = .mqtt(try MQTTAddress(user: user, place: place, path: path))
    }
  }

  /// The format that the feed is in; `nil` where its content tells.
  public var format: FeedFormat? {
    if case .stream(let address) = self { address.format } else { nil }
  }

  /// The address without the device that is meant, since reports of that name it themselves.
  public var place: String {
    if case .stream(.gpsd(let place, _)) = self { return "gpsd://\(place)" }
    return description
  }

  /// The address in its shortest spelling that has a port, without anything secret.
  public var description: String {
    switch self {
    case .stream(let address): "\(address)"
    case .http(let place): "http://\(place)"
    case .mqtt(let address): "mqtt://\(address)"
    }
  }

  /// The first part of an address, which tells how the feed is spoken.
  public enum Scheme: String, CaseIterable, Hashable, Sendable {
    /// The protocol of gpsd.
    case gpsd
    /// NMEA 0183 over TCP.
    case nmeaTCP = "nmea+tcp"
    /// Datagrams.
    case udp
    /// Requests of apps on phones.
    case http
    /// MQTT 3.1.1.
    case mqtt

    /// As IANA has them registered.
    var defaultPort: UInt16? {
      switch self {
      case .gpsd: 2947
      case .nmeaTCP: 10110
      case .udp, .http: nil
      case .mqtt: 1883
      }
    }

    /// What an address looks like.
    var form: String {
      switch self {
      case .gpsd: "gpsd://host:port or gpsd://host:port/dev/ttyUSB0"
      case .nmeaTCP: "nmea+tcp://host:port"
      case .udp: "udp://:port or udp://address:port"
      case .http: "http://127.0.0.1:port"
      case .mqtt: "mqtt://host/owntracks/+/+ or mqtt://user@host:port/topic"
      }
    }
  }

  /// Cuts off a scheme (RFC 3986, section 3.1) that is followed by two slashes.
  private static func split(_ text: String) -> (scheme: String, rest: Substring)? {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let rest = text[scheme.endIndex...]
    guard scheme.first?.isLetter == true, rest.hasPrefix("://") else { return nil }
    return (scheme.lowercased(), rest.dropFirst(3))
  }

  /// The device in the path of an address: `/dev/ttyACM0` as it is, and `/tcp://host:port`, as gpsd
  /// calls other receivers, without its slash.
  private static func device(_ path: Substring) throws(FeedAddressError) -> String? {
    guard path.count > 1 else { return nil }
    guard path.utf8.count <= 256, path.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw .malformed(.gpsd)
    }
    return String(split(String(path.dropFirst())) == nil ? path : path.dropFirst())
  }
}

/// Where the bytes of a feed are read over the network.
public enum StreamAddress: Hashable, Sendable, CustomStringConvertible {
  /// A gpsd, and the one of its receivers that is meant; `nil` means all of them.
  case gpsd(HostAndPort, device: String?)
  /// A server that sends NMEA 0183 to whoever connects, as ships' gateways and phones do.
  case nmeaTCP(HostAndPort)
  /// An address of this machine to which datagrams are sent; without a host all of them.
  case udp(HostAndPort)

  /// The format that the feed is in; `nil` where its content tells.
  var format: FeedFormat? {
    switch self {
    case .gpsd: .gpsd
    case .nmeaTCP: .nmea
    case .udp: nil
    }
  }

  /// The address in its shortest spelling that has a port.
  public var description: String {
    switch self {
    case .gpsd(let place, let device):
      "gpsd://\(place)" + (device.map { $0.hasPrefix("/") ? $0 : "/" + $0 } ?? "")
    case .nmeaTCP(let place): "nmea+tcp://\(place)"
    case .udp(let place): "udp://\(place)"
    }
  }
}

/// A topic of an MQTT broker, and the user who may read it.
public struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
  /// The topic where OwnTracks publishes positions, each device its own.
  public static let ownTracksTopic = "owntracks/+/+"

  /// The user; `nil` where the broker asks for none.
  public var user: String?
  /// The broker.
  public var place: HostAndPort
  /// The topic, perhaps with wildcards.
  public var topic: String

  /// Creates the address.
  public init(user: String? = nil, place: HostAndPort, topic: String = ownTracksTopic) {
    self.user = user
    self.place = place
    self.topic = topic
  }

  /// Reads the topic from a path, where it is by default OwnTracks'.
  init(user: String?, place: HostAndPort, path: Substring) throws(FeedAddressError) {
    let topic = path.dropFirst()
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    // MQTT 3.1.1, section 4.7.1: wildcards are levels of their own, # the last one.
    let isValid = levels.enumerated().allSatisfy { index, level in
      level == "+" || (level == "#" && index == levels.count - 1)
        || !level.contains(where: { $0 == "+" || $0 == "#" })
    }
    guard isValid, topic.utf8.count <= 1024,
      topic.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw .malformed(.mqtt) }
    self.init(user: user, place: place, topic: topic.isEmpty ? Self.ownTracksTopic : String(topic))
  }

  /// Whether the topic stands for several, so that nothing can be published to it.
  public var hasWildcards: Bool { topic.contains { $0 == "+" || $0 == "#" } }

  /// The address without its scheme.
  public var description: String { (user.map { $0 + "@" } ?? "") + "\(place)/\(topic)" }
}

/// A host by its name or number, and a port: `localhost:2947`, `[::1]:2947`.
public struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
  /// The name or number, without the brackets of an IPv6 number; empty means every address of the
  /// machine.
  public var host: String
  /// The port.
  public var port: UInt16

  /// Creates the place.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads a place; `nil` where it is none, or lacks a port that has no default.
  init?(_ text: Substring, defaultPort: UInt16?, mayLackHost: Bool = false) {
    let host: Substring
    var rest = text
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
      guard host.contains(":") else { return nil }
    } else {
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
    }
    guard mayLackHost || !host.isEmpty, host.utf8.count <= 255,
      host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._:%".contains($0)) })
    else { return nil }
    if rest.isEmpty {
      guard let defaultPort else { return nil }
      port = defaultPort
    } else {
      let digits = rest.dropFirst()
      guard rest.first == ":", digits.allSatisfy({ $0.isASCII && $0.isNumber }),
        let number = UInt16(digits)
      else { return nil }
      port = number
    }
    self.host = String(host)
  }

  /// The place as it stands in an address.
  public var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

/// Why a text is no address of a feed.
public enum FeedAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scheme is none that is known.
  case unknownScheme(String)
  /// A password is part of it, which others see.
  case holdsPassword
  /// The rest is not as the scheme has it.
  case malformed(FeedAddress.Scheme)

  /// What is wrong and what would be right.
  public var description: String {
    switch self {
    case .unknownScheme(let scheme):
      "there are no \(scheme):// feeds; write "
        + FeedAddress.Scheme.allCases.map(\.form).joined(separator: ", or ")
        + ", or ./ before a file's name"
    case .holdsPassword:
      """
      others see the arguments of programs, so a password is no part of an address; set it in the \
      environment or in the settings file
      """
    case .malformed(let scheme):
      "this is no address of a feed; write \(scheme.form), an IPv6 number in brackets"
    }
  }
}

extension HostAndPort {
  /// Whether the host is `localhost` or a loopback address, which other machines cannot reach.
  public var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { $0 >= 0x30 } }
  }
}
