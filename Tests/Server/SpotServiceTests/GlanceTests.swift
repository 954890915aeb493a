import CivilTime
import Encodings
import LocationFeeds
import ServiceSupport
import SpotService
import TestSupport
import Testing

/// What widgets, watches and voice assistants ask for.
@Suite struct GlanceTests {
  private let bench = ServiceBench()

  @Test func `a glance has a sentence, a picture and the way to the nearest spot`() throws {
    let glance = try bench.json("glance?near=43.319,11.331")
    #expect(glance["text"] == .string("Siena, 110 m south: 3 photos, 2008–2024."))
    let nearest = try #require(glance["nearest"])
    #expect(nearest["spot"]?["distance"]?.number.map { (100...120).contains($0) } == true)
    #expect(nearest["spot"]?["bearing"]?.number.map { (179...181).contains($0) } == true)
    let picture = try #require(nearest["picture"]?.text)
    #expect(picture.hasPrefix("/api/v1/photos/") && picture.hasSuffix("/picture?size=512"))
  }

  @Test func `without a position it has this week in other years`() throws {
    var bench = ServiceBench()
    bench.sources = TestSources([
      TestPhoto("/a/Old/a.jpg", 43.3, 11.3, "2015-11-22T10:00:00Z"),
      TestPhoto("/a/New/b.jpg", 44.3, 11.3, "2026-11-19T10:00:00Z"),
    ])
    let glance = try bench.json("glance")
    #expect(glance["nearest"] == nil && glance["week"]?.items.count == 1)
    #expect(glance["text"] == .string("Old: 1 photo, 2015."))
    #expect(glance["week"]?.items.first?["text"] == .string("Old: 1 photo, 2015."))
    bench.sources = TestSources([])
    #expect(try bench.json("glance")["text"] == .string("No current position is known."))
    #expect(try bench.json("glance?near=1,1")["text"] == .string("no spot near."))
    let spanish = bench.response("GET", "glance", fields: [("Accept-Language", "es")])
    #expect(
      try JSONValue(spanish.body)["text"] == .string("No se conoce ninguna posición actual."))
    let page = String(decoding: bench.response("GET", "glance/page").body, as: UTF8.self)
    #expect(page.contains("<p>No current position is known.</p>"))
  }

  @Test func `the units and the language are those of the settings and the request`() throws {
    var bench = bench
    bench.sources.shown.append(ServedSetting(name: "units", value: "imperial", origin: "file"))
    #expect(
      try bench.json("glance?near=43.319,11.331")["text"]
        == .string("Siena, 360 ft south: 3 photos, 2008–2024."))
    let spanish = bench.response(
      "GET", "glance?near=43.319,11.331", fields: [("Accept-Language", "es-ES,en;q=0.5")])
    #expect(try JSONValue(spanish.body)["text"]?.text?.contains("3 fotos") == true)
  }

  @Test func `the position of the device is used`() throws {
    var bench = bench
    bench.sources.positions = [
      LocationFix(
        time: ServiceBench.now, latitude: 43.319, longitude: 11.331, horizontalAccuracyMeters: 5,
        device: "ana")
    ]
    let glance = try bench.json("glance")
    #expect(glance["position"]?["device"] == .string("ana"))
    #expect(glance["text"]?.text?.hasPrefix("Siena, 110 m south") == true)
  }

  @Test func `the page has no script, and loads again`() throws {
    let response = bench.response("GET", "glance/page?near=43.319,11.331")
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(html.contains("Siena, 110 m south: 3 photos"))
    #expect(html.contains("<img src=\"../photos/") && html.contains("http-equiv=\"refresh\""))
    #expect(!html.contains("<script"))
    #expect(response.field("Content-Security-Policy")?.contains("img-src 'self'") == true)
  }

  // MARK: - The token of a phone

  private struct OnePhone: Phones {
    var list = PhoneList()

    init() throws { _ = try list.add("ana", token: GlanceTests.token, now: ServiceBench.now) }

    func all() throws(Problem) -> [Phone] { list.all }
    func phone(showing token: String) -> Phone? { list.phone(showing: Array(token.utf8)) }
    func check(_ name: String) throws(Problem) {}
    func add(_ name: String) throws(Problem) -> (phone: Phone, token: String) {
      throw Problem(.busy, "")
    }
    func rename(_ id: String, to name: String) throws(Problem) -> Bool { false }
    func remove(_ id: String) throws(Problem) -> Bool { false }
    func page(askedBy request: ServiceRequest) -> PhonePage {
      PhonePage(address: "", isReachable: false)
    }
  }

  fileprivate static let token = "00112233445566778899aabbccddeeff"

  private func status(
    _ method: String, _ target: String, _ authorization: String
  ) throws -> Int {
    var configuration = bench.service.configuration
    configuration.phones = try OnePhone()
    let service = Service(configuration, sources: bench.sources)
    let request = ServiceRequest(
      method: method, target: "/api/v1/" + target,
      fields: [("Host", "localhost:8090"), ("Authorization", authorization)])
    if let refusal = service.refusal(of: request) { return refusal.status }
    guard case .response(let response) = service.reply(to: request, now: ServiceBench.now) else {
      return 200
    }
    return response.status
  }

  @Test func `the token of a phone opens the glance and pictures, and nothing else`() throws {
    let bearer = "Bearer \(Self.token)"
    let basic = "Basic \(Base64.text(Array("ana:\(Self.token)".utf8)))"
    let picture = try #require(
      bench.json("glance?near=43.3,11.3")["nearest"]?["picture"]?.text?.dropFirst("/api/v1/".count))
    for authorization in [bearer, basic] {
      for target in ["glance", "glance/page", String(picture)] {
        #expect(try status("GET", target, authorization) == 200, "\(target)")
      }
      for target in ["status", "spots", "devices", "settings", "alerts", "events", "photos/x"] {
        #expect(try status("GET", target, authorization) == 401, "\(target)")
      }
    }
    // A change needs the header Origin, or the key.
    #expect(try status("POST", "phones", bearer) == 403)
    #expect(try status("GET", "glance", "Bearer \(Self.token.reversed())") == 401)
  }
}
