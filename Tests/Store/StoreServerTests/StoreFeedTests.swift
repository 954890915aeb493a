#if Postgres && HTTPServer
  import CLibrary
  import CivilTime
  import FeedServer
  import LocationFeeds
  import PostgresStore
  import Spatial
  import SpotService
  import TestSupport
  import Testing

  @testable import StoreServer

  /// `serve --store --feeds`: positions are those of the token's owner and device alone.
  @Suite(
    .enabled(
      if: PostgresServer.isInstalled && access("/usr/bin/curl", X_OK) == 0,
      "PostgreSQL or curl is not installed"), .timeLimit(.minutes(30)))
  struct StoreFeedTests {
    private typealias Bench = StoreFeedBench

    @Test func `each position lands with the owner and the device of its token alone`()
      async throws
    {
      let bench = try await Bench()
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let ben = try bench.people.person("ben", latitude: -33.857, longitude: 151.215)
      let annas = try bench.people.key(for: "anna", ofDevice: "phone").text
      let bens = try bench.people.key(for: "ben", ofDevice: "phone").text
      #expect(try await bench.post(annas, bench.report(anna.center)) == "200")
      #expect(try bench.alerts(of: anna) == ["phone \(anna.spotIDs[0])"])
      #expect(try bench.alerts(of: ben) == [])
      // At a spot of the other owner nothing fires, also where that one's device has the name.
      #expect(try await bench.post(bens, bench.report(anna.center)) == "200")
      #expect(try bench.alerts(of: ben) == [])
      let headers = "-H 'X-Limit-U: anna' -H 'X-Limit-D: anna-phone'"
      #expect(
        try await bench.post(bens, bench.report(ben.center, secondsAgo: 1), headers) == "200")
      #expect(try bench.alerts(of: anna) == ["phone \(anna.spotIDs[0])"])
      #expect(try bench.devices(of: anna) == ["anna-phone", "phone"])
      #expect(try bench.devices(of: ben) == ["ben-phone", "phone"])
      #expect(bench.watches.count == 2)
      // The page of each owner shows its own alerts.
      for (person, other) in [(anna, ben), (ben, anna)] {
        let answer = await bench.people.ask(
          "GET", "/api/v1/alerts", StoreAccountsBench.bearer(person.key))
        for mark in other.spotIDs + [other.device] { #expect(!answer.text.contains(mark)) }
        if person.name == "anna" { #expect(answer.text.contains(#""device":"phone""#)) }
      }
      await bench.stop()
    }

    @Test func `all formats of apps are read, and their devices' names are not`() async throws {
      let bench = try await Bench()
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let (latitude, longitude) = (anna.center.latitude, anna.center.longitude)
      let (time, seconds) = (bench.now.iso8601, bench.now.millisecondsSince1970 / 1000)
      let messages: [(device: String, body: String, path: String)] = [
        ("owntracks", bench.report(anna.center), "/feed/pub"),
        (
          "overland",
          """
          {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":\
          [\(longitude),\(latitude)]},"properties":{"timestamp":"\(time)","device_id":"intruder",\
          "horizontal_accuracy":5}}]}
          """, "/feed"
        ),
        (
          "gpx",
          """
          <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\
          <trkpt lat="\(latitude)" lon="\(longitude)"><time>\(time)</time></trkpt>\
          </trkseg></trk></gpx>
          """, "/feed"
        ),
        (
          "ndjson",
          #"{"time":"\#(time)","latitude":\#(latitude),"longitude":\#(longitude),"device":"intruder"}"#,
          "/feed"
        ),
        (
          "osmand", "",
          "/feed?id=intruder&lat=\(latitude)&lon=\(longitude)&timestamp=\(seconds)&accuracy=5"
        ),
      ]
      for message in messages {
        let token = try bench.people.key(for: "anna", ofDevice: message.device).text
        #expect(
          try await bench.post(token, message.body, path: message.path) == "200",
          "\(message.device)")
      }
      #expect(
        Set(try bench.alerts(of: anna))
          == Set(messages.map { "\($0.device) \(anna.spotIDs[0])" }))
      #expect(
        try bench.devices(of: anna) == (messages.map(\.device) + ["anna-phone"]).sorted())
      let token = try bench.people.key(for: "anna", ofDevice: "x").text
      #expect(try await bench.post(token, "hello") == "400")
      #expect(try await bench.post(token, "", "-X DELETE") == "405")
      await bench.stop()
    }

    @Test func `only a token that exists is accepted, and a key is none`() async throws {
      let bench = try await Bench()
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let ben = try bench.people.person("ben", latitude: 1, longitude: 1)
      let report = bench.report(anna.center)
      let token = try bench.people.key(for: "anna", ofDevice: "phone").text
      let number = token.split(separator: "-").prefix(2).joined(separator: "-")
      let others = ben.key.text.split(separator: "-")[2]
      let digit = token.last == "0" ? "1" : "0"
      for wrong in [
        anna.key.text, ben.key.text, "\(number)-\(others)", token.dropLast() + digit, token + "0",
        token.uppercased() + "X", "x", "", "9223372036854775807-1-\(others)",
      ] {
        #expect(try await bench.post(wrong, report) == "401", "\(wrong)")
      }
      #expect(bench.watches.count == 0)
      #expect(!bench.feeds.isKnown(Array(token.utf8)))
      #expect(try await bench.post(token, report) == "200")
      #expect(bench.feeds.isKnown(Array(token.utf8)))
      #expect(!bench.feeds.isKnown(Array(anna.key.text.utf8)))
      let (connection, _) = try bench.people.connection(for: "anna")
      #expect(try AccountKey.remove(2, connection) == 1)
      #expect(try await bench.post(token, bench.report(anna.center, secondsAgo: -9)) == "401")
      #expect(!bench.feeds.isKnown(Array(token.utf8)))
      #expect(try bench.alerts(of: anna).count == 1)
      await bench.stop()
    }

    @Test func `while the database is gone apps get 503, and afterwards an alert fires once`()
      async throws
    {
      let postgres = try PostgresServer()
      let bench = try await Bench(on: postgres)
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let token = try bench.people.key(for: "anna", ofDevice: "phone").text
      let far = anna.center.offset(latitude: 0.002)
      #expect(try await bench.post(token, bench.report(far, secondsAgo: 300)) == "200")
      try postgres.crash()
      for _ in 0..<3 {
        #expect(try await bench.post(token, bench.report(anna.center)) == "503 30")
      }
      try postgres.start()
      var answer = ""
      for _ in 0..<600 where answer != "200" {
        answer = try await bench.post(token, bench.report(anna.center))
      }
      #expect(answer == "200")
      #expect(try await bench.post(token, bench.report(anna.center)) == "200")
      #expect(try bench.alerts(of: anna) == ["phone \(anna.spotIDs[0])"])
      await bench.stop()
    }

    @Test func `beyond the limit of owners apps get 503 until an idle watch has ended`()
      async throws
    {
      var limits = StoredWatches.Limits()
      limits.owners = 1
      let bench = try await Bench(limits: limits)
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let ben = try bench.people.person("ben", latitude: -33.857, longitude: 151.215)
      let annas = try bench.people.key(for: "anna", ofDevice: "phone").text
      let bens = try bench.people.key(for: "ben", ofDevice: "phone").text
      #expect(try await bench.post(annas, bench.report(anna.center)) == "200")
      #expect(try await bench.post(bens, bench.report(ben.center)) == "503 30")
      #expect(try await bench.post(annas, bench.report(anna.center, secondsAgo: -1)) == "200")
      // Later the owner who has not sent for longest makes room, and is watched again afterwards.
      let later = ContinuousClock.now + .seconds(61)
      let message = try #require(Self.message(bench.report(ben.center), device: "phone"))
      #expect(await !bench.watches.take(message, of: ben.owner, now: later))
      var isTaken = false
      while !isTaken, !Task.isCancelled {
        isTaken = await bench.watches.take(message, of: ben.owner, now: later)
        await Task.yield()
      }
      #expect(isTaken && bench.watches.count == 1)
      #expect(try bench.alerts(of: ben) == ["phone \(ben.spotIDs[0])"])
      bench.watches.stopIdle(now: later + .seconds(599))
      #expect(try await bench.post(annas, bench.report(anna.center, secondsAgo: -2)) == "503 30")
      bench.watches.stopIdle(now: later + .seconds(600))
      var answer = ""
      for _ in 0..<600 where answer != "200" {
        answer = try await bench.post(annas, bench.report(anna.center, secondsAgo: -3))
      }
      // The visit is known from the store.
      #expect(answer == "200")
      #expect(try bench.alerts(of: anna).count == 1)
      await bench.stop()
      #expect(bench.watches.count == 0)
      #expect(await !bench.watches.take(message, of: ben.owner))
    }

    private static func message(_ text: String, device: String) -> FeedServer.Message? {
      var (fixes, format, statistics) = FeedReader.fixes(in: Array(text.utf8), device: device)
      for place in fixes.indices { fixes[place].device = device }
      return format.map { FeedServer.Message(fixes: fixes, format: $0, statistics: statistics) }
    }
  }

  extension Coordinate {
    fileprivate func offset(latitude: Double) -> Coordinate {
      Coordinate(uncheckedLatitude: self.latitude + latitude, longitude: longitude)
    }
  }
#endif
