import CivilTime
import Encodings
import FeedServer
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotAlerts
import SpotWatcher
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchService

/// The replies to phones with OwnTracks.
@Suite struct OwnTracksRepliesTests {
  private let folder = TemporaryFolder()
  private let now = Instant(iso8601: "2026-11-20T12:00:00Z")!

  /// A clock that always shows the same time.
  private final class StillClock: DeliveryClock {
    private let time: Mutex<Instant>
    init(_ time: Instant) { self.time = Mutex(time) }
    func now() -> Instant { time.withLock { $0 } }
    func sleep(seconds: Double) async throws {}
  }

  private func place(_ number: Int) -> Coordinate {
    Coordinate(latitude: 48.8584 + Double(number) * 0.003, longitude: 2.2945)!
  }

  private func session(spots count: Int, isOn: Bool = true) throws -> WatchSession {
    let captured = CaptureTime(instant: Instant(iso8601: "2016-05-01T10:00:00Z")!)
    let spots = (0..<count).map { number in
      PhotoSpot(
        id: "spot\(number)", coordinate: place(number), anchor: place(number), radiusMeters: 0,
        photoCount: 1, firstCaptured: captured, lastCaptured: captured, cover: "/a.jpg")
    }
    return try WatchSession(
      stateFolder: nil, spots: SpotIndex(spots: spots), settings: WatcherSettings(),
      alerts: AlertSettings(sendsRegions: isOn), isLive: true, notifiers: [],
      clock: StillClock(now))
  }

  private func message(
    _ text: String, device: String? = nil
  ) throws -> FeedServer.Message {
    let read = FeedReader.fixes(in: Array(text.utf8), device: device)
    return FeedServer.Message(
      fixes: read.fixes, format: read.format, statistics: read.statistics)
  }

  private func location(_ number: Int = 0, seconds: Int = 0, tid: String = "px") -> String {
    #"{"_type":"location","tid":"\#(tid)","tst":\#(1_795_176_000 + seconds),"#
      + #""lat":\#(place(number).latitude),"lon":2.2945,"acc":12}"#
  }

  /// Messages of both apps in HTTP mode, in the forms of their sources and the booklet ("JSON").
  @Test(arguments: [
    #"{"_type":"location","_id":"5ad8a9c7","acc":12,"alt":60,"batt":87,"bs":1,"cog":0,"#
      + #""conn":"w","created_at":1795176001,"lat":48.8584,"lon":2.2945,"m":1,"source":"fused","#
      + #""t":"c","tid":"px","topic":"owntracks/jan/pixel","tst":1795176000,"vac":2,"vel":0}"#,
    #"{"_type":"location","BSSID":"ac:86:74:5a:1:2","SSID":"home","acc":12,"alt":60,"batt":87,"#
      + #""bs":1,"conn":"w","created_at":1795176001,"inregions":["Home"],"inrids":["6da9cf"],"#
      + #""lat":48.8584,"lon":2.2945,"m":1,"p":101.3,"t":"v","tid":"px","#
      + #""topic":"owntracks/jan/iphone","tst":1795176000,"vac":5,"vel":0}"#,
    #"{"_type":"transition","acc":12,"desc":"photospots 1","event":"enter","lat":48.8584,"#
      + #""lon":2.2945,"t":"c","tid":"px","topic":"owntracks/jan/pixel/event","tst":1795176000,"#
      + #""wtst":1}"#,
  ])
  func `the reply to a position holds region waypoints, a friend's position and a card`(
    text: String
  ) throws {
    let session = try session(spots: 2)
    let replies = OwnTracksReplies(session, clock: StillClock(now))
    let answer = try #require(replies.reply(to: try message(text)))
    #expect(
      String(decoding: answer, as: UTF8.self)
        == #"[{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":["#
        + #"{"_type":"waypoint","desc":"photospots 1","lat":48.8584,"lon":2.2945,"rad":100,"tst":1,"#
        + #""rid":"photospots1"},{"_type":"waypoint","desc":"photospots 2","lat":48.8614,"#
        + #""lon":2.2945,"rad":100,"tst":2,"rid":"photospots2"}]}},"#
        + #"{"_type":"location","tid":"ps","lat":48.8584,"lon":2.2945,"tst":1795176000},"#
        + #"{"_type":"card","tid":"ps","name":"1 spot near"}]"#)
    #expect(replies.updateCount == 1)
  }

  @Test func `a reply has at most twelve regions and is shorter than 2 KB`() throws {
    let replies = OwnTracksReplies(try session(spots: 500), clock: StillClock(now))
    let answer = try #require(replies.reply(to: try message(location())))
    #expect(String(decoding: answer, as: UTF8.self).split(separator: #""waypoint","#).count == 13)
    #expect(answer.count < 2048)
  }

  @Test func `a region list is sent once per device, and resent when the same report is repeated`()
    throws
  {
    let replies = OwnTracksReplies(try session(spots: 2), clock: StillClock(now))
    let first = try #require(replies.reply(to: try message(location())))
    let again = try #require(replies.reply(to: try message(location())))
    #expect(first.count > again.count, "the card is the same")
    #expect(String(decoding: again, as: UTF8.self).contains("photospots 2"))
    #expect(replies.reply(to: try message(location(seconds: 20))) == nil)
    let other = try #require(replies.reply(to: try message(location(tid: "ab"))))
    #expect(other == first, "each device gets its own list")
  }

