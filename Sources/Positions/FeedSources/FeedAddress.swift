public import LocationFeeds

/// The address of a feed that is not a file: `gpsd://nas.local:2947/dev/ttyACM0`.
public enum FeedAddress: Hashable, Sendable, CustomStringConvertible {
  /// An address that a ``FeedSource`` reads.
  case stream(StreamAddress)
  /// An address of this machine to which apps on phones send requests; an empty host means all of
  /// its addresses.
  case http(HostAndPort)
  /// A topic of an MQTT broker.
  case mqtt(MQTTAddress)

  /// Parses an address.
  ///
  /// - Returns: The address; `nil` where the text has no scheme, so that it is a path.
  /// - Throws: ``FeedAddressError`` where the text has a scheme but is not a valid address.
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

  /// The format of the feed; `nil` where it is recognised from the content.
  public var format: FeedFormat? {
    if case .stream(let address) = self { address.format } else { nil }
  }

  /// The address without the gpsd device, since reports name their devices themselves.
  public var place: String {
    if case .stream(.gpsd(let place, _)) = self { return "gpsd://\(place)" }
    return description
  }

  /// The address in its shortest form that includes a port. It holds no secrets.
  public var description: String {
    switch self {
    case .stream(let address): "\(address)"
    case .http(let place): "http://\(place)"
    case .mqtt(let address): "mqtt://\(address)"
    }
  }

  /// The scheme of an address: the protocol of the feed.
  public enum Scheme: String, CaseIterable, Hashable, Sendable {
    /// The protocol of gpsd.
    case gpsd
    /// NMEA 0183 over TCP.
    case nmeaTCP = "nmea+tcp"
    /// UDP datagrams.
    case udp
    /// HTTP requests from apps on phones.
    case http
    /// MQTT 3.1.1.
    case mqtt

    /// The port registered with IANA; `nil` where there is none.
    var defaultPort: UInt16? {
      switch self {
      case .gpsd: 2947
      case .nmeaTCP: 10110
      case .udp, .http: nil
      case .mqtt: 1883
      }
    }

    /// Examples of valid addresses, for error messages.
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

  /// Splits off a scheme (RFC 3986, section 3.1) that is followed by `://`.
  private static func split(_ text: String) -> (scheme: String, rest: Substring)? {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let rest = text[scheme.endIndex...]
    guard scheme.first?.isLetter == true, rest.hasPrefix("://") else { return nil }
    return (scheme.lowercased(), rest.dropFirst(3))
  }

  /// Returns the device in the path of an address: `/dev/ttyACM0` unchanged, and gpsd's names for
  /// remote receivers, such as `/tcp://host:port`, without the leading slash.
  private static func device(_ path: Substring) throws(FeedAddressError) -> String? {
    guard path.count > 1 else { return nil }
    guard path.utf8.count <= 256, path.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw .malformed(.gpsd)
    }
    return String(split(String(path.dropFirst())) == nil ? path : path.dropFirst())
  }
}

/// The network address of a stream of feed bytes.
public enum StreamAddress: Hashable, Sendable, CustomStringConvertible {
  /// A gpsd, and the requested one of its receivers; `nil` requests all of them.
  case gpsd(HostAndPort, device: String?)
  /// A server that sends NMEA 0183 to every client, as ships' gateways and some phone apps do.
  case nmeaTCP(HostAndPort)
  /// An address of this machine to which datagrams are sent; an empty host means all of its
  /// addresses.
  case udp(HostAndPort)

  /// The format of the feed; `nil` where it is recognised from the content.
  var format: FeedFormat? {
    switch self {
    case .gpsd: .gpsd
    case .nmeaTCP: .nmea
    case .udp: nil
    }
  }

  /// The address in its shortest form that includes a port.
  public var description: String {
    switch self {
    case .gpsd(let place, let device):
      "gpsd://\(place)" + (device.map { $0.hasPrefix("/") ? $0 : "/" + $0 } ?? "")
    case .nmeaTCP(let place): "nmea+tcp://\(place)"
    case .udp(let place): "udp://\(place)"
    }
  }
}

/// A topic of an MQTT broker, and the user who subscribes to it.
public struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
  /// The topics to which OwnTracks publishes positions, one for each device.
  public static let ownTracksTopic = "owntracks/+/+"

  /// The user; `nil` where the broker requires none.
  public var user: String?
  /// The broker.
  public var place: HostAndPort
  /// The topic, which may have wildcards.
  public var topic: String

  /// Creates the address.
  public init(user: String? = nil, place: HostAndPort, topic: String = ownTracksTopic) {
    self.user = user
    self.place = place
    self.topic = topic
  }

  /// Parses the topic in a path; an empty path means OwnTracks' topics.
  init(user: String?, place: HostAndPort, path: Substring) throws(FeedAddressError) {
    let topic = path.dropFirst()
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    // MQTT 3.1.1, section 4.7.1: a wildcard must be a whole level, and # the last one.
    let isValid = levels.enumerated().allSatisfy { index, level in
      level == "+" || (level == "#" && index == levels.count - 1)
        || !level.contains(where: { $0 == "+" || $0 == "#" })
    }
    guard isValid, topic.utf8.count <= 1024,
      topic.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw .malformed(.mqtt) }
    self.init(user: user, place: place, topic: topic.isEmpty ? Self.ownTracksTopic : String(topic))
  }

  /// Whether the topic has wildcards, so that nothing can be published to it.
  public var hasWildcards: Bool { topic.contains { $0 == "+" || $0 == "#" } }

  /// The address without its scheme.
  public var description: String { (user.map { $0 + "@" } ?? "") + "\(place)/\(topic)" }
}

/// A host name or IP address, and a port: `localhost:2947`, `[::1]:2947`.
public struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
  /// The host name or IP address, without the brackets of an IPv6 address. Empty means every
  /// address of this machine.
  public var host: String
  /// The port.
  public var port: UInt16

  /// Creates a host and port.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Parses a host and port; returns `nil` where the text is malformed, or has neither a port nor a
  /// default for it.
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

  /// The host and port as written in an address.
  public var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

/// The reason why a text is not the address of a feed.
public enum FeedAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scheme is unknown.
  case unknownScheme(String)
  /// The address contains a password, which would be visible to other users.
  case holdsPassword
  /// The rest of the address does not have the scheme's form.
  case malformed(FeedAddress.Scheme)

  /// The fault, with the forms that are accepted.
  public var description: String {
    switch self {
    case .unknownScheme(let scheme):
      "\(scheme):// is not a source of feeds; write "
        + FeedAddress.Scheme.allCases.map(\.form).joined(separator: ", or ")
        + ", or ./ before a file's name"
    case .holdsPassword:
      """
      other users can read the arguments of programs, so an address must not contain a password; \
      set it in the environment or in the settings file
      """
    case .malformed(let scheme):
      "this is not the address of a feed; write \(scheme.form), with IPv6 addresses in brackets"
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
