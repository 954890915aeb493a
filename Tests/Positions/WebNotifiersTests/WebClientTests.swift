import CLibrary
import SpotAlerts
import SystemPackage
import TestSupport
import Testing

@testable import HTTPClient
@testable import WebNotifiers

/// Responses over real connections.
@Suite(.timeLimit(.minutes(30))) struct WebClientTests {
  private static let openssl = ChildProcess.path(of: "openssl")
  private let client = WebClient(limitSeconds: 60)

  private func request(
    _ port: UInt16, _ method: WebRequest.Method = .post, host: String = "127.0.0.1"
  ) throws -> WebRequest {
    let address = try #require(WebAddress("http://\(host):\(port)/s3cr3t/../a?b=c"))
    return WebRequest(method, to: address, contentType: "text/plain", body: Array("hello".utf8))
  }

  /// Returns a client's result for a response.
  private func exchange(
    _ answer: LoopbackServer.Answer, bodyLimit: Int = 0, limitSeconds: Double = 60
  ) async throws -> WebClient.Exchange {
    let server = try LoopbackServer { _, _ in answer }
    defer { withExtendedLifetime(server) {} }
    let request = try request(server.port)
    return await WebClient(limitSeconds: limitSeconds).exchange(request, bodyLimit: bodyLimit)
  }

  @Test(arguments: [WebRequest.Method.get, .post, .put])
  func `method, path, header fields and body are sent unchanged`(method: WebRequest.Method)
    async throws
  {
    let server = try LoopbackServer { _, _ in .status(204) }
    var request = try request(server.port, method)
    request.add("Title", "A title")
    request.add("Empty", "")
    #expect(await client.send(request) == .delivered)
    let sent = try #require(server.requests.first)
    #expect(sent.method == method.rawValue && sent.path == "/s3cr3t/../a?b=c")
    #expect(sent.body == (method == .get ? [] : Array("hello".utf8)))
    #expect(sent.headers["title"] == "A title" && sent.headers["empty"] == "")
    #expect(sent.headers["content-type"] == "text/plain" && sent.headers["expect"] == nil)
    #expect(sent.headers["user-agent"] == "PhotoSpots")
  }

  /// The thread of a stopped test server read requests to the next server, whose socket had been
  /// given the same descriptor.
  @Test func `consecutive test servers each receive only their own requests`() async throws {
    for status in 200..<599 {
      #expect(try await exchange(.status(status)) == .answered(WebAnswer(status: status)))
    }
  }

  @Test func `a body of 3 MB is sent complete`() async throws {
    let server = try LoopbackServer { _, _ in .status(200) }
    let address = try #require(WebAddress("http://127.0.0.1:\(server.port)/"))
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let request = WebRequest(.put, to: address, contentType: "image/jpeg", body: body)
    #expect(await client.send(request) == .delivered)
    #expect(server.requests.first?.body == body)
  }

  @Test func `Retry-After and Date are found in any case, and the first value counts`() async throws
  {
    let answer = try await exchange(
      .bytes(
        "HTTP/1.1 503 x\r\nretry-AFTER:\t 17 \r\nRetry-After: 3\r\nDate: y:z\r\nEmpty:\r\n\r\n"
      ))
    var expected = WebAnswer(status: 503, retryAfter: "17", date: "y:z")
    #expect(answer == .answered(expected))
    expected.body = Array("ab".utf8)
    #expect(
      WebAnswer(
        status: 503, head: Array("HTTP/1.1 503\nDate: y:z\nNone\nRetry-After: 17".utf8),
        body: Array("ab".utf8))
        == expected)
  }

  @Test func `without a body limit the response is complete at the end of its head`() async throws {
    for rest in ["", "Content-Length: 1000000\r\n", "Transfer-Encoding: chunked\r\n"] {
      let answer = LoopbackServer.Answer.endless(
        beginning: "HTTP/1.1 200 OK\r\n\(rest)\r\n", part: "x")
      #expect(try await exchange(answer) == .answered(WebAnswer(status: 200)))
    }
  }

  @Test func `interim responses (1xx) are skipped`() async throws {
    let text =
      "HTTP/1.1 100 Continue\r\nDate: a\r\n\r\nHTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 201 x\r\n\r\n"
    #expect(try await exchange(.bytes(text)) == .answered(WebAnswer(status: 201)))
  }

  @Test func `a body is returned up to the limit; longer or truncated ones fail`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    var expected = WebAnswer(status: 200)
    expected.body = Array("hello".utf8)
    #expect(try await exchange(.bytes(head + "hello"), bodyLimit: 5) == .answered(expected))
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    #expect(try await exchange(.bytes(chunked), bodyLimit: 9) == .answered(expected))
    #expect(
      try await exchange(.bytes(head + "hello"), bodyLimit: 4) == .failed("the answer is too long"))
    #expect(
      try await exchange(.bytes(head + "hell"), bodyLimit: 5)
        == .failed("the receiver closed the connection"))
    let endless = LoopbackServer.Answer.endless(
      beginning: "HTTP/1.1 200 OK\r\n\r\n", part: String(repeating: "x", count: 5000))
    #expect(try await exchange(endless, bodyLimit: 1 << 20) == .failed("the answer is too long"))
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", "X: y\r\n"), ("HTTP/1.1 200 OK\r\nX: ", "y"),
    ("", "HTTP/1.1 100 Continue\r\n\r\n"),
  ])
  func `a response whose header section never ends fails before the timeout`(
    beginning: String, part: String
  ) async throws {
    let answer = LoopbackServer.Answer.endless(
      beginning: beginning, part: String(repeating: part, count: 1000))
    guard case .failed(let reason) = try await exchange(answer) else {
      Issue.record("answered although the head never ended")
      return
    }
    #expect(!reason.contains("no answer within"))
  }

  /// A status below 100 crashed the process.
  @Test(arguments: [
    "HTTP/1.1 000 x", "HTTP/1.1 099", "HTTP/1.1 -12 x", "HTTP/1.1 2000 OK", "HTTP/1.1",
    "HTTP/9 200",
    "ICY 200 OK", "\0\0\0", "HTTP/1.1 100 x", "HTTP/1.1 199 x", "",
  ])
  func `a response with an invalid status line is a failure`(line: String) async throws {
    let answer = try await exchange(.bytes(line + "\r\nContent-Length: 0\r\n\r\n"))
    guard case .failed(let reason) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(
      ["the answer is invalid", "the receiver closed the connection", "the answer is too long"]
        .contains(reason))
  }

  @Test func `a redirect is not followed`() async throws {
    let server = try LoopbackServer { _, _ in .status(302, headers: ["Location: /elsewhere"]) }
    var expected = WebAnswer(status: 302)
    expected.location = "/elsewhere"
    #expect(await client.exchange(try request(server.port)) == .answered(expected))
    #expect(server.requests.count == 1)
  }

  @Test func `failure reasons name the cause without the address`() async throws {
    let port = try LoopbackListener.unusedPort()
    #expect(
      await client.exchange(try request(port))
        == .failed("no connection: \(Errno.connectionRefused)"))
    #expect(
      await client.exchange(try request(1, host: LoopbackListener.impossibleHost("s3cr3t")))
        == .failed("the name of the receiver is unknown"))
    #expect(try await exchange(.bytes("")) == .failed("the receiver closed the connection"))
    #expect(
      try await exchange(.silence, limitSeconds: 0.2) == .failed("no answer within 0.2 s"))
  }

  @Test func `a cancelled request ends, both before it starts and while waiting for a response`()
    async throws
  {
    let server = try LoopbackServer { _, _ in .silence }
    let request = try request(server.port)
    let client = client
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await client.exchange(request)
    }
    #expect(await early.value == .failed("interrupted"))
    let late = Task { await client.exchange(request) }
    await until { !server.requests.isEmpty }
    late.cancel()
    #expect(await late.value == .failed("interrupted"))
  }

  @Test(.enabled(if: openssl != nil, "openssl is not installed"))
  func `a self-signed certificate is refused, and so is plain HTTP to a TLS port`() async throws {
    let openssl = try #require(Self.openssl)
    let folder = TemporaryFolder()
    let port = try LoopbackListener.unusedPort()
    let key = folder.path("key.pem").string
    let certificate = folder.path("certificate.pem").string
    let make = try ChildProcess(
      openssl,
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
        + ["-subj", "/CN=localhost", "-days", "2"])
    make.waitUntilExit()
    let server = try ChildProcess(
      openssl,
      ["s_server", "-accept", "\(port)", "-cert", certificate, "-key", key, "-www", "-quiet"])
    await until { (try? LoopbackConnection(to: port)) != nil }
    let address = try #require(WebAddress("https://localhost:\(port)/"))
    let request = WebRequest(.post, to: address, contentType: "text/plain", body: [])
    #expect(
      await client.exchange(request) == .failed("the receiver's certificate is not trusted"))
    let plain = try #require(WebAddress("http://localhost:\(port)/"))
    guard
      case .failed = await client.exchange(
        WebRequest(.post, to: plain, contentType: "text/plain", body: []))
    else {
      Issue.record("answered without TLS")
      return
    }
    withExtendedLifetime(server) {}
  }
}
