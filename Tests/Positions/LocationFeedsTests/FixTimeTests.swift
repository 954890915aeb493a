import CivilTime
import FeedSources
import LocationFeeds
import TestSupport
import Testing

/// A time before 1980 or in the future is rejected in every format: the position has no date then.
@Suite struct FixTimeTests {
  /// Feeds of three positions each, with a variable time for the second one.
  private static let feeds: [(format: FeedFormat, feed: @Sendable (Int) -> String)] = [
    (
      .ndjson,
      { year in
        lines(year) { #"{"time":"\#($0)","latitude":48.85841,"longitude":2.29451}"# }
      }
    ),
    (
      .gpsd,
      { year in
        lines(year) { #"{"class":"TPV","mode":3,"time":"\#($0)","lat":48.85841,"lon":2.29451}"# }
      }
    ),
    (
      .owntracks,
      { year in
        lines(year) {
          let seconds = (Instant(iso8601: $0)?.millisecondsSince1970 ?? 0) / 1000
          return #"{"_type":"location","tst":\#(seconds),"lat":48.85841,"lon":2.29451}"#
        }
      }
    ),
    (.traccar, { year in lines(year) { "id=a&timestamp=\($0)&lat=48.85841&lon=2.29451&x=1" } }),
    (.csv, { year in "time,lat,lon\n" + lines(year) { "\($0),48.85841,2.29451" } }),
    (
      .gpx,
      { year in
        "<gpx><trk><trkseg>"
          + lines(year) { #"<trkpt lat="48.85841" lon="2.29451"><time>\#($0)</time></trkpt>"# }
          + "</trkseg></trk></gpx>"
      }
    ),
    (
      .kml,
      { year in
        "<kml><gx:Track>" + lines(year) { "<when>\($0)</when>" }
          + lines(year) { _ in "<gx:coord>2.29451 48.85841 0</gx:coord>" } + "</gx:Track></kml>"
      }
    ),
    (
      .geojson,
      { year in
        #"{"type":"FeatureCollection","features":["#
          + list(year) {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2.29451,48.85841]},"#
              + #""properties":{"time":"\#($0)"}}"#
          } + "]}"
      }
    ),
    (
      .overland,
      { year in
        #"{"locations":["#
          + list(year) {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2.29451,48.85841]},"#
              + #""properties":{"timestamp":"\#($0)"}}"#
          } + "]}"
      }
    ),
    (
      .google,
      { year in
        #"{"locations":["#
          + list(year) { #"{"latitudeE7":488584100,"longitudeE7":22945100,"timestamp":"\#($0)"}"# }
          + "]}"
      }
    ),
  ]

  private static func times(_ year: Int) -> [String] {
    ["2026-11-20T12:00:00Z", "\(year)-11-20T12:00:05Z", "2026-11-20T12:00:10Z"]
  }

  private static func lines(_ year: Int, _ line: (String) -> String) -> String {
    times(year).map { line($0) + "\n" }.joined()
  }

  private static func list(_ year: Int, _ element: (String) -> String) -> String {
    times(year).map(element).joined(separator: ",")
  }

