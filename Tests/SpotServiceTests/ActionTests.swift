import CivilTime
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
  ) -> (AlertAction, until: Instant?)? {
    guard
      case .work(.act(let action, _, let latitude, _, let until, _)) = reply(
        "POST", token, fields), abs(latitude - 43.318) < 0.001
    else { return nil }
    return (action, until)
  }

  @Test func `GET of an action link shows a confirmation page and changes nothing`() throws {
    let response = try #require(answer("GET", try token()))
    #expect(response.status == 200)
    #expect(response.field("Content-Type") == "text/html; charset=utf-8")
    #expect(response.field("Cache-Control") == "no-store")
    let policy = response.field("Content-Security-Policy")
    #expect(policy == "default-src 'none'; form-action 'self'")
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(html.contains("<form method=\"post\"><button>Mute</button></form>"))
    for part in ["<script", "href", "src=", "Siena", ServiceBench.keyText] {
      #expect(!html.contains(part), "\(part)")
    }
    #expect(answer("HEAD", try token())?.status == 200)
  }

  @Test func `an action page has the browser's language`() throws {
    for (field, words) in [
      ("es-ES,es;q=0.9", "¿Silenciar"), ("de, en", "Mute the spot"), ("*", "Mute the spot"),
    ] {
      let html = try #require(answer("GET", try token(), [("Accept-Language", field)])).body
      #expect(String(decoding: html, as: UTF8.self).contains(words), "\(field)")
    }
    let done = bench.service.acted(.notNow, in: .spanish)
    #expect(done.status == 200)
    #expect(String(decoding: done.body, as: UTF8.self).contains("no avisa"))
    #expect(!String(decoding: done.body, as: UTF8.self).contains("<form"))
  }

  @Test func `a posted action needs no key and may come from any origin`() throws {
    let origins = [
      [], [("Origin", "null")], [("Origin", "https://ntfy.sh"), ("Sec-Fetch-Site", "cross-site")],
    ]
    for fields in origins {
      let muted = try #require(act(token(), fields))
      #expect(muted.0 == .mute && muted.until == nil)
      let later = try #require(act(token(.notNow), fields))
      #expect(later.0 == .notNow && later.until == expiry)
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
