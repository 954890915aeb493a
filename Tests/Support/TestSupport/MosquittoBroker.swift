import CLibrary
import SystemPackage

/// A real MQTT broker on the loopback interface, which is stopped when the value is no longer used.
public struct MosquittoBroker: Sendable {
  private static let path = ChildProcess.path(of: "mosquitto")

  /// Whether Mosquitto is installed.
  public static var isInstalled: Bool { path != nil }
  /// The message for tests that are skipped because it is not installed.
  public static let hint = "mosquitto is not installed: apt-get install mosquitto"

  private let process: ChildProcess
  private let folder = TemporaryFolder()
  private let log: GrowingFile

  /// Starts a broker and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - port: The broker's port.
  ///   - arguments: The command-line arguments, including the port; `nil` accepts all clients on
  ///     this machine.
  /// - Throws: An `Errno` if it does not start.
  public init(_ port: UInt16, _ arguments: [String]? = nil) throws {
    guard let path = Self.path else { throw Errno.noSuchFileOrDirectory }
    let arguments = (arguments ?? ["-p", "\(port)"]) + ["-v"]
    var tries = 0
    while true {
      let file = folder.path("log\(tries)")
      let log = try GrowingFile(file)
      let process = try ChildProcess(path, arguments, errors: file)
      // An earlier line ends with "from clients running on this machine."
      try log.wait(forLineEndingWith: " running")
      // While another process has the port, Mosquitto runs without IPv4.
      if try log.lineCount(with: "Address already in use") == 0 {
        (self.process, self.log) = (process, log)
        return
      }
      tries += 1
      guard tries < 20 else { throw Errno.addressInUse }
      usleep(500_000)
    }
  }

  /// Waits until clients have subscribed.
  ///
  /// - Parameter count: The number of subscriptions since the start.
  /// - Throws: `Errno.timedOut` if there are fewer a minute after the last event.
  public func waitForSubscriptions(_ count: Int = 1) throws {
    try log.wait(for: "Sending SUBACK to", count: count)
  }
}

/// An MQTT 3.1.1 client with quality of service 0.
public struct MQTTClient: ~Copyable {
  /// A received message.
  public struct Message: Hashable, Sendable {
    /// The topic.
    public let topic: String
    /// The content.
    public let payload: [UInt8]
    /// Whether it is a message that the broker had retained before the subscription.
    public let isRetained: Bool

    /// The content as text.
    public var text: String { String(decoding: payload, as: UTF8.self) }
  }

  private let connection: LoopbackConnection

  /// Connects to a broker on this machine.
  ///
  /// - Throws: An `Errno` if the broker rejects the client.
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

  /// Publishes a message, and waits until the broker has received it. Not for clients that have
  /// subscribed.
  public func publish(_ text: String, to topic: String, isRetained: Bool = false) throws {
    try connection.send(
      Self.packet(isRetained ? 0x31 : 0x30, Self.text(topic) + Array(text.utf8)))
    // The broker responds to a ping after it has processed the message.
    try connection.send([0xC0, 0])
    guard try connection.read(2) == [0xD0, 0] else { throw Errno.brokenPipe }
  }

  /// Subscribes to a topic filter, which may contain wildcards.
  public func subscribe(to filter: String) throws {
    try connection.send(Self.packet(0x82, [0, 1] + Self.text(filter) + [0]))
    guard try connection.read(5) == [0x90, 3, 0, 1, 0] else { throw Errno.permissionDenied }
  }

  /// Waits for the next message, at most two minutes.
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

  /// Waits for the next message of a topic, at most two minutes after each other message.
  public func next(of topic: String) throws -> Message {
    while true {
      let message = try next()
      if message.topic == topic { return message }
    }
  }

  /// Returns a text with its length prefix (MQTT 3.1.1, section 1.5.3).
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
