import CivilTime
import LocationFeeds
import TestSupport
import Testing

private let json = #"{"latitude":1,"longitude":2}"#
private let rmc = sentence("GPRMC,120000,A,4851.510,N,00217.680,E,10.0,270.5,201126,,,A")

@Suite struct FeedReaderTests {
  @Test(
    arguments: [
      ("PK\u{3}\u{4}\u{14}\u{0}doc.kml", ForeignFeed.archive),
      ("SQLite format 3\u{0}\u{10}", .database),
      ("\n<!DOCTYPE html><html><title>Login</title>", .webPage), ("<HTML>", .webPage),
      ("nothing", nil), ("<!DOCTYPE gpx><gpx>", nil),
    ] as [(String, ForeignFeed?)])
  func `a file that is no feed is known by its start`(text: String, kind: ForeignFeed?) {
    var reader = FeedReader(isRecorded: true)
    #expect((reader.consume(Array(text.utf8)) + reader.finish()).isEmpty)
    #expect(reader.format == nil && reader.foreign == kind)
  }

  @Test func `a compressed feed and a picture are known by their start`() {
    for (start, kind) in [
      ([0x1F, 0x8B, 8, 0], ForeignFeed.compressed), ([0xFF, 0xD8, 0xFF, 0xE0], .picture),
      ([0x89, 0x50, 0x4E, 0x47], .picture),
    ] as [([UInt8], ForeignFeed)] {
      var reader = FeedReader()
      _ = reader.consume(start + [UInt8](repeating: 7, count: 30))
      #expect(reader.foreign == kind)
    }
    #expect(Set(ForeignFeed.allCases.map(\.advice)).count == ForeignFeed.allCases.count)
  }

  @Test func `the format is recognised from the content`() {
    #expect(recognized("\(json)\n") == .ndjson)
    #expect(recognized("\u{FEFF}  \(json)\n") == .ndjson)
    #expect(recognized(rmc) == .nmea)
    #expect(recognized(sentence("PGRME,19.2,M,28.7,M,34.6,M")) == .nmea)
    #expect(recognized("!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\r\n") == .nmea)
  }

  /// Colota posts such objects; they were counted as messages without a position, and lost.
  @Test(arguments: [
    #"{"lat":48.86,"lon":2.28,"acc":9,"vel":1.5,"batt":80,"bs":2,"tst":1795176000}"#,
    #"{"timestamp":"2026-11-20T12:00:00Z","lat":48.86,"lng":2.28,"hAcc":9,"spd":1.5,"batt":80}"#,
    #"{"tst":1795176000,"latitude":48.86,"longitude":2.28,"accuracy":9,"speed":1.5,"batt":"80"}"#,
    #"{"time":1795176000000,"latitude":48.86,"longitude":2.28,"acc":9,"speed":1.5,"batt":80}"#,
  ])
  func `an object is a fix by any names of its members`(text: String) {
    let expected = [
      LocationFix(
        time: Instant(secondsSince1970: 1_795_176_000), latitude: 48.86, longitude: 2.28,
        horizontalAccuracyMeters: 9, speedMetersPerSecond: 1.5, battery: 0.8)
    ]
    #expect(fixes(in: text) == expected && recognized(text) == .ndjson)
    #expect(FeedReader.message(in: [Array(text.utf8)]).fixes == expected)
  }

  @Test(arguments: [
    "", "\n\n", "hello", "$HOME,is,where", "$GPRMC", "{}", #"{"class":"Dog"}"#,
    #"{"class":"Dog","lat":1,"lon":2}"#, #"{"lat":1}"#,
    #""latitude":1}"#, "latitude and longitude", "<html>", "<!-- a comment", "<!DOCTYPE gpx><gpx>",
    "# $GPRMC and others", "# lat,lon", "[1,2]", "$$$$,,,**", #"{"latitude":1"#, "[", "{",
    "lat=1&lon",
    #"{"locations":"none"}"#, #"{"type":"Topology"}"#, #"{"_type":1"#,
  ])
  func `garbage before the first valid line does not determine the format`(garbage: String) {
    #expect(recognized(garbage + "\n") == nil)
    for (line, format) in [(json, FeedFormat.ndjson), (rmc, .nmea)] {
      var reader = FeedReader()
      let found = reader.consume(Array("\(garbage)\n\(line)\n".utf8)) + reader.finish()
      #expect(reader.format == format)
      #expect(found.count == 1)
    }
  }

