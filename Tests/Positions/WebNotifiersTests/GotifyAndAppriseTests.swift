import CivilTime
import LocationFeeds
import Spatial
import SpotWatcher
import SystemPackage
import TestSupport
import Testing

@testable import HTTPClient
@testable import SpotAlerts
@testable import WebNotifiers

private func alert(links: [AlertLink] = []) throws -> Alert {
  let time = try #require(Instant(iso8601: "2026-11-20T12:00:00Z"))
  let place = try #require(Coordinate(latitude: -0.5, longitude: 2.2945))
  return Alert(
    .spot(
      SpotNotification(
        id: "abcdefghijklm", time: time, device: "phone", distanceMeters: 120.2,
        bearingDegrees: 45,
        spot: NotifiedSpot(
          id: "a", coordinate: place, distanceMeters: 120.2, photoCount: 14, firstCaptured: nil,
          lastCaptured: nil, cover: "/photos/tower.jpg"),
        alsoNear: [],
        fix: LocationFix(time: time, latitude: -0.5, longitude: 2.2945, device: "phone"))),
    links: links)
}

private let onMap =
  "https://www.openstreetmap.org/?mlat=-0.5&mlon=2.2945#map=18/-0.5/2.2945"
private let onPage = AlertLink(purpose: .takeAgain, address: "https://home.example/#17/1/2/spot/a")

private func digest() throws -> Alert {
  let end = try #require(Instant(iso8601: "2026-11-20T21:00:00Z"))
  return Alert(
    .digest(
      AlertDigest(
        start: end.advanced(bySeconds: -86_400), end: end, utcOffsetMinutes: 0, firedCount: 1,
        fired: [.init(name: "\"Arezzo\"\n", count: 1)], keptBack: [], passedByCount: 0,
        passedBy: [])))
}

extension WebRequest {
  fileprivate var text: String { String(decoding: body, as: UTF8.self) }

  fileprivate var headerValues: [String: String] {
    Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
  }
}

/// Returns a notifier's result for a status, over a real connection.
private func result(
  of status: Int, headers: [String] = [],
  by makeNotifier: (WebAddress) -> (any Notifier)?
) async throws -> DeliveryResult {
  let server = try LoopbackServer { _, _ in .status(status, headers: headers) }
  defer { withExtendedLifetime(server) {} }
  let address = try #require(WebAddress("http://127.0.0.1:\(server.port)/notify/s3cr3t"))
  let notifier = try #require(makeNotifier(address))
  return await notifier.deliver(try alert())
}

/// Requests according to Gotify's Swagger specification (`docs/spec.json`, `createMessage` and
/// `Message`) and gotify.net/docs/msgextras.
@Suite(.timeLimit(.minutes(30))) struct GotifyNotifierTests {
  private let server = WebAddress("https://me:word@home.example/gotify/")!

  private func notifier(priority: Int = 5) throws -> GotifyNotifier {
    try #require(GotifyNotifier(server: server, token: "A.x_1", priority: priority))
  }

  @Test func `a message has a title, a text, a priority and a link to a map`() throws {
    let request = try notifier().request(try alert())
    #expect(request.method == .post)
    #expect(request.address.url == "https://home.example/gotify/message")
    #expect(
      request.headerValues == [
        "User-Agent": "PhotoSpots", "Content-Type": "application/json",
        "Authorization": "Basic bWU6d29yZA==", "X-Gotify-Key": "A.x_1",
      ])
    #expect(
      request.text == """
        {"title":"You took a photo here","message":"120 m north-east: 14 photos.","priority":5,\
        "extras":{"client::display":{"contentType":"text/plain"},\
        "client::notification":{"click":{"url":"\(onMap)"}}}}
        """)
  }

  @Test func `a click opens the page if the alert has a link to it`() throws {
    let request = try notifier().request(try alert(links: [onPage]))
    #expect(request.text.contains(#""click":{"url":"https://home.example/#17/1/2/spot/a"}"#))
  }

  @Test func `a digest has no click link, its text is escaped, and its priority is at most 10`()
    throws
  {
    let request = try notifier(priority: 99).request(try digest())
    #expect(!request.text.contains("client::notification"))
    #expect(request.text.contains(#"\"Arezzo\""#) && request.text.contains(#""priority":10,"#))
  }

  @Test(arguments: ["https://h/?token=x", "https://h/gotify?x"])
  func `rejects a Gotify address with a query`(text: String) throws {
    let address = try #require(WebAddress(text))
    #expect(GotifyNotifier(server: address, token: "A") == nil)
  }

  @Test(arguments: [(401, "gotifyToken"), (403, "gotifyToken"), (404, "gotifyURL"), (400, "400")])
  func `a refusal names the setting to correct and hides the token`(status: Int, words: String)
    async throws
  {
    let result = try await result(of: status) { GotifyNotifier(server: $0, token: "T0KEN") }
    guard case .refused(let reason) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reason.contains(words) && reason.contains("\(status)"))
    #expect(!reason.contains("T0KEN") && !reason.contains("s3cr3t"))
  }

  @Test func `a temporary error is retried, after the server's Retry-After if given`() async throws
  {
    let gotify: (WebAddress) -> (any Notifier)? = { GotifyNotifier(server: $0, token: "A") }
    #expect(try await result(of: 500, by: gotify) == .failed("answered with status 500"))
    #expect(
      try await result(of: 429, headers: ["Retry-After: 7"], by: gotify)
        == .postponed("answered with status 429", seconds: 7))
  }
}

