import CivilTime
import Encodings
import GeoDocuments
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct PlaceWriterTests {
  private func written(_ records: [PlaceRecord], _ format: PlaceFormat) -> [UInt8] {
    var text: [UInt8] = []
    PlaceWriter.write(records, as: format) { text += $0 }
    return text
  }

  private func records(seed: UInt64, count: Int = 40) -> [PlaceRecord] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in .random(using: &generator) }
  }

  @Test(arguments: [PlaceFormat.csv, .gpx, .kml, .geojson])
  func `places round-trip in every format`(_ format: PlaceFormat) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let records = records(seed: seed)
      let file = try placeFile(written(records, format))
      #expect(file.format == format && file.skipped.isEmpty, "seed \(seed)")
      let again = Dictionary(uniqueKeysWithValues: file.records.map { ($0.ownID ?? "", $0.fields) })
      for record in records {
        #expect(again[record.ownID ?? ""] == record, "seed \(seed)")
      }
      #expect(file.records.count == records.count, "seed \(seed)")
    }
  }

  @Test func `places round-trip in a KMZ archive`() throws {
    let records = records(seed: 7)
    let archive = try ZipReader(written(records, .kmz))
    let file = try PlaceReading.readKMZ(archive)
    #expect(file.format == .kmz)
    #expect(Set(file.records.map(\.fields)) == Set(records))
  }

  @Test func `GPX elements are in the order of the GPX and Garmin schemas`() throws {
    var record = try #require(records(seed: 3, count: 60).first { !$0.photos.isEmpty })
    record.collections = ["Trees", "Old"]
    record.kind = "tree"
    record.alertRadiusMeters = 40
    record.created = Instant(secondsSince1970: 0)
    record.notes = [PlaceRecord.Note(text: "x", time: nil)]
    let text = String(decoding: written([record], .gpx), as: UTF8.self)
    let order = [
      "<time>", "<name>", "<desc>", "<link ", "<sym>tree</sym>", "<type>Trees</type>",
      "<extensions>", "<gpxx:WaypointExtension>", "<gpxx:Proximity>40</gpxx:Proximity>",
      "<gpxx:DisplayMode>", "<gpxx:Categories>", "<osmand:icon>natural_tree</osmand:icon>",
    ]
    var rest = text[...]
    for part in order {
      let range = try #require(rest.firstRange(of: part), "\(part)")
      rest = rest[range.upperBound...]
    }
  }

  @Test func `output has no spreadsheet formulas and no unescaped HTML`() throws {
    var record = PlaceRecord(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
    record.name = "=HYPERLINK(\"http://example.org\")"
    record.notes = [PlaceRecord.Note(text: "<img src=x onerror=alert(1)>", time: nil)]
    let csv = String(decoding: written([record], .csv), as: UTF8.self)
    #expect(csv.contains("'=HYPERLINK") && !csv.contains(",\"=HYPERLINK"))
    for format in [PlaceFormat.gpx, .kml] {
      #expect(!written([record], format).contains(text: "<img"), "\(format)")
    }
    // Escaped twice, since the description is HTML.
    #expect(written([record], .kml).contains(text: "&amp;lt;img"))
  }

  // MARK: - Other programs

  @Test(arguments: [
    (PlaceFormat.csv, [ReadBack.Reader.csv, .ogr]), (.geojson, [.json, .ogr]),
    (.gpx, [.xml, .gpxpy, .ogr]), (.kml, [.xml, .ogr]),
  ]) func `other programs read the same places`(
    _ format: PlaceFormat, _ readers: [ReadBack.Reader]
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.path("places.\(format)")
    let records = records(seed: 11).enumerated().map { number, record in
      var record = record
      record.name = "\(number) \(record.name)"
      return record
    }
    try folder.write(written(records, format), to: file)
    let expected = Set(
      records.map { record in
        ReadBackPlace(record.coordinate, name: record.name, time: record.created?.iso8601)
      })
    for reader in readers {
      guard var found = try ReadBack.places(in: file, by: reader) else {
        print("skipped: \(reader) is not installed")
        continue
      }
      for place in found.indices { found[place].note = "" }
      #expect(Set(found) == expected && found.count == records.count, "\(reader)")
    }
  }

  @Test(arguments: [PlaceFormat.csv, .geojson, .gpx, .kml])
  func `output matches the golden file`(_ format: PlaceFormat) throws {
    let text = written([Self.oak, Self.plain], format)
    let expected = try GoldenFile.text("written.\(format)", for: text)
    #expect(String(decoding: text, as: UTF8.self) == expected)
  }

  /// A place with all fields.
  private static var oak: PlaceRecord {
    var record = PlaceRecord(coordinate: Coordinate(latitude: 48.1371, longitude: -11.5754)!)
    record.name = "Old \"oak\" & <b>"
    record.kind = "tree"
    record.notes = [
      PlaceRecord.Note(text: "Hollow\nand old", time: Instant(secondsSince1970: 86_400)),
      PlaceRecord.Note(text: "=1+1|x", time: Instant(secondsSince1970: 0)),
    ]
    record.collections = ["Trees, old", "Trips|2024"]
    record.alertRadiusMeters = 40.5
    record.created = Instant(secondsSince1970: 1_700_000_000)
    record.changed = Instant(secondsSince1970: 1_800_000_000)
    record.photos = [Array("/photos/a b.jpg".utf8), Array("/photos/".utf8) + [0xFF, 0x0A]]
    record.ownID = "0123456789abcdef"
    return record
  }

  /// A place with only a position.
  private static var plain: PlaceRecord {
    var record = PlaceRecord(coordinate: Coordinate(latitude: -90, longitude: 180)!)
    record.ownID = "0123456789abcdeg"
    return record
  }
}

extension [UInt8] {
  func contains(text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}
