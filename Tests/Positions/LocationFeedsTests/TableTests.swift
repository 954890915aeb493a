import CivilTime
import LocationFeeds
import Testing

/// CSV.
@Suite struct CSVParserTests {
  private let noon = Instant(iso8601: "2026-11-20T12:00:00Z")

  @Test func `columns are recognised by many names, in any order`() {
    let feed = """
      Device ID,Longitude,Latitude,UTC Time,Altitude (m),Horizontal Accuracy,Speed (km/h),Heading,Battery,Note
      phone,2.29451,48.85841,2026-11-20 12:00:00,35,9,36,270,81,"a, ""b"" c"
      """
    #expect(
      fixes(in: feed) == [
        LocationFix(
          time: noon, latitude: 48.85841, longitude: 2.29451, altitudeMeters: 35,
          horizontalAccuracyMeters: 9, speedMetersPerSecond: 10, courseDegrees: 270,
          device: "phone", battery: 0.81)
      ])
  }

  @Test(arguments: [
    ("speed", 10.0), ("speed_kmh", 10.0 / 3.6), ("Speed (m/s)", 10.0), ("velocity", 10.0),
    ("speed (mph)", 4.4704), ("Speed [kn]", 18520.0 / 3600),
  ])
  func `the unit of a speed is given by its column's name`(name: String, metersPerSecond: Double)
    throws
  {
    let found = fixes(in: "lat,lon,\(name)\n1,2,10\n")
    let speed = try #require(found.first?.speedMetersPerSecond)
    #expect(abs(speed - metersPerSecond) < 1e-12)
  }

  @Test(arguments: [
    ("km/h", 5.0), ("mph", 8.0467), ("kn", 9.26), ("m/s", 18), ("", 18), ("?", nil),
  ])
  func `the unit of a speed may be in a column of its own`(unit: String, metersPerSecond: Double?) {
    for name in ["speed_unit", "Speed Unit"] {
      let found = fixes(in: "lat,lon,\(name),speed\n1,2,\(unit),18\n").map(\.speedMetersPerSecond)
      #expect(found.count == 1)
      #expect(abs((found.first.flatMap(\.self) ?? -1) - (metersPerSecond ?? -1)) < 1e-3, "\(name)")
    }
    // A unit in the name of the speed's column, or behind the value, is that of the value.
    #expect(
      fixes(in: "lat,lon,speed_kmh,speed_unit\n1,2,18,\(unit)\n")[0].speedMetersPerSecond == 5)
    #expect(
      fixes(in: "lat,lon,speed,speed_unit\n1,2,18 km/h,\(unit)\n")[0].speedMetersPerSecond == 5)
  }

  /// `1,234 m` was read as 1.234 m.
  @Test(arguments: [
    ("48.5", "1,234 m", 1234), ("48.5", "1,234", 1234), ("48.5", "-1,234.5", -1234.5),
    ("48.5", "1.234", 1.234), ("48.5", "35,5", 35.5), ("48.5", "0,123", 0.123),
    ("48.5", "12,34", 12.34), ("48,5", "1.234", 1234), ("48,5", "1.234,5 m", 1234.5),
    ("48,5", "1,234", 1.234), ("48", "1.234", 1.234), ("48", "1,234.5", 1234.5),
    ("48", "1,234", nil), ("48.5", "1,23,4", nil),
  ])
  func `a mark that the coordinates do not have separates thousands in an altitude`(
    latitude: String, altitude: String, meters: Double?
  ) {
    let found = fixes(in: "alt;lat;lon\n\(altitude);\(latitude);2\n")
    #expect(found.map(\.altitudeMeters) == [meters])
  }

  @Test(arguments: [
    "48°51.5'N;2°17.67'W", "48 51.500 N;2 17.670 W", "N48 51.5;W2 17.67",
    #""48°51'30""N";"2°17'40.2""W""#, "48:51:30N;2:17:40.2W",
    "48°51,5'N;2°17,67'W", "48°51.5';-2°17.67'",
  ])
  func `coordinates in degrees and minutes are read`(row: String) throws {
    let found = try #require(fixes(in: "lat;lon;ele\n\(row);35\n").first)
    #expect(abs(found.latitude - 48.858333) < 1e-6 && abs(found.longitude + 2.2945) < 1e-6)
    #expect(found.altitudeMeters == 35)
  }

  @Test(arguments: ["2°17.67'W;48°51.5'N", "48°61.5'N;2°17.67'W", "48 51.5;2 17.67"])
  func `coordinates of the other column, above 60 minutes, or that may be two are not read`(
    row: String
  ) {
    var reader = FeedReader()
    let feed = "lat;lon;ele\n\(row);35\n"
    #expect((reader.consume(Array(feed.utf8)) + reader.finish()).isEmpty)
    #expect(reader.statistics.latestBadLine?.fault == .unreadableMember("latitude"))
  }

  @Test(arguments: [
    "2026-11-20T12:00:00Z", "2026-11-20T13:00:00+01:00", "2026-11-20 12:00:00",
    "2026/11/20 12:00:00",
    "2026-11-20 12:00:00 UTC", "2026-11-20 13:00:00 +0100", "1795176000", "1795176000000",
    "1795176000.0", "\"2026-11-20T12:00:00.000Z\"", "2026-11-20T12:00", "20.11.2026 12:00:00",
    "20.11.2026 12:00",
  ])
  func `times are read in many forms, and are UTC without an offset`(time: String) {
    #expect(fixes(in: "time,lat,lon\n\(time),1,2\n").map(\.time) == [noon])
  }

  @Test func `date and time of day may be separate columns, in either order`() {
    #expect(fixes(in: "date,time,lat,lon\n2026-11-20,12:00:00,1,2\n").map(\.time) == [noon])
    #expect(fixes(in: "time;lat;lon;date\n12:00:00;1;2;2026/11/20\n").map(\.time) == [noon])
  }

  /// The offset was not understood, so the rows had no time, without a word.
  @Test(arguments: [
    ("Time (UTC+2)", "2026-11-20 14:00:00"), ("time [GMT-05:30]", "2026-11-20 06:30:00"),
    ("Local time UTC+0100", "20.11.2026 13:00:00"), ("DateTime (utc +14)", "2026-11-21 02:00"),
    ("Time (UTC+2)", "2026-11-20T13:00:00+01:00"), ("Time (UTC+2)", "1795176000"),
  ])
  func `the name of a time's column may have the offset`(name: String, time: String) {
    #expect(fixes(in: "\(name),lat,lon\n\(time),1,2\n").map(\.time) == [noon])
  }

  @Test(arguments: ["Time (UTC+25)", "Time (UTC+2h3)", "Rank (UTC+2)", "Time +2", "UTC+2 GPS"])
  func `a column is no time if its name has something else than an offset`(name: String) {
    #expect(fixes(in: "\(name),lat,lon\n2026-11-20 14:00:00,1,2\n").map(\.time) == [nil])
  }

  @Test func `an offset in a column's name counts for a date and a time of day`() {
    for (names, row) in [
      ("Date (UTC+2),Time (UTC+2)", "2026-11-20,14:00:00"),
      ("date,Time (UTC+2)", "20261120,140000"),
    ] {
      #expect(fixes(in: names + ",lat,lon\n" + row + ",1,2\n").map(\.time) == [noon])
    }
    // The column in UTC and the local one agree, in either order.
    for names in ["Time (UTC+2),Time (UTC)", "Local time (UTC+2),UTC time"] {
      let row = "2026-11-20 14:00:00,2026-11-20 12:00:00,1,2"
      #expect(fixes(in: names + ",lat,lon\n" + row + "\n").map(\.time) == [noon])
    }
  }

  /// Each was read as UTC although the row tells its offset.
  @Test(arguments: [
    ("date,time,utc_offset", "2026-11-20,14:00:00,+02:00"), ("date,tz,time", "20261120,+2,140000"),
    ("timestamp,timezone", "2026-11-20 14:00:00,UTC+02:00"),
    ("TZ,timestamp", "+0200,2026-11-20 14:00:00"), ("time,tz", "2026-11-20 12:00:00,Z"),
    ("time,timezone", "2026-11-20T13:00:00+01:00,+02:00"), ("time,timezone", "1795176000,+02:00"),
    ("time,timezone", "2026-11-20 12:00:00,Europe/Paris"),
    ("utc_time,utc_offset", "2026-11-20 12:00:00,+02:00"),
    ("tz,UTC Date,UTC Time", "+02:00,2026-11-20,12:00:00"),
    ("time,utc_time,tz", "2026-11-20 14:00:00,2026-11-20 12:00:00,"),
  ])
  func `an offset in a column of its own counts`(names: String, row: String) {
    #expect(fixes(in: "\(names),lat,lon\n\(row),1,2\n").map(\.time) == [noon])
  }

  @Test func `an offset in a member of its own counts`() {
    let text = #"{"timestamp":"2026-11-20T14:00:00","tz":"+02:00","lat":1,"lon":2}"#
    #expect(fixes(in: text + "\n").map(\.time) == [noon])
  }

  /// Five digits of a time in milliseconds are some 14 hours.
  @Test(arguments: [("1.7952E+12", true), ("1.8e+09", true), ("1.795176E9", false)])
  func `a time that a spreadsheet rounded is unreadable`(time: String, isRounded: Bool) {
    #expect(fixes(in: "time,lat,lon\n\(time),1,2\n").isEmpty == isRounded)
  }

  @Test func `milliseconds may have a column of their own`() {
    let feed = """
      INDEX,UTC DATE,UTC TIME,MS,VALID,LATITUDE,N/S,LONGITUDE,E/W
      1,2026/11/20,12:00:00,0,SPS,1,N,2,E
      2,2026/11/20,12:00:00,200,SPS,1,N,2,E
      """
    let times = [0, 0.2].map { noon?.advanced(bySeconds: $0) }
    #expect(fixes(in: feed).map(\.time) == times)
  }

  @Test(arguments: [
    ("Timestamp,UTC,Callsign,Position", #"1795176000,,X,"48.8584,2.2945""#),
    ("Date,Time,RSSI,GPS", "2026-11-20,12:00:00,40,48.8584 2.2945"),
  ])
  func `a position may be one column, beside a time`(names: String, row: String) {
    let expected = LocationFix(time: noon, latitude: 48.8584, longitude: 2.2945)
    #expect(fixes(in: "\(names)\n\(row)\n") == [expected])
    #expect(fixes(in: "name,location\na,48.8584 2.2945\n").isEmpty)
    let ranked = fixes(in: "position,time,lat,lon\n3 4,1795176000,48.8584,2.2945\n")
    #expect(ranked == [expected])
  }

  @Test(arguments: ["48°51.5'", "N48 51.504", "2.29W"])
  func `a coordinate that cannot be read is not said to be missing`(latitude: String) {
    var reader = FeedReader()
    _ = reader.consume(Array("lat,lon\n\(latitude),2\n".utf8)) + reader.finish()
    #expect(reader.statistics.latestBadLine?.fault == .unreadableMember("latitude"))
  }

  @Test(arguments: [
    ("altitude(feet)", 30.48), ("Elev. (ft)", 30.48), ("altitude_above_seaLevel(meters)", 100),
  ])
  func `the unit of an altitude is given by its column's name`(name: String, meters: Double)
    throws
  {
    let altitude = try #require(fixes(in: "lat,lon,\(name)\n1,2,100\n").first?.altitudeMeters)
    #expect(abs(altitude - meters) < 1e-9)
  }

  /// A dump of the database of Traccar's server, whose speeds are in knots.
  @Test func `speeds of Traccar's table of positions are in knots`() {
    let feed = """
      id,protocol,deviceid,servertime,devicetime,fixtime,valid,latitude,longitude,speed,course
      1,osmand,3,2026-11-20 12:00:01,2026-11-20 12:00:00,2026-11-20 12:00:00,true,1,2,10,90
      """
    let found = fixes(in: feed)
    #expect(found.map(\.time) == [noon] && found.map(\.device) == ["3"])
    #expect(found.map(\.speedMetersPerSecond) == [18520.0 / 3600])
  }

  @Test(arguments: ["false", "f", "0", "NO FIX"])
  func `a row whose position is not valid is a report without one`(valid: String) {
    var reader = FeedReader()
    let feed = "time,valid,lat,lon\n1795176000,\(valid),1,2\n1795176000,SPS,1,2\n"
    #expect((reader.consume(Array(feed.utf8)) + reader.finish()).count == 1)
    #expect(reader.statistics.withoutPosition == 1 && reader.statistics.badLines == 0)
  }

  @Test(arguments: [
    "20-11-2026 12:00", "noon", "2026-11-20", "12:00:00", "2026-13-20 12:00:00", "-5",
  ])
  func `an unreadable time makes a bad row`(time: String) {
    var reader = FeedReader()
    let feed = "time,lat,lon\n\(time),1,2\n,1,2\n"
    // An empty time is unknown.
    #expect((reader.consume(Array(feed.utf8)) + reader.finish()).map(\.time) == [nil])
    #expect(reader.statistics.latestBadLine?.fault == .unreadableMember("time"))
    #expect(reader.statistics.latestBadLine?.number == 2)
  }

  @Test(arguments: [
    "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING",
    "index,tag,utc date,utc time,latitude n/s,longitude e/w,height,speed,heading",
  ])
  func `reads coordinates with letters, and dates and times as digits`(header: String) {
    let feed = """
      \(header)
      1,T,261120,120000,52.520000N,13.405000E,35,36,270
      2,T,20261120,120005,33.856800S,151.215300W,35,36,270
      3\u{0}\u{0}\u{0},T,261120,120010,N52.52\u{0}\u{0},W 13.405,35\u{0},36,270
      """
    let found = fixes(in: feed)
    #expect(
      found.map { $0.time?.iso8601 } == [
        "2026-11-20T12:00:00.000Z", "2026-11-20T12:00:05.000Z", "2026-11-20T12:00:10.000Z",
      ])
    #expect(found.map(\.latitude) == [52.52, -33.8568, 52.52])
    #expect(found.map(\.longitude) == [13.405, -151.2153, -13.405])
    #expect(found.map(\.altitudeMeters) == [35, 35, 35])
    // Loggers with such a header mean km/h.
    #expect(found.map(\.speedMetersPerSecond) == [10, 10, 10])
  }

  @Test func `degrees and minutes are told apart from degrees by all of their digits`() {
    let feed = """
      lat,N/S,lon,E/W
      4830.0000,N,00215.0000,W
      0030.0000,S,00000.6000,E
      4830.0000N,,-00215.0000,
      48.5,N,2.25,W
      """
    let found = fixes(in: feed)
    #expect(found.map(\.latitude) == [48.5, -0.5, 48.5, 48.5])
    #expect(found.map(\.longitude) == [-2.25, 0.01, -2.25, -2.25])
    // Digits of another unit say nothing.
    let scaled = fixes(in: "lat_e7,lon_e7\n515000000,12399\n")
    #expect(scaled.map(\.longitude) == [0.0012399])
    var reader = FeedReader()
    let minutes = "lat,N/S,lon,E/W\n4860.0,N,00215.0,W\n"
    #expect((reader.consume(Array(minutes.utf8)) + reader.finish()).isEmpty)
    #expect(reader.statistics.badLines == 1)
  }

  @Test(arguments: ["33.5,Sur,70.5,O", "48.2N,S,2,E", "48.2,N,2E,W"])
  func `a hemisphere that is unknown or contradicts another makes a bad row`(row: String) {
    var reader = FeedReader()
    let feed = "lat,ns,lon,ew\n\(row)\n"
    #expect((reader.consume(Array(feed.utf8)) + reader.finish()).isEmpty)
    #expect(reader.statistics.latestBadLine?.fault == .unreadableMember("hemisphere"))
  }

  @Test(arguments: [
    ("110519", nil), ("401231", "2040-12-31"), ("311240", "2040-12-31"), ("20190531", "2019-05-31"),
    ("111111", "2011-11-11"),
  ])
  func `six digits of a date count where they mean one day`(date: String, day: String?) {
    let found = fixes(in: "date,time,lat,lon\n\(date),120000,48,2\n").map { $0.time?.iso8601 }
    #expect(found == (day.map { ["\($0)T12:00:00.000Z"] } ?? []))
  }

  @Test func `a time of day of digits does not replace a known time`() {
    let feed = "datetime,time,lat,lon\n2026-11-20 12:00:00,120000,48,2\n"
    #expect(fixes(in: feed).map(\.time) == [noon])
  }

  @Test func `a letter that contradicts its column or sign makes a bad row`() {
    for (latitude, longitude) in [
      ("52.52E", "13.4E"), ("52.52N", "13.4N"), ("-52.52S", "13.4"), ("N", "1"),
    ] {
      var reader = FeedReader()
      let feed = "lat,lon\n\(latitude),\(longitude)\n"
      #expect((reader.consume(Array(feed.utf8)) + reader.finish()).isEmpty)
      #expect(reader.statistics.badLines == 1, "\(latitude),\(longitude)")
    }
  }

  @Test func `semicolons and tabs allow decimal commas`() {
    let expected = [LocationFix(time: noon, latitude: 48.5, longitude: -2.25, altitudeMeters: 35.5)]
    for delimiter in [";", "\t"] {
      let feed = "time;lat;lon;ele\n2026-11-20T12:00:00Z;48,5;-2,25;35,5\n"
      #expect(fixes(in: feed.replacing(";", with: delimiter)) == expected)
      #expect(fixes(in: feed.replacing(",", with: ".").replacing(";", with: delimiter)) == expected)
    }
  }

  @Test func `degrees times ten million are read exactly`() {
    #expect(
      fixes(in: "latitudeE7,longitudeE7\n525200000,-1340500001\n")
        == [LocationFix(time: nil, latitude: 52.52, longitude: -134.0500001)])
  }

  @Test func `a battery level is a percentage or a fraction`() {
    let found = fixes(in: "lat,lon,battery\n1,2,80\n1,2,0.8\n1,2,100\n1,2,\n1,2,101\n")
    #expect(found.map(\.battery) == [0.8, 0.8, 1, nil, nil])
  }

  @Test func `HDOP gives an estimated accuracy if the row has none`() {
    let found = fixes(in: "lat,lon,hdop,accuracy\n1,2,1.5,\n1,2,1.5,4\n1,2,0,\n")
    #expect(found.map(\.horizontalAccuracyMeters) == [7.5, 4, nil])
  }

  @Test func `a row that ends within the needed columns is bad`() {
    var reader = FeedReader()
    let feed =
      "time,lat,lon,speed,name\n2026-11-20T12:00:00Z,48.8,2.29451\n,48.8,2.2,1\n,1,2,3,x,y,z\n"
    let found = reader.consume(Array(feed.utf8)) + reader.finish()
    #expect(found.map(\.longitude) == [2.2, 2])
    #expect(reader.statistics.firstBadLines.map(\.fault) == [.cutOff])
  }

  @Test func `a repeated header takes effect, and rows without a header are bad`() {
    let feed = "lat,lon\n1,2\nlon,lat\n1,2\n"
    #expect(fixes(in: feed).map(\.latitude) == [1, 2])
    var reader = FeedReader(format: .csv)
    #expect(reader.consume(Array("1,2\n3,4\n".utf8)) == [])
    #expect(reader.statistics.firstBadLines.map(\.fault) == [.noHeader, .noHeader])
  }

  @Test func `columns beyond the limit are ignored`() {
    let names = (0..<10_000).map { "c\($0)" }.joined(separator: ",")
    let values = (0..<10_000).map(String.init).joined(separator: ",")
    #expect(fixes(in: "lat,lon,\(names)\n1,2,\(values)\n").count == 1)
    #expect(fixes(in: "\(names),lat,lon\n\(values),1,2\n") == [])
  }
}
