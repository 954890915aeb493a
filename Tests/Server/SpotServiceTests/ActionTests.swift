import CivilTime
import KeptPlaces
import ServiceSupport
import Spatial
import SpotAlerts
import SpotService
import TestSupport
import Testing

@Suite struct ActionTests {
  private let bench = ServiceBench()
  private let key = AlertActionKey(Array(ServiceBench.actionKeyText.utf8))!
  private let expiry = ServiceBench.now.advanced(bySeconds: 3600)

  private func token(
    _ action: AlertAction = .mute, spotID: String? = nil, until expiry: Instant? = nil
  ) throws -> String {
    let siena = try #require(bench.json("spots?near=43.318,11.331&limit=1")[0]?["id"]?.text)
    return try #require(
      key.token(for: action, spotID: spotID ?? siena, until: expiry ?? self.expiry))
  }

  /// The reply to a request with only a token.
  private func reply(
    _ method: String, _ token: String, _ fields: [(name: String, value: String)] = [],
    host: String = "localhost", body: String = ""
  ) -> ServiceReply {
    bench.service.reply(
      to: ServiceRequest(
        method: method, target: "/api/v1/actions/\(token)", fields: [("Host", host)] + fields,
        body: Array(body.utf8)), now: ServiceBench.now)
  }

  private func answer(
    _ method: String, _ token: String, _ fields: [(name: String, value: String)] = [],
    host: String = "localhost", body: String = ""
  ) -> ServiceResponse? {
    guard case .response(let response) = reply(method, token, fields, host: host, body: body)
    else { return nil }
    return response
  }

  /// The action of a request's token, with the time until which the spot is muted.
  private func act(
    _ token: String, _ fields: [(name: String, value: String)] = []
  ) -> ActionWork? {
    guard case .work(.act(let work)) = reply("POST", token, fields),
      abs(work.latitude - 43.318) < 0.001, work.token == token
    else { return nil }
    return work
  }

  private func text(_ response: ServiceResponse?) -> String {
    String(decoding: response?.body ?? [], as: UTF8.self)
  }

  @Test func `GET of an action link shows a confirmation page and changes nothing`() throws {
    let response = try #require(answer("GET", try token()))
    #expect(response.status == 200)
    #expect(response.field("Content-Type") == "text/html; charset=utf-8")
    #expect(response.field("Cache-Control") == "no-store")
    let policy = response.field("Content-Security-Policy")
    #expect(policy == "default-src 'none'; style-src 'self'; form-action 'self'")
    let html = text(response)
    #expect(html.contains("<form method=\"post\"><button class=\"button main wide\">Mute</button>"))
    for part in ["<script", "<style", "src=", "style=", "http", ServiceBench.keyText] {
      #expect(!html.contains(part), "\(part)")
    }
    #expect(answer("HEAD", try token())?.status == 200)
  }

  @Test func `an action page has the browser's language`() throws {
    for (field, words) in [
      ("es-ES,es;q=0.9", "¿Silenciar"), ("de, en", "Mute this spot"),
      ("de, es;q=0.5", "¿Silenciar"),
      ("*", "Mute this spot"),
    ] {
      let html = text(answer("GET", try token(), [("Accept-Language", field)]))
      #expect(html.contains(words), "\(field)")
    }
    let work = try #require(act(token(.notNow), [("Accept-Language", "es")]))
    let done = bench.service.acted(work)
    #expect(done.status == 200)
    #expect(text(done).contains("no avisa") && text(done).contains("<h2>Siena"))
    #expect(!text(done).contains("<form"))
  }

  @Test func `an action page has the language of alerts if the browser has none of them`() throws {
    var bench = bench
    bench.sources.shown.append(ServedSetting(name: "language", value: "es", origin: "f"))
    let service = bench.service
    for (field, words) in [("fr", "¿Silenciar"), ("en", "Mute this spot")] {
      let request = ServiceRequest(
        method: "GET", target: "/api/v1/actions/\(try token())",
        fields: [("Host", "localhost"), ("Accept-Language", field)])
      guard case .response(let response) = service.reply(to: request, now: ServiceBench.now) else {
        Issue.record("no response")
        return
      }
      #expect(text(response).contains(words), "\(field)")
    }
  }

  @Test func `an action page names the spot, and shows markup in its name as text`() throws {
    #expect(text(answer("GET", try token())).contains("<h2>Siena"))
    var bench = bench
    let siena = try #require(bench.json("spots?near=43.318,11.331&limit=1")[0]?["id"]?.text)
    let place = PlaceFields(
      coordinate: Coordinate(latitude: 43.318, longitude: 11.331)!, name: "<b>Tower & co",
      spotID: siena)
    try bench.sources.document.add(place, now: ServiceBench.now)
    let request = ServiceRequest(
      method: "GET", target: "/api/v1/actions/\(try token())", fields: [("Host", "localhost")])
    guard
      case .response(let response) = bench.service.reply(to: request, now: ServiceBench.now)
    else {
      Issue.record("no response")
      return
    }
    #expect(text(response).contains("<h2>&lt;b&gt;Tower &amp; co</h2>"))
  }

  @Test func `a used link is refused, by a page for browsers and a problem for programs`() throws {
    final class Used: UsedLinks {
      let token: String
      init(_ token: String) { self.token = token }
      func contains(_ token: String) -> Bool { token == self.token }
      func use(_ token: String, until expiry: Instant) throws(Problem) -> Bool { true }
    }
    let used = try token()
    var configuration = bench.service.configuration
    configuration.usedLinks = Used(used)
    let service = Service(configuration, sources: bench.sources)
    func reply(_ method: String, _ token: String, _ accept: String?) -> ServiceReply {
      service.reply(
        to: ServiceRequest(
          method: method, target: "/api/v1/actions/\(token)",
          fields: [("Host", "localhost"), ("Accept-Language", "es")]
            + (accept.map { [("Accept", $0)] } ?? [])),
        now: ServiceBench.now)
    }
    for method in ["GET", "POST"] {
      guard case .response(let problem) = reply(method, used, nil),
        case .response(let page) = reply(method, used, "text/html,application/xhtml+xml;q=0.9")
      else {
        Issue.record("\(method): a used link has an effect")
        return
      }
      #expect(problem.status == 410)
      #expect(try JSONValue(problem.body)["type"] == .string("/problems/expired"))
      #expect(page.status == 410 && text(page).contains("Este enlace ya se usó"))
      #expect(page.field("Content-Type") == "text/html; charset=utf-8")
    }
    guard case .work(.act(let work)) = reply("POST", try token(.notNow), "text/html") else {
      Issue.record("another link of the alert does not work")
      return
    }
    // It was used while this request waited.
    let refusal = service.refused(Service.usedLink, work)
    #expect(refusal.status == 410 && text(refusal).contains("Este enlace ya se usó"))
  }

  @Test func `a posted action needs no key and may come from any origin`() throws {
    let origins = [
      [], [("Origin", "null")], [("Origin", "https://ntfy.sh"), ("Sec-Fetch-Site", "cross-site")],
    ]
    for fields in origins {
      let muted = try #require(act(token(), fields))
      #expect(muted.action == .mute && muted.until == expiry.advanced(bySeconds: 29 * 86_400))
      let later = try #require(act(token(.notNow), fields))
      #expect(later.action == .notNow && later.until == expiry)
    }
  }

  @Test func `an expired, altered or foreign token is rejected`() throws {
    let expired = try token(until: ServiceBench.now)
    let wrong = String(try token().dropLast()) + "x"
    let stranger = AlertActionKey(Array("another secret of 30 characters".utf8))!
    let foreign = try #require(stranger.token(for: .mute, spotID: "47xjsbmtz9sp", until: expiry))
    for method in ["GET", "POST"] {
      for (token, status, slug) in [
        (expired, 410, "expired"), (wrong, 404, "not-found"), (foreign, 404, "not-found"),
        ("x", 404, "not-found"), (ServiceBench.keyText, 404, "not-found"),
      ] {
        let response = try #require(answer(method, token))
        #expect(response.status == status, "\(method) \(token)")
        #expect(try JSONValue(response.body)["type"] == .string("/problems/\(slug)"))
      }
    }
    #expect(answer("POST", try token(spotID: "000000000000"))?.status == 404)
    #expect(answer("DELETE", try token())?.status == 403)
    #expect(answer("POST", try token(), body: "x")?.status == 413)
    #expect(answer("GET", try token(), host: "evil.test")?.status == 421)
  }

  @Test func `a token gives access to nothing else, and needs a configured secret`() throws {
    let token = try token()
    let shown = [("Host", "localhost"), ("Authorization", "Bearer \(token)")]
    let request = ServiceRequest(method: "GET", target: "/api/v1/status", fields: shown)
    guard case .response(let response) = bench.service.reply(to: request, now: ServiceBench.now)
    else {
      Issue.record("no response")
      return
    }
    #expect(response.status == 401)
    #expect(!bench.service.isOpen(to: request))
    var configuration = bench.service.configuration
    configuration.actionKey = nil
    let without = Service(configuration, sources: bench.sources)
    let asked = ServiceRequest(
      method: "POST", target: "/api/v1/actions/\(token)", fields: [("Host", "localhost")])
    guard case .response(let refused) = without.reply(to: asked, now: ServiceBench.now) else {
      Issue.record("no response")
      return
    }
    #expect(refused.status == 404)
  }
}
