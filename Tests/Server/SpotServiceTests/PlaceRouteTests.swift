import CivilTime
import Encodings
import GeoDocuments
import KeptPlaces
import LocationFeeds
import PhotoLibrary
import PlaceTransfer
import ServiceSupport
import Spatial
import SpotService
import SpotWatcher
import SystemPackage
import TestSupport
import Testing

@testable import SpotAlerts

extension ServiceBench {
  /// Performs the place change of a request, as the server does, and returns the response.
  mutating func change(_ method: String, _ target: String, body: String = "") throws
    -> ServiceResponse
  {
    switch reply(method, target, body: body) {
    case .response(let response): return response
    case .work(.places(let work)):
      let id: PlaceID
      do throws(PlaceError) {
        id = try work.apply(to: &sources.document, now: Self.now)
      } catch { return Problem(error).response }
      return try service.changed(work, of: id)
    case .work(.importPlaces(let work)):
      do throws(Problem) {
        return service.imported(try perform(work))
      } catch { return error.response }
    case .work: return ServiceResponse(status: 0)
    }
  }

  private mutating func perform(_ work: PlaceImportWork) throws(Problem) -> PlaceImportReport {
    let item = try work.read()
    var document = sources.document
    do throws(PlaceError) {
      let report = try work.apply(item, to: &document, radiusMeters: 15, now: Self.now)
      if !work.isDryRun { sources.document = document }
      return report
    } catch { throw Problem(error) }
  }

  /// Imports a file, and returns the report.
  mutating func imported(_ query: String, _ body: String) throws -> JSONValue {
    let response = try change("POST", "places/import?\(query)", body: body)
    try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
    return try JSONValue(response.body)
  }

  /// Imports a file that is not text, and returns the report.
  mutating func imported(_ query: String, bytes: [UInt8]) throws -> JSONValue {
    let request = ServiceRequest(
      method: "POST", target: "/api/v1/places/import?\(query)",
      fields: [("Host", "localhost"), ("Authorization", "Bearer \(Self.keyText)")], body: bytes)
    guard case .work(.importPlaces(let work)) = service.reply(to: request, now: Self.now) else {
      throw JSONError(offset: 0, reason: "no import")
    }
    return try JSONValue(service.imported(perform(work)).body)
  }

  /// Adds a place and returns its id.
  mutating func add(_ body: String) throws -> String {
    let response = try change("POST", "places", body: body)
    try #require(response.status == 201, "\(String(decoding: response.body, as: UTF8.self))")
    let id = try #require(try JSONValue(response.body)["id"]?.text)
    #expect(response.field("Location") == "/api/v1/places/\(id)")
    return id
  }
}

@Suite struct PlaceRouteTests {
  private func names(_ list: JSONValue) -> [String] { list.items.compactMap { $0["name"]?.text } }