  @Test func `a new card is sent only when the number of nearby spots changes`() throws {
    let replies = OwnTracksReplies(try session(spots: 1), clock: StillClock(now))
    func card(_ number: Int, _ seconds: Int) throws -> String? {
      replies.reply(to: try message(location(number, seconds: seconds)))
        .map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try #require(try card(0, -300)).contains(#""name":"1 spot near""#))
    #expect(
      try card(5, -200) == #"[{"_type":"location","tid":"ps","lat":48.8584,"lon":2.2945,"#
        + #""tst":1795176000},{"_type":"card","tid":"ps","name":"no spot near"}]"#)
    #expect(try card(6, -100) == nil)
  }

  @Test func `a user's own place counts as near within its own alert radius`() throws {
    let session = try session(spots: 1)
    let places = [(1, 400.0), (2, 50), (3, 700)].map { number, radius in
      OwnPlace(
        id: "p234567\(number)abcdefgh", name: "Oak", coordinate: place(number),
        alertRadiusMeters: radius)
    }
    session.replace(spots: session.spots.joined(with: places, clusterRadius: 15))
    let replies = OwnTracksReplies(session, clock: StillClock(now))
    let answer = try #require(replies.reply(to: try message(location())))
    // The places are 334, 667 and 1001 m away.
    #expect(String(decoding: answer, as: UTF8.self).contains(#""name":"2 spots near""#))
  }

  @Test func `a message without a position, from another app, or not current gets no reply`() throws
  {
    let replies = OwnTracksReplies(try session(spots: 2), clock: StillClock(now))
    for text in [
      #"{"_type":"waypoint","desc":"photospots 1","lat":48.8584,"lon":2.2945,"tst":1,"rad":100}"#,
      #"{"_type":"waypoints","waypoints":[]}"#, #"{"_type":"lwt","tst":1795176000}"#,
      #"{"_type":"status","android":{}}"#,
      #"{"_type":"location","tst":1795176000,"lat":0,"lon":0}"#,
      location(seconds: -3600), location(seconds: 600),
      "lat=48.8584&lon=2.2945&timestamp=1795176000",
    ] {
      #expect(replies.reply(to: try message(text)) == nil, "\(text)")
    }
    #expect(replies.updateCount == 0)
  }

  @Test func `sendsRegions enables replies, and their language follows the alert settings`() throws
  {
    let session = try session(spots: 2, isOn: false)
    let replies = OwnTracksReplies(session, clock: StillClock(now))
    #expect(replies.reply(to: try message(location())) == nil)
    session.replace(alerts: AlertSettings(language: .spanish, sendsRegions: true))
    let answer = try #require(replies.reply(to: try message(location())))
    #expect(String(decoding: answer, as: UTF8.self).contains("1 lugar cerca"))
  }

  @Test func `the reply uses the latest position of a batch of messages`() throws {
    let replies = OwnTracksReplies(try session(spots: 40), clock: StillClock(now))
    let text =
      "[" + [location(30, seconds: -60), location(0, seconds: -120)].joined(separator: ",") + "]"
    let answer = try #require(replies.reply(to: try message(text)))
    #expect(String(decoding: answer, as: UTF8.self).contains(#""lat":48.9484"#))
    #expect(!String(decoding: answer, as: UTF8.self).contains(#""lat":48.8584,"#))
  }

  @Test func `the least recently seen device is forgotten when over a thousand devices report`()
    throws
  {
    let replies = OwnTracksReplies(try session(spots: 1), clock: StillClock(now))
    for number in 0..<1100 {
      #expect(replies.reply(to: try message(location(tid: "t\(number)"))) != nil)
    }
    #expect(replies.reply(to: try message(location(seconds: 1, tid: "t1099"))) == nil)
    #expect(replies.reply(to: try message(location(seconds: 1, tid: "t0"))) != nil)
  }

  // MARK: - Metrics

  @Test func `metrics report the counters of a watch and contain no position`() async throws {
    let session = try session(spots: 2)
    let replies = OwnTracksReplies(session, clock: StillClock(now))
    for text in [location(), location(5, seconds: 10), location(seconds: -7200, tid: #"\"}\n x"#)] {
      let message = try message(text)
      for fix in message.fixes { try session.process(fix) }
      _ = replies.reply(to: message)
    }
    for number in 0..<100 {
      try session.process(LocationFix(time: now, latitude: 1, longitude: 2, device: "d\(number)"))
    }
    var text = MetricsText()
    text.add(session, replies, now: now.advanced(bySeconds: 30))
    let written = String(decoding: text.bytes, as: UTF8.self)
    let read = try ExpositionText(written)
    #expect(read.value("photospots_fixes_total", ["device": "px"]) == 2)
    #expect(read.value("photospots_fixes_total", ["device": "\"} x"]) == 1)
    #expect(read.value("photospots_fixes_total", ["device": "(others)"]) == 38)
    #expect(read.samples.count { $0.name == "photospots_fixes_total" } == 65)
    #expect(read.value("photospots_last_fix_age_seconds", ["device": "px"]) == 30)
    #expect(read.value("photospots_decisions_total", ["decision": "stale"]) == 1)
    #expect(read.samples.count { $0.name == "photospots_decisions_total" } >= 30)
    #expect(read.value("photospots_region_updates_total") == 1)
    #expect(read.value("photospots_spots") == 2)
    for digits in ["48.8", "2.29", "spot0"] { #expect(!written.contains(digits)) }
    session.replace(spots: SpotIndex(spots: []))
    text = MetricsText()
    text.add(session, replies, now: now)
    let later = try ExpositionText(String(decoding: text.bytes, as: UTF8.self))
    #expect(
      later.value("photospots_fixes_total", ["device": "px"]) == 2,
      "counts are kept when the index is replaced")
    #expect(later.value("photospots_spots") == 0)
  }
}
