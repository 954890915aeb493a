import Codecs

/// The topics under which Home Assistant finds devices and their states
/// (home-assistant.io/integrations/mqtt, "Discovery topic").
///
/// Names from outside never become topics: each device has an id of letters, digits, `-` and `_`.
/// A name of letters, digits and `-` is its own id; any other becomes its readable part, `_` and a
/// hash of the whole, so that no two names have the same id.
public struct HomeTopics: Hashable, Sendable {
  /// The prefix that Home Assistant has where nobody changed it.
  public static let usualPrefix = "homeassistant"
  /// No prefix is longer, in bytes.
  public static let maximumPrefixLength = 128
  private static let maximumNameLength = 32

  /// The prefix of discovery topics.
  public let prefix: String
  /// The topic that those of states lie under.
  public let base: String
  /// The id of this installation: two of them on one broker have different topics.
  public let nodeID: String

  /// Creates topics; `nil` where the prefix is none.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of discovery topics.
  ///   - base: The topic that those of states lie under, without wildcards.
  public init?(prefix: String = usualPrefix, base: String) {
    guard Self.isPrefix(prefix) else { return nil }
    self.prefix = prefix
    self.base = base
    nodeID = base == "photospots" ? base : "photospots-\(Self.id(ofName: base))"
  }

  /// Whether a text can be a prefix: levels of letters, digits, `-` and `_`.
  public static func isPrefix(_ text: String) -> Bool {
    (1...maximumPrefixLength).contains(text.utf8.count)
      && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { level in
        !level.isEmpty && level.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "_") }
      }
  }

  /// The topic of Home Assistant's birth and last will: `online` and `offline`.
  public var birth: String { "\(prefix)/status" }
  /// The topic that says whether the states are kept current: `online` and `offline`.
  public var availability: String { "\(base)/status" }
  /// The topic of all alerts and digests, as events.
  public var events: String { "\(base)/event" }
  /// The discovery topic of this installation.
  public var discovery: String { discovery(ofObject: nodeID) }
  /// The topics of all discoveries, in which ``isOwn(discovery:)`` finds those of this
  /// installation.
  public var everyDiscovery: String { discovery(ofObject: "+") }

  /// The id of a device among all of Home Assistant's.
  public func objectID(of device: String?) -> String { "\(nodeID)__\(Self.id(of: device))" }

  /// The discovery topic of a device.
  public func discovery(of device: String?) -> String {
    discovery(ofObject: objectID(of: device))
  }

  /// Whether a discovery topic is of this installation or of one of its devices.
  public func isOwn(discovery topic: String) -> Bool {
    topic == discovery
      || topic.hasPrefix("\(prefix)/device/\(nodeID)__") && topic.hasSuffix("/config")
        && topic.utf8.count <= 1024
  }

  /// Takes an installation or a device away from Home Assistant, with its entities.
  ///
  /// - Parameter topic: A discovery topic of this installation.
  /// - Returns: The messages that take away everything which the broker retained; none for a topic
  ///   of something else.
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

  /// A topic of a device: `state`, `alert`, `event` or `picture`.
  func topic(_ name: String, of device: String?) -> String {
    topic(name, ofID: Self.id(of: device))
  }

  /// A topic of a device by its id.
  func topic(_ name: String, ofID id: String) -> String { "\(base)/devices/\(id)/\(name)" }

  private func discovery(ofObject id: String) -> String { "\(prefix)/device/\(id)/config" }

  /// The id of a device by its name; `nil` is the device without one.
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

/// A message for a topic.
public struct HomeMessage: Hashable, Sendable {
  /// The topic.
  public let topic: String
  /// The content; an empty one takes away what the broker retained.
  public let payload: [UInt8]
  /// Whether the broker keeps it for later subscribers.
  public let isRetained: Bool

  /// Creates a message.
  public init(topic: String, payload: [UInt8], isRetained: Bool = true) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
