import CivilTime
import Encodings
import SampleDrawing
import Spatial
import Testing

@Suite struct WalkTests {
  /// A position of the walk and its time.
  private struct Fix {
    let time: Instant
    let coordinate: Coordinate
  }

  @Test func `the committed walks match the generated ones`() throws {
    #expect(try SampleFiles.bytes(of: "walk.nmea") == Walk.recorded.nmea)
    #expect(try SampleFiles.bytes(of: "walk.ndjson") == Walk.recorded.ndjson)
  }

  @Test func `every NMEA sentence has a checksum and at most 80 characters`()
    throws
  {
    let text = String(decoding: Walk.recorded.nmea, as: UTF8.self)
    #expect(text.hasSuffix("\r\n"))
    let lines = text.split(separator: "\r\n")
    #expect(lines.count > 1500)
    for line in lines {
      let parts = line.dropFirst().split(separator: "*")
      let sum = parts[0].utf8.reduce(0, ^)
      #expect(UInt8(parts[1], radix: 16) == sum && parts[1].utf8.count == 2, "\(line)")
      #expect(line.first == "$" && line.utf8.count <= 80, "\(line)")
    }
  }

  @Test func `both formats have the same walk`() throws {
    let fixes = try ndjsonFixes()
    let sentences = rmcFields().filter { $0[2] == "A" }
    try #require(sentences.count == fixes.count)
    for (fields, fix) in zip(sentences, fixes) {
      let clock = fix.time.iso8601.dropFirst(11).prefix(8).filter { $0 != ":" }
      #expect(fields[1] == clock + ".00" && fields[9] == "160526")
      #expect(abs(try degrees(fields[3], digits: 2) - fix.coordinate.latitude) < 1e-7)
      #expect(abs(try degrees(fields[5], digits: 3) - fix.coordinate.longitude) < 1e-7)
    }
  }

  @Test func `the receiver loses its fix once between the spots`() throws {
    let states = rmcFields().map { $0[2] }
    let runs = states.indices.filter { $0 == 0 || states[$0] != states[$0 - 1] }
    try #require(runs.map { states[$0] } == ["V", "A", "V", "A"])
    #expect((10...30).contains(runs[3] - runs[2]))
  }

  @Test func `the walk passes two spots with more than five minutes between them`() throws {
    let fixes = try ndjsonFixes()
    let spots = [
      try #require(Coordinate(latitude: 48.86194, longitude: 2.28830)),
      try #require(Coordinate(latitude: 48.85735, longitude: 2.29580)),
    ]
    let entries = try spots.map { spot in
      let distances = fixes.map { $0.coordinate.distance(to: spot) }
      #expect(try #require(distances.first) > 300)
      #expect(try #require(distances.last) > 300)
      #expect(try #require(distances.min()) < 15)
      return fixes[try #require(distances.firstIndex { $0 <= 100 })].time
    }
    #expect(entries[1].seconds(since: entries[0]) > 300 + 60)
    let length = try #require(fixes.last).time.seconds(since: fixes[0].time)
    #expect((15 * 60...25 * 60).contains(length))
  }

  @Test func `the walk passes no third spot`() throws {
    let fixes = try ndjsonFixes()
    for photo in SamplePhoto.all {
      guard let position = photo.position else { continue }
      let place = try #require(
        Coordinate(latitude: position.latitude, longitude: position.longitude))
      let nearest = try #require(fixes.map { $0.coordinate.distance(to: place) }.min())
      #expect(nearest < 25 || nearest > 1000, "\(photo.path)")
    }
  }

  @Test func `the walk has a walking pace, and begins a day after the newest photo`() throws {
    let fixes = try ndjsonFixes()
    for (previous, fix) in zip(fixes, fixes.dropFirst()) {
      let seconds = fix.time.seconds(since: previous.time)
      #expect(seconds >= 2)
      #expect(previous.coordinate.distance(to: fix.coordinate) / seconds < 3.5)
    }
    for captured in SamplePhoto.all.compactMap(\.captured) {
      #expect(fixes[0].time.seconds(since: try #require(Instant(iso8601: captured))) > 86_400)
    }
  }

  private func rmcFields() -> [[Substring]] {
    String(decoding: Walk.recorded.nmea, as: UTF8.self).split(separator: "\r\n")
      .filter { $0.hasPrefix("$GNRMC") }
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  private func degrees(_ field: Substring, digits: Int) throws -> Double {
    try #require(Double(field.prefix(digits))) + #require(Double(field.dropFirst(digits))) / 60
  }

  private func coordinate(_ latitude: Double?, _ longitude: Double?) throws -> Coordinate {
    let (latitude, longitude) = (try #require(latitude), try #require(longitude))
    return try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  private func ndjsonFixes() throws -> [Fix] {
    try Walk.recorded.ndjson.split(separator: 0x0A).map { line in
      var reader = JSONReader(Array(line))
      var (time, latitude, longitude): (Instant?, Double?, Double?)
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "time": time = Instant(iso8601: try reader.string())
        case "latitude": latitude = try reader.double()
        case "longitude": longitude = try reader.double()
        default: try reader.skipValue()
        }
      }
      try reader.end()
      return Fix(
        time: try #require(time),
        coordinate: try coordinate(latitude, longitude))
    }
  }
}
