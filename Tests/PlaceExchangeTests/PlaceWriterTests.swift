import CivilTime
import Interchange
import PlaceExchange
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
  func `what is written is read again as it was`(_ format: PlaceFormat) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let records = records(seed: seed)
      let file = try placeFile(written(records, format))
      #expect(file.format == format && file.skipped.isEmpty, "seed \(seed)")
      let again = Dictionary(uniqueKeysWithValues: file.records.map { ($0.ownID ?? "", $0) })
      for record in records {
        #expect(again[record.ownID ?? ""] == record, "seed \(seed)")
      }
      #expect(file.records.count == records.count, "seed \(seed)")
    }
  }

  @Test func `KML in an archive is read again as it was`() throws {
    let records = records(seed: 7)
    let archive = try ZipReader(written(records, .kmz))
    let file = try PlaceReading.readKMZ(archive)
    #expect(file.format == .kmz)
    #expect(Set(file.records) == Set(records))
  }

  @Test func `GPX has the elements in the order of the schemas of GPX and Garmin`() throws {
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

  @Test func `a spreadsheet finds no formula, and a viewer no tag`() throws {
    var record = PlaceRecord(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
    record.name = "=HYPERLINK(\"http://example.org\")"
    record.notes = [PlaceRecord.Note(text: "<img src=x onerror=alert(1)>", time: nil)]
    let csv = String(decoding: written([record], .csv), as: UTF8.self)
    #expect(csv.contains("'=HYPERLINK") && !csv.contains(",\"=HYPERLINK"))
    for format in [PlaceFormat.gpx, .kml] {
      #expect(!written([record], format).contains(text: "<img"), "\(format)")
    }
    // Twice escaped, since the description is HTML.
    #expect(written([record], .kml).contains(text: "&amp;lt;img"))
  }

  // MARK: - Other programs

  /// Reads a file with Python's own parsers, and writes the names that it finds as JSON.
  private static let reader = """
    import csv, json, sys, xml.etree.ElementTree as tree
    source, kind, answer = sys.argv[1:4]
    if kind == 'csv':
        with open(source, encoding='utf-8', newline='') as file:
            places = [(float(row['latitude']), float(row['longitude']), row['name'].lstrip("'"))
                for row in csv.DictReader(file)]
    elif kind == 'geojson':
        with open(source, encoding='utf-8') as file:
            places = [(*reversed(feature['geometry']['coordinates']), feature['properties']['name'])
                for feature in json.load(file)['features']]
    elif kind == 'gpx':
        space = '{http://www.topografix.com/GPX/1/1}'
        places = [(float(point.get('lat')), float(point.get('lon')),
            point.findtext(space + 'name', '')) for point in tree.parse(source).getroot().iter(space + 'wpt')]
    elif kind == 'gpxpy':
        import gpxpy
        with open(source, encoding='utf-8') as file:
            places = [(point.latitude, point.longitude, point.name or '')
                for point in gpxpy.parse(file).waypoints]
    else:
        space = '{http://www.opengis.net/kml/2.2}'
        places = []
        for mark in tree.parse(source).getroot().iter(space + 'Placemark'):
            east, north = mark.findtext(space + 'Point/' + space + 'coordinates').split(',')
            places.append((float(north), float(east), mark.findtext(space + 'name', '')))
    with open(answer, 'w', encoding='utf-8') as file:
        json.dump(sorted(places), file, ensure_ascii=False)
    """

  @Test(arguments: ["csv", "geojson", "gpx", "kml", "gpxpy"])
  func `the parsers of Python read the same places`(_ kind: String) throws {
    guard let python = ChildProcess.path(of: "python3") else {
      return print("skipped: there is no python3")
    }
    let folder = TemporaryFolder()
    let format = try #require(PlaceFormat(rawValue: kind == "gpxpy" ? "gpx" : kind))
    var records = records(seed: 11)
    for place in records.indices { records[place].name = "\(place) \(records[place].name)" }
    try folder.write(written(records, format), to: "places")
    try folder.write(Self.reader, to: "reader.py")
    let answer = folder.path("answer.json")
    let process = try ChildProcess(
      python,
      [folder.path("reader.py").string, folder.path("places").string, kind, answer.string])
    process.waitUntilExit()
    guard folder.exists(answer) || kind != "gpxpy" else {
      return print("skipped: there is no gpxpy")
    }
    var reader = JSONReader(try folder.contents(of: answer))
    var found: Set<String> = []
    try reader.beginArray()
    while try reader.nextElement() {
      try reader.beginArray()
      var parts: [String] = []
      while try reader.nextElement() {
        parts.append(
          try reader.peek() == .number ? Degrees.text(try reader.double()) : try reader.string())
      }
      found.insert(parts.joined(separator: " "))
    }
    let expected = records.map { record in
      "\(Degrees.text(record.coordinate.latitude)) \(Degrees.text(record.coordinate.longitude)) \(record.name)"
    }
    #expect(found == Set(expected))
  }
}

extension [UInt8] {
  func contains(text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}
