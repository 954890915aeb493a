import CLibrary
import FeedSources
import LocationFeeds
import NIOCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import FeedServer

@Suite(.timeLimit(.minutes(30))) struct FeedServerTests {
  private static let secret = "0123456789abcdef"
  private static let report = "lat=48.5&lon=2.5&timestamp=1795176000"

  /// Records the messages received by a server.
  private final class ReceivedMessages: Sendable {
    let messages = Mutex<[FeedServer.Message]>([])

    var count: Int { messages.withLock(\.count) }
    var devices: [String?] { messages.withLock { $0.flatMap(\.fixes).map(\.device) } }
  }

  private func serve(
    tokens: DeviceTokens = DeviceTokens(), phones: (any PhoneTokens)? = nil,
    limits: FeedServer.Limits? = nil, metrics: MetricsPage? = nil,
    reply: @escaping FeedServer.Replying = { _ in nil },
    isStored: Bool = true, into received: ReceivedMessages = ReceivedMessages()
  ) async throws -> FeedServer {
    var unhurried = FeedServer.Limits()
    // Other tests may keep every processor busy for minutes. Clients wait less, at most a minute.
    (unhurried.requestSeconds, unhurried.admissionSeconds) = (600, 600)
    // A client that sent its whole request loses nothing when a refused connection is closed soon.
    unhurried.farewell = .milliseconds(50)
    let limits = limits ?? unhurried
    return try await FeedServer(
      at: HostAndPort(host: "127.0.0.1", port: 0), tokens: tokens, phones: phones, limits: limits,
      metrics: metrics, reply: reply
    ) { message in
      received.messages.withLock { $0.append(message) }
      return isStored
    }
  }

  private var tokens: DeviceTokens {
    var tokens = DeviceTokens()
    _ = tokens.add(device: "phone", token: Self.secret)
    return tokens
  }

  /// Sends a text and returns the complete response, on a thread outside the server's tasks.
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
      ["Host: localhost", "Connection: close", "Content-Length: \(body.utf8.count)"] + fields
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
    ("action=auth&user=a&pass=b", #"{"error":false}"#, 0),
    ("action=addtrack&track=Auto_2026", #"{"error":false,"trackid":1}"#, 0),
    (
      "action=addpos&altitude=35&provider=gps&trackid=1&time=1795176000&lat=48.5&lon=2.5&speed=3",
      #"{"error":false}"#, 1
    ),
    (
      "eml=a@b.c&v=9&session=1795176000000&id=d1&time=1795176000000&kff1005=2.5&kff1006=48.5",
      "OK!", 1
    ),
  ])
  func `each app gets its expected response body`(
    message: String, expected: String, count: Int
  ) async throws {
    let received = ReceivedMessages()
    let server = try await serve(into: received)
    let answer = try await exchange(request(message, to: "/pub"), with: server)
    #expect(status(answer) == "200")
    #expect(body(answer) == expected)
    let fixes = received.messages.withLock { $0.flatMap(\.fixes) }
    #expect(fixes.count == count)
    #expect(fixes.allSatisfy { $0.latitude == 48.5 && $0.longitude == 2.5 && $0.time != nil })
    await server.stop()
  }

  @Test(arguments: ["AaB03x", "\"AaB03x\""])
  func `a form in parts is read, without its files`(boundary: String) async throws {
    let received = ReceivedMessages()
    let server = try await serve(into: received)
    let members = [("action", "addpos"), ("time", "1795176000"), ("lat", "48.5"), ("lon", "2.5")]
    let parts = members.map { name, value in
      "--AaB03x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    let picture = """
      --AaB03x\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\
      Content-Type: image/jpeg\r\n\r\n\(String(repeating: "lat=1&", count: 9999))\r\n
      """
    let type = "Content-Type: multipart/form-data; boundary=\(boundary)"
    let answer = try await exchange(
      request(picture + parts.joined() + "--AaB03x--\r\n", fields: [type]), with: server)
    #expect(status(answer) == "200" && body(answer) == #"{"error":false}"#)
    let fixes = received.messages.withLock { $0.flatMap(\.fixes) }
    #expect(fixes.map(\.latitude) == [48.5] && fixes.first?.time != nil)
    for broken in ["", "--AaB03x", "--AaB03x\r\n\r\n", "--AaB03x\r\nname=\"\r\n\r\n--AaB03x"] {
      let answer = try await exchange(request(broken, to: "/?x", fields: [type]), with: server)
      #expect(["200", "400"].contains(status(answer)), "\(broken)")
    }
    await server.stop()
  }

  @Test(arguments: ["GET", "POST"])
  func `a position may be in the query of GET and POST requests`(method: String) async throws {
    let received = ReceivedMessages()
    let server = try await serve(into: received)
    let answer = try await exchange(
      request("", to: "/?id=a&" + Self.report, method: method), with: server)
    #expect(status(answer) == "200")
    #expect(received.devices == ["a"])
    await server.stop()
  }

  @Test func `pipelined requests on one connection are answered in order`() async throws {
    let received = ReceivedMessages()
    let server = try await serve(into: received)
    let first = "GET /?id=a&\(Self.report) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let answers = try await exchange(
      first + request("", to: "/?id=b&" + Self.report), with: server)
    #expect(answers.split(separator: "HTTP/1.1 200 OK").count == 2)
    #expect(received.devices == ["a", "b"])
    await server.stop()
  }

  /// Messages that apps send beside their positions, each as a body and a query, with the answer.
  private static let otherMessages = [
    ("", "", "[]"), ("", "id=482&timestamp=1795176000&batt=93", ""),
    (#"{"_type":"waypoints","waypoints":[]}"#, "", "[]"),
    (#"{"_type":"card","tid":"an","face":"\#(String(repeating: "A", count: 200_000))"}"#, "", "[]"),
    (#"{"device_id":"482","event":"heartbeat"}"#, "", ""), ("[]", "", "[]"),
    (#"{"locations":[]}"#, "", #"{"result":"ok"}"#),
  ]

  @Test(arguments: otherMessages.indices)
  func `a message without a position is confirmed, so that it does not block its app`(
    number: Int
  ) async throws {
    let (message, query, expected) = Self.otherMessages[number]
    let received = ReceivedMessages()
    let server = try await serve(into: received)
    let answer = try await exchange(
      request(message, to: query.isEmpty ? "/" : "/?" + query), with: server)
    #expect(status(answer) == "200")
    #expect(body(answer) == expected)
    #expect(received.messages.withLock { $0.flatMap(\.fixes) }.isEmpty)
    await server.stop()
  }

  @Test(arguments: ["hello", "{}", "[1]", "<html/>", "lat=48.5", "a=b"])
  func `a body without a position in a known format gets status 400`(message: String) async throws {
    let received = ReceivedMessages()
    let server = try await serve(into: received)
    #expect(status(try await exchange(request(message), with: server)) == "400")
    #expect(received.devices.isEmpty)
    await server.stop()
  }

  @Test func `X-Limit-U and X-Limit-D of OwnTracks name the device, otherwise its tid`()
    async throws
  {
    let received = ReceivedMessages()
    let server = try await serve(into: received)
    let message = #"{"_type":"location","tid":"ph","tst":1795176000,"lat":1,"lon":2}"#
    _ = try await exchange(
      request(message, fields: ["X-Limit-U: jan", "X-Limit-D: pixel"]), with: server)
    _ = try await exchange(request(message), with: server)
    #expect(received.devices == ["jan/pixel", "ph"])
    await server.stop()
  }

  // MARK: - Custom responses

  @Test func `only OwnTracks gets custom messages, and only after its message is stored`()
    async throws
  {
    let asked = Mutex<[String?]>([])
    let received = ReceivedMessages()
    let server = try await serve(
      reply: { message in
        #expect(received.count > 0, "the message is stored before the response is created")
        asked.withLock { $0.append(message.fixes.first?.device) }
        return Array(#"[{"_type":"card"}]"#.utf8)
      }, into: received)
    let message = #"{"_type":"location","tid":"ph","tst":1795176000,"lat":48.5,"lon":2.5}"#
    let answer = try await exchange(request(message), with: server)
    #expect(body(answer) == #"[{"_type":"card"}]"#)
    #expect(answer.lowercased().contains("content-type: application/json"))
    #expect(asked.withLock { $0 } == ["ph"])
    let overland = try await exchange(request(#"{"locations":[]}"#), with: server)
    #expect(body(overland) == #"{"result":"ok"}"#)
    #expect(body(try await exchange(request("", to: "/?" + Self.report), with: server)) == "")
    await server.stop()
  }

  @Test func `a message that was not stored gets status 503 and no custom response`() async throws {
    let server = try await serve(
      reply: { _ in
        Issue.record("a response for a message that is not stored")
        return nil
      }, isStored: false)
    let message = #"{"_type":"location","tid":"ph","tst":1795176000,"lat":48.5,"lon":2.5}"#
    #expect(status(try await exchange(request(message), with: server)) == "503")
    await server.stop()
  }

  // MARK: - Metrics

  private static let metricsToken = "metrics-0123456789"

  @Test(arguments: [
    (false, false, [], "200"), (false, false, ["Origin: http://evil.test"], "401"),
    (false, true, [], "401"), (false, true, ["Authorization: Bearer \(secret)"], "401"),
    (true, false, [], "401"), (true, true, ["Authorization: Bearer \(secret)"], "401"),
    (true, true, ["Authorization: Bearer \(metricsToken)"], "200"),
    (true, false, ["Authorization: Bearer \(metricsToken)"], "200"),
    (true, false, ["Authorization: Bearer \(metricsToken)x"], "401"),
    (true, false, ["Authorization: Basic cHJvbTptZXRyaWNzLTAxMjM0NTY3ODk="], "200"),
  ])
  func `metrics need their own token, or without any tokens a local request`(
    hasToken: Bool, hasDevices: Bool, fields: [String], expected: String
  ) async throws {
    let page = MetricsPage(token: hasToken ? Self.metricsToken : nil) { Array("a 1\n".utf8) }
    let received = ReceivedMessages()
    let server = try await serve(
      tokens: hasDevices ? tokens : DeviceTokens(), metrics: page, into: received)
    let answer = try await exchange(
      request("", to: "/metrics", method: "GET", fields: fields), with: server)
    #expect(status(answer) == expected)
    #expect((body(answer) == "a 1\n") == (expected == "200"))
    #expect(
      answer.contains("text/plain; version=0.0.4; charset=utf-8") == (expected == "200"))
    #expect(received.count == 0)
    await server.stop()
  }

  @Test func `a metrics token is not accepted in a query, nor for positions`() async throws {
    let page = MetricsPage(token: Self.metricsToken) { Array("a 1\n".utf8) }
    let server = try await serve(tokens: tokens, metrics: page)
    let query = try await exchange(
      request("", to: "/metrics?token=\(Self.metricsToken)", method: "GET"), with: server)
    #expect(status(query) == "401")
    let feed = try await exchange(
      request(Self.report, fields: ["Authorization: Bearer \(Self.metricsToken)"]), with: server)
    #expect(status(feed) == "401")
    let post = try await exchange(
      request(
        Self.report, to: "/metrics", fields: ["Authorization: Bearer \(Self.metricsToken)"]),
      with: server)
    #expect(status(post) == "405")
    await server.stop()
  }

  // MARK: - Authorization

  @Test func `accepts a token as bearer, Basic password or query, and it names the device`()
    async throws
  {
    let received = ReceivedMessages()
    let server = try await serve(tokens: tokens, into: received)
    let basic = "Authorization: Basic dXNlcjowMTIzNDU2Nzg5YWJjZGVm"
    for request in [
      request(Self.report, fields: ["Authorization: Bearer \(Self.secret)"]),
      request(Self.report, fields: [basic]), request(Self.report, to: "/?token=\(Self.secret)"),
      request(Self.report, to: "/feed?token=\(Self.secret)/client/index.php"),
      request("", to: "/?token=\(Self.secret)&id=car&" + Self.report, method: "GET"),
    ] {
      #expect(status(try await exchange(request, with: server)) == "200")
    }
    #expect(received.devices == ["phone", "phone", "phone", "phone", "car"])
    await server.stop()
  }

  /// Phones that a test adds and removes; the server notices it when it reads them again.
  private final class FakePhones: PhoneTokens {
    let stored = Observed<[String: String]>([:])
    let uses = Observed<[String]>([])
    private let known = Mutex<[String: String]?>(nil)

    init(_ names: [String: String]?) {
      if let names { stored.update { $0 = names } }
      known.withLock { $0 = names }
    }

    var areNeeded: Bool { known.withLock { $0 != nil } }
    var names: Set<String> { known.withLock { Set(($0 ?? [:]).values) } }

    func phone(showing token: [UInt8]) -> PhoneHolder? {
      let token = String(decoding: token, as: UTF8.self)
      return known.withLock { $0?[token] }.map { PhoneHolder(id: token, name: $0) }
    }

    func readAgain() {
      let stored = stored.value
      known.withLock { known in if known != nil || !stored.isEmpty { known = stored } }
    }

    func noteUse(of phone: PhoneHolder, format: FeedFormat) {
      uses.update { $0.append("\(phone.name) \(format.rawValue)") }
    }
  }

  @Test func `a phone's token is accepted wherever apps send it, for reports of that phone only`()
    async throws
  {
    let received = ReceivedMessages()
    let token = "phone-0123456789"
    let phones = FakePhones([token: "Anna"])
    let server = try await serve(tokens: tokens, phones: phones, into: received)
    for request in [
      request("id=car&" + Self.report, fields: ["Authorization: Bearer \(token)"]),
      request(Self.report, fields: ["Authorization: Basic dTpwaG9uZS0wMTIzNDU2Nzg5"]),
      request(Self.report, to: "/feed?token=\(token)"),
      request(Self.report, to: "/feed/\(token)"), request(Self.report, to: "/feed/\(token)/"),
      request("", to: "/feed/phone%2D0123456789?id=car&" + Self.report, method: "GET"),
    ] {
      #expect(status(try await exchange(request, with: server)) == "200", "\(request)")
    }
    #expect(received.devices == Array(repeating: "Anna", count: 6))
    #expect(phones.uses.value == Array(repeating: "Anna traccar", count: 6))
    // The tokens of the settings keep working, and may not use the phone's name.
    let other = request("id=Anna&" + Self.report, to: "/feed/\(Self.secret)")
    #expect(status(try await exchange(other, with: server)) == "200")
    #expect(received.devices.last == "phone")
    for path in ["/\(token)", "/feed/x/\(token)", "/feed/\(token)x", "/feed/", "/feed/%zz"] {
      #expect(status(try await exchange(request(Self.report, to: path), with: server)) == "401")
    }
    await server.stop()
  }

  @Test func `a phone is let in after it was added and refused after it was removed`() async throws
  {
    let phones = FakePhones(nil)
    let server = try await serve(phones: phones)
    let report = request(Self.report, to: "/feed/phone-0123456789")
    let bare = request(Self.report)
    func statuses() async throws -> [String] {
      [
        status(try await exchange(report, with: server)),
        status(try await exchange(bare, with: server)),
      ]
    }
    // Before the first phone is added, programs of this machine need no token.
    #expect(try await statuses() == ["200", "200"])
    #expect(phones.uses.value.isEmpty)
    phones.stored.update { $0["phone-0123456789"] = "Anna" }
    #expect(try await statuses() == ["200", "401"])
    #expect(phones.uses.value == ["Anna traccar"])
    phones.stored.update { $0 = [:] }
    #expect(try await statuses() == ["401", "401"])
    await server.stop()
  }

  @Test
  func `beyond loopback a phone suffices to listen, and a forged Host does not replace a token`()
    async throws
  {
    let place = HostAndPort(host: "0.0.0.0", port: 0)
    await #expect(throws: FeedServerError.needsToken(place)) {
      try await FeedServer(at: place, tokens: DeviceTokens(), phones: FakePhones([:])) { _ in true }
    }
    let phones = FakePhones(["phone-0123456789": "Anna"])
    let server = try await FeedServer(at: place, tokens: DeviceTokens(), phones: phones) { _ in
      true
    }
    #expect(status(try await exchange(request(Self.report), with: server)) == "401")
    let report = request(Self.report, to: "/feed/phone-0123456789")
    #expect(status(try await exchange(report, with: server)) == "200")
    await server.stop()
  }

  @Test(arguments: [
    [], ["Authorization: Bearer wrong"], ["Authorization: Basic dXNlcjp3cm9uZw=="],
    ["Authorization: Basic !"], ["Authorization: Digest \(secret)"], ["Authorization: \(secret)"],
  ])
  func `a request without a valid token gets status 401 and is not stored`(fields: [String])
    async throws
  {
    let received = ReceivedMessages()
    let server = try await serve(tokens: tokens, into: received)
    let answer = try await exchange(request(Self.report, fields: fields), with: server)
    #expect(status(answer) == "401")
    #expect(!answer.contains(Self.secret))
    #expect(received.count == 0)
    await server.stop()
  }

  @Test(arguments: ["0.0.0.0", "", "::", "192.168.1.5", "127.0.0.1.nip.io", "host"])
  func `listening beyond loopback without tokens is refused`(host: String) async {
    let place = HostAndPort(host: host, port: 0)
    await #expect(throws: FeedServerError.needsToken(place)) {
      try await FeedServer(at: place, tokens: DeviceTokens()) { _ in true }
    }
    #expect(FeedServerError.needsToken(place).description.contains("listenTokens"))
  }

  @Test(arguments: ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
  func `recognizes loopback addresses`(host: String) {
    #expect(HostAndPort(host: host, port: 1).isLoopback)
  }

  @Test func `without tokens, cross-origin requests of browsers get status 403`() async throws {
    let server = try await serve()
    for field in ["Origin: https://example.org", "Sec-Fetch-Site: cross-site"] {
      let answer = try await exchange(request(Self.report, fields: [field]), with: server)
      #expect(status(answer) == "403")
    }
    await server.stop()
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8090", "127.200.3.4:1", "localhost", "LOCALHOST:8090", "[::1]",
    "[::1]:8090",
  ])
  func `without tokens, requests whose Host is a loopback address are served`(host: String)
    async throws
  {
    let server = try await serve()
    #expect(status(try await exchange(request(to: host), with: server)) == "200")
    await server.stop()
  }

  /// DNS rebinding: the name of a web page may resolve to this machine, and requests for its images
  /// and frames have no `Origin` or other sign of a browser.
  @Test(arguments: [
    "evil.example", "evil.example:8090", "127.0.0.1.evil.example", "localhost.evil.example",
    "127.0.0.1:80.evil.example", "192.168.1.5", "0.0.0.0", "[::]", "[::1].evil.example", "[::1",
    "::1", "",
    "localhost:80a", "127.0.1", "2130706433", "[localhost]", "127.+0.0.1",
  ])
  func `without tokens, a Host other than a loopback address is refused`(host: String) async throws
  {
    let received = ReceivedMessages()
    let server = try await serve(into: received)
    let answer = try await exchange(request(to: host), with: server)
    #expect(["421", "400"].contains(status(answer)))
    #expect(received.count == 0)
    await server.stop()
  }

  @Test func `a request without a Host field is served only with a token`() async throws {
    let bare = "GET /?\(Self.report)&token=\(Self.secret) HTTP/1.0\r\nConnection: close\r\n\r\n"
    for (tokens, expected) in [(DeviceTokens(), "421"), (tokens, "200")] {
      let server = try await serve(tokens: tokens)
      #expect(status(try await exchange(bare, with: server)) == expected)
      await server.stop()
    }
  }

  private func request(to host: String) -> String {
    "GET /?\(Self.report) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
  }

  @Test func `an address already in use is an error that names it`() async throws {
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
    // Other tests may keep every processor busy for minutes. Clients wait less, at most a minute.
    limits.requestSeconds = 600
    limits.admissionSeconds = 600
    limits.farewell = .milliseconds(10)
    return limits
  }

  @Test func `a body over the limit gets status 413, with a declared length or chunked`()
    async throws
  {
    let received = ReceivedMessages()
    let server = try await serve(limits: narrow, into: received)
    let long = String(repeating: " ", count: 1001 - Self.report.utf8.count) + Self.report
    let whole = String(long.dropFirst())
    #expect(status(try await exchange(request(whole), with: server)) == "200")
    #expect(status(try await exchange(request(long), with: server)) == "413")
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunk = "64\r\n" + String(repeating: "a", count: 100) + "\r\n"
    let chunks = head + String(repeating: chunk, count: 11)
    #expect(status(try await exchange(chunks, with: server)) == "413")
    // The declared length suffices: the body need not arrive.
    let announced = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000000\r\n\r\n"
    #expect(status(try await exchange(announced, with: server)) == "413")
    #expect(received.devices.count == 1)
    await server.stop()
  }

  @Test(arguments: [
    ("", false), ("POST / HT", false), ("POST / HTTP/1.1\r\nHost: localhost\r\n", false),
    ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nlat", true),
    ("GET /?\(report) HTTP/1.1\r\nHost: localhost\r\n\r\n", true),
  ])
  func `a connection without a complete request in time is closed`(
    start: String, hasHead: Bool
  ) async throws {
    // One limit applies until the head of the first request, the other one from then on.
    var limits = narrow
    if hasHead { limits.requestSeconds = 1 } else { limits.admissionSeconds = 1 }
    let server = try await serve(limits: limits)
    let answer = try await exchange(start, with: server)
    #expect(answer.isEmpty || status(answer) == "200")
    await server.stop()
  }

  @Test(arguments: [
    "", "GET / HTTP/1.1\r\nHost: localhost\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nlat",
    "POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\nContent-Length: 10\r\n\r\n",
  ])
  func `a connection without a valid token in time is closed before the request timeout`(
    start: String
  ) async throws {
    var limits = narrow
    limits.admissionSeconds = 1
    // The time for closing after a response does not extend it.
    limits.farewell = .seconds(600)
    let server = try await serve(tokens: tokens, limits: limits)
    let answer = try await exchange(start, with: server)
    #expect(answer.isEmpty || status(answer) == "401")
    await server.stop(grace: .zero)
  }

  @Test func `after a valid token the body may arrive within the longer request timeout`()
    async throws
  {
    var limits = narrow
    limits.admissionSeconds = 1
    let server = try await serve(tokens: tokens, limits: limits)
    let connection = try LoopbackConnection(to: server.place.port)
    try connection.send(
      "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: Bearer \(Self.secret)\r\n"
        + "Content-Length: \(Self.report.utf8.count)\r\n\r\n")
    // A later connection without a token is closed meanwhile, so the admission time is over.
    #expect(try await exchange("", with: server).isEmpty)
    try connection.send(Self.report)
    #expect(status(try connection.readToEnd()) == "200")
    await server.stop()
  }

  @Test func `idle connections do not block a request with a token`() async throws {
    var limits = narrow
    limits.strangersOfAddress = 2
    limits.courtesyNanoseconds = 0
    let server = try await serve(tokens: tokens, limits: limits)
    let idle = try (0..<100).map { _ in try Held(to: server.place.port) }
    // All of them have been given a place: a later one would take that of the request.
    await until { idle.count { $0.connection.isReadable(within: 0) } == 100 - 2 }
    let answer = try await exchange(
      request(Self.report, fields: ["Authorization: Bearer \(Self.secret)"]), with: server)
    #expect(status(answer) == "200")
    withExtendedLifetime(idle) {}
    await server.stop(grace: .zero)
  }

  /// A connection that can be an element of an array.
  private final class Held {
    let connection: LoopbackConnection
    init(to port: UInt16) throws { connection = try LoopbackConnection(to: port) }
  }

  @Test func `out of descriptors, accepting pauses and resumes, and the shortage is reported once`()
    async throws
  {
    let events = Mutex<[FeedServerEvent]>([])
    var limits = narrow
    limits.acceptPauseMilliseconds = 50
    let server = try await FeedServer(
      at: HostAndPort(host: "127.0.0.1", port: 0), tokens: DeviceTokens(), limits: limits,
      report: { event in events.withLock { $0.append(event) } }
    ) { _ in true }
    let channel = server.listener.channel
    for _ in 0..<2 {
      let isReading = try await channel.eventLoop.submit {
        let error = IOError(errnoCode: EMFILE, reason: "accept")
        channel.pipeline.fireErrorCaught(error)
        channel.pipeline.fireErrorCaught(error)
        return try channel.syncOptions?.getOption(.autoRead)
      }.get()
      #expect(isReading == false)
      #expect(status(try await exchange(request(Self.report), with: server)) == "200")
    }
    #expect(events.withLock { $0 } == [.outOfDescriptors])
    await server.stop()
  }

  @Test(arguments: ["DELETE", "PUT", "OPTIONS"])
  func `methods other than GET and POST get status 405`(method: String) async throws {
    let server = try await serve(limits: narrow)
    #expect(status(try await exchange(request("", method: method), with: server)) == "405")
    await server.stop()
  }

  @Test func `a compressed body gets status 415`() async throws {
    let server = try await serve(limits: narrow)
    let answer = try await exchange(
      request(Self.report, fields: ["Content-Encoding: gzip"]), with: server)
    #expect(status(answer) == "415")
    await server.stop()
  }

  @Test func `a position that cannot be stored gets status 503 with Retry-After`() async throws {
    let kept = Mutex(false)
    let server = try await FeedServer(
      at: HostAndPort(host: "127.0.0.1", port: 0), tokens: DeviceTokens(), limits: narrow
    ) { _ in kept.withLock { $0 } }
    let refused = try await exchange(request(Self.report), with: server)
    #expect(status(refused) == "503")
    #expect(refused.lowercased().contains("retry-after: "))
    kept.withLock { $0 = true }
    #expect(status(try await exchange(request(Self.report), with: server)) == "200")
    await server.stop()
  }

  @Test func `each report of a request is counted once, also if the request is refused`()
    async throws
  {
    let received = ReceivedMessages()
    var limits = narrow
    limits.bodyLength = 2000
    let server = try await serve(tokens: tokens, limits: limits, into: received)
    let field = "Authorization: Bearer \(Self.secret)"
    let requests: [(fields: [String], body: String)] = [
      ([field], Self.report), ([field], "id=phone&batt=80"), ([field], #"{"_type":"lwt","tst":1}"#),
      ([field], "hello"), ([field, "Content-Encoding: gzip"], "x"),
      ([field], String(repeating: "x", count: 2001)),
      // No reports: without a token, and without any content.
      ([], Self.report), ([field], ""),
    ]
    for (fields, body) in requests {
      _ = try await exchange(request(body, fields: fields), with: server)
    }
    await server.stop()
    var counts = ReportCounts()
    for message in received.messages.withLock({ $0 }) {
      for fix in message.fixes { counts.count(fix.device == "phone" ? .accepted : .refused(.late)) }
      for (key, count) in message.statistics.ends.counts {
        #expect(key.device == "phone", "\(key)")
        counts.count(key.end, times: count)
      }
    }
    // The empty body is what OwnTracks posts after a friend was deleted.
    #expect(counts.accepted == 1 && counts.withoutPosition == 3)
    #expect(counts.refused == [.unreadable: 1, .unsupported: 2])
  }

  // MARK: - Stopping

  /// A connection that was accepted but not yet processed crashed the process.
  @Test func `a server can be stopped while clients are connecting`() async throws {
    for _ in 0..<20 {
      let server = try await serve(limits: narrow)
      let port = server.place.port
      for _ in 0..<4 {
        _ = try BackgroundThread { while (try? LoopbackConnection(to: port)) != nil {} }
      }
      await server.stop(grace: .zero)
    }
  }

  @Test func `a request that is pending when the program ends gets status 503`() async throws {
    let inbox = try FeedInbox()
    let server = try await FeedServer(
      at: HostAndPort(host: "127.0.0.1", port: 0), tokens: DeviceTokens(), limits: narrow
    ) { message in
      await inbox.submit(
        .reports(message.fixes, message.format, message.statistics), as: 0)
    }
    async let received = exchange(request(Self.report), with: server)
    try await Self.next(of: inbox).finish()
    #expect(status(try await received) == "200")
    async let waiting = exchange(request(Self.report), with: server)
    let item = try await Self.next(of: inbox)
    inbox.stop()
    _ = consume item
    #expect(status(try await waiting) == "503")
    await server.stop()
    #expect(throws: Errno.connectionRefused) { _ = try LoopbackConnection(to: server.place.port) }
  }

  /// Waits for an item on a thread outside the server's tasks.
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
