import CLibrary
import CZlib
import Encodings
import FeedServer
import FeedSources
import LocationFeeds
import ServiceSupport
import SpotService
import Synchronization
import SystemPackage
import TestSupport

@testable import WebService

/// A server on the loopback interface with in-memory sources, and a client for it.
struct WebBench {
  static let keyText = "0123456789abcdef0123456789abcdef"
  static let token = "fedcba9876543210"

  let server: WebServer
  let events: EventHub
  let outside: FakeEffects
  let received = ReceivedPositions()

  /// Starts a server.
  init(
    sources: TestSources = TestSources(), limits: WebServer.Limits = .unhurried,
    tls: TLSFiles? = nil, keepsLocalPlain: Bool = false, isBehindProxy: Bool = false,
    hasTokens: Bool = true,
    metrics: MetricsPage? = nil, reply: @escaping FeedServer.Replying = { _ in nil },
    report: @escaping @Sendable (FeedServerEvent) -> Void = { _ in }
  ) async throws {
    let events = EventHub(boot: "b")
    let outside = FakeEffects()
    let received = received
    var tokens = DeviceTokens()
    if hasTokens { _ = tokens.add(device: "phone", token: Self.token) }
    server = try await WebServer(
      at: HostAndPort(host: "127.0.0.1", port: 0), tls: tls,
      keepsLocalPlain: keepsLocalPlain, isBehindProxy: isBehindProxy,
      service: Self.service(sources), outside: outside, events: events,
      feed: WebServer.Feed(tokens: tokens, reply: reply) { message in
        received.add(message.fixes)
        return true
      }, metrics: metrics, limits: limits, report: report)
    self.events = events
    self.outside = outside
  }

  static func service(_ sources: TestSources) -> Service {
    Service(
      .init(
        version: "1.2.3", hosts: HostRule(["nas.local"]), key: SessionKey(keyText)!.hashes,
        description: APIDescription.bytes), sources: sources)
  }

  static let key = "Authorization: Bearer \(keyText)"

  var port: UInt16 { server.place.port }

  /// Stops the server immediately.
  func stop() async { await server.stop(grace: .zero) }

  /// Sends a request with `Connection: close`, and returns the response.
  func ask(
    _ target: String, method: String = "GET", host: String = "localhost",
    _ fields: [String] = [key], body: String = ""
  ) async throws -> WebAnswer {
    var fields = ["Host: \(host)", "Connection: close"] + fields
    if !body.isEmpty { fields.append("Content-Length: \(body.utf8.count)") }
    return try await send(
      "\(method) \(target) HTTP/1.1\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  /// Sends a text, and returns the first response.
  func send(_ text: String) async throws -> WebAnswer {
    let port = port
    return try WebAnswer(
      try await onThread {
        let connection = try LoopbackConnection(to: port)
        try connection.send(text)
        return try connection.bytesToEnd()
      })
  }

  /// Opens a stream of events, on a persistent connection.
  func listen(after id: String? = nil) throws -> EventReader {
    try EventReader(port: port, after: id)
  }
}

/// Runs a blocking operation on a thread outside the server's tasks.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    do {
      _ = try BackgroundThread { continuation.resume(with: Result { try body() }) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}

/// Records the positions received by the feed.
final class ReceivedPositions: Sendable {
  private let state = Mutex<[LocationFix]>([])

  var fixes: [LocationFix] { state.withLock { $0 } }

  func add(_ fixes: [LocationFix]) { state.withLock { $0 += fixes } }
}

/// Service effects with results set by a test.
final class FakeEffects: ServiceEffects {
  typealias Answering = @Sendable (ServiceWork) async -> ServedAnswer

  private let answering = Mutex<Answering>({ _ in .response(.noContent) })
  private let count = Mutex(0)

  /// The number of requests for work.
  var workCount: Int { count.withLock { $0 } }

  /// Sets the following results.
  func answer(_ answering: @escaping Answering) { self.answering.withLock { $0 = answering } }

  func perform(_ work: ServiceWork) async -> ServedAnswer {
    count.withLock { $0 += 1 }
    return await answering.withLock { $0 }(work)
  }

  func tile(zoom: Int, column: Int, row: Int) async -> ServiceResponse {
    ServiceResponse(
      status: 200, fields: [("Content-Type", "image/png")],
      body: Array("\(zoom)/\(column)/\(row)".utf8))
  }
}

/// An HTTP response.
struct WebAnswer {
  let status: Int
  let fields: [String: String]
  let body: [UInt8]

  /// Parses a response, whose body has the declared length or extends to the end.
  init(_ bytes: [UInt8]) throws {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Errno.noData }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    status = Int(lines[0].split(separator: " ")[1]) ?? 0
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] = String(parts[1].dropFirst())
    }
    self.fields = fields
    body = Array(bytes[end.upperBound...])
  }

  /// A header field.
  subscript(name: String) -> String? { fields[name.lowercased()] }

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The type of the problem; `nil` for other responses.
  var problem: String? {
    guard self["Content-Type"] == "application/problem+json" else { return nil }
    return text.firstMatch(of: /\/problems\/([a-z-]+)/).map { String($0.1) }
  }

  /// The body, unpacked by zlib.
  var unpacked: [UInt8] {
    var input = body
    return [UInt8](unsafeUninitializedCapacity: 4 << 20) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        var stream = z_stream()
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(output.count)
        inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        inflate(&stream, Z_FINISH)
        count = output.count - Int(stream.avail_out)
        inflateEnd(&stream)
      }
    }
  }
}

/// A client that reads events.
final class EventReader: @unchecked Sendable {
  private let connection: LoopbackConnection
  /// The status of the answer.
  let status: Int

  init(port: UInt16, after id: String?) throws {
    connection = try LoopbackConnection(to: port)
    let place = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    try connection.send(
      "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\(WebBench.key)\r\n\(place)\r\n")
    let line = try connection.readLine()
    status = Int(line.split(separator: " ")[1]) ?? 0
    while try connection.readLine() != "\r\n" {}
  }

  /// Returns the lines of the next event. Keep-alive comments, which occur in slow tests, are
  /// skipped.
  func next() throws -> [String] {
    while true {
      let lines = try nextLines()
      if lines != [": still here"] { return lines }
    }
  }

  /// Returns the lines of the next event or comment.
  func nextLines() throws -> [String] {
    var lines: [String] = []
    while true {
      let line = try connection.readLine()
      // Each chunk of a response without a declared length begins with its length in hexadecimal.
      if line.hasSuffix("\r\n") { continue }
      if line.isEmpty || line == "\n" { return lines }
      lines.append(String(line.dropLast()))
    }
  }

  /// Waits for the server to end the stream.
  func readToEnd() throws { _ = try connection.bytesToEnd() }

  /// Shuts down the sending direction.
  func finishSending() { connection.finishSending() }
}
