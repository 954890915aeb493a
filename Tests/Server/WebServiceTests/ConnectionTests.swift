import Encodings
import FeedServer
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
    limits.connections.requestSeconds = 10
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

  /// RFC 9112, section 6.1: a client of HTTP/1.0 must not get chunks.
  @Test(arguments: ["", "Connection: keep-alive\r\n", "Connection: Keep-Alive, x\r\n"])
  func `a client of HTTP 1.0 gets no chunks, and the end of the connection ends the answer`(
    fields: String
  ) async throws {
    let bench = try await WebBench()
    let held = try Held(
      to: bench.port,
      sending: "GET /api/v1/events HTTP/1.0\r\nHost: localhost\r\n\(WebBench.key)\r\n\(fields)\r\n")
    var lines: [String] = []
    while lines.last != "\r\n", lines.last != "" {
      lines.append(try await onThread { try held.connection.readLine() })
    }
    #expect(lines.first?.hasPrefix("HTTP/1.0 200") == true)
    #expect(!lines.contains { $0.lowercased().hasPrefix("transfer-encoding") })
    #expect(lines.contains { $0.lowercased() == "connection: close\r\n" })
    #expect(try await onThread { try held.connection.readLine() } == "retry: 2000\n")
    // The end of the hub leaves out what is queued, so the first event is read before.
    var text = ""
    while !text.hasSuffix("data: {}\n") {
      let line = try await onThread { try held.connection.readLine() }
      try #require(!line.isEmpty)
      text += line
    }
    bench.events.end()
    text += try await onThread { try held.connection.readToEnd() }
    #expect(text.hasSuffix("\n\n") && !text.contains("\r\n"))
    // An answer of known length ends the connection too, and no second one follows.
    let port = bench.port
    let whole = try await onThread {
      let connection = try LoopbackConnection(to: port)
      let request =
        "GET /api/v1/mutes HTTP/1.0\r\nHost: localhost\r\n\(WebBench.key)\r\n\(fields)\r\n"
      try connection.send(request + request)
      return try connection.readToEnd()
    }
    #expect(whole.ranges(of: "HTTP/1.0 200").count == 1)
    #expect(whole.lowercased().contains("content-length:"))
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

  @Test func `the bodies of all who have no key share a quarter of a mebibyte`() async throws {
    let bench = try await WebBench()
    let login = ["Origin: http://localhost", "Expect: 100-continue"]
    let head =
      "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\n"
      + login.joined(separator: "\r\n") + "\r\nConnection: close\r\nContent-Length: 60\r\n\r\n"
    var held: [Held] = []
    for _ in 0..<StrangerBodies.maximumBytes / 4096 {
      let login = try Held(to: bench.port, sending: head)
      let line = try await onThread { try login.connection.readLine() }
      #expect(line.hasPrefix("HTTP/1.1 100"))
      held.append(login)
    }
    #expect(held.count == 64)
    // A body of unknown length counts as the longest.
    let chunked = head.replacing("Content-Length: 60", with: "Transfer-Encoding: chunked")
    for head in [head, chunked] {
      let refused = try await bench.send(head)
      #expect(refused.status == 503 && refused.problem == "busy" && refused["Retry-After"] != nil)
    }
    // Others are answered meanwhile, also where they send bodies.
    #expect(try await bench.ask("/api/v1/status").status == 200)
    #expect(try await bench.ask("/api/v1/replays", method: "POST", body: "x").status == 204)
    let body = #"{"key": "\#(WebBench.keyText)"}"#
    let known = try await bench.ask(
      "/api/v1/session", method: "POST", [WebBench.key] + login.prefix(1), body: body)
    #expect(known.status == 200)
    // Places become free when connections end, and when bodies have arrived.
    let last = held.removeLast()
    try last.connection.send(String(repeating: " ", count: 60))
    #expect(try await onThread { try last.connection.readToEnd() }.contains("HTTP/1.1 400"))
    held.removeAll()
    var status = 503
    while status == 503 {
      status = try await bench.ask(
        "/api/v1/session", method: "POST", Array(login.prefix(1)), body: body
      ).status
    }
    #expect(status == 200)
    await bench.stop()
  }

  @Test func `memory for bodies is neither given twice nor lost`() {
    let bodies = StrangerBodies()
    let count = StrangerBodies.maximumBytes / 4096
    for _ in 1...3 {
      for _ in 0..<count { #expect(bodies.enter(reading: 4096)) }
      #expect(!bodies.enter(reading: 1) && !bodies.enter(reading: .max / 2))
      for _ in 0..<count { bodies.leave(reading: 4096) }
    }
    #expect(!bodies.enter(reading: StrangerBodies.maximumBytes + 1))
    #expect(bodies.enter(reading: StrangerBodies.maximumBytes))
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
    // All of them have been given a place: a later one would take that of a request below.
    await until { strangers.count { $0.connection.isReadable(within: 0) } == 100 - 4 }
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
    let lines = try await onThread { try (0..<3).map { _ in try reader.next() } }
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
    await until { !sent.isHeld }
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
