import CivilTime
import LocationFeeds
import Testing

/// The messages of apps on phones.
@Suite struct PhoneReportTests {
  // MARK: - OwnTracks

  @Test func `an OwnTracks message is read and its units are converted`() {
    let feed = """
      {"_type":"location","tst":1795176000,"lat":-33.8568,"lon":151.2153,"alt":40,"acc":5,"vel":36,\
      "cog":118,"batt":85,"tid":"JJ","topic":"owntracks/jane/phone"}
      """
    #expect(
      fixes(in: feed) == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: -33.8568, longitude: 151.2153,
          altitudeMeters: 40, horizontalAccuracyMeters: 5, speedMetersPerSecond: 10,
          courseDegrees: 118, device: "jane/phone", battery: 0.85)
      ])
  }

  @Test func `negative, zero and non-numeric OwnTracks values are nil`() {
    for accuracy in ["-1", "0", "\"0\"", "\"\"", "null", "true"] {
      let feed = """
        {"_type":"location","tst":"1795176000","lat":"1.5","lon":"2.5","acc":\(accuracy),"vel":-1,"cog":-1,\
        "batt":-1}
        """
      #expect(
        fixes(in: feed) == [
          LocationFix(
            time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 1.5, longitude: 2.5)
        ])
    }
  }

  /// Messages in the forms that OwnTracks sends: Android (MessageTransition with a topic in the
  /// body, HTTP), iOS (numbers of Core Location, `rid`), and a Recorder's line.
  @Test(arguments: [
    (
      #"{"_type":"transition","_id":"8ab2c1d0","topic":"owntracks/jan/pixel/event","t":"c","tid":"px","#
        + #""lat":52.3731,"lon":4.8922,"acc":17,"tst":1795176000,"wtst":3,"event":"enter","#
        + #""desc":"photospots 3"}"#, "jan/pixel"
    ),
    (
      #"{"_type":"transition","topic":"owntracks/jan/pixel/event","tid":"px","t":"c","wtst":1,"#
        + #""acc":17.0,"lat":52.3731,"lon":4.8922,"tst":1795176000,"rid":"photospots3","#
        + #""event":"enter","desc":"photospots 3"}"#, "jan/pixel"
    ),
    (
      #"owntracks/jan/pixel/event {"_type":"transition","acc":"17","desc":"photospots 3","#
        + #""event":"enter","lat":"52.3731","lon":"4.8922","t":"l","tst":"1795176000","wtst":"1"}"#,
      "jan/pixel"
    ),
    (
      #"{"_type":"transition","tid":"px","acc":17,"lat":52.3731,"lon":4.8922,"tst":1795176000,"#
        + #""event":"enter","desc":"photospots 3"}"#, "px"
    ),
  ])
  func `a transition is a position with a cause`(message: String, device: String) {
    #expect(
      fixes(in: message) == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 52.3731, longitude: 4.8922,
          horizontalAccuracyMeters: 17, device: device,
          cause: LocationFix.Cause(.enter, region: "photospots 3"))
      ])
  }

  @Test func `transitions in a recorded track are ignored`() {
    let message = #"{"_type":"transition","lat":1,"lon":2,"tst":1795176000,"event":"leave"}"#
    #expect(fixes(in: Array(message.utf8), isRecorded: true) == [])
  }

  @Test func `a transition needs a position, and an unknown event gives no cause`() {
    #expect(fixes(in: #"{"_type":"transition","tst":1795176000,"event":"leave"}"#) == [])
    let other = #"{"_type":"transition","lat":1,"lon":2,"tst":1795176000,"event":"dance"}"#
    #expect(fixes(in: other).map(\.cause) == [nil])
    let nameless = #"{"_type":"transition","lat":1,"lon":2,"tst":1795176000,"event":"leave"}"#
    #expect(fixes(in: nameless).map(\.cause) == [LocationFix.Cause(.leave)])
  }

  @Test func `only locations and transitions are positions; encrypted messages are reported`() {
    let feed = """
      {"_type":"waypoint","lat":1,"lon":1,"tst":1795176000}
      {"_type":"encrypted","data":"1Vu7OwpW4lMnh28FB"}
      {"lat":1,"lon":1,"tst":1795176000}
      """
    var reader = FeedReader()
    #expect(reader.consume(Array(feed.utf8)) + reader.finish() == [])
    #expect(reader.statistics.firstBadLines.map(\.fault) == [.encrypted])
  }

  @Test func `a repeated message is delivered twice, and a bad one is reported`() {
    let good = #"{"_type":"location","tst":1795176000,"lat":1,"lon":2}"#
    let bad = #"{"_type":"location","tst":1795176000,"lat":1}"#
    let timeless = #"{"_type":"location","tst":"noon","lat":1,"lon":2}"#
    var reader = FeedReader()
    let feed = [good, good, bad, timeless].joined(separator: "\n")
    #expect((reader.consume(Array(feed.utf8)) + reader.finish()).count == 2)
    #expect(
      reader.statistics.firstBadLines.map(\.fault) == [
        .missingMember("longitude"), .unreadableMember("time"),
      ])
  }

  @Test(
    arguments: [
      ("2026-11-20T12:00:00+0000 owntracks/jan/pixel ", "jan/pixel"),
      ("owntracks/jan/pixel 1795176000 ", "jan/pixel"), ("20/11/2026 12:00 ", nil),
      ("20/11/2026 12:00 owntracks/jan/pixel ", "jan/pixel"), ("2026-11-20T12:00:00Z\t* \t", nil),
    ] as [(String, String?)])
  func `a topic names the device also beside a time`(prefix: String, device: String?) {
    let message = #"{"_type":"location","tst":1795176000,"lat":1,"lon":2}"#
    #expect(fixes(in: prefix + message + "\n").map(\.device) == [device])
  }

  @Test func `the device is named by topic, then transport, then tracker id`() {
    let plain = #"{"_type":"location","lat":1,"lon":2,"tid":"JJ"}"#
    let named = #"{"_type":"location","lat":1,"lon":2,"tid":"JJ","topic":"owntracks/jane/phone"}"#
    #expect(fixes(in: plain).map(\.device) == ["JJ"])
    #expect(FeedReader.fixes(in: Array(plain.utf8), device: "hall").fixes.map(\.device) == ["hall"])
    #expect(
      FeedReader.fixes(in: Array(named.utf8), device: "hall").fixes.map(\.device) == ["jane/phone"])
    // The output of mosquitto_sub -v.
    #expect(fixes(in: "owntracks/joe/tab \(plain)\n").map(\.device) == ["joe/tab"])
    #expect(fixes(in: "some/topic \(plain)\nsome/topic\n").map(\.device) == ["some/topic"])
  }

  // MARK: - Overland

  private func overland(_ features: String...) -> String {
    #"{"locations":[\#(features.joined(separator: ","))]}"# + "\n"
  }

  private func feature(
    _ second: Int, properties: String = "", device: String = "phone"
  ) -> String {
    """
    {"type":"Feature","geometry":{"type":"Point","coordinates":[2.29451,48.85841]},"properties":\
    {"timestamp":"2026-11-20T05:00:0\(second)-0700","device_id":"\(device)"\(properties)}}
    """
  }

  @Test func `an Overland feature is read, longitude first`() {
    let feed = overland(
      feature(
        0,
        properties: """
          ,"altitude":35,"speed":4,"course":90,"horizontal_accuracy":30,"battery_level":0.89,\
          "motion":["driving"]
          """))
    #expect(
      fixes(in: feed) == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 48.85841, longitude: 2.29451,
          altitudeMeters: 35, horizontalAccuracyMeters: 30, speedMetersPerSecond: 4,
          courseDegrees: 90, device: "phone", battery: 0.89)
      ])
  }

  @Test func `a repeated Overland batch gives no new fixes, except of other devices`() {
    let batch = overland(feature(0), feature(1), feature(2))
    #expect(fixes(in: batch + batch).count == 3)
    #expect(fixes(in: batch + overland(feature(0, device: "tablet"))).count == 4)
  }

  @Test func `Overland features without geometry and visits are not positions`() {
    let feed = overland(
      #"{"type":"Feature","properties":{"timestamp":"2026-11-20T12:00:00Z"}}"#,
      #"{"type":"Feature","geometry":null,"properties":{"timestamp":"2026-11-20T12:00:00Z"}}"#,
      feature(1, properties: #","action":"visit","departure_date":null"#),
      feature(2, properties: #","speed":-1,"course":-1,"horizontal_accuracy":0,"battery_level":-1"#)
    )
    var reader = FeedReader()
    let found = reader.consume(Array(feed.utf8)) + reader.finish()
    #expect(found.count == 1)
    #expect(
      found.first?.speedMetersPerSecond == nil && found.first?.horizontalAccuracyMeters == nil)
    #expect(reader.statistics.badLines == 0)
  }

  @Test
  func `a truncated batch does not swallow the next, unless it ends before a value`() {
    let batch = overland(feature(0), feature(1))
    let whole = overland(feature(2), feature(3))
    for length in 20..<batch.utf8.count
    where !batch.prefix(length).hasSuffix(":")
      && !batch.prefix(length).hasSuffix(",") && !batch.prefix(length).hasSuffix("[")
    {
      let feed = batch.prefix(length) + "\n" + whole
      let found = fixes(in: String(feed))
      #expect(found.suffix(2).map(\.time) == fixes(in: whole).map(\.time), "cut at \(length)")
    }
  }

  // MARK: - Traccar

  @Test func `a query's speed is in knots and its battery in percent`() {
    let query = """
      id=123456&lat=48.85841&lon=2.29451&timestamp=1795176000&hdop=6&altitude=35&speed=10&bearing=270&batt=81
      """
    let expected = [
      LocationFix(
        time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 48.85841, longitude: 2.29451,
        altitudeMeters: 35, horizontalAccuracyMeters: 6, speedMetersPerSecond: 10 * 1852.0 / 3600,
        courseDegrees: 270, device: "123456", battery: 0.81)
    ]
    #expect(fixes(in: query) == expected)
    #expect(fixes(in: "http://example.org:5055/?\(query)\n") == expected)
    #expect(
      fixes(in: "10.0.0.7 - - [20/Nov/2026] \"GET /?\(query) HTTP/1.1\" 200 0\n") == expected)
  }

  @Test(arguments: [
    "1795176000", "1795176000000", "2026-11-20T12%3A00%3A00Z", "2026-11-20T12:00:00.000Z",
    "2026-11-20%2012:00:00", "2026-11-20+12:00:00", "2026-11-20T13:00:00+01:00",
    "2026-11-20T13%3A00%3A00%2B01%3A00",
  ])
  func `the time of a query is read in many forms`(time: String) {
    let found = fixes(in: "id=1&timestamp=\(time)&lat=1&lon=2")
    #expect(found.map { $0.time?.iso8601 } == ["2026-11-20T12:00:00.000Z"])
  }

  @Test func `a query may have accuracy in metres, one location value, and a valid flag`() {
    #expect(
      fixes(in: "id=1&location=1.5,-2.5&hdop=2&accuracy=7")
        == [
          LocationFix(
            time: nil, latitude: 1.5, longitude: -2.5, horizontalAccuracyMeters: 7, device: "1")
        ])
    #expect(fixes(in: "id=1&lat=1&lon=2&valid=false") == [])
    #expect(fixes(in: "id=1&lat=1&lon=x", format: .traccar) == [])
  }

  @Test func `a JSON location's speed is in metres per second`() {
    let body = """
      {
        "location": {
          "timestamp": "2026-11-20T12:00:00.000Z", "is_moving": true, "odometer": 1,
          "coords": {"latitude": 48.85841, "longitude": 2.29451, "accuracy": 9, "speed": 1.5,
            "heading": 90, "altitude": 35},
          "battery": {"level": 0.81, "is_charging": false}, "extras": {}
        },
        "device_id": "48241179"
      }
      """
    let expected = [
      LocationFix(
        time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 48.85841, longitude: 2.29451,
        altitudeMeters: 35, horizontalAccuracyMeters: 9, speedMetersPerSecond: 1.5,
        courseDegrees: 90, device: "48241179", battery: 0.81)
    ]
    #expect(FeedReader.fixes(in: Array(body.utf8)).fixes == expected)
    #expect(FeedReader.fixes(in: Array(body.utf8), format: .traccar).fixes == expected)
  }
}
