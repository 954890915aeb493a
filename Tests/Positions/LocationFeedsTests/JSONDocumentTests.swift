import CivilTime
import LocationFeeds
import Testing

/// GeoJSON and Google's location history.
@Suite struct JSONDocumentTests {
  private let noon = Instant(iso8601: "2026-11-20T12:00:00Z")

  private func point(_ properties: String, coordinates: String = "[2.29451,48.85841]") -> String {
    """
    {"type":"Feature","geometry":{"type":"Point","coordinates":\(coordinates)},"properties":{\(properties)}}
    """
  }

  @Test func `a point with a time is read with its properties`() {
    let feature = point(
      #""time":"2026-11-20T12:00:00Z","accuracy":9,"speed":1.5,"bearing":270,"battery":81,"device_id":"a""#,
      coordinates: "[2.29451,48.85841,35]")
    let expected = [
      LocationFix(
        time: noon, latitude: 48.85841, longitude: 2.29451, altitudeMeters: 35,
        horizontalAccuracyMeters: 9, speedMetersPerSecond: 1.5, courseDegrees: 270, device: "a",
        battery: 0.81)
    ]
    #expect(fixes(in: #"{"features":[\#(feature)],"type":"FeatureCollection"}"#) == expected)
    #expect(fixes(in: feature) == expected)
    #expect(
      fixes(in: "\u{1E}\(feature)\n\u{1E}\(feature)\n", format: .geojson) == expected + expected)
  }

  @Test(arguments: [
    #""time":"2026-11-20T13:00:00+01:00""#, #""timestamp":1795176000"#,
    #""timestampMs":"1795176000000""#,
    #""time_long":1795176000000,"time":null"#, #""time":"2026-11-20 12:00:00""#,
    #""recorded_at":1795176000.0"#,
  ])
  func `a point's time is read under many names and in many forms`(time: String) {
    #expect(fixes(in: point(time)).map(\.time) == [noon])
  }

  @Test func `a point without a time is not a fix, and one with an unreadable time is bad`() {
    let feed =
      #"{"type":"FeatureCollection","features":[\#(point("")),\#(point(#""time":"noon""#))]}"#
    var reader = FeedReader()
    #expect(reader.consume(Array(feed.utf8)) + reader.finish() == [])
    #expect(reader.statistics.firstBadLines.map(\.number) == [2])
  }

  @Test func `the positions of a line have one time each, or none`() {
    func line(_ properties: String) -> String {
      """
      {"type":"Feature","properties":{\(properties)},
        "geometry":{"coordinates":[[2,1,35],[4,3]],"type":"LineString"}}
      """
    }
    let times = #"["2026-11-20T12:00:00Z","2026-11-20T12:00:05Z"]"#
    for properties in [#""coordTimes":\#(times)"#, #""coordinateProperties":{"times":\#(times)}"#] {
      #expect(
        fixes(in: line(properties)) == [
          LocationFix(time: noon, latitude: 1, longitude: 2, altitudeMeters: 35),
          LocationFix(time: noon?.advanced(bySeconds: 5), latitude: 3, longitude: 4),
        ])
    }
    for properties in [
      "", #""coordTimes":["2026-11-20T12:00:00Z"]"#, #""time":"2026-11-20T12:00:00Z""#,
    ] {
      #expect(fixes(in: line(properties)).map(\.time) == [nil, nil])
    }
  }

  @Test func `a multipoint with a time for each position is a track`() {
    let times = #"["2026-11-20T12:00:00Z","2026-11-20T12:00:05Z"]"#
    for properties in [
      #""coordTimes":\#(times)"#, #""coordinateProperties":{"times":\#(times)}"#,
    ] {
      let feed = """
        {"type":"Feature","properties":{\(properties)},
         "geometry":{"type":"MultiPoint","coordinates":[[2,1,35],[4,3]]}}
        """
      #expect(
        fixes(in: feed) == [
          LocationFix(time: noon, latitude: 1, longitude: 2, altitudeMeters: 35),
          LocationFix(time: noon?.advanced(bySeconds: 5), latitude: 3, longitude: 4),
        ])
      #expect(fixes(in: feed.replacing("[4,3]", with: "[4,3],[6,5]")).isEmpty)
    }
  }

  @Test func `polygons and collections of points are not fixes`() {
    for (type, coordinates) in [
      ("Polygon", "[[[1,2],[3,4],[1,2]]]"), ("MultiPoint", "[[1,2]]"),
      ("MultiPolygon", "[[[[1,2]]]]"),
    ] {
      let feed = """
        {"type":"Feature","properties":{"time":1795176000},
         "geometry":{"type":"\(type)","coordinates":\(coordinates)}}
        """
      #expect(fixes(in: feed) == [])
    }
  }

  @Test(arguments: [#"["2.5","1.5"]"#, "[2.5,1.5,null]", "[2.5,1.5,3,4,5]", "[2.5,1.5,[]]"])
  func `unusual but readable coordinates are accepted`(coordinates: String) {
    let found = fixes(in: point(#""time":1795176000"#, coordinates: coordinates))
    #expect(found.map(\.latitude) == [1.5] && found.map(\.longitude) == [2.5])
  }

  @Test(arguments: ["[]", "[2.5]", "null", "{}", #"["a","b"]"#, "[[[[[[1,2]]]]]]", "7"])
  func `unreadable coordinates are reported as a bad line`(coordinates: String) {
    var reader = FeedReader()
    let feed = point(#""time":1795176000"#, coordinates: coordinates)
    let found = reader.consume(Array(feed.utf8)) + reader.finish()
    #expect(found == [])
    #expect(reader.statistics.badLines == 1)
  }

  @Test func `a record with invalid JSON is reported, and the next one is read`() {
    let good = point(#""time":1795176000"#)
    let feed =
      #"{"type":"FeatureCollection","features":[\#(good),{"a":tru},\#(good),{"b":01},\#(good)]}"#
    var reader = FeedReader()
    #expect((reader.consume(Array(feed.utf8)) + reader.finish()).count == 3)
    #expect(reader.statistics.firstBadLines.map(\.number) == [2, 4])
  }

  @Test func `a long document without line ends is read incrementally`() {
    let count = 2000
    let features = Array(repeating: point(#""time":1795176000"#), count: count).joined(
      separator: ",")
    let feed = Array(#"{"type":"FeatureCollection","features":[\#(features)]}"#.utf8)
    #expect(feed.count > 200_000)
    for chunkSize in [1000, 65_536, feed.count] {
      var reader = FeedReader()
      var early = 0
      for start in stride(from: 0, to: feed.count, by: chunkSize) {
        let isLast = start + chunkSize >= feed.count
        let found = reader.consume(Array(feed[start..<min(start + chunkSize, feed.count)]))
        if !isLast { early += found.count }
      }
      #expect(reader.statistics.fixes + reader.finish().count == count)
      #expect(chunkSize == feed.count || early > count / 2)
    }
  }

  @Test func `a record above the size limit is reported and skipped`() {
    var reader = FeedReader(format: .geojson)
    var found = reader.consume(Array(#"{"features":[{"a":""#.utf8))
    let megabyte = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<17 { found += reader.consume(megabyte) }
    found += reader.consume(Array(#""},\#(point(#""time":1795176000"#))]}"#.utf8)) + reader.finish()
    #expect(found.count == 1)
    #expect(reader.statistics.firstBadLines.map(\.fault) == [.recordTooLong])
  }

  @Test(arguments: [
    #""date":"2026-11-20T12:00:00Z""#, #""date":"2026-11-20 12:00:00""#, #""date":1795176000"#,
    #""date":1795176000000"#, #""name":"x","date":"2026-11-20T13:00:00+01:00""#,
    #""time":null,"date":"2026-11-20T12:00:00Z""#,
    #""date":"2025-01-01T00:00:00Z","time":1795176000"#,
  ])
  func `a point's date properties are read as its time`(properties: String) {
    #expect(fixes(in: point(properties)).map(\.time) == [noon])
  }

  @Test(arguments: [
    #""date":"2026-11-20""#, #""date":20261120"#, #""date":"yesterday""#, #""date":{}"#,
  ])
  func `a point with a day but no time of day is not a fix`(properties: String) {
    var reader = FeedReader()
    #expect((reader.consume(Array(point(properties).utf8)) + reader.finish()).isEmpty)
    #expect(reader.statistics.badLines == 0)
  }

  // MARK: - Google

  @Test func `a Takeout record has its device, and degrees that overflowed are corrected`() {
    let feed = """
      {"locations":[{"latitudeE7":-338568000,"longitudeE7":1512153000,"altitude":35,"velocity":2,"heading":90,
        "accuracy":20,"deviceTag":335552189,"timestamp":"2026-11-20T12:00:00Z"},
        {"latitudeE7":3956399296,"longitudeE7":1512153000,"timestampMs":"1795176000000"},
        {"timestampMs":"1795176000000","placeId":"x"}]}
      """
    let found = fixes(in: feed)
    #expect(
      found.first
        == LocationFix(
          time: noon, latitude: -33.8568, longitude: 151.2153, altitudeMeters: 35,
          horizontalAccuracyMeters: 20, speedMetersPerSecond: 2, courseDegrees: 90,
          device: "335552189"))
    #expect(found.map(\.latitude) == [-33.8568, -33.8568])
  }

  @Test func `an iOS Timeline gives times in minutes since the start of a segment`() {
    let feed = """
      [{"endTime":"2026-11-20T13:00:00Z","startTime":"2026-11-20T11:55:00Z","timelinePath":[
        {"point":"geo:48.85841,2.29451","durationMinutesOffsetFromStartTime":"5"},
        {"point":"geo:48.85842,2.29452","durationMinutesOffsetFromStartTime":"65"}]},
       {"startTime":"2026-11-20T11:55:00Z","visit":{"topCandidate":{"placeLocation":"geo:1,1"}}}]
      """
    var reader = FeedReader()
    let found = reader.consume(Array(feed.utf8)) + reader.finish()
    #expect(reader.format == .google)
    #expect(found.map(\.time) == [noon, noon?.advanced(bySeconds: 3600)])
    #expect(found.map(\.longitude) == [2.29451, 2.29452])
  }
}