  @Test func `a place is stored with all its fields`() throws {
    var bench = ServiceBench()
    let photo = try #require(bench.json("spots?near=43.318,11.331")[0]?["cover"]?.text)
    let id = try bench.add(
      #"""
      {"latitude": 43.5, "longitude": 11.5, "name": "<img onerror=x>\u0007", "kind": "tree",
       "radius": 250.5, "collections": ["B", "A"], "note": "Nest\nabove", "photos": ["\#(photo)"]}
      """#)
    let place = try bench.json("places/\(id)")
    #expect(
      place.keys == [
        "id", "latitude", "longitude", "name", "kind", "radius", "collections", "notes",
        "noteCount", "photos", "photoCount", "spot", "created", "changed", "removed",
      ])
    #expect(place["name"] == .string("<img onerror=x>") && place["kind"] == .string("tree"))
    #expect(place["radius"] == .number(250.5) && place["spot"] == .null)
    #expect(place["collections"] == .array([.string("A"), .string("B")]))
    #expect(place["notes"]?[0]?["text"] == .string("Nest\nabove"))
    #expect(place["photos"]?[0]?["id"] == .string(photo))
    #expect(place["photos"]?[0]?["spot"]?.text?.utf8.count == 12)
    #expect(place["created"] == .string("2026-11-20T12:00:00.000Z"))
    let text = String(decoding: bench.response("GET", "places/\(id)").body, as: UTF8.self)
    #expect(!text.contains("/home/me"))
  }

  @Test func `a place without a name gets that of its spot or town`() throws {
    var bench = ServiceBench()
    let spot = try #require(bench.json("spots?near=43.318,11.331")[0])
    let spotID = try #require(spot["id"]?.text)
    let id = try bench.add(#"{"spot": "\#(spotID)"}"#)
    let pinned = try bench.json("places/\(id)")
    #expect(pinned["name"] == .string("Siena") && pinned["spot"] == .string(spotID))
    #expect(pinned["latitude"] == spot["latitude"] && pinned["longitude"] == spot["longitude"])
    let bare = try bench.add(#"{"latitude": 43.4665, "longitude": 11.8823}"#)
    #expect(try bench.json("places/\(bare)")["name"] == .string("Arezzo"))
    let sea = try bench.add(#"{"latitude": -40, "longitude": -120}"#)
    #expect(try bench.json("places/\(sea)")["name"] == .string("40.00000° S, 120.00000° W"))
  }

  @Test(arguments: ["", " ", "\\t\\u0007"])
  func `an empty name is that of the spot or town, for a new place and for a changed one`(
    name: String
  ) throws {
    var bench = ServiceBench()
    let spot = try #require(bench.json("spots?near=43.318,11.331")[0]?["id"]?.text)
    let other = try #require(bench.json("spots?near=43.4665,11.8823")[0]?["id"]?.text)
    func stored(_ id: String) throws -> String? {
      try bench.sources.document[#require(PlaceID(id))]?.name
    }
    for (body, expected) in [
      (#""spot": "\#(spot)""#, "Siena"), (#""latitude": 43.4665, "longitude": 11.8823"#, "Arezzo"),
      (#""latitude": -40, "longitude": -120"#, "40.00000° S, 120.00000° W"),
    ] {
      let new = try bench.add(#"{\#(body), "name": "\#(name)"}"#)
      #expect(try stored(new) == expected)
      let old = try bench.add(#"{\#(body), "name": "Oak"}"#)
      _ = try bench.change("PATCH", "places/\(old)", body: #"{"name": "\#(name)"}"#)
      #expect(try stored(old) == expected)
    }
    // The name follows the spot and the position of the same change.
    let place = try bench.add(#"{"spot": "\#(spot)", "name": "Oak"}"#)
    _ = try bench.change(
      "PATCH", "places/\(place)", body: #"{"name": "\#(name)", "spot": "\#(other)"}"#)
    #expect(try stored(place) == "Arezzo")
    let moved = #"{"name": "\#(name)", "spot": null, "latitude": 43.318, "longitude": 11.331}"#
    _ = try bench.change("PATCH", "places/\(place)", body: moved)
    #expect(try stored(place) == "Siena")
  }

  @Test func `a pinned spot has the place's name and refers to it`() throws {
    var bench = ServiceBench()
    let id = try #require(bench.json("spots?near=43.318,11.331")[0]?["id"]?.text)
    #expect(try bench.json("spots/\(id)")["ownPlace"] == nil)
    let place = try bench.add(#"{"spot": "\#(id)", "name": "Old oak", "note": "x"}"#)
    let spot = try bench.json("spots/\(id)")
    #expect(spot["title"] == .string("Old oak") && spot["place"]?["name"] == .string("Siena"))
    #expect(
      spot["ownPlace"]
        == .object([
          "id": .string(place), "name": .string("Old oak"), "kind": .string("place"),
          "notes": .number(1),
        ]))
    let pin = try bench.json("clusters?box=43.3,11.3,43.4,11.4&zoom=17")[0]
    #expect(pin?["title"] == .string("Old oak"))
    #expect(try bench.json("spots")["total"] == .number(3), "spots are spots of photos")
  }

  @Test func `a spot is near the position of its pinned place too, as the command near says`()
    throws
  {
    var bench = ServiceBench()
    let id = try #require(bench.json("spots?near=43.318,11.331")[0]?["id"]?.text)
    // In Milan, far from the spot in Siena.
    _ = try bench.add(
      #"{"spot": "\#(id)", "name": "Old oak", "latitude": 45.5, "longitude": 9.2}"#)
    let found = try bench.json("spots?near=45.501,9.2&radius=200")
    #expect(found["total"] == .number(1) && found[0]?["id"] == .string(id))
    #expect(found[0]?["distance"]?.number.map { (110...112).contains($0) } == true)
    #expect(found[0]?["bearing"]?.number.map { (179...181).contains($0) } == true)
    #expect(try bench.json("spots?near=43.318,11.331&radius=200")[0]?["id"] == .string(id))
    let all = try bench.json("spots?near=45.501,9.2")
    #expect(all["total"] == .number(3) && all[0]?["id"] == .string(id))
    let next = try bench.json("spots?near=45.501,9.2&limit=1")
    #expect(next["total"] == .number(3) && next[0]?["id"] == .string(id) && next[1] == nil)
    // Each spot is listed once.
    #expect(all[1]?["id"] != .string(id) && all[2]?["id"] != .string(id) && all[3] == nil)
    let glance = try bench.json("glance?near=45.501,9.2")
    #expect(glance["text"]?.text?.hasPrefix("Old oak, 110 m south: ") == true, "\(glance)")
  }

  @Test func `a place whose spot has a new id refers to the new spot`() throws {
    var bench = ServiceBench()
    let id = try #require(bench.json("spots?near=43.318,11.331")[0]?["id"]?.text)
    let place = try bench.add(#"{"spot": "\#(id)", "name": "Old oak"}"#)
    let document = bench.sources.document
    bench.sources = TestSources(Array(TestSources.photos.dropFirst()), generation: "2")
    bench.sources.document = document
    let heir = try #require(bench.json("spots?near=43.318,11.331")[0]?["id"]?.text)
    #expect(heir != id)
    #expect(try bench.json("places/\(place)")["spot"] == .string(heir))
    bench.sources = TestSources(Array(TestSources.photos.suffix(2)), generation: "3")
    bench.sources.document = document
    #expect(try bench.json("places/\(place)")["spot"] == .string(id))
  }

  @Test func `places are listed by name or distance, and filtered by box, collection and text`()
    throws
  {
    var bench = ServiceBench()
    for (name, latitude, longitude, collection) in [
      ("beta", 1.0, 179.9, "Trees"), ("Alpha", 1.0, -179.9, "Trees"), ("gamma", 2.0, 0.0, "Été"),
    ] {
      _ = try bench.add(
        """
        {"latitude": \(latitude), "longitude": \(longitude), "name": "\(name)",
         "collections": ["\(collection)"], "note": "a note of \(name)"}
        """)
    }
    #expect(names(try bench.json("places")) == ["Alpha", "beta", "gamma"])
    #expect(names(try bench.json("places?box=0,179,3,-179")) == ["Alpha", "beta"])
    #expect(names(try bench.json("places?collection=%C3%89t%C3%A9")) == ["gamma"])
    #expect(names(try bench.json("places?query=NOTE+of+B")) == ["beta"])
    let near = try bench.json("places?near=1,179.95")
    #expect(names(near) == ["beta", "Alpha", "gamma"])
    #expect(near[1]?["distance"]?.number.map { abs($0 - 16_677) < 10 } == true)
    #expect(near[1]?["bearing"]?.number.map { abs($0 - 90) < 1 } == true)
    #expect(names(try bench.json("places?near=1,179.95&radius=20000")) == ["beta", "Alpha"])
    let page = try bench.json("places?limit=2")
    #expect(names(page) == ["Alpha", "beta"] && page["total"] == .number(3))
    let next = try #require(page["next"]?.text?.dropFirst("/api/v1/".count))
    #expect(names(try bench.json(String(next))) == ["gamma"])
    #expect(
      try bench.json("collections").items.map { [$0["name"]?.text, "\($0["count"]!.number!)"] }
        == [["Trees", "2.0"], ["Été", "1.0"]])
    for wrong in ["near=1,1&box=0,0,1,1", "radius=5", "removed=yes", "near=91,0"] {
      #expect(bench.response("GET", "places?\(wrong)").status == 400, "\(wrong)")
    }
  }

  @Test func `fields are changed individually, and null removes a radius and a pin`() throws {
    var bench = ServiceBench()
    let spot = try #require(bench.json("spots")[0]?["id"]?.text)
    let id = try bench.add(
      #"{"latitude": 1, "longitude": 2, "name": "A", "radius": 50, "spot": "\#(spot)"}"#)
    _ = try bench.change("PATCH", "places/\(id)", body: #"{"name": "B"}"#)
    var place = try bench.json("places/\(id)")
    #expect(place["name"] == .string("B") && place["radius"] == .number(50))
    #expect(place["latitude"] == .number(1) && place["spot"] == .string(spot))
    let body = #"{"radius": null, "spot": null, "latitude": 3, "longitude": 4, "kind": "k"}"#
    #expect(try bench.change("PATCH", "places/\(id)", body: body).status == 200)
    place = try bench.json("places/\(id)")
    #expect(place["radius"] == .null && place["spot"] == .null && place["kind"] == .string("k"))
    #expect(place["latitude"] == .number(3) && place["longitude"] == .number(4))
  }

  @Test func `photos are attached and detached by id, and files missing in the index stay`() throws
  {
    var bench = ServiceBench()
    let photos = try bench.json("spots").items.compactMap { $0["cover"]?.text }
    let id = try bench.add(#"{"latitude": 1, "longitude": 2, "photos": ["\#(photos[0])"]}"#)
    let place = try #require(PlaceID(id))
    try bench.sources.document.change(place, now: ServiceBench.now) {
      $0.photos.append("/elsewhere/gone.jpg")
    }
    let body = #"{"photos": ["\#(photos[1])"]}"#
    _ = try bench.change("PATCH", "places/\(id)", body: body)
    let known = try bench.json("places/\(id)")["photos"]
    #expect(known?.items.compactMap { $0["id"]?.text } == [photos[1]])
    #expect(known?.items.filter { $0["id"] == nil } == [.object(["name": .string("gone.jpg")])])
    _ = try bench.change("PATCH", "places/\(id)", body: #"{"photos": []}"#)
    #expect(try bench.json("places/\(id)")["photoCount"] == .number(1))
    let unknown = try bench.change("PATCH", "places/\(id)", body: #"{"photos": ["none"]}"#)
    #expect(unknown.status == 404)
  }

  @Test func `notes are added, changed and removed, newest first`() throws {
    var bench = ServiceBench()
    let id = try bench.add(#"{"latitude": 1, "longitude": 2, "note": "first"}"#)
    let added = try bench.change(
      "POST", "places/\(id)/notes", body: #"{"text": "old", "time": "2020-01-01T00:00:00Z"}"#)
    #expect(added.status == 201)
    let notes = try #require(try JSONValue(added.body)["notes"])
    #expect(notes.items.map { $0["text"]?.text } == ["first", "old"])
    let old = try #require(notes[1]?["id"]?.text)
    let changed = try bench.change(
      "PATCH", "places/\(id)/notes/\(old)", body: #"{"text": "older"}"#)
    #expect(try JSONValue(changed.body)["notes"]?[1]?["text"] == .string("older"))
    let removed = try bench.change("DELETE", "places/\(id)/notes/\(old)")
    #expect(removed.status == 200)
    #expect(try JSONValue(removed.body)["noteCount"] == .number(1))
    #expect(try bench.change("DELETE", "places/\(id)/notes/\(old)").status == 404)
  }

  @Test func `a list has only the newest notes of a place`() throws {
    var bench = ServiceBench()
    let id = try bench.add(#"{"latitude": 1, "longitude": 2}"#)
    for number in 0..<9 {
      _ = try bench.change(
        "POST", "places/\(id)/notes",
        body: #"{"text": "\#(number)", "time": "202\#(number)-01-01T00:00:00Z"}"#)
    }
    let item = try #require(bench.json("places")[0])
    #expect(item["notes"]?.items.map { $0["text"]?.text } == ["8", "7", "6", "5", "4"])
    #expect(item["noteCount"] == .number(9))
    #expect(try bench.json("places/\(id)")["notes"]?.items.count == 9)
  }

  @Test func `a removed place is hidden, listed as removed, and can be restored`() throws {
    var bench = ServiceBench()
    let id = try bench.add(#"{"latitude": 1, "longitude": 2, "name": "A"}"#)
    #expect(try bench.change("DELETE", "places/\(id)").status == 204)
    #expect(bench.response("GET", "places/\(id)").status == 404)
    #expect(try bench.change("DELETE", "places/\(id)").status == 404)
    #expect(try bench.json("places")["total"] == .number(0))
    #expect(try bench.json("places?removed=true")[0]?["removed"]?.text != nil)
    #expect(names(try bench.json("places?removed=true&near=1,2&radius=5")) == ["A"])
    #expect(names(try bench.json("places?removed=true&near=1,3&radius=5")) == [])
    let restored = try bench.change("POST", "places/\(id)/restore")
    #expect(try JSONValue(restored.body)["removed"] == .null)
    #expect(try bench.change("POST", "places/\(id)/restore").status == 404)
  }

  @Test(arguments: [
    ("", 400), ("[]", 400), ("{}", 400), (#"{"latitude": 1}"#, 400),
    (#"{"latitude": 91, "longitude": 0}"#, 400), (#"{"latitude": "1", "longitude": 0}"#, 400),
    (#"{"latitude": 1, "longitude": 2, "radius": 9}"#, 400),
    (#"{"latitude": 1, "longitude": 2, "radius": 5001}"#, 400),
    (#"{"latitude": 1, "longitude": 2, "unknown": 1}"#, 400),
    (#"{"latitude": 1, "latitude": 1, "longitude": 2}"#, 400),
    (#"{"latitude": 1, "longitude": 2, "note": " "}"#, 400),
    (#"{"latitude": 1, "longitude": 2, "collections": [1]}"#, 400),
    (#"{"latitude": 1, "longitude": 2, "photos": ["x"]}"#, 404), (#"{"spot": "none"}"#, 404),
  ])
  func `rejects a place with invalid or missing values`(body: String, status: Int) throws {
    var bench = ServiceBench()
    #expect(try bench.change("POST", "places", body: body).status == status, "\(body)")
    #expect(bench.sources.document.count == 0)
  }

  @Test func `text and lists are limited, and control characters removed`() throws {
    var bench = ServiceBench()
    func body(_ member: String, _ value: String) -> String {
      #"{"latitude": 1, "longitude": 2, "\#(member)": \#(value)}"#
    }
    func text(_ count: Int) -> String { "\"" + String(repeating: "é", count: count) + "\"" }
    for (member, longest) in [("name", 200), ("kind", 60), ("note", 10_000)] {
      _ = try bench.add(body(member, text(longest)))
      let longer = try bench.change("POST", "places", body: body(member, text(longest + 1)))
      #expect(longer.status == 400, "\(member)")
    }
    for (count, length, status) in [(100, 100, 201), (101, 9, 400), (1, 101, 400)] {
      let names = (0..<count).map { number in
        "\"" + String(repeating: "é", count: length - 3) + "\(1000 + number)".suffix(3) + "\""
      }
      let response = try bench.change(
        "POST", "places", body: body("collections", "[\(names.joined(separator: ","))]"))
      #expect(response.status == status, "\(count), \(length)")
    }
    let id = try bench.add(body("name", #""a\u001b[31m\u0000b""#))
    #expect(try bench.json("places/\(id)")["name"] == .string("a[31mb"))
  }

  @Test func `a place can be muted by its id`() throws {
    var bench = ServiceBench()
    let id = try bench.add(#"{"latitude": 1, "longitude": 2, "name": "Old oak"}"#)
    guard
      case .mute(let spotID, let latitude, let longitude, nil) = bench.work("PUT", "mutes/\(id)")
    else {
      Issue.record("nothing is muted")
      return
    }
    #expect(spotID == id && latitude == 1 && longitude == 2)
    bench.sources.muted = [
      MutedSpot(spotID: id, center: Coordinate(latitude: 1, longitude: 2)!)
    ]
    #expect(try bench.json("mutes")[0]?["title"] == .string("Old oak"))
  }

  @Test func `ETags change with the places`() throws {
    var bench = ServiceBench()
    let spot = try #require(bench.json("spots")[0]?["id"]?.text)
    let targets = [
      "places", "collections", "spots", "spots/\(spot)", "spots.geojson",
      "clusters?box=-90,-180,90,180&zoom=3", "mutes", "alerts",
    ]
    let before = targets.map { bench.response("GET", $0).field("ETag") }
    #expect(before.allSatisfy { $0 != nil })
    #expect(
      bench.response("GET", "places", fields: [("If-None-Match", before[0] ?? "")]).status == 304)
    bench.sources.state.places = "2"
    let after = targets.map { bench.response("GET", $0).field("ETag") }
    for (target, (old, new)) in zip(targets, zip(before, after)) {
      #expect(old != new, "\(target)")
    }
    #expect(bench.response("GET", "places?removed=true").field("ETag") == nil)
  }

  @Test func `an unreadable file of places gives 503 for places only`() throws {
    var bench = ServiceBench()
    defer { #expect(bench.response("GET", "spots").status == 200) }
    bench.sources.placesProblem = Problem(.stateDamaged, "The file of places cannot be read.")
    #expect(bench.response("GET", "places").status == 503)
    #expect(bench.response("GET", "places/0123456789abcdef").status == 503)
  }

  // MARK: - GeoJSON

  @Test func `GeoJSON has spots and places as points with titles`() throws {
    var bench = ServiceBench()
    let spot = try #require(bench.json("spots?near=43.318,11.331")[0]?["id"]?.text)
    _ = try bench.add(#"{"spot": "\#(spot)", "name": "Piazza"}"#)
    let id = try bench.add(
      #"{"latitude": 43.32, "longitude": 11.33, "name": "Oak", "kind": "tree"}"#)
    let response = bench.response("GET", "spots.geojson?near=43.318,11.331&radius=20000")
    #expect(response.field("Content-Type") == "application/geo+json")
    let features = try #require(try JSONValue(response.body)["features"])
    #expect(features.items.map { $0["properties"]?["title"]?.text } == ["Piazza", "Oak"])
    #expect(
      features[1]
        == .object([
          "type": .string("Feature"), "id": .string(id),
          "geometry": .object([
            "type": .string("Point"), "coordinates": .array([.number(11.33), .number(43.32)]),
          ]),
          "properties": .object([
            "id": .string(id), "title": .string("Oak"), "kind": .string("tree"),
            "photoCount": .number(0), "place": .string(id), "distance": .number(236.6),
          ]),
        ]))
    #expect(features[0]?["properties"]?["photoCount"] == .number(3))
    let all = try bench.json("spots.geojson")["features"]
    #expect(all?.items.count == 4)
    #expect(try bench.json("spots.geojson?limit=2")["features"]?.items.count == 2)
    #expect(try bench.json("spots.geojson?box=40,11,44,11.5")["features"]?.items.count == 2)
    let old = try bench.json("spots.geojson?to=2008")["features"]
    #expect(
      old?.items.compactMap { $0["properties"]?["kind"]?.text }.sorted() == ["place", "spot"])
  }

  @Test func `the key is accepted as a password only for GeoJSON, and not from other sites`() {
    let bench = ServiceBench()
    func status(
      _ method: String, _ target: String, _ pair: String, _ fields: [(String, String)] = []
    ) -> Int {
      let request = ServiceRequest(
        method: method, target: "/api/v1/" + target,
        fields: [
          ("Host", "localhost:8090"), ("Authorization", "Basic \(Base64.text(Array(pair.utf8)))"),
        ] + fields, body: [], isSecure: false)
      guard case .response(let response) = bench.service.reply(to: request, now: ServiceBench.now)
      else { return 0 }
      return response.status
    }
    let key = ServiceBench.keyText
    #expect(status("GET", "spots.geojson", "any:\(key)") == 200)
    #expect(status("GET", "spots.geojson", ":\(key)") == 200)
    for wrong in ["any:x\(key)", key, "\(key):", ""] {
      #expect(status("GET", "spots.geojson", wrong) == 401, "\(wrong)")
    }
    for (method, target) in [("GET", "spots"), ("GET", "places"), ("POST", "places")] {
      #expect([401, 403].contains(status(method, target, "any:\(key)")), "\(target)")
    }
    let foreign = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")]
    #expect(status("GET", "spots.geojson", "any:\(key)", foreign) == 403)
  }

  // MARK: - Import

  private static let waypoints = """
    <gpx><wpt lat="43.5" lon="11.5"><name>Oak</name><ele>300</ele></wpt>\
    <wpt lat="43.6" lon="11.6"><name>Elm</name><desc>tall</desc></wpt><wpt><name>Lost</name></wpt>\
    <trk/></gpx>
    """

  @Test func `a file of places is imported with the report of the command`() throws {
    var bench = ServiceBench()
    let tried = try bench.imported("dryRun=true&name=w.gpx", Self.waypoints)
    #expect(bench.sources.document.count == 0)
    #expect(tried["dryRun"] == .boolean(true) && tried["new"] == .number(2))
    let report = try bench.imported("", Self.waypoints)
    #expect(
      report["text"] == .string("read 2 places: 2 new, 2 left out, 1 value not read"))
    #expect(report["format"] == .string("GPX") && report["dryRun"] == .boolean(false))
    #expect(
      report["parts"]?.items.compactMap { $0["reason"]?.text } == [
        "withoutPosition", "otherGeometry",
      ])
    #expect(report["parts"]?[0]?["examples"] == .array([.string("Lost")]))
    #expect(report["unread"]?[0]?["name"] == .string("ele"))
    #expect(try Set(names(bench.json("places"))) == ["Elm", "Oak"])
    let again = try bench.imported("", Self.waypoints)
    #expect(again["text"] == .string("read 2 places: 2 kept, 2 left out, 1 value not read"))
  }

  @Test func `an import prefers the side that it is asked to, and restores removed places`() throws
  {
    var bench = ServiceBench()
    _ = try bench.imported("collection=Trees", Self.waypoints)
    let list = try bench.json("places?query=oak")
    #expect(list[0]?["collections"] == .array([.string("Trees")]))
    let oak = try #require(list[0]?["id"]?.text)
    _ = try bench.change("PATCH", "places/\(oak)", body: #"{"latitude":43.50001,"longitude":11.5}"#)
    let kept = try bench.imported("", Self.waypoints)
    #expect(kept["differs"] == .number(1))
    #expect(kept["differing"]?[0]?["fields"] == .array([.string("position")]))
    let taken = try bench.imported("prefer=file", Self.waypoints)
    #expect(taken["changed"] == .number(1) && taken["differs"] == .number(0))
    _ = try bench.change("DELETE", "places/\(oak)")
    #expect(try bench.imported("", Self.waypoints)["removed"] == .number(1))
    #expect(try bench.imported("restore=true", Self.waypoints)["restored"] == .number(1))
    #expect(bench.sources.document.count == 2)
  }

  @Test func `a file that cannot be read changes nothing and is a problem`() throws {
    var bench = ServiceBench()
    for (query, body, slug) in [
      ("", "", "no-places"), ("", "SQLite format 3\0", "no-places"),
      ("", "a,b\n1,2\n", "no-places"),
      ("", "PK\u{3}\u{4}", "no-places"), ("prefer=me", Self.waypoints, "bad-parameter"),
      ("columns=x", Self.waypoints, "bad-parameter"), ("dryRun=1", Self.waypoints, "bad-parameter"),
      ("encoding=klingon", Self.waypoints, "no-places"), ("x=1", Self.waypoints, "bad-parameter"),
    ] {
      let response = try bench.change("POST", "places/import?\(query)", body: body)
      let problem = try JSONValue(response.body)
      #expect(problem["type"] == .string("/problems/\(slug)"), "\(query) \(body)")
    }
    #expect(bench.sources.document.count == 0)
  }

  @Test func `the photos of an archive are left out, and none of its paths is opened`() throws {
    var bench = ServiceBench()
    var writer = ZipWriter()
    let map = """
      <kml><Placemark><name>Gate</name><description><![CDATA[<img src="a.jpg"/>]]></description>\
      <Point><coordinates>11.5,43.5</coordinates></Point></Placemark></kml>
      """
    let bytes = writer.file("doc.kml", Array(map.utf8)) + writer.file("a.jpg", [1])
    let report = try bench.imported("", bytes: bytes + writer.finish())
    #expect(report["text"] == .string("read 1 place: 1 new, 1 left out"))
    #expect(report["parts"]?[0]?["reason"] == .string("photo"))
    #expect(bench.sources.document.places.first?.photos == [])
  }
}
