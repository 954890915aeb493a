import CLibrary
import SystemPackage

/// A real MQTT broker on loopback, which ends with its life.
public struct MosquittoBroker: Sendable {
  private static let path = ChildProcess.path(of: "mosquitto")

  /// Whether there is one on this machine.
  public static var isInstalled: Bool { path != nil }
  /// What to do where there is none.
  public static let hint = "mosquitto is not installed: apt-get install mosquitto"

  private let process: ChildProcess

  /// Starts a broker and waits until it answers.
  ///
  /// - Parameters:
  ///   - port: Its port.
  ///   - arguments: Its arguments, which say the port too; `nil` lets everybody on this machine in.
  /// - Throws: An `Errno` where it does not start.
  public init(_ port: UInt16, _ arguments: [String]? = nil) throws {
    guard let path = Self.path else { throw Errno.noSuchFileOrDirectory }
    process = try ChildProcess(path, arguments ?? ["-p", "\(port)"])
    for _ in 0..<1000 {
      if (try? LoopbackConnection(to: port)) != nil { return }
      usleep(10_000)
    }
    throw Errno.timedOut
  }
}

/// A client of MQTT 3.1.1 with quality of service 0.
public struct MQTTClient: ~Copyable {
  /// A message that came.
  public struct Message: Hashable, Sendable {
    /// The topic.
    public let topic: String
    /// The content.
    public let payload: [UInt8]
    /// Whether the broker had retained it before the client asked for it.
    public let isRetained: Bool

    /// The content as text.
    public var text: String { String(decoding: payload, as: UTF8.self) }
  }

  private let connection: LoopbackConnection

  /// Connects to a broker on this machine.
  ///
  /// - Throws: An `Errno` where it does not let the client in.
  public init(_ port: UInt16, user: String? = nil, password: String? = nil) throws {
    connection = try Self.connect(port, user, password)
  }

  private static func connect(
    _ port: UInt16, _ user: String?, _ password: String?
  ) throws -> LoopbackConnection {
    let connection = try LoopbackConnection(to: port)
    let flags: UInt8 = user == nil ? 0x02 : 0xC2
    let credentials = [user, password].compactMap { $0 }.flatMap(text)
    try connection.send(
      packet(0x10, text("MQTT") + [4, flags, 0, 0] + text("") + credentials))
    guard try connection.read(4) == [0x20, 2, 0, 0] else { throw Errno.permissionDenied }
    return connection
  }

  /// Publishes a message, and waits until the broker has it; not for clients that subscribed.
  public func publish(_ text: String, to topic: String, isRetained: Bool = false) throws {
    try connection.send(
      Self.packet(isRetained ? 0x31 : 0x30, Self.text(topic) + Array(text.utf8)))
    // Answered after what came before it.
    try connection.send([0xC0, 0])
    guard try connection.read(2) == [0xD0, 0] else { throw Errno.brokenPipe }
  }

  /// Asks for the messages of a topic, which may have wildcards.
  public func subscribe(to filter: String) throws {
    try connection.send(Self.packet(0x82, [0, 1] + Self.text(filter) + [0]))
    guard try connection.read(5) == [0x90, 3, 0, 1, 0] else { throw Errno.permissionDenied }
  }

  /// Waits for the next message, ten seconds at most.
  public func next() throws -> Message {
    while true {
      guard let kind = try connection.read(1).first else { throw Errno.timedOut }
      var (length, shift) = (0, 0)
      while let byte = try connection.read(1).first {
        length |= Int(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      let content = try connection.read(length)
      guard kind & 0xF0 == 0x30, content.count >= 2 else { continue }
      let end = 2 + Int(content[0]) << 8 + Int(content[1])
      return Message(
        topic: String(decoding: content[2..<end], as: UTF8.self), payload: Array(content[end...]),
        isRetained: kind & 1 == 1)
    }
  }

  /// Waits for the next message of a topic, ten seconds at most for each other one.
  public func next(of topic: String) throws -> Message {
    while true {
      let message = try next()
      if message.topic == topic { return message }
    }
  }

  /// A text with its length before it (MQTT 3.1.1, section 1.5.3).
  private static func text(_ text: String) -> [UInt8] {
    [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)] + Array(text.utf8)
  }

  private static func packet(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
    precondition(content.count < 128 * 128)
    let length =
      content.count < 128
      ? [UInt8(content.count)]
      : [UInt8(content.count & 0x7F | 0x80), UInt8(content.count >> 7)]
    return [kind] + length + content
  }
}
