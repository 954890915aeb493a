import CivilTime
import TestSupport
import Testing

@testable import LocationFeeds

/// Every report that arrives has exactly one end.
@Suite struct ReportOutcomeTests {
  /// A feed of a format with known reports.
  struct Counted: Sendable, CustomStringConvertible {
    var format: FeedFormat
    var text = ""
    var binary: [UInt8]?
    var fixes = 0
    var without = 0
    var unreadable = 0
    var repeated = 0

    var description: String { format.rawValue }
    var bytes: [UInt8] { binary ?? Array(text.utf8) }
    var received: Int { fixes + without + unreadable + repeated }
  }

  private static var fit: FITFile {
    var file = FITFile()
    file.define()
    for (number, latitude) in [48.8, nil, 48.9].enumerated() {
      file.add(
        time: Instant(secondsSince1970: 1_795_176_000 + Int64(number)), latitude: latitude,
        longitude: latitude.map { $0 / 20 })
    }
    return file
  }

  private static func sentence(_ text: String) -> String {
    let sum = text.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  static let all: [Counted] = [
    Counted(
      format: .ndjson,
      text: """
        {"time":"2026-11-20T12:00:00Z","latitude":48.85841,"longitude":2.29451}
        {"time":"2026-11-20T12:00:05Z","latitude":48.85841}

        """, fixes: 1, unreadable: 1),
    Counted(
      format: .nmea,
      text: sentence("GPRMC,120000,A,4851.504,N,00217.670,E,10.0,270.5,201126,,,A")
        + sentence("GPGGA,120000,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
        + sentence("GPRMC,120005,V,,,,,,,201126,,,N") + sentence("GPGGA,120005,,,,,0,00,,,M,,M,,")
        + "$GPRMC,120007,A,4851.504,N,00217.670,E,10.0,270.5,201126,,,A*00\r\n"
        + sentence("GPRMC,120010,A,4851.504,N,00217.670,E,10.0,270.5,201126,,,A"),
      fixes: 2, without: 1, unreadable: 1),
    Counted(
      format: .gpsd,
      text: """
        {"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}
        {"class":"TPV","device":"/dev/a","mode":1}
        {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T12:00:00.000Z","lat":48.8,"lon":2.2}
        {"class":"TPV","device":"/dev/a","mode":3,"time":

        """, fixes: 1, without: 1, unreadable: 1),
    Counted(
      format: .owntracks,
      text: """
        {"_type":"location","tid":"a","tst":1795176000,"lat":48.8,"lon":2.2}
        {"_type":"lwt","tst":1795176000}
        [{"_type":"waypoint","desc":"x"},{"_type":"location","tid":"a","tst":1795176060,"lat":48.8,"lon":2.2}]
        {"_type":"location","tid":"a","tst":1795176000,"lat":48.8}
        {"_type":"encrypted","data":"x"}

        """, fixes: 2, without: 2, unreadable: 2),
    Counted(
      format: .traccar,
      text: """
        id=a&lat=48.8&lon=2.2&timestamp=1795176000
        id=a&timestamp=1795176060&batt=80
        id=a&lat=48.8&timestamp=1795176060
        id=a&lat=48.8&lon=2.2&timestamp=1795176120&valid=false

        """, fixes: 1, without: 2, unreadable: 1),
    Counted(
      format: .csv,
      text: """
        time,lat,lon
        2026-11-20T12:00:00Z,48.8,2.2
        2026-11-20T12:00:05Z,48.8

        """, fixes: 1, unreadable: 1),
    Counted(
      format: .gpx,
      text: """
        <gpx><trk><trkseg><trkpt lat="48.8" lon="2.2"><time>2026-11-20T12:00:00Z</time></trkpt>
        <trkpt lon="2.2"></trkpt></trkseg></trk></gpx>
        """, fixes: 1, unreadable: 1),
    Counted(
      format: .kml,
      text: """
        <kml xmlns:gx="http://www.google.com/kml/ext/2.2"><gx:Track>
        <when>2026-11-20T12:00:00Z</when><gx:coord>2.2 48.8 0</gx:coord></gx:Track></kml>
        """, fixes: 1),
    Counted(
      format: .geojson,
      text: """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2.2,48.8]},"properties":{"time":"2026-11-20T12:00:00Z"}},
        {"type":"Feature","geometry":{"type":"Polygon","coordinates":[]},"properties":{}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[]},"properties":{"time":"2026-11-20T12:00:00Z"}}]}
        """, fixes: 1, without: 1, unreadable: 1),
    Counted(
      format: .overland,
      text: """
        {"locations":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2.2,48.8]},"properties":{"timestamp":"2026-11-20T12:00:00Z"}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2.2,48.8]},"properties":{"timestamp":"2026-11-20T12:00:00Z"}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2.2,48.8]},"properties":{"timestamp":"2026-11-20T12:00:00Z","action":"visit"}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[]},"properties":{"timestamp":"2026-11-20T12:00:05Z"}}]}
        """, fixes: 1, without: 1, unreadable: 1, repeated: 1),
    Counted(
      format: .kml,
      text: """
        <kml><Placemark><TimeStamp><when>2026-11-20T12:00:00Z</when></TimeStamp><ExtendedData>
        <Data name="IMEI"><value>300</value></Data></ExtendedData>
        <Point><coordinates>2.2,48.8</coordinates></Point></Placemark>
        <Placemark><TimeStamp><when>2026-11-20T12:00:05Z</when></TimeStamp><ExtendedData>
        <Data name="Valid GPS Fix"><value>False</value></Data></ExtendedData>
        <Point><coordinates>0,0</coordinates></Point></Placemark>
        <Placemark><TimeStamp><when>soon</when></TimeStamp><ExtendedData>
        <Data name="IMEI"><value>300</value></Data></ExtendedData><Point><coordinates>2.2,48.8</coordinates>
        </Point></Placemark><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></kml>
        """, fixes: 1, without: 1, unreadable: 1),
    Counted(
      format: .tcx,
      text: """
        <TrainingCenterDatabase><Trackpoint><Time>2026-11-20T12:00:00Z</Time><Position>
        <LatitudeDegrees>48.8</LatitudeDegrees><LongitudeDegrees>2.2</LongitudeDegrees></Position></Trackpoint>
        <Trackpoint><Time>2026-11-20T12:00:05Z</Time></Trackpoint><Trackpoint><Time>x</Time><Position>
        <LatitudeDegrees>48.8</LatitudeDegrees><LongitudeDegrees>2.2</LongitudeDegrees></Position></Trackpoint>
        </TrainingCenterDatabase>
        """, fixes: 1, without: 1, unreadable: 1),
    Counted(format: .fit, binary: fit.bytes, fixes: 2, without: 1),
    Counted(
      format: .google,
      text: """
        {"semanticSegments":[
        {"startTime":"2026-11-20T12:00:00Z","timelinePath":[{"point":"48.8°, 2.2°","time":"2026-11-20T12:00:00Z"}]},
        {"startTime":"2026-11-20T12:00:00Z","visit":{}},
        {"startTime":"2026-11-20T12:00:00Z","timelinePath":[{"point":"x","time":"2026-11-20T12:00:00Z"}]}]}
        """, fixes: 1, without: 1, unreadable: 1),
  ]

  /// The outcomes of the readings of a source, and its fixes.
  private func ends(of chunks: [FeedChunk]) -> (fixes: Int, repeated: Int, ends: ReportOutcomes) {
    var source = SourceReader(name: "source", isLive: true)
    var (fixes, repeated, ends) = (0, 0, ReportOutcomes())
    for chunk in chunks {
      let reading = source.read(chunk)
      fixes += reading.fixes.count
      repeated += reading.repeated.count
      for (key, count) in reading.ends.counts {
        ends.add(key.end, of: key.device, times: count)
        #expect(key.device != nil, "a report without a name is of its source")
      }
    }
    #expect(source.statistics.ends == ends || source.statistics.fixes > 0)
    return (fixes, repeated, ends)
  }

  private func check(
    _ found: (fixes: Int, repeated: Int, ends: ReportOutcomes), _ counted: Counted, _ door: String
  ) {
    let comment: Comment = "\(counted) by \(door): \(found.ends.counts)"
    #expect(found.fixes == counted.fixes, comment)
    #expect(found.ends.count(of: .withoutPosition) == counted.without, comment)
    #expect(found.ends.count(of: .refused(.unreadable)) == counted.unreadable, comment)
    #expect(
      found.repeated + found.ends.count(of: .refused(.repeated)) == counted.repeated, comment)
    let ended = found.ends.counts.values.reduce(found.fixes + found.repeated, +)
    #expect(ended == counted.received, comment)
  }

  @Test func `there is a counted feed of every format`() {
    #expect(Set(Self.all.map(\.format)) == Set(FeedFormat.allCases))
  }

  @Test(arguments: all)
  func `every report of a stream or file has one end, wherever it is cut`(counted: Counted) {
    let bytes = counted.bytes
    for size in [bytes.count, 7] {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        FeedChunk.bytes(Array(bytes[$0..<min($0 + size, bytes.count)]))
      }
      check(ends(of: pieces + [.end]), counted, "stream")
    }
  }

