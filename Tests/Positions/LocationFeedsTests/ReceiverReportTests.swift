import CivilTime
import LocationFeeds
import TestSupport
import Testing

/// gpsd's JSON.
@Suite struct GPSDParserTests {
  private func tpv(
    _ second: Int, _ rest: String = #""lat":48.85841,"lon":2.29451"#, device: String = "/dev/a",
    mode: Int = 3
  ) -> String {
    """
    {"class":"TPV","device":"\(device)","mode":\(mode),"time":"2026-11-20T12:00:0\(second).000Z",\(rest)}

    """
  }

  @Test func `a report is read with all members of a fix`() {
    let feed = """
      {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-20T12:00:00.250Z","lat":-33.8568,\
      "lon":151.2153,"altHAE":55.1,"altMSL":35.5,"alt":36.0,"epx":1.5,"epy":2.5,"eph":4.5,"track":118.5,\
      "speed":1.4,"climb":0.1}
      """
    #expect(
      fixes(in: feed) == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00.250Z"), latitude: -33.8568,
          longitude: 151.2153, altitudeMeters: 35.5, horizontalAccuracyMeters: 4.5,
          speedMetersPerSecond: 1.4, courseDegrees: 118.5, device: "/dev/ttyACM0")
      ])
  }

  @Test func `values that the receiver does not tell may be written as NaN`() {
    let feed =
      tpv(0, #""lat":1.5,"lon":2.5,"eph":nan,"speed":NaN,"track":-nan,"alt":Infinity"#)
      + tpv(1, #""lat":1.5,"lon":2.5,"eph":4,"climb":nan"#)
      + tpv(2, #""lat":NaN,"lon":NaN"#)
    let found = fixes(in: feed)
    #expect(found.map(\.latitude) == [1.5, 1.5])
    #expect(found.map(\.horizontalAccuracyMeters) == [nil, 4])
    #expect(found.map(\.speedMetersPerSecond) == [nil, nil])
    #expect(found.map(\.courseDegrees) == [nil, nil])
    #expect(found.map(\.altitudeMeters) == [nil, nil])
  }

  @Test(
    arguments: [
      (#""epx":3,"epy":4"#, 5), (#""epx":3,"epy":4,"eph":7"#, 7), (#""epx":3"#, nil),
      (#""epx":nan,"epy":4"#, nil), (#""epx":0,"epy":4"#, nil),
    ] as [(String, Double?)])
  func `the accuracy of gpsd without eph is that of its errors to the east and north`(
    members: String, meters: Double?
  ) {
    let found = fixes(in: tpv(0, #""lat":1.5,"lon":2.5,"# + members))
    #expect(found.map(\.horizontalAccuracyMeters) == [meters])
  }

  @Test func `only reports of a receiver with a fix are positions`() {
    let feed = """
      {"class":"GST","device":"/dev/a","time":"2026-11-20T12:00:00Z","lat":1.5,"lon":2.5,"mode":3}
      {"class":"AIS","device":"/dev/a","mmsi":1,"lat":52.1,"lon":5.1,"mode":3}
      {"class":"POLL","tpv":[{"class":"TPV","mode":3,"lat":1,"lon":1}]}

      """
    let noFix =
      tpv(1, mode: 0) + tpv(1, mode: 1) + tpv(2, #""alt":3"#) + tpv(3, #""lat":1,"alt":3"#)
    #expect(fixes(in: feed + noFix) == [])
  }

  @Test func `reports of one time make one fix: later values win, missing ones stay`() {
    let feed =
      tpv(0, #""lat":1,"lon":1,"eph":9,"speed":2"#) + tpv(0, #""lat":1.5,"lon":1,"eph":8"#)
      + tpv(1)
    let found = fixes(in: feed)
    #expect(found.map(\.latitude) == [1.5, 48.85841])
    #expect(found.first?.horizontalAccuracyMeters == 8)
    #expect(found.first?.speedMetersPerSecond == 2)
  }

  @Test func `receivers have separate epochs, in the order in which they began`() {
    let feed =
      tpv(0) + tpv(0, device: "/dev/b") + tpv(0, #""lat":9,"lon":9"#) + tpv(1)
      + tpv(0, #""lat":8,"lon":8"#, device: "/dev/b") + tpv(1, device: "/dev/b")
    let found = fixes(in: feed)
    #expect(found.map(\.device) == ["/dev/a", "/dev/b", "/dev/a", "/dev/b"])
    #expect(found.map(\.latitude) == [9, 8, 48.85841, 48.85841])
  }

  @Test func `a receiver that stops reporting does not delay the others`() {
    var reader = FeedReader()
    var found = reader.consume(Array(tpv(0).utf8))
    for second in 0..<5 { found += reader.consume(Array(tpv(second, device: "/dev/b").utf8)) }
    #expect(found.map(\.device) == ["/dev/a", "/dev/b", "/dev/b", "/dev/b", "/dev/b"])
  }

  @Test func `a flush delivers pending fixes, and the same epoch gives no second one`() {
    var reader = FeedReader()
    #expect(reader.consume(Array((tpv(0) + tpv(0, device: "/dev/b")).utf8)) == [])
    #expect(reader.flush().count == 2)
    #expect(reader.consume(Array(tpv(0, #""lat":9,"lon":9"#).utf8)) == [])
    #expect(reader.flush() == [])
    #expect(reader.consume(Array(tpv(1).utf8)) + reader.flush() != [])
  }

  @Test func `a receiver that loses its fix delivers the last one`() {
    var reader = FeedReader()
    #expect(reader.consume(Array((tpv(0) + tpv(1, #""ept":1"#, mode: 1)).utf8)).count == 1)
  }

  @Test func `a position without a time is delivered at once`() {
    let report = #"{"class":"TPV","mode":3,"lat":1,"lon":2}"# + "\n"
    var reader = FeedReader()
    #expect(reader.consume(Array((tpv(0) + report).utf8)).map(\.time) == [nil])
    #expect(reader.statistics.untimedFixes == 1)
  }

  @Test func `recognises gpsd with raw sentences before or glued to its reports`() {
    let raw = sentence("GPRMC,115959,V,,,,,,,201126,,")
    let glued = "$GPGSV,3,1,11,07,53,074,43,13" + tpv(3)
    var reader = FeedReader()
    let found = reader.consume(Array((raw + raw + tpv(0) + raw + glued + tpv(1)).utf8))
    #expect(reader.format == .gpsd)
    #expect((found + reader.finish()).count == 2)
    var given = FeedReader(format: .nmea)
    #expect(given.consume(Array((raw + tpv(0)).utf8)) + given.finish() == [])
  }

  @Test func `a logger's timestamp before a report is skipped`() {
    let feed = "2.508\t" + tpv(0) + "2026-11-20T12:00:01.5: " + tpv(1)
    #expect(fixes(in: feed).count == 2)
  }

  @Test func `the number of a gpsd's receivers is limited`() {
    var reader = FeedReader()
    var count = 0
    for device in 0..<1000 {
      count += reader.consume(Array(tpv(0, device: "\(device)").utf8)).count
    }
    #expect(count == 1000 - 64)
    #expect(reader.finish().count == 64)
  }
}
