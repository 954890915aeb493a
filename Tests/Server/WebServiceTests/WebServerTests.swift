import CLibrary
import CivilTime
import FeedServer
import FeedSources
import LocationFeeds
import ServiceSupport
import SpotService
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import WebService

@Suite(.timeLimit(.minutes(30))) struct WebServerTests {
  // MARK: - Access

  @Test(arguments: [
    ("GET", "/api/v1/status", "evil.test", [WebBench.key], 421, "wrong-host"),
    (
      "GET", "/api/v1/status", "localhost", ["Origin: http://evil.test", WebBench.key], 403,
      "wrong-origin"
    ),
    (
      "GET", "/api/v1/status", "localhost", ["Sec-Fetch-Site: cross-site", WebBench.key], 403,
      "wrong-origin"
    ),
    ("DELETE", "/api/v1/session", "localhost", [], 403, "wrong-origin"),
    ("GET", "/api/v1/status", "localhost", [], 401, "no-key"),
    (
      "GET", "/api/v1/status", "localhost", ["Authorization: Bearer \(WebBench.token)"], 401,
      "no-key"
    ),
    ("GET", "/api/v1/status?token=\(WebBench.token)", "localhost", [], 401, "no-key"),
    ("GET", "/api/v1/events", "localhost", [], 401, "no-key"),
    ("GET", "/api/v1/photos/../x", "localhost", [WebBench.key], 404, "not-found"),
    ("GET", "/api/v1/photos/%2e%2e%2fx", "localhost", [WebBench.key], 404, "not-found"),
    (
      "GET", "/api/v1/photos/%2Fetc%2Fpasswd/original", "localhost", [WebBench.key], 404,
      "not-found"
    ),
    ("GET", "/api/v1/nothing", "localhost", [WebBench.key], 404, "not-found"),
    ("GET", "/api", "localhost", [WebBench.key], 404, "not-found"),
    ("DELETE", "/api/v1/status", "localhost", [WebBench.key], 405, "wrong-method"),
    ("GET", "/api/v1/spots?near=1,2&near=3,4", "localhost", [WebBench.key], 400, "bad-parameter"),
    ("GET", "/tiles/1/0/0", "localhost", [], 401, "no-key"),
    ("GET", "/tiles/1/0/0", "evil.test", [WebBench.key], 421, "wrong-host"),
    (
      "GET", "/tiles/1/0/0", "localhost", ["Sec-Fetch-Site: cross-site", WebBench.key], 403,
      "wrong-origin"
    ),
  ])
  func `a rejected request gets a status and problem that give the reason, and nothing else`(
    method: String, target: String, host: String, fields: [String], status: Int, problem: String
  ) async throws {
    let bench = try await WebBench()
    let answer = try await bench.ask(target, method: method, host: host, fields)
    #expect(answer.status == status && answer.problem == problem)
    #expect(answer["X-Content-Type-Options"] == "nosniff")
    #expect(answer["Access-Control-Allow-Origin"] == nil)
    #expect(!answer.text.contains(WebBench.keyText))
    await bench.stop()
  }

  private static let metricsToken = "metrics-0123456789"

  @Test(arguments: [
    ("localhost", [], 401), ("localhost", ["Authorization: Bearer \(WebBench.token)"], 401),
    ("localhost", [WebBench.key], 200), ("evil.test", [WebBench.key], 401),
    ("localhost", [WebBench.key, "Sec-Fetch-Site: cross-site"], 401),
    ("prometheus.test", ["Authorization: Bearer \(metricsToken)"], 200),
    ("localhost", ["Authorization: Bearer \(metricsToken)x"], 401),
  ])
  func `metrics need their own token, or the API key under the rules of the API`(
    host: String, fields: [String], status: Int
  ) async throws {
    let bench = try await WebBench(
      metrics: MetricsPage(token: Self.metricsToken) { Array("a 1\n".utf8) })
    let answer = try await bench.ask("/metrics", host: host, fields)
    #expect(answer.status == status)
    #expect((answer.text == "a 1\n") == (status == 200))
    if status == 200 {
      #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
      #expect(answer["Cache-Control"] == "no-store")
    }
    #expect(
      try await bench.ask("/api/v1/status", ["Authorization: Bearer \(Self.metricsToken)"]).status
        == 401, "the token opens nothing else")
    await bench.stop()
  }

  @Test func `/metrics gets status 404 on a server without metrics`() async throws {
    let bench = try await WebBench()
    #expect(try await bench.ask("/metrics").status == 404)
    await bench.stop()
  }

  @Test func `OwnTracks messages to /feed get custom messages as a response`() async throws {
    let bench = try await WebBench(reply: { message in
      message.fixes.isEmpty ? nil : Array(#"[{"_type":"card"}]"#.utf8)
    })
    let answer = try await bench.ask(
      "/feed", method: "POST", ["Authorization: Bearer \(WebBench.token)"],
      body: #"{"_type":"location","tid":"ph","tst":1795176000,"lat":48.5,"lon":2.5}"#)
    #expect(answer.status == 200 && answer.text == #"[{"_type":"card"}]"#)
    await bench.stop()
  }

  @Test func `a request with two Host fields gets status 421`() async throws {
    let bench = try await WebBench()
    for target in ["/api/v1/status", "/"] {
      #expect(try await bench.ask(target, ["Host: evil.test", WebBench.key]).status == 421)
    }
    await bench.stop()
  }

  @Test func `the key opens a session whose cookie is accepted by the API and the tiles`()
    async throws
  {
    let bench = try await WebBench()
    let origin = "Origin: http://localhost"
    let answer = try await bench.ask(
      "/api/v1/session", method: "POST", [origin, "Sec-Fetch-Site: same-origin"],
      body: #"{"key": "\#(WebBench.keyText)"}"#)
    #expect(answer.status == 200 && answer.text.hasPrefix(#"{"token":"#))
    let field = try #require(answer["Set-Cookie"])
    #expect(field.contains("HttpOnly; SameSite=Strict") && !field.contains("Secure"))
    let cookie = "Cookie: \(field.prefix { $0 != ";" })"
    #expect(try await bench.ask("/api/v1/status", [cookie]).status == 200)
    #expect(try await bench.ask("/tiles/3/7/7", [cookie]).text == "3/7/7")
    #expect(try await bench.ask("/api/v1/session", method: "DELETE", [cookie]).status == 403)
    await bench.stop()
  }

  @Test func `behind a proxy the session cookie is marked Secure, without one it is not`()
    async throws
  {
    for (isBehindProxy, isSecure) in [(true, true), (false, false)] {
      let bench = try await WebBench(isBehindProxy: isBehindProxy)
      let answer = try await bench.ask(
        "/api/v1/session", method: "POST",
        ["Origin: http\(isSecure ? "s" : "")://localhost", "X-Forwarded-Proto: https, http"],
        body: #"{"key": "\#(WebBench.keyText)"}"#)
      #expect(answer.status == 200)
      #expect(answer["Set-Cookie"]?.contains("; Secure") == isSecure)
      await bench.stop()
    }
  }

  // MARK: - Answers

  @Test func `every response has the security headers`() async throws {
    let bench = try await WebBench()
    for target in [
      "/", "/none", "/api/v1/status", "/api/v1/none", "/tiles/0/0/0", "/feed",
      "/api/v1/openapi.json",
    ] {
      let answer = try await bench.ask(target)
      for (name, value) in SecurityHeaders.fields() where name != "Content-Security-Policy" {
        #expect(answer[name] == value, "\(target)")
      }
      #expect(answer["Content-Security-Policy"]?.contains("default-src 'self'") == true)
    }
    await bench.stop()
  }

  @Test func `every response has a Date field`() async throws {
    let bench = try await WebBench()
    for target in ["/", "/none", "/api/v1/status", "/tiles/0/0/0"] {
      let date = try await bench.ask(target)["Date"]
      #expect(date.flatMap(Instant.init(httpDate:)) != nil, "\(target): \(date ?? "none")")
    }
    await bench.stop()
  }

  @Test func `pictures and tiles are sent with a sandbox policy, page files without`() async throws
  {
    let bench = try await WebBench()
    bench.outside.answer { _ in
      .response(
        ServiceResponse(status: 200, fields: [("Content-Type", "image/svg+xml")], body: [1]))
    }
    for (target, isSandboxed) in [
      (ServedFileTests.picture, true), ("/tiles/0/0/0", true), ("/icons.svg", false), ("/", false),
    ] {
      let policy = try await bench.ask(target)["Content-Security-Policy"]
      #expect(policy?.hasPrefix("sandbox;") == isSandboxed, "\(target)")
    }
    await bench.stop()
  }

  @Test func `long JSON is gzipped for clients that accept it, short JSON is not`() async throws {
    // Enough photos for a full page of results.
    let photos = (0..<50).map { TestPhoto("/p/\($0).jpg", Double($0), 7, "2008-05-01T10:00:00Z") }
    let bench = try await WebBench(sources: TestSources(photos))
    let target = "/api/v1/spots?box=-90,-180,90,180"
    let plain = try await bench.ask(target)
    #expect(plain.status == 200 && plain.body.count > 1000)
    #expect(plain["Vary"] == "Accept-Encoding" && plain["Content-Encoding"] == nil)
    let packed = try await bench.ask(target, [WebBench.key, "Accept-Encoding: gzip"])
    #expect(packed["Content-Encoding"] == "gzip" && packed.unpacked == plain.body)
    #expect(packed["ETag"] == plain["ETag"])
    let short = try await bench.ask("/api/v1/mutes", [WebBench.key, "Accept-Encoding: gzip"])
    #expect(short["Content-Encoding"] == nil && short.text.hasPrefix("{"))
    await bench.stop()
  }

  @Test func `a matching If-None-Match gets status 304 without a body`() async throws {
    let bench = try await WebBench()
    let tag = try #require(try await bench.ask("/api/v1/status")["ETag"])
    let answer = try await bench.ask("/api/v1/status", [WebBench.key, "If-None-Match: \(tag)"])
    #expect(answer.status == 304 && answer.body.isEmpty && answer["Content-Length"] == nil)
    await bench.stop()
  }

  @Test func `HEAD returns the status and length of GET without the body`() async throws {
    let bench = try await WebBench()
    for target in ["/api/v1/status", "/api/v1/none", "/tiles/0/0/0", "/api/v1/openapi.json"] {
      let get = try await bench.ask(target)
      let head = try await bench.ask(target, method: "HEAD")
      #expect(head.status == get.status && head.body.isEmpty)
      #expect(head["Content-Length"] == "\(get.body.count)")
    }
    #expect(try await bench.ask("/api/v1/events", method: "HEAD").status == 200)
    #expect(bench.events.listenerCount == 0)
    await bench.stop()
  }

  @Test func `pipelined requests on one connection are answered in order`() async throws {
    let bench = try await WebBench()
    let first = "GET /api/v1/mutes HTTP/1.1\r\nHost: localhost\r\n\(WebBench.key)\r\n\r\n"
    let last = first.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
    let answer = try await bench.send(first + first.replacing("mutes", with: "none") + last)
    #expect(answer.text.split(separator: "HTTP/1.1 ").count == 3)
    #expect(answer.text.contains("HTTP/1.1 404") && answer.text.contains("HTTP/1.1 200"))
    await bench.stop()
  }

  @Test(arguments: ["Close", "close, te", "keep-alive, Close"])
  func `a connection is closed after the response if the client asks for it`(field: String)
    async throws
  {
    let bench = try await WebBench()
    let answer = try await bench.send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: \(field)\r\n\r\n")
    #expect(answer.status == 200)
    await bench.stop()
  }

  @Test func `tile paths outside zoom 0 to 22 or the tile grid get status 404`() async throws {
    let bench = try await WebBench()
    #expect(try await bench.ask("/tiles/22/4194303/0").text == "22/4194303/0")
    for path in [
      "/tiles/23/0/0", "/tiles/1/2/0", "/tiles/1/0/2", "/tiles/-1/0/0", "/tiles/1/0",
      "/tiles/1/0/0/",
      "/tiles/01/0/0", "/tiles/1/0/0.png", "/tiles/1/0/%30", "/tiles/+1/0/0", "/tiles/../0/0",
      "/tiles/99999999999999999999/0/0",
    ] { #expect(try await bench.ask(path).status == 404, "\(path)") }
    #expect(try await bench.ask("/tiles/1/0/0", method: "POST").status == 405)
    await bench.stop()
  }

  // MARK: - Bodies

  private let origin = "Origin: http://localhost"

  @Test func `a body over the limit gets status 413 before it has arrived`() async throws {
    let bench = try await WebBench()
    let head = "POST /api/v1/replays HTTP/1.1\r\nHost: localhost\r\n\(WebBench.key)\r\n"
    let limit = 32 << 20
    // The body is never sent: the response does not wait for it.
    let told = try await bench.send(head + "Content-Length: \(limit + 1)\r\n\r\n")
    #expect(told.status == 413 && told.problem == "too-long" && told["Connection"] == "close")
    let chunk = "100000\r\n" + String(repeating: "a", count: 1 << 20) + "\r\n"
    let untold = try await bench.send(
      head + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 33))
    #expect(untold.status == 413 && untold.problem == "too-long")
    #expect(bench.outside.workCount == 0)
    let session = try await bench.send(
      "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\n\(origin)\r\n"
        + "Content-Length: \((1 << 20) + 1)\r\n\r\n")
    #expect(session.status == 413)
    let get = try await bench.ask("/api/v1/status", body: "x")
    #expect(get.status == 413 && get.text.contains("takes no body"))
    await bench.stop()
  }

  @Test func `the body of a request without the key is not read`() async throws {
    let bench = try await WebBench()
    let answer = try await bench.send(
      "POST /api/v1/replays HTTP/1.1\r\nHost: localhost\r\n\(origin)\r\n"
        + "Content-Length: 1000\r\n\r\n")
    #expect(answer.status == 401 && answer["Connection"] == "close")
    await bench.stop()
  }

  @Test func `Expect: 100-continue is answered by 100, or by the final refusal`() async throws {
    let bench = try await WebBench()
    let port = bench.port
    let head =
      "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\n\(origin)\r\nConnection: close\r\n"
      + "Expect: 100-continue\r\n"
    let answers = try await onThread {
      let connection = try LoopbackConnection(to: port)
      let body = #"{"key": "\#(WebBench.keyText)"}"#
      try connection.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n")
      let first = try connection.readLine()
      _ = try connection.readLine()
      try connection.send(body)
      return (first, try connection.readToEnd())
    }
    #expect(answers.0.hasPrefix("HTTP/1.1 100 "))
    #expect(answers.1.hasPrefix("HTTP/1.1 200 "))
    let refused = try await bench.send(head + "Content-Length: 99999999\r\n\r\n")
    #expect(refused.status == 413)
    await bench.stop()
  }

  @Test func `a client that shuts down its sending side still gets the response`() async throws {
    let bench = try await WebBench()
    let port = bench.port
    let bytes = try await onThread {
      let connection = try LoopbackConnection(to: port)
      try connection.send("GET /app.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
      connection.finishSending()
      return try connection.bytesToEnd()
    }
    #expect(try WebAnswer(bytes).body == PageFiles().file(at: "/app.js")?.bytes)
    await bench.stop()
  }

  // MARK: - Replays

  @Test func `a second replay at the same time gets status 503`() async throws {
    let bench = try await WebBench()
    let (started, start) = AsyncStream<Void>.makeStream()
    let (finished, finish) = AsyncStream<Void>.makeStream()
    bench.outside.answer { _ in
      start.yield()
      for await _ in finished { break }
      return .response(.noContent)
    }
    async let first = bench.ask("/api/v1/replays", method: "POST", body: "x")
    for await _ in started { break }
    let second = try await bench.ask("/api/v1/replays", method: "POST", body: "x")
    #expect(second.status == 503 && second.problem == "busy" && second["Retry-After"] != nil)
    finish.yield()
    #expect(try await first.status == 204)
    finish.finish()
    #expect(try await bench.ask("/api/v1/replays", method: "POST", body: "x").status == 204)
    await bench.stop()
  }

  @Test func `a replay over the time limit is cancelled and gets status 503`() async throws {
    var limits = WebServer.Limits.unhurried
    limits.replay = .milliseconds(50)
    let bench = try await WebBench(limits: limits)
    let (ended, end) = AsyncStream<Bool>.makeStream()
    bench.outside.answer { _ in
      while !Task.isCancelled { await Task.yield() }
      end.yield(true)
      return .response(.noContent)
    }
    let answer = try await bench.ask("/api/v1/replays", method: "POST", body: "x")
    #expect(answer.status == 503 && answer.problem == "busy")
    for await isEnded in ended { #expect(isEnded); break }
    await bench.stop()
  }

  // MARK: - Clients that go away

  @Test(arguments: [
    ("GET", ServedFileTests.picture, "", true), ("POST", "/api/v1/replays", "x", true),
    ("PATCH", "/api/v1/settings", #"{"dwell":"5s"}"#, false),
  ])
  func `work is cancelled when its client disconnects, unless it changes something`(
    method: String, target: String, body: String, isCancelled: Bool
  ) async throws {
    let bench = try await WebBench()
    let (started, start) = AsyncStream<Void>.makeStream()
    let (finished, finish) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Bool>.makeStream()
    bench.outside.answer { _ in
      start.yield()
      // Ends by the cancellation, or by the test.
      for await _ in finished { break }
      end.yield(Task.isCancelled)
      return .response(.noContent)
    }
    let port = bench.port
    let work = Task {
      try await onThread {
        let connection = try LoopbackConnection(to: port)
        try connection.send(
          "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(WebBench.key)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        connection.finishSending()
        return try connection.bytesToEnd()
      }
    }
    for await _ in started { break }
    if !isCancelled { finish.yield() }
    for await wasCancelled in ended {
      #expect(wasCancelled == isCancelled)
      break
    }
    finish.finish()
    _ = try await work.value
    await bench.stop()
  }

  // MARK: - The address for phones

  private static let report = "lat=48.5&lon=2.5&timestamp=1795176000"

  @Test func `/feed accepts device tokens, and neither the API key nor other tokens`() async throws
  {
    let bench = try await WebBench()
    for (path, fields, status) in [
      ("/feed", ["Authorization: Bearer \(WebBench.token)"], 200),
      ("/feed/", ["Authorization: Bearer \(WebBench.token)"], 200),
      ("/feed/pub?token=\(WebBench.token)", [], 200), ("/feed", [], 401),
      ("/feed", [WebBench.key], 401), ("/feed?token=\(WebBench.keyText)", [], 401),
      ("/feed", ["Authorization: Bearer wrong"], 401),
    ] {
      let answer = try await bench.ask(path, method: "POST", fields, body: Self.report)
      #expect(answer.status == status, "\(path) \(fields)")
    }
    #expect(bench.received.fixes.map(\.device) == ["phone", "phone", "phone"])
    await bench.stop()
  }

  @Test func `without device tokens /feed refuses all positions`() async throws {
    let bench = try await WebBench(hasTokens: false)
    for fields in [[], [WebBench.key], ["Authorization: Bearer "]] {
      #expect(
        try await bench.ask("/feed", method: "POST", fields, body: Self.report).status == 401)
    }
    #expect(bench.received.fixes.isEmpty)
    await bench.stop()
  }

  // MARK: - Start

  @Test func `an address already in use is an error that names it`() async throws {
    let bench = try await WebBench()
    let place = bench.server.place
    await #expect(throws: WebServerError.cannotListen(place, .addressInUse)) {
      try await WebServer(
        at: place, service: WebBench.service(TestSources()), outside: FakeEffects(),
        events: EventHub(boot: "x"), feed: .init(tokens: DeviceTokens()) { _ in true })
    }
    await bench.stop()
  }
}