/// Requests and responses according to the README of Apprise API ("API Details").
@Suite(.timeLimit(.minutes(30))) struct AppriseNotifierTests {
  private func notifier(_ address: String, services: String? = nil) throws -> AppriseNotifier {
    let address = try #require(WebAddress(address))
    return try #require(AppriseNotifier(address: address, services: services))
  }

  @Test func `an alert is sent to the services of the address's key, with a link after the text`()
    throws
  {
    let request = try notifier("http://h:8000/notify/me-1", services: "json://x").request(
      try alert(), picture: nil)
    #expect(request.method == .post && request.address.url == "http://h:8000/notify/me-1")
    #expect(request.headerValues["Content-Type"] == "application/json")
    #expect(
      request.text == """
        {"title":"You took a photo here","body":"120 m north-east: 14 photos.\\n\(onMap)",\
        "type":"info","format":"text"}
        """)
  }

  @Test func `without a key the services are in the request, which may carry a picture`() throws {
    let request = try notifier("http://h:8000/notify/", services: "json://x, mailto://y").request(
      try alert(links: [onPage]), picture: [0xFF, 0xD8, 0xFF])
    #expect(
      request.text == """
        {"urls":"json://x, mailto://y","title":"You took a photo here",\
        "body":"120 m north-east: 14 photos.\\nhttps://home.example/#17/1/2/spot/a",\
        "type":"info","format":"text",\
        "attachment":[{"filename":"spot.jpg","base64":"/9j/"}]}
        """)
  }

  @Test func `a digest has no link`() throws {
    let request = try notifier("http://h/notify").request(try digest(), picture: nil)
    #expect(request.text.contains(#"\"Arezzo\""#) && !request.text.contains("http"))
  }

  @Test(arguments: [
    "https://h", "https://h/", "https://h/me", "https://h/notify?x", "https://h/notify/a/b",
    "https://h/get/me",
  ])
  func `rejects addresses other than /notify or /notify/KEY`(text: String) throws {
    let address = try #require(WebAddress(text))
    #expect(AppriseNotifier(address: address) == nil)
  }

  @Test(arguments: ["https://h/notify", "https://h/notify/a", "https://h/apprise/notify/a/"])
  func `accepts /notify and /notify/KEY, also below a path`(text: String) throws {
    let address = try #require(WebAddress(text))
    #expect(AppriseNotifier(address: address) != nil)
  }

  @Test(arguments: [
    (204, "appriseServices"), (401, "user or password"), (403, "user or password"),
    (404, "appriseURL"), (424, "log"), (400, "400"),
  ])
  func `a refusal, or status 204 for no recipient, names the cause and hides secrets`(
    status: Int, words: String
  ) async throws {
    let result = try await result(of: status) { AppriseNotifier(address: $0, services: "T0KEN") }
    guard case .refused(let reason) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reason.contains(words) && reason.contains("\(status)"))
    #expect(!reason.contains("T0KEN") && !reason.contains("s3cr3t"))
  }

  @Test func `a temporary error is retried, after the server's Retry-After if given`() async throws
  {
    let apprise: (WebAddress) -> (any Notifier)? = { AppriseNotifier(address: $0) }
    #expect(try await result(of: 200, by: apprise) == .delivered)
    #expect(try await result(of: 503, by: apprise) == .failed("answered with status 503"))
    #expect(
      try await result(of: 429, headers: ["Retry-After: 7"], by: apprise)
        == .postponed("answered with status 429", seconds: 7))
  }

  @Test func `after a refusal with a picture the alert is sent again as text only`() async throws {
    let server = try LoopbackServer { number, _ in .status(number == 0 ? 400 : 200) }
    let address = try #require(WebAddress("http://127.0.0.1:\(server.port)/notify"))
    let made = AppriseNotifier(address: address, picture: { _ in [0xFF, 0xD8] })
    let notifier = try #require(made)
    #expect(try await notifier.deliver(alert()) == .delivered)
    let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.map { $0.contains("base64") } == [true, false])
  }
}

@Suite(.timeLimit(.minutes(30))) struct ForeignAnswerTests {
  /// Apprise and many webhooks answer with a web page themselves.
  @Test func `a login page at the address of ntfy or Gotify counts as no delivery`() async throws {
    let page = ["Content-Type: text/html; charset=utf-8"]
    let receivers: [(WebAddress) -> (any Notifier)?] = [
      { NtfyNotifier(topic: $0) },
      { NtfyNotifier(topic: $0, picture: { _ in [0xFF, 0xD8] }) },
      { GotifyNotifier(server: $0, token: "A") },
    ]
    for receiver in receivers {
      let result = try await result(of: 200, headers: page, by: receiver)
      guard case .failed(let reason) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(reason.contains("web page") && !reason.contains("s3cr3t"))
    }
    let others: [(WebAddress) -> (any Notifier)?] = [
      { WebhookNotifier(address: $0) }, { AppriseNotifier(address: $0) },
      { AppriseNotifier(address: $0, picture: { _ in [0xFF, 0xD8] }) },
    ]
    for other in others {
      #expect(try await result(of: 200, headers: page, by: other) == .delivered)
    }
  }

  @Test(arguments: [404, 405])
  func `an ntfy address that is no topic is refused with the name of the setting`(status: Int)
    async throws
  {
    let result = try await result(of: status) { NtfyNotifier(topic: $0) }
    guard case .refused(let reason) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reason.contains("ntfyURL") && reason.contains("\(status)"))
  }
}
