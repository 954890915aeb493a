import KeptPlaces
import ServiceSupport
import SpotService
import Synchronization
import TestSupport
import Testing

@testable import SpotAlerts

/// If-Match and If-None-Match (RFC 9110, section 13).
@Suite struct PreconditionTests {
  @Test(arguments: [
    (#""a""#, [#""a""#]), (#"W/"a", "b""#, [#"W/"a""#, #""b""#]),
    (#""a,b" ,\#t"", "c""#, [#""a,b""#, #""""#, #""c""#]), ("", []), (",,", []), ("a", []),
    (#"a, "b""#, [#""b""#]), (#""a"#, []), (#"w/"a""#, []), (#"*, "a""#, [#""a""#]),
    (#"W/ "a""#, []), (#""a" x "b""#, [#""a""#]),
  ])
  func `a list of entity tags is read, without parts that are none`(
    field: String, tags: [String]
  ) {
    #expect(EntityTags(field) == .listed(tags))
  }

  @Test func `an asterisk alone means any tag`() {
    for field in ["*", " * "] { #expect(EntityTags(field) == .any) }
  }

  /// Examples of RFC 9110, section 8.8.3.2.
  @Test(arguments: [
    (#"W/"1""#, #"W/"1""#, false, true), (#"W/"1""#, #"W/"2""#, false, false),
    (#"W/"1""#, #""1""#, false, true), (#""1""#, #"W/"1""#, false, true),
    (#""1""#, #""1""#, true, true),
  ])
  func `tags are compared strongly and weakly`(
    listed: String, current: String, isStrong: Bool, isWeak: Bool
  ) {
    #expect(EntityTags(listed).contains(strongly: current) == isStrong)
    #expect((EntityTags(listed).weakMatch(of: current) != nil) == isWeak)
  }

  @Test func `the tag of a compressed answer names the same state`() {
    let packed = EntityTags.packed(#""1""#)
    #expect(packed == #""1-gzip""# && EntityTags.packed(#"W/"1""#) == #"W/"1""#)
    #expect(EntityTags(packed).contains(strongly: #""1""#))
    #expect(EntityTags(packed).weakMatch(of: #""1""#) == packed)
    #expect(!EntityTags(packed).contains(strongly: #"W/"1""#))
    #expect(!EntityTags(#""1-gzip-gzip""#).contains(strongly: #""1""#))
  }

  // MARK: - Places

  private func changed(_ response: ServiceResponse) throws -> Bool {
    guard response.status == 412 else { return false }
    return try JSONValue(response.body)["type"] == .string("/problems/changed")
  }

  @Test func `a place is changed only if it has the entity tag of If-Match`() throws {
    var bench = ServiceBench()
    let id = try bench.add(#"{"latitude": 1, "longitude": 2, "name": "A", "note": "n"}"#)
    let note = try #require(try bench.json("places/\(id)")["notes"]?[0]?["id"]?.text)
    let tag = try #require(bench.response("GET", "places/\(id)").field("ETag"))
    #expect(tag.hasPrefix("\""), "a strong tag")
    let edits = [
      ("PATCH", "places/\(id)", #"{"name": "B"}"#),
      ("POST", "places/\(id)/notes", #"{"text": "m"}"#),
      ("PATCH", "places/\(id)/notes/\(note)", #"{"text": "o"}"#),
      ("DELETE", "places/\(id)/notes/\(note)", ""), ("DELETE", "places/\(id)", ""),
    ]
    for wrong in [#""x""#, "W/\(tag)", String(tag.dropFirst().dropLast()), "", "x*"] {
      for (method, target, body) in edits {
        let response = bench.response(method, target, body: body, fields: [("If-Match", wrong)])
        #expect(try changed(response), "\(method) \(target) \(wrong)")
      }
    }
    for known in [tag, "\"x\", \(tag)", EntityTags.packed(tag), "*"] {
      for (method, target, body) in edits {
        #expect(
          bench.work(method, target, body: body, fields: [("If-Match", known)]) != nil,
          "\(method) \(target) \(known)")
      }
    }
    // The response has the tag for the next change.
    let response = try bench.change("PATCH", "places/\(id)", body: #"{"name": "B"}"#)
    let next = try #require(response.field("ETag"))
    #expect(next != tag && next == bench.response("GET", "places/\(id)").field("ETag"))
    #expect(
      try changed(
        bench.response("PATCH", "places/\(id)", body: "{}", fields: [("If-Match", tag)])))
    // Several fields are one list.
    let fields = [(name: "If-Match", value: tag), (name: "if-match", value: next)]
    #expect(bench.work("PATCH", "places/\(id)", body: "{}", fields: fields) != nil)
  }

  @Test func `a missing place gives 404 whatever If-Match says`() {
    let bench = ServiceBench()
    for condition in ["*", #""x""#] {
      let response = bench.response(
        "PATCH", "places/0123456789abcdef", body: "{}", fields: [("If-Match", condition)])
      #expect(response.status == 404)
    }
  }

  @Test func `a place that another client changes before the change is made is left alone`()
    throws
  {
    var bench = ServiceBench()
    let id = try bench.add(#"{"latitude": 1, "longitude": 2, "name": "A"}"#)
    let tag = try #require(bench.response("GET", "places/\(id)").field("ETag"))
    let works = ["If-Match": tag, "If-None-Match": #""x""#].compactMap { name, value in
      bench.work("PATCH", "places/\(id)", body: #"{"name": "B"}"#, fields: [(name, value)])
    }
    #expect(works.count == 2)
    _ = try bench.change("PATCH", "places/\(id)", body: #"{"kind": "tree"}"#)
    for case .places(let work) in works {
      #expect(throws: PlaceError.changed(try #require(PlaceID(id)))) {
        try work.apply(to: &bench.sources.document, now: ServiceBench.now)
      }
    }
    #expect(try bench.json("places/\(id)")["name"] == .string("A"))
    #expect(Problem(PlaceError.changed(try #require(PlaceID(id)))).kind == .changed)
  }

  // MARK: - Settings

  @Test func `settings are changed only if they have the entity tag of If-Match`() throws {
    var bench = ServiceBench()
    let tag = try #require(bench.response("GET", "settings").field("ETag"))
    #expect(tag.hasPrefix("\"") && bench.response("GET", "settings?limit=1").field("ETag") == tag)
    let body = #"{"dwell": 5}"#
    for wrong in [#""x""#, "W/\(tag)"] {
      let response = bench.response("PATCH", "settings", body: body, fields: [("If-Match", wrong)])
      #expect(try changed(response))
    }
    for known in [tag, "*"] {
      guard
        case .changeSettings(_, expected: tag) = bench.work(
          "PATCH", "settings", body: body, fields: [("If-Match", known)])
      else {
        Issue.record("\(known)")
        continue
      }
    }
    try bench.service.checkSettings(tag)
    #expect(try bench.service.changedSettings().field("ETag") == tag)
    bench.sources.shown[2] = ServedSetting(name: "dwell", value: "5 s", origin: "f")
    let service = bench.service
    #expect(throws: Problem.self) { try service.checkSettings(tag) }
    #expect(bench.response("GET", "settings").field("ETag") != tag)
    #expect(
      bench.response("GET", "settings", fields: [("If-None-Match", tag)]).status == 200)
  }

  @Test func `settings that change during an answer are sent again`() throws {
    var bench = ServiceBench()
    let readings = Mutex(0)
    bench.sources.changingSettings = {
      let number = readings.withLock { count in
        count += 1
        return count
      }
      return [ServedSetting(name: "dwell", value: "\(number) s", origin: "f")]
    }
    let first = bench.response("GET", "settings")
    let tag = try #require(first.field("ETag"))
    // From now on they stay as they are in the second reading.
    let last = [ServedSetting(name: "dwell", value: "2 s", origin: "f")]
    bench.sources.changingSettings = { last }
    let again = bench.response("GET", "settings", fields: [("If-None-Match", tag)])
    #expect(try again.status == 200 || JSONValue(first.body) == bench.json("settings"))
  }

  @Test func `settings and places with a known tag are not sent again`() throws {
    var bench = ServiceBench()
    let id = try bench.add(#"{"latitude": 1, "longitude": 2, "name": "A"}"#)
    for target in ["settings", "places/\(id)"] {
      let tag = try #require(bench.response("GET", target).field("ETag"))
      for known in [tag, "W/\(tag)", EntityTags.packed(tag), "*"] {
        let again = bench.response("GET", target, fields: [("If-None-Match", known)])
        #expect(again.status == 304 && again.body.isEmpty)
        // The copy of the client is updated by the tag that it has (RFC 9111, section 4.3.4).
        #expect(again.field("ETag") == (known.contains("-gzip") ? known : tag))
      }
    }
  }

  // MARK: - Other paths

  @Test func `changes of what has no strong tag are refused if a tag is required`() throws {
    let bench = ServiceBench()
    let spot = try #require(bench.json("spots")[0]?["id"]?.text)
    for (method, target, body, hasForm) in [
      ("PUT", "mutes/\(spot)", "{}", false), ("DELETE", "mutes/\(spot)", "", false),
      ("POST", "places", #"{"latitude": 1, "longitude": 2}"#, true),
      ("POST", "replays", "x", false), ("POST", "codes", "", false),
      ("POST", "session", #"{"key":"\#(ServiceBench.keyText)"}"#, false),
    ] {
      let listed = bench.response(method, target, body: body, fields: [("If-Match", #""x""#)])
      #expect(try changed(listed), "\(method) \(target)")
      let any = bench.response(method, target, body: body, fields: [("If-Match", "*")])
      #expect(try changed(any) == !hasForm, "\(method) \(target)")
    }
  }

  @Test func `If-None-Match prevents a change of what exists`() throws {
    var bench = ServiceBench()
    let id = try bench.add(#"{"latitude": 1, "longitude": 2}"#)
    let tag = try #require(bench.response("GET", "places/\(id)").field("ETag"))
    for known in ["*", tag, "W/\(tag)"] {
      let fields = [(name: "If-None-Match", value: known)]
      #expect(try changed(bench.response("PATCH", "places/\(id)", body: "{}", fields: fields)))
    }
    #expect(
      bench.work("PATCH", "places/\(id)", body: "{}", fields: [("If-None-Match", #""x""#)]) != nil)
  }

  @Test func `GET with another tag in If-Match gives 412`() throws {
    let bench = ServiceBench()
    let tag = try #require(bench.response("GET", "settings").field("ETag"))
    for (target, condition, status) in [
      ("settings", tag, 200), ("settings", #""x""#, 412), ("spots", "*", 200),
      ("spots", bench.response("GET", "spots").field("ETag") ?? "", 412), ("devices", #""x""#, 412),
      ("devices", "*", 200), ("spots/000000000000", #""x""#, 404),
    ] {
      let response = bench.response("GET", target, fields: [("If-Match", condition)])
      #expect(response.status == status, "\(target) \(condition)")
    }
    // RFC 9110, section 13.2.2: If-Match comes first.
    let both = [(name: "If-Match", value: #""x""#), (name: "If-None-Match", value: tag)]
    #expect(bench.response("GET", "settings", fields: both).status == 412)
  }
}
