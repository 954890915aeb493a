import Encodings

/// The MQTT topics of the discovery messages and states (home-assistant.io/integrations/mqtt,
/// "Discovery topic").
///
/// Foreign names never become topics: each device has an id of letters, digits, `-` and `_`. A name
/// of letters, digits and `-` is its own id. The id of any other name is its readable part, `_` and
/// a hash of the whole name, so that different names have different ids.
public struct HomeTopics: Hashable, Sendable {
  /// Home Assistant's default discovery prefix.
  public static let usualPrefix = "homeassistant"
  /// The maximum length of a prefix in bytes.
  public static let maximumPrefixLength = 128
  private static let maximumNameLength = 32

  /// The prefix of discovery topics.
  public let prefix: String
  /// The topic under which the topics of states are.
  public let base: String
  /// The id of this installation, by which several installations on one broker have different
  /// topics.
  public let nodeID: String

  /// Creates topics; returns `nil` where the prefix is invalid.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of discovery topics.
  ///   - base: The topic under which the topics of states are, without wildcards.
  public init?(prefix: String = usualPrefix, base: String) {
    guard Self.isPrefix(prefix) else { return nil }
    self.prefix = prefix
    self.base = base
    nodeID = base == "photospots" ? base : "photospots-\(Self.id(ofName: base))"
  }

  /// Returns whether a text is a valid prefix: levels of letters, digits, `-` and `_`.
  public static func isPrefix(_ text: String) -> Bool {
    (1...maximumPrefixLength).contains(text.utf8.count)
      && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { level in
        !level.isEmpty && level.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "_") }
      }
  }

  /// The topic of Home Assistant's birth and last will messages: `online` and `offline`.
  public var birth: String { "\(prefix)/status" }
  /// The topic of the availability of all entities: `online` or `offline`.
  public var availability: String { "\(base)/status" }
  /// The topic of all alerts and digests, as events.
  public var events: String { "\(base)/event" }
  /// The discovery topic of this installation.
  public var discovery: String { discovery(ofObject: nodeID) }
  /// A wildcard for all discovery topics; ``isOwn(discovery:)`` recognises those of this
  /// installation.
  public var everyDiscovery: String { discovery(ofObject: "+") }

  /// Returns the id of a device that is unique in Home Assistant.
  public func objectID(of device: String?) -> String { "\(nodeID)__\(Self.id(of: device))" }

  /// Returns the discovery topic of a device.
  public func discovery(of device: String?) -> String {
    discovery(ofObject: objectID(of: device))
  }

  /// Returns whether a discovery topic belongs to this installation or one of its devices.
  public func isOwn(discovery topic: String) -> Bool {
    topic == discovery
      || topic.hasPrefix("\(prefix)/device/\(nodeID)__") && topic.hasSuffix("/config")
        && topic.utf8.count <= 1024
  }

  /// Returns the messages that remove an installation or a device from Home Assistant, with its
  /// entities.
  ///
  /// - Parameter topic: A discovery topic of this installation.
  /// - Returns: Empty messages for all topics with retained content; none for a foreign topic.
  public func removal(ofDiscovery topic: String) -> [HomeMessage] {
    guard isOwn(discovery: topic) else { return [] }
    let start = "\(prefix)/device/\(nodeID)__"
    let topics: [String]
    if topic == discovery {
      topics = [topic, availability]
    } else {
      let id = String(topic.dropFirst(start.count).dropLast("/config".count))
      topics = [topic] + ["state", "alert", "picture"].map { self.topic($0, ofID: id) }
    }
    return topics.map { HomeMessage(topic: $0, payload: []) }
  }

  /// Returns a topic of a device: `state`, `alert`, `event` or `picture`.
  func topic(_ name: String, of device: String?) -> String {
    topic(name, ofID: Self.id(of: device))
  }

  /// Returns a topic of a device by the device's id.
  func topic(_ name: String, ofID id: String) -> String { "\(base)/devices/\(id)/\(name)" }

  private func discovery(ofObject id: String) -> String { "\(prefix)/device/\(id)/config" }

  /// Returns the id of a device by its name; `nil` is the device without a name.
  static func id(of device: String?) -> String { device.map(id(ofName:)) ?? "_none" }

  private static func id(ofName name: String) -> String {
    let bytes = Array(name.utf8)
    guard bytes.isEmpty || bytes.count > maximumNameLength || !bytes.allSatisfy(isPlain) else {
      return name
    }
    var hash = FNV1a()
    hash.combine(bytes)
    let readable = bytes.prefix(maximumNameLength).map { isPlain($0) ? $0 : UInt8(ascii: "-") }
    return "\(String(decoding: readable, as: UTF8.self))_\(Base32.text(hash.mixed))"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// An MQTT message to publish.
public struct HomeMessage: Hashable, Sendable {
  /// The topic.
  public let topic: String
  /// The content; an empty one removes the retained message.
  public let payload: [UInt8]
  /// Whether the broker keeps the message for later subscribers.
  public let isRetained: Bool

  /// Creates a message.
  public init(topic: String, payload: [UInt8], isRetained: Bool = true) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
