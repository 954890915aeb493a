import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import ServiceSupport
import Spatial
import SpotWatcher
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import SpotAlerts
@testable import SpotService

@Suite struct RouteTests {
  private let bench = ServiceBench()

  private func siena(_ bench: ServiceBench) throws -> JSONValue {
    try #require(bench.json("spots?near=43.318,11.331&limit=1").items.first)
  }

  // MARK: - Status and the map

  @Test func `with a configured map, tiles are served by this program`() throws {
    var bench = bench
    bench.sources.shown.append(
      ServedSetting(name: "mapTiles", value: "https://tiles.example/{z}/{x}/{y}.png", origin: "f"))
    #expect(try bench.json("status")["tiles"] == .string("/tiles/{z}/{x}/{y}"))
  }

  @Test func `status summarizes the library`() throws {
    let status = try bench.json("status")
    #expect(
      status.keys == [
        "version", "photos", "spots", "box", "densest", "years", "updated", "staleRoots",
        "outages", "proximityRadius", "tiles", "features",
      ])
    #expect(status["version"] == .string("1.2.3"))
    #expect(status["photos"] == .number(5))
    #expect(status["spots"] == .number(3))
    #expect(status["proximityRadius"] == .number(120))
    #expect(status["tiles"] == .null && status["updated"] == .null)
    #expect(status["features"] == .array([.string("HEIF")]))
    #expect(
      status["years"]
        == .object(["2008": .number(2), "2015": .number(1), "2024": .number(1)]))
    #expect(
      status["box"]
        == .array([.number(-30), .number(-130), .number(43.4665), .number(11.8823)]))
  }

  @Test func `an empty library has no box and no items`() throws {
    var bench = ServiceBench()
    bench.sources = TestSources([])
    let status = try bench.json("status")
    #expect(status["photos"] == .number(0) && status["box"] == .null)
    let clusters = try bench.json("clusters?box=-90,-180,90,180&zoom=2")
    #expect(clusters["photos"] == .number(0) && clusters.items.isEmpty)
    #expect(try bench.json("spots")["total"] == .number(0))
  }

  @Test func `clusters count the spots in the box, and a single spot is named`() throws {
    let world = try bench.json("clusters?box=-90,-180,90,180&zoom=1.9")
    #expect(world.keys == ["zoom", "photos", "spots", "items"])
    #expect(world["zoom"] == .number(1.5))
    #expect(world["photos"] == .number(5) && world["spots"] == .number(3))
    #expect(world.items.map { $0["photos"]?.number } == [4, 1])
    let tuscany = try #require(world[0])
    #expect(
      tuscany.keys == [
        "latitude", "longitude", "photos", "spots", "cover", "box", "place", "title",
      ])
    #expect(tuscany["title"] == .string("Siena"))
    let near = try bench.json("clusters?box=43,11,44,12&zoom=17")
    #expect(near.items.map { $0["spots"]?.number } == [1, 1])
    #expect(near.items.allSatisfy { $0["spot"]?.text?.utf8.count == 12 })
    #expect(near[0]?["heading"] == .number(10))
    #expect(near[1]?["heading"] == nil)
    #expect(near[1]?["place"]?["name"] == .string("Arezzo"))
    #expect(near[1]?["place"]?["country"] == .string("Italy"))
    #expect(world.items.last?["place"] == .null)
    #expect(world.items.last?["title"] == .string("30.00000° S, 130.00000° W"))
  }

  @Test func `the spots of a pin match its counts`() throws {
    let world = try bench.json("clusters?box=-90,-180,90,180&zoom=1.5")
    for pin in world.items {
      let (latitude, longitude) = (pin["latitude"]!.number!, pin["longitude"]!.number!)
      let at = "\(latitude - 1e-6),\(longitude - 1e-6),\(latitude + 1e-6),\(longitude + 1e-6)"
      let spots = try bench.json("spots?box=\(at)&zoom=1.5")
      #expect(spots["total"] == pin["spots"])
      #expect(
        spots.items.reduce(0) { $0 + $1["photoCount"]!.number! } == pin["photos"]!.number!)
    }
  }

  // MARK: - Spots

  @Test func `spots of one title say in a list what tells them apart`() throws {
    var local = ServiceBench()
    local.sources = TestSources([
      TestPhoto("/home/me/Oma/a.jpg", 48.2082, 16.3738, "2013-05-01T10:00:00Z"),
      TestPhoto("/home/me/Oma/b.jpg", 47.0667, 15.4333, "2014-05-01T10:00:00Z"),
      TestPhoto("/home/me/Paris/c.jpg", 48.86, 2.35, "2015-05-01T10:00:00Z"),
    ])
    for query in ["spots", "spots?near=48,16"] {
      let items = try local.json(query).items
      let towns = items.compactMap { $0["distinction"]?["town"]?.text }
      #expect(items.count == 3 && Set(towns).count == 2 && towns.contains("Graz"), "\(query)")
    }
  }

  @Test func `spots near a position are listed nearest first, with distance and bearing`() throws {
    let spots = try bench.json("spots?near=43.4665,11.88")
    #expect(spots.keys == ["items", "total", "next"])
    #expect(spots["total"] == .number(3) && spots["next"] == .null)
    let distances = spots.items.compactMap { $0["distance"]?.number }
    #expect(distances.count == 3 && distances == distances.sorted())
    #expect(distances[0] == 185.6)
    #expect(spots[0]?["bearing"] == .number(90))
    let within = try bench.json("spots?near=43.4665,11.88&radius=50000")
    #expect(within["total"] == .number(2))
    #expect(try bench.json("spots?near=43.4665,11.88&radius=185")["total"] == .number(0))
  }

  @Test func `a time without a zone is written without one`() throws {
    var local = ServiceBench()
    local.sources = TestSources([
      TestPhoto("/home/me/a.jpg", 43.3180, 11.3310, "2019-05-11T12:00:00"),
      TestPhoto("/home/me/b.jpg", 43.3180, 11.3310, "2019-05-12T12:00:00+02:00"),
    ])
    let spot = try #require(local.json("spots?near=43.318,11.331").items.first)
    #expect(spot["lastCaptured"] == .string("2019-05-12T12:00:00.000+02:00"))
    let times = try #require(spot["firstCaptured"]?.text)
    #expect(times == "2019-05-11T12:00:00.000")
    let map = try local.json("spots.geojson?near=43.318,11.331")
    #expect(
      map["features"]?[0]?["properties"]?["firstCaptured"] == .string("2019-05-11T12:00:00.000"))
  }

  @Test func `a spot has years, place and cover, but no file paths`() throws {
    let spot = try siena(bench)
    #expect(
      spot.keys == [
        "id", "latitude", "longitude", "photoCount", "radiusMeters", "firstCaptured",
        "lastCaptured", "years", "cover", "heading", "place", "title", "muted", "distance",
        "bearing",
      ])
    #expect(spot["photoCount"] == .number(3))
    #expect(spot["years"] == .array([.number(2008), .number(2015), .number(2024)]))
    #expect(spot["title"] == .string("Siena"))
    #expect(spot["firstCaptured"] == .string("2008-05-01T10:00:00.000+02:00"))
    #expect(spot["muted"] == .boolean(false))
    let cover = try #require(spot["cover"]?.text)
    #expect(try bench.json("photos/\(cover)")["name"] == .string("b.jpg"))
    for target in ["spots", "spots/\(spot["id"]!.text!)", "photos/\(cover)", "alerts"] {
      let text = String(decoding: bench.response("GET", target).body, as: UTF8.self)
      #expect(!text.contains("/home") && !text.contains("home/me"), "\(target)")
    }
  }

  @Test func `a single spot has its photos in the order of capture`() throws {
    let id = try #require(try siena(bench)["id"]?.text)
    let spot = try bench.json("spots/\(id)")
    let photos = spot["photos"]?.items ?? []
    #expect(photos.map { $0["name"]?.text } == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(photos.map { $0["album"]?.text } == ["Siena", "Siena", "DCIM"])
    #expect(photos[0]["files"] == .array([.string("a.jpg")]))
    #expect(photos.allSatisfy { $0["id"]?.text?.utf8.count == 16 })
    #expect(photos.allSatisfy { $0["spot"] == .string(id) && $0["path"] == nil })
    #expect(Set(photos.compactMap { $0["id"]?.text }).count == 3)
    let photo = try bench.json("photos/\(photos[1]["id"]!.text!)")
    #expect(photo == photos[1])
    #expect(photo["favorite"] == .boolean(true) && photo["heading"] == .number(350))
  }

  @Test func `HTML in a file name is returned as text`() throws {
    let spots = try bench.json("spots?near=-30,-130&limit=1")
    let id = try #require(spots[0]?["id"]?.text)
    #expect(
      try bench.json("spots/\(id)")["photos"]?[0]?["name"] == .string("<img onerror=x>.jpg"))
  }

  @Test(arguments: ["spots?near=43.318,11.331&limit=1", "clusters?box=43.3,11,43.4,12&zoom=17"])
  func `photos with poor pictures are no covers`(path: String) throws {
    let bench = ServiceBench()
    let library = bench.sources.served
    var (covers, generations) = (Set<String>(), Set([library.generation]))
    for _ in 0..<3 {
      let cover = try #require(try bench.json(path)[0]?["cover"]?.text)
      #expect(covers.insert(cover).inserted)
      #expect(library.poorPhotos.add(cover) && !library.poorPhotos.add(cover))
      // A cached answer is not used again.
      #expect(generations.insert(library.generation).inserted)
    }
    #expect(try bench.json(path)[0]?.keys.contains("cover") == false)
    // The photos of other spots are not affected.
    #expect(try bench.json("spots?near=43.4665,11.8823&limit=1")[0]?["cover"] != nil)
  }

  @Test func `a photo's id depends only on its file`() throws {
    func ids(_ photos: [TestPhoto]) throws -> [String?] {
      var bench = ServiceBench()
      bench.sources = TestSources(photos)
      return try bench.json("spots?near=43.318,11.331&limit=1").items.map { $0["cover"]?.text }
    }
    let first = try ids(TestSources.photos)
    #expect(try ids(Array(TestSources.photos.dropLast(2))) == first)
    var changed = TestSources.photos
    changed[1].size += 1
    #expect(try ids(changed) != first)
  }

  @Test(
    arguments: [
      ("from=2015", 2, [2015, 2024]), ("to=2008", 1, [2008]), ("from=2015&to=2015", 1, [2015]),
      ("favorites=true", 1, [2015]), ("album=Siena", 2, [2008, 2015]),
      ("around=01-02", 2, [2015, 2024]), ("favorites=false", 3, [2008, 2015, 2024]),
      ("until=2015-12-31", 2, [2008, 2015]), ("until=2015-12-30", 1, [2008]),
      ("month=5", 1, [2008]), ("season=spring", 1, [2008]), ("season=winter", 2, [2015, 2024]),
      ("text=SIENA%20b", 1, [2015]), ("text=siena", 2, [2008, 2015]), ("text=c.jpg", 1, [2024]),
    ])
  func `filters apply to counts, years and covers`(
    filter: String, photos: Int, years: [Int]
  ) throws {
    let spot = try #require(
      bench.json("spots?near=43.318,11.331&radius=100&\(filter)").items.first)
    #expect(spot["photoCount"] == .number(Double(photos)))
    #expect(spot["years"] == .array(years.map { .number(Double($0)) }))
    let cover = try bench.json("photos/\(spot["cover"]!.text!)")
    let year = try #require(cover["captured"]?.text.flatMap { Int($0.prefix(4)) })
    #expect(years.contains(year))
    let pin = try bench.json("clusters?box=43.3,11.3,43.34,11.4&zoom=12&\(filter)")
    #expect(pin["photos"] == .number(Double(photos)) && pin[0]?["cover"] == spot["cover"])
    let alone = try bench.json("spots/\(spot["id"]!.text!)?\(filter)")
    #expect(alone["photos"]?.items.count == photos)
  }

  @Test func `a box may extend beyond the 180° meridian`() throws {
    for box in ["-31,-131,-29,-129", "-31,229,-29,231", "-31,-491,-29,-489", "-31,100,-29,-100"] {
      #expect(try bench.json("spots?box=\(box)")["total"] == .number(1), "\(box)")
    }
    #expect(try bench.json("spots?box=-90,-300,90,300")["total"] == .number(3))
  }

  @Test func `lists have pages with a link to the next one`() throws {
    var target: String? = "spots?box=-90,-180,90,180&limit=1"
    var ids: [String] = []
    var rounds = 0
    while let next = target, rounds < 9 {
      let page = try bench.json(next)
      #expect(page["total"] == .number(3) && page.items.count == 1)
      ids += page.items.compactMap { $0["id"]?.text }
      target = page["next"]?.text.map { String($0.dropFirst("/api/v1/".count)) }
      rounds += 1
    }
    #expect(rounds == 3)
    #expect(ids == (try bench.json("spots").items.compactMap { $0["id"]?.text }))
    #expect(try bench.json("spots?cursor=99").items.isEmpty)
    let near = try bench.json("spots?near=43.4665,11.88&limit=1&cursor=1")
    #expect(near.items.count == 1 && near["next"]?.text?.hasSuffix("&cursor=2") == true)
    #expect(
      near["next"]?.text?.hasPrefix("/api/v1/spots?near=43.4665,11.88&limit=1&cursor") == true)
  }

  // MARK: - Towns

  @Test func `towns are found by box and by name, the largest first`() throws {
    let box = try bench.json("towns?box=43,11,44,12&limit=5")
    let populations = box.items.compactMap { $0["population"]?.number }
    #expect(populations.count == 5 && populations == populations.sorted(by: >))
    let named = try bench.json("towns?query=arezz")
    #expect(named[0]?["name"] == .string("Arezzo"))
    #expect(
      named[0]?.keys == [
        "name", "country", "countryCode", "latitude", "longitude", "population",
      ])
    #expect(try bench.json("towns?query=M%C3%BCnster")["total"]!.number! > 0)
  }

  @Test func `seasons are those of the hemisphere`() throws {
    var bench = bench
    bench.sources = TestSources([
      TestPhoto("/a/b.jpg", -33.9, 151.2, "2020-01-05T10:00:00Z"),
      TestPhoto("/a/c.jpg", 48.8, 2.3, "2020-01-05T10:00:00Z"),
    ])
    for (season, latitude) in [("summer", -33.9), ("winter", 48.8)] {
      let found = try bench.json("spots?season=\(season)").items
      #expect(found.compactMap { $0["latitude"]?.number } == [latitude], "\(season)")
    }
  }

  // MARK: - Devices and alerts

  private func fix(_ second: Int, _ device: String?) -> LocationFix {
    LocationFix(
      time: Instant(secondsSince1970: 1_790_000_000 + Int64(second)), latitude: 43.3,
      longitude: 11.3 + Double(second) / 1e5, horizontalAccuracyMeters: 5, device: device)
  }

  @Test func `devices have their last positions and trails`() throws {
    var bench = bench
    bench.sources.positions = [fix(9, "my phone"), fix(5, nil)]
    bench.sources.trails = ["my phone": (0..<5000).map { fix($0, "my phone") }, nil: [fix(5, nil)]]
    let devices = try bench.json("devices")
    #expect(devices["total"] == .number(2))
    #expect(
      devices[0]?.keys == ["time", "latitude", "longitude", "horizontalAccuracy", "device"])
    #expect(bench.response("GET", "devices").field("Cache-Control") == "no-store")
    let trail = try bench.json("devices/my%20phone/trail")
    #expect(trail["points"]?.items.count == 2000 && trail["total"] == .number(5000))
    #expect(trail["points"]?[0]?[1] == .number(11.3))
    #expect(trail["points"]?[1999]?[1] == .number(11.34999))
    let times = "from=2026-09-21T13:13:20Z&to=2026-09-21T13:14:20Z"
    let part = try bench.json("devices/my%20phone/trail?\(times)")
    #expect(part["total"]!.number! <= 61)
    #expect(try bench.json("devices/-/trail")["total"] == .number(1))
  }

  private func entry(_ spot: PhotoSpot, kind: HistoryEntry.Kind) -> HistoryEntry {
    let time = Instant(secondsSince1970: 1_790_000_000)
    let fires = kind == .notified
    let fix = fix(0, "phone")
    let notified = NotifiedSpot(
      id: spot.id, coordinate: spot.coordinate, distanceMeters: 95.12, photoCount: 3,
      firstCaptured: nil, lastCaptured: nil, cover: "/home/me/x.jpg")
    return HistoryEntry(
      kind: kind, time: time, recorded: time, device: "phone", spotID: spot.id,
      coordinate: spot.coordinate,
      notification: fires
        ? SpotNotification(
          id: "n1", time: time, device: "phone", distanceMeters: 95.1, bearingDegrees: 138.5,
          spot: notified, alsoNear: [], fix: fix,
          memory: SpotMemory(
            sinceLatest: nil, anniversary: .init(years: 7, daysAway: 2), yearCount: 3,
            headingDegrees: 10, place: "Siena")) : nil,
      suppressedBy: fires ? nil : .tooFast, figure: fires ? nil : 31, limit: fires ? nil : 25,
      days: nil, closestMeters: fires ? nil : 40.04, left: nil, deliveries: [])
  }

  @Test func `alerts are listed latest first, with the reason if none was sent`() throws {
    var bench = bench
    let spots = bench.sources.served.spots
    let center = Coordinate(latitude: 43.318, longitude: 11.331)!
    let siena = try #require(spots.nearest(1, to: center).first)
    let gone = PhotoSpot(
      id: "000000000000", coordinate: Coordinate(latitude: 48.85, longitude: 2.35)!,
      anchor: Coordinate(latitude: 48.85, longitude: 2.35)!, radiusMeters: 0, photoCount: 1,
      firstCaptured: nil, lastCaptured: nil, cover: "/home/me/y.jpg")
    bench.sources.entries = [entry(siena.spot, kind: .notified), entry(gone, kind: .lapsed)]
    let alerts = try bench.json("alerts")
    #expect(alerts.items.map { $0["kind"]?.text } == ["lapsed", "notified"])
    #expect(alerts.items.map { $0["decision"]?.text } == ["tooFast", "notify"])
    #expect(alerts[0]?["spot"]?["title"] == .string("Paris"))
    #expect(alerts[0]?["spot"]?["photoCount"] == nil && alerts[0]?["distance"] == .number(40))
    #expect(alerts[0]?["explanation"]?.text?.hasPrefix("you came within 40 m at 31 km/h") == true)
    #expect(alerts[1]?["id"] == .string("n1"))
    #expect(alerts[1]?["spot"]?["photoCount"] == .number(3))
    #expect(alerts[1]?["memory"]?["anniversaryYears"] == .number(7))
    #expect(alerts[1]?["bearing"] == .number(138.5) && alerts[1]?["deliveries"] == .array([]))
    #expect(try bench.json("alerts?device=phone")["total"] == .number(2))
    #expect(try bench.json("alerts?device=other")["total"] == .number(0))
    let text = String(decoding: bench.response("GET", "alerts").body, as: UTF8.self)
    #expect(!text.contains("/home"))
    // The event has the same content as the route's response.
    var writer = JSONWriter()
    try bench.service.writeAlert(bench.sources.entries[1], now: ServiceBench.now, to: &writer)
    #expect(try JSONValue(writer.takeBytes()) == alerts[0])
  }

  // MARK: - Changes

  @Test func `a spot is muted permanently or until a time, and listed as muted`() throws {
    let id = try #require(try siena(bench)["id"]?.text)
    for (body, until) in [
      ("", nil), ("{}", nil), (#"{"until": null}"#, nil),
      (#"{"until": "2026-12-01T08:00:00Z"}"#, Instant(iso8601: "2026-12-01T08:00:00Z")),
    ] {
      guard
        case .mute(let spotID, let latitude, _, let asked) = bench.work(
          "PUT", "mutes/\(id)", body: body)
      else {
        Issue.record("\(body): no work")
        continue
      }
      #expect(spotID == id && asked == until && abs(latitude - 43.318) < 0.001)
    }
    var bench = bench
    let center = Coordinate(latitude: 43.31801, longitude: 11.331)!
    bench.sources.muted = [
      MutedSpot(spotID: id, center: center, until: Instant(iso8601: "2026-12-01T08:00:00Z")),
      MutedSpot(spotID: "x", center: center, until: Instant(iso8601: "2026-01-01T08:00:00Z")),
    ]
    let spot = try siena(bench)
    #expect(spot["muted"] == .boolean(true))
    #expect(spot["mutedUntil"] == .string("2026-12-01T08:00:00.000Z"))
    let mutes = try bench.json("mutes")
    #expect(mutes["total"] == .number(1) && mutes[0]?["spot"] == .string(id))
    #expect(mutes[0]?["title"] == .string("Siena"))
    let answer = try bench.service.muted(bench.sources.muted[0])
    #expect(try JSONValue(answer.body) == mutes[0])
    for spot in [id, "x"] {
      guard case .unmute(let spotID) = bench.work("DELETE", "mutes/\(spot)") else {
        Issue.record("no work")
        continue
      }
      #expect(spotID == spot)
    }
  }

  @Test func `settings show no secrets or addresses, and the shown ones can be changed`() throws {
    let settings = try bench.json("settings")
    #expect(
      settings.items.compactMap { $0["name"]?.text }
        == ["proximityRadius", "clusterRadius", "dwell"])
    #expect(settings[0]?.keys == ["name", "value", "origin", "summary"])
    guard
      case .changeSettings(let patch, expected: nil) = bench.work(
        "PATCH", "settings", body: #"{"proximityRadius": 200, "dwell": null}"#)
    else {
      Issue.record("no work")
      return
    }
    #expect(patch.names == ["proximityRadius", "dwell"])
    #expect(patch.json(of: "proximityRadius") == Array("200".utf8))
    #expect(patch.json(of: "dwell") == nil)
  }

  @Test func `a replay is requested with settings and returns its visits`() throws {
    guard
      case .replay(let track, let settings) = bench.work(
        "POST", "replays?set=proximityRadius=200,dwell=30s&set=dwell=1min", body: "track")
    else {
      Issue.record("no work")
      return
    }
    #expect(track == Array("track".utf8))
    #expect(settings == ["proximityRadius=200,dwell=30s", "dwell=1min"])
    var replay = Replay(spots: bench.sources.served.spots, settings: WatcherSettings())
    let walk = (0..<300).map { second in
      LocationFix(
        time: Instant(secondsSince1970: 1_790_000_000 + Int64(second)),
        latitude: 43.3165 + Double(second) * 1e-5, longitude: 11.331,
        horizontalAccuracyMeters: 5, device: "phone")
    }
    for fix in walk { replay.process(fix) }
    let answer = try bench.service.replayed(
      ReplayAnswer(runs: [.init(settings: "as set", days: replay.days)], track: walk),
      now: ServiceBench.now)
    let json = try JSONValue(answer.body)
    #expect(json.keys == ["runs", "visits", "track"])
    #expect(json["track"]?.items.count == 300)
    #expect(json["visits"]?[0]?["spot"]?["title"] == .string("Siena"))
    #expect(json["visits"]?[0]?["fires"] == .boolean(true))
    #expect(json["runs"]?[0]?["settings"] == .string("as set"))
    #expect(json["runs"]?[0]?["days"]?[0]?["visits"] == json["visits"])
  }

  // MARK: - Work outside the service

  @Test func `a picture is requested by size and shape`() throws {
    let cover = try #require(try siena(bench)["cover"]?.text)
    guard
      case .picture(let work) = bench.work(
        "GET", "photos/\(cover)/picture?size=96&shape=square", fields: [("Accept", "image/heic")])
    else {
      Issue.record("no work")
      return
    }
    #expect(work.name == cover && work.size == 96 && work.shape == .square)
    #expect(work.accept == "image/heic" && work.files.map(\.path) == ["/home/me/Siena/b.jpg"])
    guard case .picture(let whole) = bench.work("GET", "photos/\(cover)/picture") else { return }
    #expect(whole.size == 512 && whole.shape == .whole)
    guard case .original(let files) = bench.work("GET", "photos/\(cover)/original") else {
      Issue.record("no work")
      return
    }
    #expect(files.map(\.path) == ["/home/me/Siena/b.jpg"])
  }

  private func shared(_ bench: ServiceBench, _ query: String) -> ShareWork? {
    guard case .share(let work) = bench.work("GET", "share?\(query)") else { return nil }
    return work
  }

  @Test func `two photos are requested as one picture, with places and years`()
    throws
  {
    let spot = try #require(siena(bench)["id"]?.text)
    let photos = try #require(bench.json("spots/\(spot)")["photos"]?.items)
      .compactMap { $0["id"]?.text }
    let pair = "earlier=\(photos[0])&later=\(photos[1])"
    let work = try #require(shared(bench, pair))
    #expect(work.earlier.source == .photo(files: originals(photos[0])))
    #expect(originals(photos[0]).map(\.path) == ["/home/me/Siena/a.jpg"])
    #expect(work.earlier.year == 2008)
    // By the camera's clock it was still 2015.
    #expect(work.later.year == 2015)
    #expect(work.places == ["Siena", "Siena"])
    #expect(work.shape == nil && !work.isAnimated)
    let other = try #require(
      shared(bench, pair + "&shape=portrait&animated=true"))
    #expect(other.shape == .portrait && other.isAnimated)
  }

  private func originals(_ photo: String) -> [LibraryFile] {
    guard case .original(let files) = bench.work("GET", "photos/\(photo)/original") else {
      return []
    }
    return files
  }

  @Test func `a photo can be combined with its recreation`() throws {
    let cover = try #require(try siena(bench)["cover"]?.text)
    var bench = bench
    bench.sources.kept = [
      Recreation(
        id: "r1", photoName: cover, spotID: nil, time: ServiceBench.now, score: nil,
        fileName: "2026.jpg")
    ]
    let work = try #require(shared(bench, "earlier=\(cover)&later=r1"))
    #expect(work.later.source == .recreation(id: "r1") && work.later.year == 2026)
    // If one photo is missing, the other gives the place.
    #expect(shared(bench, "earlier=r1&later=\(cover)")?.places.first == "Siena")
    #expect(bench.response("GET", "share?earlier=\(cover)&later=r2").status == 404)
  }

  @Test func `a shared picture has an ETag that changes with the settings`()
    throws
  {
    let cover = try #require(try siena(bench)["cover"]?.text)
    let target = "share?earlier=\(cover)&later=\(cover)"
    let tag = try #require(shared(bench, "earlier=\(cover)&later=\(cover)")).entityTag
    #expect(tag.hasPrefix("W/\""))
    let known = [(name: "If-None-Match", value: tag)]
    #expect(bench.response("GET", target, fields: known).status == 304)
    var bench = bench
    bench.sources.state.settings = "2"
    #expect(bench.work("GET", target, fields: known) != nil)
  }

  @Test func `Last-Event-ID takes precedence over the after parameter`() {
    func after(_ target: String, _ fields: [(String, String)]) -> String?? {
      guard case .events(let after) = bench.work("GET", target, fields: fields) else {
        return nil
      }
      return .some(after)
    }
    #expect(after("events", []) == .some(nil))
    #expect(after("events?after=b-3", []) == .some("b-3"))
    #expect(after("events?after=b-3", [("Last-Event-ID", "b-9")]) == .some("b-9"))
  }

  @Test func `a spot has the time of its last recreation`() throws {
    let id = try #require(try siena(bench)["id"]?.text)
    #expect(try bench.json("spots/\(id)")["lastRecreated"] == nil)
    var bench = bench
    let before = bench.response("GET", "spots/\(id)").field("ETag")
    bench.sources.recreated = [id: ServiceBench.now]
    bench.sources.state.recreations = "2"
    #expect(
      try bench.json("spots/\(id)")["lastRecreated"] == .string("2026-11-20T12:00:00.000Z"))
    #expect(try siena(bench)["lastRecreated"] != nil)
    #expect(bench.response("GET", "spots/\(id)").field("ETag") != before)
  }

  @Test func `a picture taken again of a photo whose file changed is stored by spot and name`()
    throws
  {
    let spot = try siena(bench)
    let cover = try #require(spot["cover"]?.text)
    let id = try #require(spot["id"]?.text)
    func photo(_ query: String) -> String? {
      let request = ServiceRequest(
        method: "POST", target: "/api/v1/recreations?" + query,
        fields: [("Host", "localhost"), ("Authorization", "Bearer \(ServiceBench.keyText)")],
        body: [0xFF, 0xD8, 0xFF, 0xE0])
      switch bench.service.reply(to: request, now: ServiceBench.now) {
      case .work(.keepRecreation(_, let name, _, _, _)): return name
      case .response(let response): return "\(response.status)"
      default: return nil
      }
    }
    #expect(photo("photo=aaaaaaaaaaaaaaaa&spot=\(id)&name=b.jpg") == cover)
    for query in ["", "&spot=\(id)", "&name=b.jpg", "&spot=\(id)&name=z.jpg", "&spot=x&name=b.jpg"]
    {
      #expect(photo("photo=aaaaaaaaaaaaaaaa\(query)") == "404", "\(query)")
    }
  }

  @Test func `a recreation is stored, listed and forgotten`() throws {
    let cover = try #require(try siena(bench)["cover"]?.text)
    let jpeg = String(decoding: [0x41], as: UTF8.self)
    #expect(bench.response("POST", "recreations?photo=\(cover)", body: jpeg).status == 415)
    let request = ServiceRequest(
      method: "POST",
      target: "/api/v1/recreations?photo=\(cover)&score=0.8&time=2026-11-22T10:15:03%2B01:00",
      fields: [
        ("Host", "localhost"), ("Authorization", "Bearer \(ServiceBench.keyText)"),
      ], body: [0xFF, 0xD8, 0xFF, 0xE0])
    guard
      case .work(.keepRecreation(_, let name, let files, let score, let taken)) = bench.service
        .reply(
          to: request, now: ServiceBench.now)
    else {
      Issue.record("no work")
      return
    }
    #expect(name == cover && files == ["/home/me/Siena/b.jpg"] && score == 0.8)
    #expect(taken?.iso8601 == "2026-11-22T10:15:03.000+01:00")
    var bench = bench
    let kept = Recreation(
      id: "r1", photoName: cover, spotID: nil, time: ServiceBench.now, score: 0.8,
      fileName: "2026.jpg")
    bench.sources.kept = [kept]
    let answer = bench.service.kept(kept)
    #expect(answer.status == 201 && answer.field("Location") == "/api/v1/recreations/r1")
    #expect(try bench.json("recreations")[0] == JSONValue(answer.body))
    #expect(try bench.json("recreations/r1")["name"] == .string("2026.jpg"))
    guard case .forgetRecreation("r1") = bench.work("DELETE", "recreations/r1"),
      case .recreationPicture("r1") = bench.work("GET", "recreations/r1/picture")
    else {
      Issue.record("no work")
      return
    }
    #expect(bench.response("GET", "recreations/r2").status == 404)
  }

  // MARK: - Tags

  private static let tagged = [
    "status", "clusters?box=-90,-180,90,180&zoom=2", "spots", "mutes", "alerts",
    "recreations", "towns?query=siena", "search?query=siena", "albums",
  ]

  @Test(arguments: tagged)
  func `a matching ETag gives 304`(target: String) throws {
    let first = bench.response("GET", target)
    let tag = try #require(first.field("ETag"))
    #expect(first.status == 200 && tag.hasPrefix("W/\""))
    for known in [tag, "\"x\", \(tag)", String(tag.dropFirst(2)), "*"] {
      let again = bench.response("GET", target, fields: [("If-None-Match", known)])
      #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag)
    }
    #expect(bench.response("GET", target, fields: [("If-None-Match", "W/\"x\"")]).status == 200)
  }

  @Test func `an ETag changes with the response's sources and the query`() throws {
    func tags(_ change: (inout TestSources) -> Void) -> [String?] {
      var bench = bench
      change(&bench.sources)
      return Self.tagged.map { bench.response("GET", $0).field("ETag") }
    }
    func changed(_ change: (inout TestSources) -> Void) -> [String] {
      zip(Self.tagged, zip(tags { _ in }, tags(change))).filter { $1.0 != $1.1 }.map {
        String($0.0.prefix { $0 != "?" })
      }
    }
    #expect(
      changed { $0 = TestSources(generation: "2") }
        == ["status", "clusters", "spots", "mutes", "alerts", "search", "albums"])
    #expect(
      changed { $0.state.mutes = "2" } == ["status", "clusters", "spots", "mutes", "alerts"])
    #expect(
      changed { $0.state.settings = "2" }
        == ["status", "clusters", "spots", "mutes", "alerts"])
    #expect(changed { $0.state.history = "2" } == ["alerts"])
    #expect(changed { $0.state.recreations = "2" } == ["spots", "alerts", "recreations"])
    #expect(
      bench.response("GET", "spots?from=2000").field("ETag")
        != bench.response("GET", "spots?from=2001").field("ETag"))
    #expect(bench.response("GET", "devices").field("ETag") == nil)
  }

  @Test func `HEAD is answered like GET`() {
    #expect(bench.response("HEAD", "status").status == 200)
  }
}
