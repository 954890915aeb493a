import CivilTime
import Testing

@testable import LocationFeeds

/// Values that programs write beside each other: hemispheres in columns of their own, several times
/// of one report, units behind numbers, and marks before lines.
@Suite struct ReportValueTests {
  private let noon = Instant(iso8601: "2026-11-20T12:00:00Z")

  @Test(arguments: [
    // i-Blue 747, Holux and Qstarz, as BT747 and their own programs write them.
    """
    INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED
    1,T,2026/11/20,12:00:00,SPS,33.856800,S,70.650000,W,60 M,18.000 km/h
    """,
    "time,lat,NS,lon,EW,alt,speed\n2026-11-20 12:00:00,33.8568,s,70.65,w,60,5\n",
    """
    UTC,Latitude,Latitude direction,Longitude,Longitude direction,Altitude (m),Speed (km/h)
    2026-11-20T12:00:00Z,-33.8568,S,70.65,West,60,18
    """,
    "GET /?lat=33.8568&ns=S&lon=70.65&ew=W&alt=60&spd=5&time=2026-11-20T12:00:00Z HTTP/1.1\n",
    #"{"lat":33.8568,"NS":"S","lng":70.65,"EW":"W","alt":60,"spd":5,"ts":1795176000}"#,
  ])
  func `a letter of the hemisphere beside an angle is its sign`(feed: String) {
    #expect(
      fixes(in: feed) == [
        LocationFix(
          time: noon, latitude: -33.8568, longitude: -70.65, altitudeMeters: 60,
          speedMetersPerSecond: 5)
      ])
  }

  @Test func `a word that is no hemisphere is no sign`() {
    let feed = #"{"lat":33.8568,"lon":-70.65,"ns":"south-1","time":"2026-11-20T12:00:00Z"}"#
    #expect(fixes(in: feed).map(\.latitude) == [33.8568])
  }

  @Test func `a letter that contradicts the sign, or is cut off, gives no position`() {
    for row in ["-33.8568,N,70.65,E,1", "33.8568,S,70.65"] {
      var reader = FeedReader()
      let feed = "lat,N/S,lon,E/W,id\n\(row)\n"
      #expect((reader.consume(Array(feed.utf8)) + reader.finish()).isEmpty, "\(row)")
      #expect(reader.statistics.badLines == 1, "\(row)")
    }
  }

  /// Traccar's server writes when the device sent its last known position before that position's
  /// own time.
  @Test(arguments: [
    """
    {"position":{"serverTime":"2026-11-20T12:09:00Z","deviceTime":"2026-11-20T12:07:00Z",\
    "fixTime":"2026-11-20T12:00:00Z","valid":true,"latitude":1,"longitude":2}}
    """,
    #"{"deviceTime":1795176420000,"latitude":1,"longitude":2,"fixTime":1795176000000}"#,
    #"{"lat":1,"lon":2,"received_at":"2026-11-20T12:07:00Z","tst":1795176000,"object":{}}"#,
    "serverTime,deviceTime,fixTime,latitude,longitude\n,2026-11-20 12:07:00,2026-11-20 12:00:00,1,2",
    "/?deviceTime=1795176420000&fixTime=1795176000000&latitude=1&longitude=2\n",
    // A local time beside one that means an instant.
    #"{"datetime":"2026-11-20 14:00:00","timestamp":1795176000,"lat":1,"lon":2}"#,
    "time,timestamp,lat,lon\n2026-11-20 14:00:00,1795176000,1,2\n",
    "date,time,timestamp,lat,lon\n2026-11-20,14:00:00,1795176000,1,2\n",
    "date,time,utc,lat,lon\n20261120,140000,2026-11-20T12:00:00Z,1,2\n",
    "/?time=2026-11-20T14:00:00&timestamp=1795176000&lat=1&lon=2\n",
    "timestamp;lat;lon\n1795176000,0;1,0;2,0\n",
  ])
  func `the time of the position counts, in any order`(feed: String) {
    #expect(fixes(in: feed).map(\.time) == [noon], "\(feed)")
  }

  @Test func `a time of another kind counts where no other is given`() {
    #expect(
      fixes(in: #"{"deviceTime":1795176000000,"latitude":1,"longitude":2,"fixTime":null}"#)
        .map(\.time) == [noon])
    let shortcut = #"{"Latitude":"48,5","Longitude":"2,25","Date":"2026-11-20T12:00:00+00:00"}"#
    #expect(
      fixes(in: shortcut) == [LocationFix(time: noon, latitude: 48.5, longitude: 2.25)])
    // A date without a time of day, as text or as digits, does not count as a time.
    for date in ["\"2026-11-20\"", "20261120", "261120"] {
      #expect(fixes(in: "{\"lat\":1,\"lon\":2,\"date\":\(date)}").map(\.time) == [nil])
    }
  }

  @Test(arguments: [
    ("altitude", "60 m", 60), ("altitude", "100 ft", 30.48), ("accuracy", "6.5 m", 6.5),
    ("speed", "18 km/h", 5), ("speed", "5 m/s", 5), ("speed", "10 kn", 10 * 1852.0 / 3600),
    ("speed_kmh", "10 mph", 4.4704), ("course", "90 °", 90), ("battery", "1 %", 0.01),
    ("battery", "88 %", 0.88), ("altitude", "45.72 m from MSL", 45.72), ("speed", "5", 5),
    ("speed", "fast", nil), ("speed", "5 furlongs", nil), ("altitude", "60 km/h", nil),
    ("accuracy", "NaN", nil),
  ])
  func `a unit behind a number counts, and another text is unknown`(
    name: String, value: String, expected: Double?
  ) throws {
    for feed in [
      "lat,lon,\(name)\n1,2,\(value)\n",
      "{\"latitude\":1,\"longitude\":2,\"\(name)\":\"\(value)\"}",
    ] {
      let fix = try #require(fixes(in: feed).first, "\(feed)")
      let found = [
        fix.altitudeMeters, fix.horizontalAccuracyMeters, fix.speedMetersPerSecond,
        fix.courseDegrees, fix.battery,
      ].compactMap { $0 }
      #expect(found.count == (expected == nil ? 0 : 1), "\(feed)")
      if let expected { #expect(abs((found.first ?? .nan) - expected) < 1e-9, "\(feed)") }
    }
  }

  @Test func `quoted decimal commas are read in a table with commas`() {
    let feed = """
      time,lat,lon,accuracy
      2026-11-20T12:00:00Z,"48,5","2,25","6,5"
      """
    #expect(
      fixes(in: feed) == [
        LocationFix(time: noon, latitude: 48.5, longitude: 2.25, horizontalAccuracyMeters: 6.5)
      ])
  }

  @Test(arguments: [
    "[2026-11-20 12:00:00.123] $GPRMC,120000.00,A,4830.0000,N,00215.0000,E,,,201126,,,A*52",
    #"[12:00:00] {"lat":48.5,"lon":2.25,"tst":1795176000}"#,
    #"[   12.34] {"class":"TPV","mode":3,"time":"2026-11-20T12:00:00Z","lat":48.5,"lon":2.25}"#,
    "\u{1E}{\"lat\":48.5,\"lon\":2.25,\"tst\":1795176000}\n",
    """
    \u{1E}{"type":"Feature","properties":{"time":"2026-11-20T12:00:00Z"},"geometry":\
    {"type":"Point","coordinates":[2.25,48.5]}}
    """,
  ])
  func `a mark before a line is skipped`(line: String) {
    let found = fixes(in: line + "\n")
    #expect(found.map(\.latitude) == [48.5] && found.map(\.longitude) == [2.25], "\(line)")
    #expect(found.map(\.time) == [noon])
  }
}
