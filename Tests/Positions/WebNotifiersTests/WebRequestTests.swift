import CivilTime
import Encodings
import LocationFeeds
import Spatial
import SpotAlerts
import SpotWatcher
import SystemPackage
import Testing

@testable import HTTPClient
@testable import WebNotifiers

@Suite struct WebRequestTests {
  private let address = WebAddress("https://me:word@example.org/spots")!

  private func notification(longitude: Double = 2.2945) throws -> SpotNotification {
    let time = try #require(Instant(iso8601: "2026-11-20T12:00:00Z"))
    let place = try #require(Coordinate(latitude: -0.5, longitude: longitude))
    return SpotNotification(
      id: "abcdefghijklm", time: time, device: "phone", distanceMeters: 120.2, bearingDegrees: 45,
      spot: NotifiedSpot(
        id: "a", coordinate: place, distanceMeters: 120.2, photoCount: 14, firstCaptured: nil,
        lastCaptured: nil, cover: "/photos/tower.jpg"),
      alsoNear: [],
      fix: LocationFix(time: time, latitude: -0.5, longitude: longitude, device: "phone"))
  }

  private func headers(_ request: WebRequest) -> [String: String] {
    Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
  }

  @Test func `a webhook request holds the notification as JSON, its id and a signature`() throws {
    let notification = try notification()
    let alert = Alert(.spot(notification))
    let signed = WebhookNotifier(address: address, secret: "Jefe").request(alert)
    #expect(signed.method == .post)
    #expect(signed.body + [0x0A] == notification.ndjson)
    let code = SHA256.authenticationCode(of: signed.body, key: Array("Jefe".utf8))
    #expect(
      headers(signed) == [
        "User-Agent": "PhotoSpots", "Content-Type": "application/json",
        "Authorization": "Basic bWU6d29yZA==", "Idempotency-Key": "abcdefghijklm",
        "X-PhotoSpots-Signature": "sha256=\(Hexadecimal.text(code))",
      ])
    let unsigned = WebhookNotifier(address: address).request(alert)
    #expect(headers(unsigned)["X-PhotoSpots-Signature"] == nil)
  }

  @Test func `an ntfy request holds the text, a title, a link to a map and the id`() throws {
    let notifier = try #require(NtfyNotifier(topic: address, token: "tk_1", priority: 9))
    let request = notifier.request(
      Alert(.spot(try notification(longitude: -2.29450049))), picture: nil)
    #expect(request.method == .post)
    #expect(String(decoding: request.body, as: UTF8.self) == "120 m north-east: 14 photos.")
    #expect(
      headers(request) == [
        "User-Agent": "PhotoSpots", "Content-Type": "text/plain; charset=utf-8",
        "Authorization": "Bearer tk_1", "Title": "You took a photo here", "Priority": "5",
        "Tags": "camera", "X-Sequence-ID": "abcdefghijklm",
        "Click":
          "https://www.openstreetmap.org/?mlat=-0.5&mlon=-2.2945005#map=18/-0.5/-2.2945005",
      ])
  }

  @Test func `an alert's links become ntfy action buttons, and a click opens the camera page`()
    throws
  {
    let links = [
      AlertLink(purpose: .takeAgain, address: "https://home.example/#17/1/2/spot/a/again"),
      AlertLink(purpose: .mute, address: "https://home.example/api/v1/actions/mute.a.1.0"),
      AlertLink(purpose: .notNow, address: "https://home.example/api/v1/actions/not-now.a.1.0"),
    ]
    let notifier = try #require(NtfyNotifier(topic: address))
    for picture in [nil, [0xFF, 0xD8]] as [[UInt8]?] {
      let request = notifier.request(
        Alert(.spot(try notification()), in: .spanish, links: links), picture: picture)
      #expect(headers(request)["Click"] == "https://home.example/#17/1/2/spot/a/again")
      #expect(
        headers(request)["Actions"] == """
          view, "Repetir la foto", "https://home.example/#17/1/2/spot/a/again"; \
          http, "Silenciar", "https://home.example/api/v1/actions/mute.a.1.0", method=POST, \
          clear=true; http, "Ahora no", "https://home.example/api/v1/actions/not-now.a.1.0", \
          method=POST, clear=true
          """)
    }
    #expect(
      headers(notifier.request(Alert(.spot(try notification())), picture: nil))["Actions"] == nil)
  }

  @Test func `with a picture the body is the picture and the text moves to a header`() throws {
    let notifier = try #require(NtfyNotifier(topic: address))
    let request = notifier.request(Alert(.spot(try notification())), picture: [0xFF, 0xD8])
    #expect(request.method == .put)
    #expect(request.body == [0xFF, 0xD8])
    #expect(headers(request)["Content-Type"] == "image/jpeg")
    #expect(headers(request)["Filename"] == "spot.jpg")
    #expect(headers(request)["Message"] == "120 m north-east: 14 photos.")
  }

  @Test(arguments: [
    "https://ntfy.sh", "https://ntfy.sh/", "https://ntfy.sh/?x", "https://h/t?auth=x",
  ])
  func `rejects an ntfy address without a topic`(text: String) throws {
    #expect(NtfyNotifier(topic: try #require(WebAddress(text))) == nil)
  }

  @Test func `non-ASCII header values become encoded words, and line breaks cannot inject headers`()
    throws
  {
    var request = WebRequest(.post, to: address, contentType: "text/plain", body: [])
    request.add("Title", "Grüße")
    request.add("Message", String(repeating: "ö", count: 60) + "\r\nX-Evil: 1")
    #expect(headers(request)["Title"] == "=?UTF-8?B?R3LDvMOfZQ==?=")
    let words = try #require(headers(request)["Message"]).split(separator: " ")
    #expect(words.count == 3)
    for word in words {
      #expect(word.utf8.count <= 75 && word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?="))
    }
    request.add("Title", "plain")
    #expect(headers(request)["Title"] == "plain")
  }
}