  @Test(arguments: all)
  func `every report of a message has one end`(counted: Counted) {
    let read = FeedReader.message(in: [counted.bytes], device: "phone")
    check(ends(of: [.reports(read.fixes, read.format, read.statistics)]), counted, "message")
    let names = Set(read.statistics.ends.counts.keys.map(\.device))
    #expect(names.isSubset(of: ["phone", "a", "/dev/a"]))
  }

  static let messages: [(text: String, format: FeedFormat?, end: ReportOutcome?, device: String?)] =
    [
      ("", nil, nil, nil),
      ("id=px&timestamp=1795176000&batt=80", .traccar, .withoutPosition, "px"),
      ("deviceid=px&event=heartbeat", .traccar, .withoutPosition, "px"),
      (#"{"device_id":"px","battery":{"level":0.5}}"#, .traccar, .withoutPosition, "px"),
      (
        #"{"_type":"status","topic":"owntracks/jan/px/status"}"#, .owntracks, .withoutPosition,
        "jan/px"
      ),
      (#"{"_type":"cmd","action":"dump"}"#, .owntracks, .withoutPosition, nil),
      (#"{"lat":48.8,"batt":80}"#, nil, .refused(.unreadable), nil),
      (#"{"a":{"lat":48.8,"lon":2.2}}"#, .traccar, .withoutPosition, nil),
      (#"{"lat":null,"lon":"","device":"px"}"#, .ndjson, .withoutPosition, "px"),
      (#"{"_type":"location","tid":"px","tst":1795176000}"#, .owntracks, .withoutPosition, "px"),
      ("id=px&lat=&lon=&time=1795176000", .traccar, .withoutPosition, "px"),
      ("action=auth&user=jan&pass=x", .traccar, .withoutPosition, nil),
      (
        #"{"from":7,"id":1,"type":"text","payload":{"text":"hi"}}"#, .traccar, .withoutPosition, "7"
      ),
      (
        #"""
        {"end_device_ids":{"device_id":"cow"},"uplink_message":{"decoded_payload":{"battery":3.7},
        "rx_metadata":[{"location":{"latitude":1,"longitude":1}}]}}
        """#, .traccar, .withoutPosition, "cow"
      ),
      (
        #"{"Events":[{"imei":"30","point":{"latitude":0,"longitude":0,"gpsFix":0}}]}"#, .traccar,
        .withoutPosition, "30"
      ),
      (#"[{"_type":"card","lat":48.8,"lon":2.2}]"#, .owntracks, .withoutPosition, nil),
      (#"{"locations":[]}"#, .overland, .withoutPosition, nil),
      ("[]", .owntracks, .withoutPosition, nil),
      ("hello", nil, .refused(.unreadable), nil),
      ("id=px&lat=48.8", nil, .refused(.unreadable), nil),
      (#"{"a":"#, nil, .refused(.unreadable), nil),
    ]

  @Test(arguments: messages)
  func `a message without a fix is counted once, for its sender`(
    text: String, format: FeedFormat?, end: ReportOutcome?, device: String?
  ) {
    let read = FeedReader.message(in: [Array(text.utf8)])
    #expect(read.format == format)
    var expected = ReportOutcomes()
    if let end { expected.add(end, of: device) }
    #expect(read.statistics.ends == expected)
  }

  @Test func `invented names do not make the list of ends longer`() {
    var ends = ReportOutcomes()
    for number in 0..<10_000 { ends.add(.withoutPosition, of: "x\(number)") }
    #expect(ends.counts.count <= ReportOutcomes.maximumCount + 1)
    #expect(ends.count(of: .withoutPosition) == 10_000)
  }

  @Test func `the sum of the counters is the number received`() {
    var counts = ReportCounts()
    counts.count(.accepted, times: 3)
    counts.count(.withoutPosition)
    for reason in ReportRefusal.allCases { counts.count(.refused(reason), times: 2) }
    #expect(counts.received == 4 + 2 * ReportRefusal.allCases.count)
    #expect(counts.text.hasPrefix("\(counts.received) reports: 3 accepted, 1 without a position, "))
    #expect(counts.refusedInARow == 2 * (ReportRefusal.allCases.count - 1))
    counts.count(.accepted)
    #expect(counts.refusedInARow == 0 && counts.lastRefusal == nil)
    counts.count(.accepted, times: .max - counts.received)
    #expect(counts.accepted == ReportCounts.limit, "no overflow")
  }
}
