import FeedServer
import Interchange
import SpotService
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import WebService

@Suite(.timeLimit(.minutes(30))) struct ConnectionTests {
  /// A connection that can be an element of an array.
  private final class Held: @unchecked Sendable {
    let connection: LoopbackConnection

    init(to port: UInt16, sending text: String = "") throws {
      connection = try LoopbackConnection(to: port)
      try connection.send(text)
    }
  }

  private static let get = "GET /api/v1/mutes HTTP/1.1\r\nHost: localhost\r\n\(WebBench.key)\r\n"

  @Test(arguments: [
    "", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n",
    "GET /api/v1/mutes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n\r\n",
    "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
      + "Content-Length: 40\r\n\r\n{",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ])
  func `a connection without a valid key is closed when the admission time is over`(start: String)
    async throws
  {
    var limits = WebServer.Limits.unhurried
    limits.connections.admissionSeconds = 1
    let bench = try await WebBench(limits: limits)
    let port = bench.port
    let bytes = try await onThread {
      let connection = try LoopbackConnection(to: port)
      try connection.send(start)
      return try connection.bytesToEnd()
    }
    let status = bytes.isEmpty ? nil : try WebAnswer(bytes).status
    #expect([nil, 200, 401].contains(status))
    await bench.stop()
  }

  @Test func `a connection with the key stays open until the request timeout, then is closed`()
    async throws
  {
    var limits = WebServer.Limits.unhurried
    limits.connections.admissionSeconds = 1
    limits.connections.requestSeconds = 3
    let bench = try await WebBench(limits: limits)
    let held = try Held(to: bench.port, sending: Self.get + "\r\n")
    #expect(try await onThread { try held.connection.readLine() }.hasPrefix("HTTP/1.1 200"))
    // A later connection without the key is closed meanwhile, so the admission time is over.
    _ = try await onThread { [port = bench.port] in
      try LoopbackConnection(to: port).bytesToEnd()
    }
    try held.connection.send(Self.get + "\r\n")
    let rest = try await onThread { try held.connection.readToEnd() }
    #expect(rest.contains("HTTP/1.1 200"))
    await bench.stop()
  }

  @Test func `a response may take longer than the request timeout`() async throws {
    var limits = WebServer.Limits.unhurried
    limits.connections.admissionSeconds = 1
    limits.connections.requestSeconds = 1
    let bench = try await WebBench(limits: limits)
    let (finished, finish) = AsyncStream<Void>.makeStream()
    let (started, start) = AsyncStream<Void>.makeStream()
    bench.outside.answer { _ in
      start.yield()
      for await _ in finished { break }
      return .response(.noContent)
    }
    async let replay = bench.ask("/api/v1/replays", method: "POST", body: "x")
    for await _ in started { break }
    // Later connections, without and with the key, are closed meanwhile: both times are over.
    let port = bench.port
    for start in ["", Self.get + "\r\n"] {
      _ = try await onThread {
        let connection = try LoopbackConnection(to: port)
        try connection.send(start)
        return try connection.bytesToEnd()
      }
    }
    finish.finish()
    #expect(try await replay.status == 204)
    await bench.stop()
  }

  @Test func `an event stream and its page survive a flood of unauthenticated connections`()
    async throws
  {
    var limits = WebServer.Limits.unhurried
    limits.connections.connections = 12
    limits.connections.strangersOfAddress = 4
    limits.connections.courtesyNanoseconds = 0
    let bench = try await WebBench(limits: limits)
    let reader = try await onThread { try bench.listen() }
    #expect(reader.status == 200)
    let port = bench.port
    let strangers = try (0..<100).map { _ in try Held(to: port) }
    // More connections with the key than places: idle ones are closed, the stream is not.
    var idle: [Held] = []
    for _ in 0..<10 {
      let held = try Held(to: port, sending: Self.get + "\r\n")
      idle.append(held)
      let line = try await onThread { try held.connection.readLine() }
      #expect(line.hasPrefix("HTTP/1.1 200"))
    }
    #expect(try await bench.ask("/api/v1/mutes").status == 200)
    bench.events.publish(.mutes)
    let lines = try await onThread { [try reader.next(), try reader.next()] }
    #expect(lines.last == ["id: b-1", "event: mutes", "data: {}"])
    withExtendedLifetime((strangers, idle)) {}
    await bench.stop()
  }

  @Test func `event streams are limited so that other requests still get a connection`()
    async throws
  {
    var limits = WebServer.Limits.unhurried
    limits.connections.connections = 13
    let bench = try await WebBench(limits: limits)
    // Five of the six places for connections with the key.
    let readers = try await onThread { try (0..<5).map { _ in try bench.listen() } }
    #expect(readers.map(\.status) == [200, 200, 200, 200, 200])
    #expect(try await bench.ask("/api/v1/events").problem == "busy")
    #expect(try await bench.ask("/api/v1/status").status == 200)
    await bench.stop()
  }

  @Test func `an event stream whose client does not read is closed`() async throws {
    var limits = WebServer.Limits.unhurried
    limits.connections.writeSeconds = 1
    let bench = try await WebBench(limits: limits)
    let reader = try await onThread { try bench.listen() }
    let long = String(repeating: "x", count: 100_000)
    while bench.events.listenerCount == 1 {
      bench.events.publish(.progress) { $0.object { $0.member("folder", long) } }
      await Task.yield()
    }
    withExtendedLifetime(reader) {}
    await bench.stop()
  }

  @Test func `a download whose client does not read is aborted, and its file is closed`()
    async throws
  {
    var limits = WebServer.Limits.unhurried
    limits.connections.writeSeconds = 1
    let bench = try await WebBench(limits: limits)
    let folder = TemporaryFolder()
    let path = folder.path("a.mov")
    try folder.write([UInt8](repeating: 1, count: 32 << 20), to: path)
    let sent = WeakFile()
    bench.outside.answer { _ in
      guard let opened = try? FileDescriptor.open(path, .readOnly),
        let file = try? ServedFile(takingOver: opened, mediaType: "video/mp4", name: "a.mov")
      else { return .response(.noContent) }
      sent.set(file)
      return .file(file)
    }
    let held = try Held(
      to: bench.port,
      sending:
        "GET \(ServedFileTests.original) HTTP/1.1\r\nHost: localhost\r\n\(WebBench.key)\r\n\r\n"
    )
    let line = try await onThread { try held.connection.readLine() }
    #expect(line.hasPrefix("HTTP/1.1 200"))
    while sent.isHeld { await Task.yield() }
    await bench.stop()
  }

  /// Holds a file weakly, to observe when the server releases it.
  private final class WeakFile: Sendable {
    private struct State {
      weak var file: ServedFile?
    }
    private let state = Mutex(State())

    var isHeld: Bool { state.withLock { $0.file != nil } }

    func set(_ file: ServedFile) { state.withLock { $0.file = file } }
  }
}
