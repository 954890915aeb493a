import Encodings
import ServiceSupport
import SpotAlerts
import SpotService
import TestSupport
import Testing

@Suite struct ProblemTests {
  private let bench = ServiceBench()

  /// Requests with the key, and the expected problem: its slug, its status and the parameter that
  /// it names.
  private static let table:
    [(method: String, target: String, body: String, slug: String, status: Int, names: String?)] = [
      ("GET", "none", "", "not-found", 404, nil),
      ("GET", "", "", "not-found", 404, nil),
      ("GET", "status/", "", "not-found", 404, nil),
      ("GET", "photos/../x", "", "not-found", 404, nil),
      ("GET", "photos/..", "", "not-found", 404, nil),
      ("GET", "photos/%2e%2e/picture", "", "not-found", 404, nil),
      ("GET", "photos/a%2Fb", "", "not-found", 404, nil),
      ("GET", "photos/a%00b", "", "not-found", 404, nil),
      ("GET", "photos/%ff", "", "not-found", 404, nil),
      ("GET", "photos/a/b/c", "", "not-found", 404, nil),
      ("GET", "recreations/x", "", "not-found", 404, nil),
      ("GET", "spots/000000000000", "", "no-such-spot", 404, nil),
      ("GET", "spots/x", "", "no-such-spot", 404, nil),
      ("PUT", "mutes/x", "{}", "no-such-spot", 404, nil),
      ("DELETE", "mutes/x", "", "no-such-spot", 404, nil),
      ("GET", "photos/aaaaaaaaaaaaaaaa", "", "no-such-photo", 404, nil),
      ("GET", "photos/AAAAAAAAAAAAAAAA", "", "no-such-photo", 404, nil),
      ("GET", "photos/x/picture", "", "no-such-photo", 404, nil),
      ("GET", "photos/x/original", "", "no-such-photo", 404, nil),
      ("GET", "devices/x/trail", "", "no-such-device", 404, nil),
      ("POST", "status", "", "wrong-method", 405, nil),
      ("DELETE", "settings", "", "wrong-method", 405, nil),
      ("OPTIONS", "spots", "", "wrong-method", 405, nil),
      ("GET", "session", "", "wrong-method", 405, nil),
      ("GET", "places/import", "", "wrong-method", 405, nil),
      ("GET", "replays", "", "wrong-method", 405, nil),
      ("GET", "status", "body", "too-long", 413, nil),
      ("GET", "status?x=1", "", "bad-parameter", 400, "x"),
      ("GET", "status?key=1", "", "bad-parameter", 400, "key"),
      ("GET", "spots?limit=5&limit=6", "", "bad-parameter", 400, "limit"),
      ("GET", "spots?limit=0", "", "bad-parameter", 400, "limit"),
      ("GET", "spots?limit=501", "", "bad-parameter", 400, "limit"),
      ("GET", "spots?limit=x", "", "bad-parameter", 400, "limit"),
      ("GET", "spots?limit=", "", "bad-parameter", 400, "limit"),
      ("GET", "spots?limit=+5", "", "bad-parameter", 400, "limit"),
      ("GET", "spots?cursor=-1", "", "bad-parameter", 400, "cursor"),
      ("GET", "spots?cursor=99999999999999999999", "", "bad-parameter", 400, "cursor"),
      ("GET", "spots?near=1", "", "bad-parameter", 400, "near"),
      ("GET", "spots?near=91,0", "", "bad-parameter", 400, "near"),
      ("GET", "spots?near=0x1,1", "", "bad-parameter", 400, "near"),
      ("GET", "spots?near=nan,1", "", "bad-parameter", 400, "near"),
      ("GET", "spots?near=1,2,3", "", "bad-parameter", 400, "near"),
      ("GET", "spots?near=1,1&box=1,1,2,2", "", "bad-parameter", 400, "box"),
      ("GET", "spots?near=1,1&zoom=3", "", "bad-parameter", 400, "zoom"),
      ("GET", "spots?zoom=3", "", "bad-parameter", 400, "zoom"),
      ("GET", "spots?radius=3", "", "bad-parameter", 400, "radius"),
      ("GET", "spots?near=1,1&radius=-1", "", "bad-parameter", 400, "radius"),
      ("GET", "spots?near=1,1&radius=1e99", "", "bad-parameter", 400, "radius"),
      ("GET", "spots?box=2,1,1,2", "", "bad-parameter", 400, "box"),
      ("GET", "spots?box=1,2,3", "", "bad-parameter", 400, "box"),
      ("GET", "spots?box=1,2,3,999", "", "bad-parameter", 400, "box"),
      ("GET", "spots?box=-91,0,0,1", "", "bad-parameter", 400, "box"),
      ("GET", "spots?box=,,,", "", "bad-parameter", 400, "box"),
      ("GET", "clusters?zoom=3", "", "bad-parameter", 400, "box"),
      ("GET", "clusters?box=1,1,2,2", "", "bad-parameter", 400, "zoom"),
      ("GET", "clusters?box=1,1,2,2&zoom=-1", "", "bad-parameter", 400, "zoom"),
      ("GET", "clusters?box=1,1,2,2&zoom=25", "", "bad-parameter", 400, "zoom"),
      ("GET", "clusters?box=1,1,2,2&zoom=inf", "", "bad-parameter", 400, "zoom"),
      ("GET", "clusters?box=1,1,2,2&zoom=1&limit=3", "", "bad-parameter", 400, "limit"),
      ("GET", "spots?from=20x", "", "bad-parameter", 400, "from"),
      ("GET", "spots?to=10000", "", "bad-parameter", 400, "to"),
      ("GET", "spots?favorites=yes", "", "bad-parameter", 400, "favorites"),
      ("GET", "spots?album=", "", "bad-parameter", 400, "album"),
      ("GET", "spots?album=%ff", "", "bad-parameter", 400, "album"),
      ("GET", "spots?album=%zz", "", "bad-parameter", 400, "album"),
      ("GET", "spots?around=02-30", "", "bad-parameter", 400, "around"),
      ("GET", "spots?around=5-1", "", "bad-parameter", 400, "around"),
      ("GET", "spots/x?limit=3", "", "bad-parameter", 400, "limit"),
      ("GET", "photos/x/picture?size=95", "", "bad-parameter", 400, "size"),
      ("GET", "photos/x/picture?size=2049", "", "bad-parameter", 400, "size"),
      ("GET", "photos/x/picture?shape=round", "", "bad-parameter", 400, "shape"),
      ("GET", "share", "", "bad-parameter", 400, "earlier"),
      ("GET", "share?earlier=x", "", "bad-parameter", 400, "later"),
      ("GET", "share?earlier=x&later=y", "", "no-such-photo", 404, "earlier"),
      ("GET", "share?earlier=x&later=y&shape=square", "", "bad-parameter", 400, "shape"),
      ("GET", "share?earlier=x&later=y&animated=1", "", "bad-parameter", 400, "animated"),
      ("GET", "towns", "", "bad-parameter", 400, "box"),
      ("GET", "towns?box=1,1,2,2&query=a", "", "bad-parameter", 400, "query"),
      ("GET", "search", "", "bad-parameter", 400, "query"),
      ("GET", "search?query=a&near=x", "", "bad-parameter", 400, "near"),
      ("GET", "search?query=a&limit=21", "", "bad-parameter", 400, "limit"),
      ("GET", "glance?near=91,0", "", "bad-parameter", 400, "near"),
      ("GET", "spots?month=13", "", "bad-parameter", 400, "month"),
      ("GET", "spots?season=fall", "", "bad-parameter", 400, "season"),
      ("GET", "spots?until=2021..2022", "", "bad-parameter", 400, "until"),
      ("GET", "devices/x/trail?from=today", "", "bad-parameter", 400, "from"),
      ("POST", "recreations", "", "bad-parameter", 400, "photo"),
      ("POST", "recreations?photo=x&score=2", "", "bad-parameter", 400, "score"),
      ("POST", "recreations?photo=x&time=today", "", "bad-parameter", 400, "time"),
      ("POST", "recreations?photo=x&time=2026-11-22T10:15:03", "", "bad-parameter", 400, "time"),
      ("GET", "actions/x", "", "not-found", 404, nil),
      ("POST", "actions/x?y=1", "", "bad-parameter", 400, "y"),
      ("POST", "replays?set=x", "track", "bad-parameter", 400, "set"),
      ("POST", "replays?set=nonsense=1", "track", "bad-parameter", 400, "set"),
      ("POST", "replays?set=ntfyURL=http://x/y", "track", "bad-parameter", 400, "set"),
      ("POST", "replays", "", "no-track", 422, nil),
      ("PATCH", "settings", "", "bad-parameter", 400, "body"),
      ("PATCH", "settings", "[1]", "bad-parameter", 400, "body"),
      ("PATCH", "settings", #"{"dwell": 1, "dwell": 2}"#, "bad-parameter", 400, "body"),
      ("PATCH", "settings", #"{"nonsense": 1}"#, "bad-setting", 422, "nonsense"),
      ("PATCH", "settings", #"{"ntfyURL": "http://evil.test/x"}"#, "bad-setting", 422, "ntfyURL"),
      ("PATCH", "settings", #"{"listenTokens": null}"#, "bad-setting", 422, "listenTokens"),
      (
        "PATCH", "settings", #"{"recreationsFolder": "/etc"}"#, "bad-setting", 422,
        "recreationsFolder"
      ),
    ]

  @Test func `each invalid request gets its problem, which names the parameter`() throws {
    for row in Self.table {
      let response = bench.response(row.method, row.target, body: row.body)
      let name = "\(row.method) \(row.target) \(row.body)"
      #expect(response.status == row.status, "\(name)")
      #expect(response.field("Content-Type") == "application/problem+json", "\(name)")
      guard let json = try? JSONValue(response.body) else {
        Issue.record("\(name): no JSON")
        continue
      }
      #expect(json["type"] == .string("/problems/\(row.slug)"), "\(name)")
      #expect(json["status"] == .number(Double(row.status)), "\(name)")
      #expect(json["title"]?.text?.isEmpty == false && json["detail"] != nil, "\(name)")
      #expect(json["parameter"]?.text == row.names, "\(name)")
    }
  }

  @Test func `the response to a wrong method lists the allowed ones`() {
    #expect(bench.response("POST", "status").field("Allow") == "GET, HEAD")
    #expect(bench.response("GET", "session").field("Allow") == "POST, DELETE")
    #expect(bench.response("DELETE", "settings").field("Allow") == "GET, PATCH, HEAD")
  }

  @Test func `rejects a mute with a past time or an unknown member`() throws {
    let id = try #require(bench.json("spots")[0]?["id"]?.text)
    for (body, parameter) in [
      (#"{"until": "2020-01-01T00:00:00Z"}"#, "until"), (#"{"until": "soon"}"#, "until"),
      (#"{"until": 5}"#, "body"), (#"{"for": "ever"}"#, "body"), ("null", "body"),
    ] {
      let response = bench.response("PUT", "mutes/\(id)", body: body)
      #expect(response.status == 400, "\(body)")
      #expect(try JSONValue(response.body)["parameter"] == .string(parameter), "\(body)")
    }
  }

  @Test func `the body limit depends on the path`() {
    let long = String(repeating: "x", count: 4096)
    #expect(bench.response("POST", "session", body: long + "x").status == 413)
    #expect(bench.response("POST", "session", body: long).status == 400)
    let settings = ServiceRequest(method: "PATCH", target: "/api/v1/settings")
    #expect(ServiceRoute.route(of: settings)?.bodyLimit == 1 << 20)
    let request = ServiceRequest(method: "POST", target: "/api/v1/replays?set=a")
    #expect(ServiceRoute.route(of: request)?.bodyLimit == 32 << 20)
    #expect(ServiceRoute.route(of: ServiceRequest(method: "GET", target: "/")) == nil)
  }

  @Test func `a damaged index gives a problem for every request that needs it`() throws {
    var bench = bench
    bench.sources.libraryProblem = Problem(.indexDamaged, "It is cut off at byte 10,412.")
    for target in ["status", "spots", "clusters?box=1,1,2,2&zoom=1", "photos/x", "alerts"] {
      let response = bench.response("GET", target)
      #expect(response.status == 503, "\(target)")
      let json = try JSONValue(response.body)
      #expect(json["type"] == .string("/problems/index-damaged"))
      #expect(json["title"] == .string("The index is damaged"))
    }
    #expect(bench.response("GET", "towns?query=siena").status == 200)
    #expect(bench.response("GET", "settings").status == 200)
  }

  @Test func `a replay of an empty track is a problem`() throws {
    #expect(throws: Problem.self) {
      _ = try bench.service.replayed(
        ReplayAnswer(runs: [], track: []), now: ServiceBench.now)
    }
  }

  @Test func `every kind of problem has its status, and a unique title`() {
    #expect(
      Dictionary(
        uniqueKeysWithValues: Problem.Kind.allCases.map { ($0.rawValue, $0.status) }) == [
          "bad-parameter": 400, "no-key": 401, "wrong-origin": 403, "no-token": 403,
          "not-found": 404, "no-such-session": 404, "no-such-phone": 404, "name-taken": 409,
          "too-many-phones": 409,
          "expired": 410,
          "no-such-spot": 404, "no-such-photo": 404, "no-such-device": 404,
          "wrong-method": 405, "changed": 412, "too-long": 413, "no-picture": 415,
          "no-decoder": 415,
          "wrong-host": 421,
          "no-track": 422, "no-places": 422, "bad-setting": 422, "too-many-tries": 429, "busy": 503,
          "index-damaged": 503,
          "state-damaged": 503, "disk-unavailable": 503, "no-room": 507,
          "store-unavailable": 503, "not-served": 501,
        ])
    #expect(Set(Problem.Kind.allCases.map(\.title)).count == Problem.Kind.allCases.count)
  }
}