  @Test func `an NMEA sentence inside a device name is not recognised as NMEA`() {
    #expect(
      recognized(#"{"device":"$GPRMC,120000,A","latitude":1,"longitude":2}"# + "\n") == .ndjson)
  }

  @Test func `comments before the first record are not bad lines`() {
    var reader = FeedReader()
    #expect((reader.consume(Array("# A log\n#\n\(rmc)".utf8)) + reader.finish()).count == 1)
    #expect(reader.statistics.badLines == 0)
  }

  @Test func `a given format is not replaced by the recognised one`() {
    #expect(fixes(in: rmc, format: .ndjson) == [])
    #expect(fixes(in: json, format: .nmea) == [])
  }

  @Test func `an endless line is one bad line, and the next line is read`() {
    let megabyte = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for format in [nil, FeedFormat.ndjson, .nmea] {
      var reader = FeedReader(format: format)
      for _ in 0..<8 { #expect(reader.consume(megabyte) == []) }
      let line = format == .nmea ? rmc : json
      let found = reader.consume(Array("\n\(line)\n".utf8)) + reader.finish()
      #expect(found.count == 1)
      #expect(reader.statistics.badLines == 1)
      #expect(reader.statistics.latestBadLine?.fault == .tooLong)
    }
  }

  @Test func `the maximum line length does not depend on the chunks`() {
    for extra in [-1, 0, 1, 2] {
      let padding = String(repeating: " ", count: 65_536 + extra - json.utf8.count)
      let feed = Array("\(json)\(padding)\r\n\(json)\n".utf8)
      for chunkSize in [1000, 65_536, 65_537, 1 << 20] {
        let (found, statistics) = read(feed, chunkSize: chunkSize)
        #expect(found.count == (extra <= 0 ? 2 : 1), "\(extra) over in chunks of \(chunkSize)")
        #expect(statistics.badLines == (extra <= 0 ? 0 : 1))
        #expect(statistics.lines == 2)
      }
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines are counted alike for every kind of line end`(lineEnd: String) {
    let feed = Array([json, "bad", "", json, "", "worse"].joined(separator: lineEnd).utf8)
    for chunkSize in [1, 2, 3, 1000] {
      let (found, statistics) = read(feed, chunkSize: chunkSize)
      #expect(found.count == 2)
      #expect(statistics.firstBadLines.map(\.number) == [2, 6])
      #expect(statistics.lines == 4)
      // The last number is that of all lines, so that "2 of 6 lines" may end with line 6.
      #expect(statistics.lines + statistics.blankLines == 6)
    }
  }

  @Test func `a truncated record counts as a record`() {
    let point = #"<trkpt lat="1" lon="2"><time>2026-01-01T00:00:00Z</time></trkpt>"#
    let text = #"<gpx version="1.1"><trk><trkseg>"# + point + #"<trkpt lat="1" lon="#
    for chunkSize in [1, 7, 1000] {
      let (found, statistics) = read(Array(text.utf8), chunkSize: chunkSize)
      #expect(found.count == 1)
      #expect(statistics.latestBadLine?.number == 2)
      #expect(statistics.lines == 2)
    }
  }

  @Test func `keeps the first five bad lines and the latest`() {
    var reader = FeedReader()
    _ = reader.consume(Array(String(repeating: "bad\n", count: 1000).utf8))
    #expect(reader.statistics.badLines == 1000)
    #expect(reader.statistics.firstBadLines.map(\.number) == [1, 2, 3, 4, 5])
    #expect(reader.statistics.latestBadLine?.number == 1000)
  }

  @Test func `a reader continues with another feed after the end of a file`() {
    var reader = FeedReader()
    #expect(reader.consume(Array(rmc.utf8)) + reader.finish() != [])
    let next = sentence("GPGGA,120001,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
    let units = Array("\u{FEFF}\(next)".utf16)
    let other = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let following = reader.consume(other) + reader.finish()
    #expect(following.map { $0.time?.iso8601 } == ["2026-11-20T12:00:01.000Z"])
    #expect(reader.statistics.fixes == 2)
  }

  private func recognized(_ feed: String) -> FeedFormat? {
    var reader = FeedReader()
    _ = reader.consume(Array(feed.utf8)) + reader.finish()
    return reader.format
  }
}