@Suite struct WebAnswerTests {
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", 200), ("HTTP/1.0 404 Not Found\r\nA: b\r\n\r\n", 404),
    ("HTTP/1.1 204\r\n\r\n", 204), ("HTTP/1.1 503 \n\n", 503), ("HTTP/1.1 099 x\r\n", 99),
    ("HTTP/1.1 2000 OK\r\n", nil), ("HTTP/1.1 65536 x\r\n", nil), ("HTTP/1.1 20\r\n", nil),
    ("HTTP/1.1 +20 x\r\n", nil), ("HTTP/1.1  200 OK\r\n", nil), ("HTTP/1.1\r\n200 OK", nil),
    ("HTTP/2 200\r\n", nil), ("ICY 200 OK\r\n", nil), ("", nil),
  ])
  func `the status is read from a valid status line only`(head: String, status: Int?) {
    #expect(WebAnswer.status(inHead: Array(head.utf8)) == status)
  }

  private func result(_ status: Int, _ retryAfter: String? = nil, _ date: String? = nil)
    -> DeliveryResult
  {
    WebAnswer(status: status, retryAfter: retryAfter, date: date).result
  }

  @Test(arguments: [200, 201, 204, 299]) func `status 200 to 299 means delivered`(status: Int) {
    #expect(result(status, "60") == .delivered)
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 599])
  func `a temporary status is a failure to retry, postponed by Retry-After if given`(status: Int) {
    #expect(result(status) == .failed("answered with status \(status)"))
    #expect(result(status, "7") == .postponed("answered with status \(status)", seconds: 7))
  }

  @Test(arguments: [302, 303, 307])
  func `a redirect for the moment, as to a network's login page, is retried`(status: Int) {
    guard case .failed(let reason) = result(status) else {
      Issue.record("\(result(status))")
      return
    }
    #expect(reason.contains("\(status)") && reason.contains("redirects"))
    guard case .postponed(_, let seconds) = result(status, "7") else {
      Issue.record("\(result(status, "7"))")
      return
    }
    #expect(seconds == 7)
  }

  @Test func `only an address that has moved for good is said to redirect for good`() {
    for status in [301, 308] {
      guard case .refused(let reason) = result(status) else {
        Issue.record("\(result(status))")
        continue
      }
      #expect(reason.contains("redirects"))
    }
    #expect(result(304) == .refused("answered with status 304"))
  }

  @Test(arguments: [
    ("text/html", true), ("Text/HTML; charset=utf-8", true), ("text/html ;charset=x", true),
    ("application/xhtml+xml", true), ("application/json", false), ("text/plain", false),
    ("text/html5", false), ("", false), (";", false),
  ])
  func `a web page is recognised by its media type`(type: String, isPage: Bool) {
    let head = Array("HTTP/1.1 200 OK\r\ncontent-type: \(type)\r\n\r\n".utf8)
    #expect(WebAnswer(status: 200, head: head).isWebPage == isPage)
  }

  @Test func `a web page is no delivery where the program never answers with one`() {
    var page = WebAnswer(status: 200)
    page.contentType = "text/html"
    #expect(page.result == .delivered)
    guard case .failed(let reason) = page.result(of: "ntfy") else {
      Issue.record("\(page.result(of: "ntfy"))")
      return
    }
    #expect(reason.contains("ntfy") && reason.contains("login"))
    page.contentType = "application/json"
    #expect(page.result(of: "ntfy") == .delivered)
    #expect(WebAnswer(status: 204).result(of: "ntfy") == .delivered)
  }

  @Test(arguments: [100, 300, 301, 308, 400, 401, 403, 404, 410, 413, 418, 600])
  func `any other status is a permanent refusal`(status: Int) {
    guard case .refused(let reason) = result(status, "7") else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("\(status)"))
  }

  @Test func `a Retry-After date is relative to the receiver's Date, and a past one means now`() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(
      result(503, "Sun, 06 Nov 1994 08:50:07 GMT", date)
        == .postponed("answered with status 503", seconds: 30))
    #expect(
      result(503, "Sat, 05 Nov 1994 08:50:07 GMT", date)
        == .postponed("answered with status 503", seconds: 0))
  }

  @Test(arguments: [
    "soon", "", "-1", "1.5", "99999999999", "Sun, 06 Nov 1994 08:50:07",
    "Sun, 06 Foo 1994 08:50:07 GMT",
  ])
  func `an invalid Retry-After is ignored`(retryAfter: String) {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(result(503, retryAfter, date) == .failed("answered with status 503"))
    #expect(result(503, date) == .failed("answered with status 503"))
  }
}
