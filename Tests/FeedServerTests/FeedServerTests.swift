import LocationFeeds
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import FeedServer

@Suite(.timeLimit(.minutes(2))) struct FeedServerTests {
  private static let secret = "0123456789abcdef"
  private static let report = "lat=48.5&lon=2.5&timestamp=1795176000"

  /// What a server took.
  private final class Taken: Sendable {
    let messages = Mutex<[FeedServer.Message]>([])

    var count: Int { messages.withLock(\.count) }
    var devices: [String?] { messages.withLock { $0.flatMap(\.fixes).map(\.device) } }
  }

  private func serve(
    tokens: DeviceTokens = DeviceTokens(), limits: FeedServer.Limits = FeedServer.Limits(),
    into taken: Taken = Taken()
  ) async throws -> FeedServer {
    try await FeedServer(
      at: HostAndPort(host: "127.0.0.1", port: 0), tokens: tokens, limits: limits
    ) { message in
      taken.messages.withLock { $0.append(message) }
      return true
    }
  }

  private var tokens: DeviceTokens {
    var tokens = DeviceTokens()
    _ = tokens.add(device: "phone", token: Self.secret)
    return tokens
  }

  /// Sends a text and returns all that comes back, on a thread that the server's tasks do not need.
  private func exchange(_ text: String, with server: FeedServer) async throws -> String {
    let port = server.place.port
    return try await withCheckedThrowingContinuation { continuation in
      do {
        _ = try BackgroundThread {
          continuation.resume(
            with: Result {
              let connection = try LoopbackConnection(to: port)
              try connection.send(text)
              return try connection.readToEnd()
            })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  private func request(
    _ body: String, to path: String = "/", method: String = "POST", fields: [String] = []
  ) -> String {
    let fields =
      ["Host: h", "Connection: close", "Content-Length: \(body.utf8.count)"] + fields
    return "\(method) \(path) HTTP/1.1\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  private func status(_ answer: String) -> String {
    String(answer.split(separator: " ").dropFirst().first ?? "")
  }

  private func body(_ answer: String) -> String {
    answer.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
  }

  // MARK: - Apps

  @Test(arguments: [
    (#"{"_type":"location","tid":"ph","tst":1795176000,"lat":48.5,"lon":2.5}"#, "[]", 1),
    ("{\n\"_type\":\"location\",\n\"tst\":1795176000,\"lat\":48.5,\"lon\":2.5}", "[]", 1),
    (#"{"_type":"waypoint","tst":1795176000,"lat":48.5,"lon":2.5}"#, "[]", 0),
    (#"{"_type":"lwt","tst":1795176000}"#, "[]", 0), (#"{"_type":"status"}"#, "[]", 0),
    (#"{"_type":"encrypted","data":"x"}"#, "[]", 0),
    (
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2.5,48.5]},"#
        + #""properties":{"timestamp":"2026-11-20T12:00:00Z"}}]}"#, #"{"result":"ok"}"#, 1
    ), (#"{"locations":[]}"#, #"{"result":"ok"}"#, 0), (report, "", 1),
    (
      #"{"location":{"timestamp":"2026-11-20T12:00:00Z","coords":{"latitude":48.5,"#
        + #""longitude":2.5}},"device_id":"a"}"#, "", 1
    ), (#"{"time":"2026-11-20T12:00:00Z","latitude":48.5,"longitude":2.5}"#, "", 1),
  ])
  func `each app gets the answer that it expects`(
    message: String, expected: String, count: Int
  ) async throws {
    let taken = Taken()
    let server = try await serve(into: taken)
    let answer = try await exchange(request(message, to: "/pub"), with: server)
    #expect(status(answer) == "200")
    #expect(body(answer) == expected)
    let fixes = taken.messages.withLock { $0.flatMap(\.fixes) }
    #expect(fixes.count == count)
    #expect(fixes.allSatisfy { $0.latitude == 48.5 && $0.longitude == 2.5 && $0.time != nil })
    await server.stop()
  }

  @Test(arguments: ["GET", "POST"])
  func `a position may be in the query`(method: String) async throws {
    let taken = Taken()
    let server = try await serve(into: taken)
    let answer = try await exchange(
      request("", to: "/?id=a&" + Self.report, method: method), with: server)
    #expect(status(answer) == "200")
    #expect(taken.devices == ["a"])
    await server.stop()
  }

  @Test func `requests of one connection are answered in turn`() async throws {
    let taken = Taken()
    let server = try await serve(into: taken)
    let first = "GET /?id=a&\(Self.report) HTTP/1.1\r\nHost: h\r\n\r\n"
    let answers = try await exchange(
      first + request("", to: "/?id=b&" + Self.report), with: server)
    #expect(answers.split(separator: "HTTP/1.1 200 OK").count == 2)
    #expect(taken.devices == ["a", "b"])
    await server.stop()
  }

  @Test(arguments: ["", "hello", "{}", "<html/>", "lat=48.5"])
  func `what holds no position in a known format is refused`(message: String) async throws {
    let taken = Taken()
    let server = try await serve(into: taken)
    #expect(status(try await exchange(request(message), with: server)) == "400")
    #expect(taken.count == 0)
    await server.stop()
  }

  @Test func `the device is named by the fields that OwnTracks sends`() async throws {
    let taken = Taken()
    let server = try await serve(into: taken)
    let message = #"{"_type":"location","tid":"ph","tst":1795176000,"lat":1,"lon":2}"#
    _ = try await exchange(
      request(message, fields: ["X-Limit-U: jan", "X-Limit-D: pixel"]), with: server)
    _ = try await exchange(request(message), with: server)
    #expect(taken.devices == ["jan/pixel", "ph"])
    await server.stop()
  }

  // MARK: - Who may send

  @Test func `a token is taken from wherever apps can put it, and names the device`() async throws {
    let taken = Taken()
    let server = try await serve(tokens: tokens, into: taken)
    let basic = "Authorization: Basic dXNlcjowMTIzNDU2Nzg5YWJjZGVm"
    for request in [
      request(Self.report, fields: ["Authorization: Bearer \(Self.secret)"]),
      request(Self.report, fields: [basic]), request(Self.report, to: "/?token=\(Self.secret)"),
      request("", to: "/?token=\(Self.secret)&id=car&" + Self.report, method: "GET"),
    ] {
      #expect(status(try await exchange(request, with: server)) == "200")
    }
    #expect(taken.devices == ["phone", "phone", "phone", "car"])
    await server.stop()
  }

  @Test(arguments: [
    [], ["Authorization: Bearer wrong"], ["Authorization: Basic dXNlcjp3cm9uZw=="],
    ["Authorization: Basic !"], ["Authorization: Digest \(secret)"], ["Authorization: \(secret)"],
  ])
  func `who shows no token is refused`(fields: [String]) async throws {
    let taken = Taken()
    let server = try await serve(tokens: tokens, into: taken)
    let answer = try await exchange(request(Self.report, fields: fields), with: server)
    #expect(status(answer) == "401")
    #expect(!answer.contains(Self.secret))
    #expect(taken.count == 0)
    await server.stop()
  }

  @Test(arguments: ["0.0.0.0", "", "::", "192.168.1.5", "127.0.0.1.nip.io", "host"])
  func `an address that others reach is refused without a token`(host: String) async {
    let place = HostAndPort(host: host, port: 0)
    await #expect(throws: FeedServerError.needsToken(place)) {
      try await FeedServer(at: place, tokens: DeviceTokens()) { _ in true }
    }
    #expect(FeedServerError.needsToken(place).description.contains("listenTokens"))
  }

  @Test(arguments: ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
  func `a loopback address needs none`(host: String) {
    #expect(HostAndPort(host: host, port: 1).isLoopback)
  }

  @Test func `a page in a browser may not send where no token is needed`() async throws {
    let server = try await serve()
    for field in ["Origin: https://example.org", "Sec-Fetch-Site: cross-site"] {
      let answer = try await exchange(request(Self.report, fields: [field]), with: server)
      #expect(status(answer) == "403")
    }
    await server.stop()
  }

  @Test func `an address that is taken is told`() async throws {
    let server = try await serve()
    await #expect(throws: FeedServerError.cannotListen(server.place, .addressInUse)) {
      try await FeedServer(at: server.place, tokens: DeviceTokens()) { _ in true }
    }
    await server.stop()
  }

  // MARK: - Limits

  private var narrow: FeedServer.Limits {
    var limits = FeedServer.Limits()
    limits.bodyLength = 1000
    // Other tests may keep every processor busy for minutes.
    limits.requestSeconds = 600
    limits.farewell = .milliseconds(10)
    return limits
  }

  @Test func `a body that is too long is refused, whether its length is told or not`() async throws
  {
    let taken = Taken()
    let server = try await serve(limits: narrow, into: taken)
    let long = String(repeating: " ", count: 1001 - Self.report.utf8.count) + Self.report
    let whole = String(long.dropFirst())
    #expect(status(try await exchange(request(whole), with: server)) == "200")
    #expect(status(try await exchange(request(long), with: server)) == "413")
    let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunk = "64\r\n" + String(repeating: "a", count: 100) + "\r\n"
    let chunks = head + String(repeating: chunk, count: 11)
    #expect(status(try await exchange(chunks, with: server)) == "413")
    // Its length is enough: nothing of it has to come.
    let announced = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000000\r\n\r\n"
    #expect(status(try await exchange(announced, with: server)) == "413")
    #expect(taken.devices.count == 1)
    await server.stop()
  }

  @Test(arguments: [
    "", "POST / HT", "POST / HTTP/1.1\r\nHost: h\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nlat",
    "GET /?\(report) HTTP/1.1\r\nHost: h\r\n\r\n",
  ])
  func `a connection that brings no whole request in time is closed`(start: String) async throws {
    var limits = narrow
    limits.requestSeconds = 1
    let server = try await serve(limits: limits)
    let answer = try await exchange(start, with: server)
    #expect(answer.isEmpty || status(answer) == "200")
    await server.stop()
  }

  @Test func `further connections wait until one is closed`() async throws {
    var limits = narrow
    limits.connections = 1
    let server = try await serve(limits: limits)
    let idle = try LoopbackConnection(to: server.place.port)
    async let answer = exchange(request(Self.report), with: server)
    _ = consume idle
    #expect(status(try await answer) == "200")
    await server.stop()
  }

  @Test(arguments: ["DELETE", "PUT", "OPTIONS"])
  func `other methods are refused`(method: String) async throws {
    let server = try await serve(limits: narrow)
    #expect(status(try await exchange(request("", method: method), with: server)) == "405")
    await server.stop()
  }

  @Test func `a compressed body is refused`() async throws {
    let server = try await serve(limits: narrow)
    let answer = try await exchange(
      request(Self.report, fields: ["Content-Encoding: gzip"]), with: server)
    #expect(status(answer) == "415")
    await server.stop()
  }

  // MARK: - The end

  @Test func `who sends while the program ends is told to send again`() async throws {
    let inbox = try FeedInbox()
    let server = try await FeedServer(
      at: HostAndPort(host: "127.0.0.1", port: 0), tokens: DeviceTokens(), limits: narrow
    ) { message in
      await inbox.deliver(
        .reports(message.fixes, message.format, message.statistics), as: 0)
    }
    async let taken = exchange(request(Self.report), with: server)
    try await Self.next(of: inbox).finish()
    #expect(status(try await taken) == "200")
    async let waiting = exchange(request(Self.report), with: server)
    let item = try await Self.next(of: inbox)
    inbox.stop()
    _ = consume item
    #expect(status(try await waiting) == "503")
    await server.stop()
    #expect(throws: Errno.connectionRefused) { _ = try LoopbackConnection(to: server.place.port) }
  }

  /// Waits for an item on a thread that the server's tasks do not need.
  private static func next(of inbox: FeedInbox) async throws -> FeedInbox.Item {
    try await withCheckedThrowingContinuation { continuation in
      do {
        _ = try BackgroundThread {
          continuation.resume(
            with: Result {
              guard case .item(let item) = try inbox.take(upTo: .seconds(600)) else {
                throw Errno.timedOut
              }
              return item
            })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