  @Test(arguments: feeds.indices)
  func `an impossible time drops only that fix's time, in every format`(index: Int) {
    let (format, feed) = Self.feeds[index]
    for year in [1971, 1979, 2101, 9999] {
      let bytes = Array(feed(year).utf8)
      for chunkSize in [bytes.count, 7] {
        let found = read(bytes, chunkSize: chunkSize, format: format)
        #expect(
          found.fixes.map { $0.time?.iso8601 } == [
            "2026-11-20T12:00:00.000Z", nil, "2026-11-20T12:00:10.000Z",
          ], "\(format), \(year)")
        #expect(found.statistics.badLines == 1, "\(format), \(year)")
        #expect(found.statistics.latestBadLine?.fault == .impossibleTime, "\(format), \(year)")
      }
    }
    let all = read(Array(feed(1981).utf8), chunkSize: 1000, format: format)
    #expect(all.fixes.count == 3 && all.statistics.badLines == 0, "\(format)")
  }

  @Test func `an impossible NMEA date drops only that fix's time`() {
    let dates = ["201126", "201179", "201126"]
    let feed = dates.enumerated().map { second, date in
      sentence("GPRMC,12000\(second),A,4851.504,N,00217.670,E,10.0,270.5,\(date),,,A")
    }.joined()
    // Two digits are a year of 1980 to 2079.
    var reader = FeedReader()
    #expect((reader.consume(Array(feed.utf8)) + reader.finish()).count == 3)
    var later = FeedReader()
    later.times = FeedReader.earliestTime.through(Self.instant("2026-11-21T00:00:00Z"))
    let found = later.consume(Array(feed.utf8)) + later.finish()
    #expect(
      found.map { $0.time?.iso8601 } == [
        "2026-11-20T12:00:00.000Z", nil, "2026-11-20T12:00:02.000Z",
      ])
    #expect(later.statistics.badLines == 1)
  }

  @Test func `an excessive minute offset in a Timeline drops only that fix's time`() {
    let feed = """
      {"semanticSegments":[{"startTime":"2026-11-20T12:00:00Z","timelinePath":[
        {"point":"48.85841°, 2.29451°","durationMinutesOffsetFromStartTime":"0"},
        {"point":"48.85841°, 2.29451°","durationMinutesOffsetFromStartTime":"1e300"},
        {"point":"48.85841°, 2.29451°","durationMinutesOffsetFromStartTime":"-1e300"},
        {"point":"48.85841°, 2.29451°","durationMinutesOffsetFromStartTime":"10"}]}]}
      """
    let found = fixes(in: feed)
    #expect(
      found.map { $0.time?.iso8601 } == [
        "2026-11-20T12:00:00.000Z", nil, nil, "2026-11-20T12:10:00.000Z",
      ])
  }

  @Test func `a time after the reader's limit counts as in the future`() {
    let line = #"{"time":"2026-11-20T12:00:00Z","latitude":48.85841,"longitude":2.29451}"#
    for (latest, isTime) in [("2026-11-20T11:59:59Z", false), ("2026-11-20T12:00:00Z", true)] {
      let times = FeedReader.earliestTime.through(Self.instant(latest))
      var reader = FeedReader()
      reader.times = times
      let read = reader.consume(Array(line.utf8)) + reader.finish()
      #expect(read.map { $0.time != nil } == [isTime])
      #expect(reader.statistics.badLines == (isTime ? 0 : 1))
      #expect(reader.statistics.untimedFixes == (isTime ? 0 : 1))

      var source = SourceReader(isLive: true)
      source.times = times
      let datagram = source.read(.datagram(Array(line.utf8), from: "a")).fixes
      #expect(datagram.map { $0.time != nil } == [isTime])
      let sent = FeedReader.fixes(in: Array(line.utf8), device: "phone")
      let reports = source.read(.reports(sent.fixes, sent.format, sent.statistics)).fixes
      #expect(reports.map { $0.time != nil } == [isTime])
      #expect(source.statistics.badLines == (isTime ? 0 : 2))
    }
  }

  @Test func `a clock that was never set limits no time, another one allows a day`() {
    for clock in [
      "1970-01-01T00:00:00Z", "1979-12-31T23:59:59Z", "1980-01-01T00:00:00Z",
      "2000-01-01T00:00:00Z", "2019-12-31T23:59:59Z",
    ] {
      #expect(FeedReader.times(by: Self.instant(clock)).upperBound == FeedReader.latestTime)
    }
    for (clock, latest) in [
      ("2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"),
      ("2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z"),
    ] {
      #expect(FeedReader.times(by: Self.instant(clock)).upperBound == Self.instant(latest))
    }
  }

  private static func instant(_ text: String) -> Instant {
    Instant(iso8601: text) ?? FeedReader.earliestTime
  }
}
