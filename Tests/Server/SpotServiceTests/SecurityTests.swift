import Encodings
import ServiceSupport
import SpotService
import TestSupport
import Testing

@Suite struct SecurityTests {
  private let bench = ServiceBench()

  private func status(
    isSecure: Bool = false, _ fields: [(name: String, value: String)]
  ) -> Int { status("GET", "/api/v1/status", isSecure: isSecure, fields) }

  private func status(
    _ method: String, _ target: String, body: String = "",
    isSecure: Bool = false, _ fields: [(name: String, value: String)]
  ) -> Int {
    guard
      case .response(let response) = bench.service.reply(
        to: ServiceRequest(
          method: method, target: target, fields: fields, body: Array(body.utf8),
          isSecure: isSecure), now: ServiceBench.now)
    else { return 0 }
    return response.status
  }

  private let key = ("Authorization", "Bearer \(ServiceBench.keyText)")

  private func cookie() -> (String, String) {
    ("Cookie", "other=1; \(session().cookie)")
  }

  /// The cookie and the token of a session on port 8090, which has the key's derived cookie.
  private func session() -> (cookie: String, token: String) {
    let response = bench.response(
      "POST", "session", body: #"{"key": "\#(ServiceBench.keyText)"}"#)
    let value = response.field("Set-Cookie")?.prefix { $0 != ";" } ?? ""
    return (String(value), (try? JSONValue(response.body)["token"]?.text) ?? "")
  }

  @Test(
    arguments: [
      ("localhost", true), ("localhost:8090", true), ("LOCALHOST.", true), ("127.0.0.1:1", true),
      ("127.9.9.9", true), ("[::1]:8090", true), ("a.localhost", true), ("nas.local", true),
      ("NAS.local:443", true), ("192.168.1.5:8090", true), ("evil.test", false), ("", false),
      ("127.0.0.1.evil.test", false), ("localhost.evil.test", false), ("nas.local@evil", false),
      ("localhost:8090x", false), ("[::1", false), ("[::2]", false), ("127.0.0", false),
      ("192.168.1.50", false), (":8090", false),
    ])
  func `only this machine's host names are accepted`(host: String, isKnown: Bool) {
    #expect(status([("Host", host), key]) == (isKnown ? 200 : 421))
  }

  @Test func `an address that the machine got later is accepted`() {
    let address = Observed("192.168.1.5")
    let rule = HostRule(["nas.local"], laterNames: { [address.value] })
    #expect(rule.allows("192.168.1.5:8090") && !rule.allows("192.168.1.6"))
    address.update { $0 = "fe80::1" }
    #expect(rule.allows("[FE80::1]:8090") && !rule.allows("192.168.1.5"))
  }

  @Test(
    arguments: [
      ("home.test:8090", true, "https://192.168.1.5:8090/"),
      ("home.test", false, "http://192.168.1.5/"),
      ("\"><b>:1", true, "https://192.168.1.5:1/"),
    ])
  func `a browser at an unknown host gets a page with the right address`(
    host: String, isSecure: Bool, address: String
  ) throws {
    var configuration = bench.service.configuration
    configuration.displayedHost = "192.168.1.5"
    let service = Service(configuration, sources: bench.sources)
    func answer(_ fields: [(name: String, value: String)]) throws -> ServiceResponse {
      let request = ServiceRequest(
        method: "GET", target: "/", fields: [("Host", host)] + fields, isSecure: isSecure)
      return service.answer(
        refusing: try #require(service.problem(withOpen: request)), to: request)
    }
    let accept = ("Accept", "text/html,application/xhtml+xml")
    let page = try answer([accept, ("Accept-Language", "es-MX,en")])
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(page.status == 421 && text.contains("lang=\"es\""))
    #expect(text.contains("<a href=\"\(address)\">\(address)</a>"), "\(text)")
    #expect(!text.contains("<b>"))
    #expect(String(decoding: try answer([]).body, as: UTF8.self).contains("/problems/wrong-host"))
  }

  @Test func `rejects a request without a host or with two`() {
    #expect(status([key]) == 421)
    #expect(status([("Host", "localhost"), ("host", "localhost"), key]) == 421)
  }

  @Test func `every closed route requires the key`() {
    for method in ["GET", "DELETE"] {
      for route in ServiceRoute.all where route.method == method && !route.isOpen {
        let path = "/api/v1/" + route.path.replacing("{", with: "").replacing("}", with: "")
        let status = status(method, path, [("Host", "localhost"), ("Origin", "http://localhost")])
        #expect(status == 401, "\(route.path)")
      }
    }
    #expect(status("GET", "/api/v1/none", [("Host", "localhost")]) == 401)
    #expect(status("GET", "/api/v1/openapi.json", [("Host", "localhost")]) == 200)
  }

  @Test func `the key is accepted only as a Bearer token`() {
    let host = ("Host", "localhost")
    #expect(status([host, key]) == 200)
    #expect(status([host, ("authorization", "bearer \(ServiceBench.keyText)")]) == 200)
    let wrong = String(ServiceBench.keyText.dropLast()) + "0"
    for text in [
      "Bearer \(wrong)", "Bearer ", "Bearer", "", ServiceBench.keyText,
      "Basic \(ServiceBench.keyText)", "Bearer \(ServiceBench.keyText)0",
      "Bearer \(ServiceBench.keyText.dropLast())",
    ] { #expect(status([host, ("Authorization", text)]) == 401, "\(text)") }
    #expect(status("GET", "/api/v1/status?key=\(ServiceBench.keyText)", [host]) == 401)
    #expect(status([host, ("Cookie", "photospots-80=\(ServiceBench.keyText)")]) == 401)
  }

  @Test func `the cookie gives access until the key changes`() {
    let host = ("Host", "localhost:8090")
    #expect(status([host, cookie()]) == 200)
    #expect(status([host, ("Cookie", "photospots-8090=")]) == 401)
    #expect(status([host, ("Cookie", "x\(cookie().1)")]) == 200)
    let other = Service(
      .init(
        version: "1", hosts: HostRule([]), key: SessionKey(random: Array(0..<16))!.hashes,
        description: []), sources: TestSources())
    let reply = other.reply(
      to: ServiceRequest(
        method: "GET", target: "/api/v1/status", fields: [("Host", "localhost:8090"), cookie()]),
      now: ServiceBench.now)
    guard case .response(let response) = reply else { return }
    #expect(response.status == 401)
  }

  @Test func `the cookie is HttpOnly and SameSite, and Secure under TLS`() {
    func cookie(_ isSecure: Bool) -> String {
      let reply = bench.reply(
        "POST", "session", body: #"{"key": "\#(ServiceBench.keyText)"}"#, isSecure: isSecure)
      guard case .response(let response) = reply else { return "" }
      #expect(response.status == 200)
      return response.field("Set-Cookie") ?? ""
    }
    #expect(cookie(false).hasSuffix("; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict"))
    #expect(cookie(true).hasSuffix("; HttpOnly; SameSite=Strict; Secure"))
    #expect(!cookie(false).contains(ServiceBench.keyText))
    let end = bench.response("DELETE", "session")
    #expect(end.status == 204)
    #expect(end.field("Set-Cookie")?.hasPrefix("photospots-8090=; Path=/; Max-Age=0;") == true)
  }

  @Test(
    arguments: [
      ("http://localhost:8090", true), ("HTTP://LOCALHOST:8090", true),
      ("https://localhost:8090", false), ("http://localhost", false),
      ("http://evil.test", false), ("http://localhost:8091", false), ("null", false),
      ("", false), ("localhost:8090", false),
    ])
  func `another origin is rejected for every request`(origin: String, isOwn: Bool) {
    let fields = [("Host", "localhost:8090"), ("Origin", origin)]
    #expect(status(fields + [cookie()]) == (isOwn ? 200 : 403))
    #expect(status(fields + [key]) == (isOwn ? 200 : 403))
    #expect(status("DELETE", "/api/v1/session", fields + [cookie()]) == (isOwn ? 204 : 403))
    let body = #"{"key": "\#(ServiceBench.keyText)"}"#
    #expect(
      status("POST", "/api/v1/session", body: body, fields) == (isOwn ? 200 : 403))
  }

  @Test func `a change with a cookie requires an origin, with the key it does not`() {
    let host = ("Host", "localhost:8090")
    #expect(status("DELETE", "/api/v1/session", [host, cookie()]) == 403)
    #expect(status("DELETE", "/api/v1/session", [host, key]) == 204)
    #expect(
      status("POST", "/api/v1/session", body: #"{"key":"\#(ServiceBench.keyText)"}"#, [host])
        == 403)
  }

  @Test func `a change with a cookie requires the session's token too`() {
    let (cookie, token) = session()
    #expect(cookie.hasPrefix("photospots-8090="))
    let own = [
      ("Host", "localhost:8090"), ("Origin", "http://localhost:8090"), ("Cookie", cookie),
    ]
    let spot = "/api/v1/mutes/none"
    #expect(status("DELETE", spot, own) == 403, "a server on another port has the cookie only")
    #expect(status("DELETE", spot, own + [("PhotoSpots-Token", "0" + token.dropFirst())]) == 403)
    #expect(status("DELETE", spot, own + [("photospots-token", token)]) == 404)
    #expect(status("GET", "/api/v1/photos/none/original", own) == 403)
    #expect(
      status("GET", "/api/v1/photos/none/original", own + [("PhotoSpots-Token", token)]) == 404)
    #expect(status("GET", "/api/v1/photos/none", own) == 404, "reading needs the cookie only")
    // A token is not a key, and the key needs no token.
    #expect(status([own[0], ("PhotoSpots-Token", token)]) == 401)
    #expect(status("DELETE", spot, [own[0], key]) == 404)
  }

  @Test(arguments: [
    ("localhost:8091", false, "8091"), ("nas.local", true, "443"), ("[::1]", false, "80"),
  ])
  func `the cookie is that of the port, so two servers on a host do not share it`(
    host: String, isSecure: Bool, port: String
  ) {
    let request = ServiceRequest(
      method: "POST", target: "/api/v1/session",
      fields: [("Host", host), ("Origin", (isSecure ? "https://" : "http://") + host)],
      body: Array(#"{"key": "\#(ServiceBench.keyText)"}"#.utf8), isSecure: isSecure)
    guard case .response(let response) = bench.service.reply(to: request, now: ServiceBench.now)
    else { return }
    #expect(response.field("Set-Cookie")?.hasPrefix("photospots-\(port)=") == true)
    #expect(status([("Host", host), cookie()]) == 401, "the cookie of port 8090")
  }

  @Test func `the origin must match the scheme, and default ports may be omitted`() {
    for (host, origin, isSecure, expected) in [
      ("nas.local", "https://nas.local", true, 200), ("nas.local", "http://nas.local", true, 403),
      ("nas.local:443", "https://nas.local", true, 200),
      ("nas.local", "https://nas.local:443", true, 200),
      ("nas.local:80", "http://nas.local", false, 200),
      ("nas.local:443", "http://nas.local", false, 403),
    ] {
      #expect(
        status(isSecure: isSecure, [("Host", host), ("Origin", origin), key]) == expected)
    }
  }

  @Test func `requests marked as cross-site by the browser are rejected`() {
    for (site, expected) in [
      ("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200), ("?", 403),
    ] {
      #expect(
        status([("Host", "localhost:8090"), ("Sec-Fetch-Site", site), cookie()]) == expected,
        "\(site)")
    }
  }

  @Test func `the host is checked before the origin, and the origin before the key`() {
    let foreign = ("Origin", "http://evil.test")
    #expect(status([("Host", "evil.test"), foreign]) == 421)
    #expect(status([("Host", "localhost"), foreign]) == 403)
    #expect(status([("Host", "localhost")]) == 401)
  }

  @Test func `a key has 128 bits and only URL-safe characters`() {
    #expect(SessionKey(random: Array(repeating: 0, count: 15)) == nil)
    #expect(SessionKey(random: Array(0..<16))?.text == "000102030405060708090a0b0c0d0e0f")
    for text in ["", "short", String(repeating: "a", count: 21), "a b c d e f g h i j k l m n"] {
      #expect(SessionKey(text) == nil)
    }
    #expect("\(SessionKey(ServiceBench.keyText)!)" == "a key")
  }

  @Test func `an account's key and cookie hold the account and key number`() throws {
    let name = AccountKeyName(account: 7, number: 2)
    let key = try #require(SessionKey(name: name, random: Array(0..<16)))
    #expect(key.text == "7-2-000102030405060708090a0b0c0d0e0f")
    #expect(AccountKeyName(of: key.text) == name)
    let service = Service(
      .init(version: "1", hosts: HostRule([]), key: key.hashes, description: []),
      sources: TestSources())
    func ask(_ request: ServiceRequest) -> ServiceResponse? {
      guard case .response(let response) = service.reply(to: request, now: ServiceBench.now) else {
        return nil
      }
      return response
    }
    let host = (name: "Host", value: "localhost")
    let opening = ServiceRequest(
      method: "POST", target: "/api/v1/session",
      fields: [host, ("Origin", "http://localhost")],
      body: Array(#"{"key": "\#(key.text)"}"#.utf8))
    #expect(opening.credentials == [.key(key.text)])
    let cookie = try #require(ask(opening)?.field("Set-Cookie")?.prefix { $0 != ";" })
    let session = String(cookie.dropFirst("photospots-80=".count))
    #expect(AccountKeyName(of: session) == name && !cookie.contains("000102030405"))
    let request = ServiceRequest(
      method: "GET", target: "/api/v1/status", fields: [host, ("Cookie", String(cookie))])
    #expect(request.credentials == [.session(session)])
    #expect(ask(request)?.status == 200)
    // A cookie is not a key, and a key is not a cookie.
    #expect(key.hashes.isKey(key.text) && key.hashes.isSession(session))
    #expect(!key.hashes.isKey(session) && !key.hashes.isSession(key.text))
    for (field, value) in [
      ("Cookie", "photospots-80=\(key.text)"), ("Authorization", "Bearer \(session)"),
    ] {
      let wrong = ServiceRequest(
        method: "GET", target: "/api/v1/status", fields: [host, (field, value)])
      #expect(ask(wrong)?.status == 401, "\(field)")
    }
  }

  @Test(
    arguments: [
      "", "1", "1-1", "0-1-\(secret)", "1-0-\(secret)", "-1-1-\(secret)", "01-1-\(secret)",
      "+1-1-\(secret)", "1-+1-\(secret)", "1-1-\(secret)-", "1-1-\(secret)g", "1-1-\(secret) ",
      "1-1-\(secret.dropLast())", "9223372036854775808-1-\(secret)", "1-2147483648-\(secret)",
      "1-1-\(secret.uppercased())", secret, "１-1-\(secret)",
    ])
  func `malformed keys name no account`(text: String) {
    #expect(AccountKeyName(of: text) == nil)
  }

  private static let secret = "000102030405060708090a0b0c0d0e0f"

  @Test func `the number of credentials per request is limited`() {
    let cookies = (0..<100).map { "photospots-8090=\($0)" }.joined(separator: "; ")
    let request = ServiceRequest(
      method: "GET", target: "/",
      fields: [("Host", "localhost:8090"), ("Authorization", "Bearer x"), ("Cookie", cookies)])
    #expect(request.credentials.count == 4 && request.credentials.first == .key("x"))
  }

  @Test func `a wrong key or malformed body opens no session`() {
    for (body, expected) in [
      (#"{"key": "wrong"}"#, 401), (#"{"key": ""}"#, 401), ("{}", 400), ("", 400), ("[]", 400),
      (#"{"key": 1}"#, 400), (#"{"key": "a", "key": "b"}"#, 400), (#"{"key":"a"} x"#, 400),
      (#"{"kez": "a"}"#, 400), (#"{"key": "a", "code": "b"}"#, 400),
      (#"{"code": "K7Q2MX9RT4HD"}"#, 501),
    ] { #expect(bench.response("POST", "session", body: body).status == expected, "\(body)") }
  }

  @Test func `every response has the security headers`() {
    let fields = Dictionary(
      uniqueKeysWithValues: SecurityHeaders.fields().map { ($0.name, $0.value) })
    #expect(
      fields["Content-Security-Policy"]
        == "default-src 'self'; img-src 'self' blob: data:; worker-src 'self'; object-src 'none'; "
        + "base-uri 'none'; frame-ancestors 'none'; form-action 'self'")
    #expect(fields["X-Content-Type-Options"] == "nosniff")
    #expect(fields["Referrer-Policy"] == "no-referrer")
    #expect(fields["Cross-Origin-Opener-Policy"] == "same-origin")
    #expect(fields["Permissions-Policy"]?.contains("camera=(self)") == true)
    let original = SecurityHeaders.fields(isOriginal: true).first?.value
    #expect(original?.hasPrefix("sandbox;") == true)
  }
}
