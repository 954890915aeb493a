import CLibrary
import Synchronization

/// An MQTT broker on the loopback interface that accepts published messages without forwarding
/// them, or misbehaves.
///
/// It serves one connection at a time, on a separate thread.
public final class LoopbackBroker: Sendable {
  /// The behavior of the broker.
  public enum Behaviour: Sendable {
    /// Accepts all messages.
    case working
    /// Rejects the first connection.
    case refusingOnce
    /// Never responds.
    case silent
    /// Accepts all connections and sends many packets, but never acknowledges messages.
    case talking
  }

  /// A message that was published.
  public struct Publication: Hashable, Sendable {
    /// The topic.
    public let topic: String
    /// The content.
    public let payload: String
    /// Whether it is a retained message.
    public let isRetained: Bool
  }

  private final class State: Sendable {
    let publications = Mutex<[Publication]>([])
    let logins = Mutex<[[UInt8]]>([])
    let isOver = Atomic(false)
    let listener: LoopbackListener

    init(_ listener: consuming LoopbackListener) { self.listener = listener }
  }

  /// The port on 127.0.0.1.
  public let port: UInt16
  private let state: State

  /// Starts a broker.
  ///
  /// - Throws: An `Errno` if no port is available.
  public init(_ behaviour: Behaviour = .working) throws {
    // It listens before the thread accepts: a client that connects meanwhile waits in its queue.
    let listener = try LoopbackListener(port: LoopbackListener.unusedPort())
    port = listener.port
    let state = State(listener)
    self.state = state
    _ = try BackgroundThread {
      var connections = 0
      while !state.isOver.load(ordering: .relaxed) {
        guard let connection = try? state.listener.accept() else { continue }
        connections += 1
        Self.serve(connection, connections == 1, behaviour, state)
      }
    }
  }

  deinit { state.isOver.store(true, ordering: .relaxed) }

  /// The contents of the accepted messages.
  public var messages: [String] { publications.map(\.payload) }
  /// The accepted messages with their topics.
  public var publications: [Publication] { state.publications.withLock { $0 } }
  /// The contents of the CONNECT packets (MQTT 3.1.1, section 3.1).
  public var logins: [[UInt8]] { state.logins.withLock { $0 } }

  private static func serve(
    _ connection: borrowing LoopbackConnection, _ isFirst: Bool, _ behaviour: Behaviour,
    _ state: State
  ) {
    while let (kind, content) = try? packet(connection) {
      if kind & 0xF0 == 0x10 { state.logins.withLock { $0.append(content) } }
      switch (kind & 0xF0, behaviour) {
      case (0x10, .silent): break
      case (0x10, .refusingOnce) where isFirst:
        try? connection.send([0x20, 2, 0, 5])
        return
      case (0x10, .talking):
        try? connection.send([0x20, 2, 0, 0])
        talk(to: connection, state)
        return
      case (0x10, _): try? connection.send([0x20, 2, 0, 0])
      case (0x30, _) where kind & 0x06 == 0x02:
        // MQTT 3.1.1, section 3.3: topic, packet identifier, payload.
        let numberStart = 2 + Int(content[0]) << 8 + Int(content[1])
        let publication = Publication(
          topic: String(decoding: content[2..<numberStart], as: UTF8.self),
          payload: String(decoding: content[(numberStart + 2)...], as: UTF8.self),
          isRetained: kind & 1 == 1)
        state.publications.withLock { $0.append(publication) }
        try? connection.send([0x40, 2, content[numberStart], content[numberStart + 1]])
      case (0x80, _): try? connection.send([0x90, 3, content[0], content[1], 1])
      default: return
      }
    }
  }

  /// Sends about a hundred packets a second and ignores those of the client, until it disconnects.
  private static func talk(to client: borrowing LoopbackConnection, _ state: State) {
    while !state.isOver.load(ordering: .relaxed) {
      try? client.send([0xD0, 0])
      guard client.isReadable(within: 10) else { continue }
      // MQTT 3.1.1, section 3.14: DISCONNECT.
      guard let packet = try? packet(client), packet.kind & 0xF0 != 0xE0 else { return }
    }
  }

  /// Returns the next packet (MQTT 3.1.1, section 2.2); `nil` at the end.
  private static func packet(
    _ connection: borrowing LoopbackConnection
  ) throws -> (kind: UInt8, content: [UInt8])? {
    guard let kind = try connection.read(1).first else { return nil }
    var (length, shift) = (0, 0)
    while let byte = try connection.read(1).first {
      length |= Int(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return (kind, try connection.read(length))
  }
}
