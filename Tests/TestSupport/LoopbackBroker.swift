import CLibrary
import Synchronization

/// An MQTT broker on loopback that takes what is published to it and passes nothing on, or
/// misbehaves.
///
/// It takes one connection after another, on a thread of its own.
public final class LoopbackBroker: Sendable {
  /// How it behaves.
  public enum Behaviour: Sendable {
    /// It takes everything.
    case working
    /// It refuses the first connection.
    case refusingOnce
    /// It never answers.
    case silent
    /// It lets everybody in, and says much without taking anything.
    case talking
  }

  /// A message that was published.
  public struct Publication: Hashable, Sendable {
    /// The topic.
    public let topic: String
    /// The content.
    public let payload: String
    /// Whether a broker is to retain it.
    public let isRetained: Bool
  }

  private final class State: Sendable {
    let publications = Mutex<[Publication]>([])
    let logins = Mutex<[[UInt8]]>([])
    let isListening = Atomic(false)
    let isOver = Atomic(false)
  }

  /// The port on 127.0.0.1.
  public let port: UInt16
  private let state = State()

  /// Starts a broker.
  ///
  /// - Throws: An `Errno` where the system has no port.
  public init(_ behaviour: Behaviour = .working) throws {
    let port = try LoopbackListener.unusedPort()
    self.port = port
    let state = self.state
    _ = try BackgroundThread {
      guard let listener = try? LoopbackListener(port: port) else { return }
      state.isListening.store(true, ordering: .releasing)
      var connections = 0
      while !state.isOver.load(ordering: .relaxed) {
        guard let connection = try? listener.accept() else { continue }
        connections += 1
        Self.serve(connection, connections == 1, behaviour, state)
      }
    }
    while !state.isListening.load(ordering: .acquiring) { usleep(1000) }
  }

  deinit { state.isOver.store(true, ordering: .relaxed) }

  /// The messages that it took.
  public var messages: [String] { publications.map(\.payload) }
  /// The same with their topics.
  public var publications: [Publication] { state.publications.withLock { $0 } }
  /// The contents of the requests to be let in (MQTT 3.1.1, section 3.1).
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
        for _ in 0..<300 {
          try? connection.send([0xD0, 0])
          usleep(10_000)
        }
        return
      case (0x10, _): try? connection.send([0x20, 2, 0, 0])
      case (0x30, _) where kind & 0x06 == 0x02:
        // MQTT 3.1.1, section 3.3: topic, number, payload.
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

  /// The next packet (MQTT 3.1.1, section 2.2); `nil` at the end.
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
