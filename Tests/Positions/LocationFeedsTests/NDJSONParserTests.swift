import CivilTime
import Encodings
import LocationFeeds
import Testing

@Suite struct NDJSONParserTests {
  @Test func `a fix's cause round-trips through a line`() throws {
    let fix = LocationFix(
      time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 1.5, longitude: 2.5,
      cause: LocationFix.Cause(.leave, region: "photospots 3"))
    var writer = JSONWriter()
    fix.write(to: &writer)
    let line = writer.takeBytes()
    #expect(
      String(decoding: line, as: UTF8.self).hasSuffix(#""cause":"leave","region":"photospots 3"}"#))
    #expect(FeedReader.fixes(in: line, format: .ndjson).fixes == [fix])
  }

  @Test(arguments: [
    #""cause":"flood","region":"north""#, #""cause":5,"region":{}"#, #""region":"Home""#,
    #""cause":null"#,
  ])
  func `causes of other programs are ignored, and the line is valid`(members: String) {
    let line = "{\"latitude\":1,\"longitude\":2,\(members)}"
    #expect(
      FeedReader.fixes(in: Array(line.utf8), format: .ndjson).fixes
        == [LocationFix(time: nil, latitude: 1, longitude: 2)])
  }

  @Test func `a complete fix round-trips`() {
    let line = """
      {"time":"2026-11-20T12:00:00.000Z","latitude":48.8584,"longitude":2.2945,"altitude":35,\
      "horizontalAccuracy":5,"speed":1.4,"course":270,"device":"phone","battery":0.8}
      """
    let found = fixes(in: line + "\n")
    #expect(found.count == 1)
    var writer = JSONWriter()
    found.first?.write(to: &writer)
    #expect(writer.text == line)
  }

  @Test func `chunk boundaries make no difference`() {
    let line = #"{"latitude":48.8584,"longitude":2.2945,"device":"Vélo 🚲"}"#
    let feed = Array("\u{FEFF}\(line)\r\nbad\r\n\r\n\(line)\n\(line)".utf8)
    let whole = read(feed, chunkSize: feed.count)
    #expect(whole.fixes.map(\.device) == ["Vélo 🚲", "Vélo 🚲", "Vélo 🚲"])
    #expect(whole.statistics.badLines == 1)
    for chunkSize in 1..<feed.count {
      let cut = read(feed, chunkSize: chunkSize)
      #expect(cut.fixes == whole.fixes && cut.statistics == whole.statistics)
    }
  }

  @Test func `any UTC offset is read, and a line without a time is a fix without one`() {
    let feed = """
      {"time":"2026-11-20T17:30:00.5+05:30","latitude":1,"longitude":2}
      {"latitude":1,"longitude":2}
      {"time":null,"latitude":1,"longitude":2,"speed":null,"device":null}
      """
    #expect(fixes(in: feed).map { $0.time?.iso8601 } == ["2026-11-20T12:00:00.500Z", nil, nil])
  }

  @Test(arguments: ["0", "-1", "-0.0", "null"])
  func `an accuracy that is not positive is nil`(accuracy: String) {
    let feed = #"{"latitude":1,"longitude":2,"horizontalAccuracy":\#(accuracy)}"#
    #expect(fixes(in: feed) == [LocationFix(time: nil, latitude: 1, longitude: 2)])
  }

  @Test func `negative values and an empty device name are nil`() {
    let feed = #"{"latitude":1,"longitude":2,"speed":-1,"course":-1,"battery":-1,"device":""}"#
    #expect(fixes(in: feed) == [LocationFix(time: nil, latitude: 1, longitude: 2)])
  }

  @Test func `a position off the globe is kept as reported`() {
    #expect(
      fixes(in: #"{"latitude":91,"longitude":-1e9}"#) == [
        LocationFix(time: nil, latitude: 91, longitude: -1e9)
      ])
  }

  @Test func `unknown members are skipped, and the last of repeated members is used`() {
    let feed = #"{"a":[{"latitude":7}],"latitude":1,"b":"}","longitude":2,"latitude":3}"#
    #expect(fixes(in: feed) == [LocationFix(time: nil, latitude: 3, longitude: 2)])
  }

  @Test func `a logger in Python writes NaN for what is unknown, and its positions are read`() {
    let feed = """
      {"time": "2026-11-20T12:00:00Z", "lat": 1.5, "lon": 2.5, "speed": NaN, "alt": NaN}
      {"time": "2026-11-20T12:00:10Z", "lat": 1.6, "lon": 2.5, "speed": 1.0, "alt": NaN}

      """
    let found = fixes(in: feed)
    #expect(found.map(\.latitude) == [1.5, 1.6])
    #expect(found.map(\.speedMetersPerSecond) == [nil, 1])
  }

  @Test(arguments: [
    #"{"longitude":2}"#, #"{"latitude":1}"#, #"{"latitude":null,"longitude":2}"#,
    #"{"latitude":"north","longitude":2}"#, #"{"latitude":1,"longitude":2"#,
    #"{"latitude":1e999,"longitude":2}"#,
    #"{"latitude":1,"longitude":2,"time":true}"#,
    #"{"latitude":1,"longitude":2,"time":"noon"}"#,
    #"{"latitude":1,"longitude":2,"time":"2026-11-20T12:00:00"}"#,
    #"{"latitude":1,"longitude":2}{}"#,
    #"[{"latitude":1,"longitude":2}]"#, "null", "{}", "🙂",
    #"{"latitude":NaN,"longitude":2}"#,
  ])
  func `a bad line is counted, and the next line is read`(line: String) {
    let good = #"{"latitude":1,"longitude":2}"#
    var reader = FeedReader()
    let found = reader.consume(Array("\(good)\r\n\n\(line)\n  \n\(good)".utf8)) + reader.finish()
    #expect(found.count == 2)
    #expect(reader.statistics.lines == 3)
    #expect(reader.statistics.badLines == 1)
    #expect(reader.statistics.firstBadLines.map(\.number) == [3])
    #expect(reader.statistics.fixes == 2)
  }

  @Test func `a fault's description does not reveal the line's content`() {
    var reader = FeedReader(format: .ndjson)
    _ = reader.consume(
      Array(#"{"latitude":48.8584,"longitude":2.2945,"time":"secret"}"#.utf8 + [10]))
    #expect(
      reader.statistics.latestBadLine?.description == #"line 1: the value of "time" cannot be read"#
    )
  }
}
