import CLibrary
import CivilTime
import Encodings
import GeoDocuments
import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary
@testable import SpotExport

/// Exported spots, compared with reviewed golden files and read back by other programs.
@Suite struct SpotExportTests {
  /// A format in which spots are exported.
  enum Format: String, CaseIterable {
    case csv, geojson, gpx, json, kml

    func text(_ rows: [SpotListing]) -> [UInt8] {
      switch self {
      case .csv: return Array(SpotListing.csv(rows).utf8)
      case .gpx: return Array(SpotListing.gpx(rows).utf8)
      case .kml: return Array(SpotListing.kml(rows).utf8)
      case .json, .geojson:
        var writer = JSONWriter(layout: .indented)
        if self == .json {
          SpotListing.writeJSON(rows, to: &writer)
        } else {
          SpotListing.writeGeoJSON(rows, to: &writer)
        }
        writer.newline()
        return writer.takeBytes()
      }
    }

    /// The parsers that read the format.
    var readers: [ReadBack.Reader] {
      switch self {
      case .csv: [.csv, .ogr]
      case .geojson: [.json, .ogr]
      case .gpx: [.xml, .gpxpy, .ogr]
      case .json: [.json]
      case .kml: [.xml, .ogr]
      }
    }
  }

  /// A list of spots, by its name.
  enum List: String, CaseIterable {
    case spots, photos

    var rows: [SpotListing] {
      switch self {
      case .spots: Listings.spots
      case .photos: Listings.photos
      }
    }
  }

  @Test(arguments: Format.allCases, List.allCases)
  func `exported spots match the golden file`(_ format: Format, _ list: List) throws {
    let text = format.text(list.rows)
    let expected = try GoldenFile.text("\(list).\(format)", for: text)
    #expect(String(decoding: text, as: UTF8.self) == expected)
  }

  @Test(arguments: List.allCases)
  func `a sequence has the features of the collection, each in a record of its own`(
    _ list: List
  ) throws {
    let records = SpotListing.geoJSONSequence(list.rows)
      .split(separator: 0x1E, omittingEmptySubsequences: false)
    #expect(records.first?.isEmpty == true)
    #expect(records.dropFirst().allSatisfy { $0.last == 0x0A && $0.count { $0 == 0x0A } == 1 })
    let collection = try JSONValue(Format.geojson.text(list.rows))["features"]
    #expect(try records.dropFirst().map { try JSONValue(Array($0)) } == collection?.items)
  }

  /// `PHOTOSPOTS_GPX_SCHEMA` is the path of <https://www.topografix.com/GPX/1/1/gpx.xsd>.
  @Test func `a GPX document is valid by the schema of GPX 1.1`() throws {
    guard let schema = getenv("PHOTOSPOTS_GPX_SCHEMA").map({ String(cString: $0) }),
      let xmllint = ChildProcess.path(of: "xmllint")
    else {
      print("skipped: xmllint or the schema (PHOTOSPOTS_GPX_SCHEMA) is missing")
      return
    }
    let folder = TemporaryFolder()
    let file = folder.path("export.gpx")
    for rows in [Listings.spots, Listings.photos, []] {
      try folder.write(Format.gpx.text(rows), to: file)
      let process = try ChildProcess(
        xmllint, ["--noout", "--nonet", "--schema", schema, file.string])
      #expect(process.exitStatus() == 0)
    }
  }

  @Test func `no two placemarks of a KML document have one id`() throws {
    for rows in [Listings.spots, Listings.photos] {
      let text = SpotListing.kml(rows)
      let ids = text.split(separator: "<Placemark id=\"").dropFirst()
        .map { placemark in placemark.prefix { $0 != "\"" } }
      #expect(ids.count == rows.count && Set(ids).count == ids.count)
    }
  }

  @Test(arguments: Format.allCases, List.allCases)
  func `other programs read the same spots`(_ format: Format, _ list: List) throws {
    let folder = TemporaryFolder()
    let file = folder.path("export.\(format)")
    try folder.write(format.text(list.rows), to: file)
    for reader in format.readers {
      guard let found = try ReadBack.places(in: file, by: reader) else {
        print("skipped: \(reader) is not installed")
        continue
      }
      #expect(found == list.rows.flatMap { Self.expected($0, format, reader) }, "\(reader)")
    }
  }

  /// Returns what a parser finds of a row.
  private static func expected(
    _ row: SpotListing, _ format: Format, _ reader: ReadBack.Reader
  ) -> [ReadBackPlace] {
    let (spot, isXML) = (row.spot, format == .gpx || format == .kml)
    let first = spot.firstCaptured
    // GPX times are UTC, so a time without an offset has none there, and elsewhere no zone.
    let hasOffset = first?.utcOffsetMinutes != nil
    let local = hasOffset ? first?.iso8601 : first.map { String($0.iso8601.dropLast()) }
    let time = format == .gpx ? (hasOffset ? first?.instant.iso8601 : nil) : local
    var note = Listings.notes[spot.id] ?? ""
    if format == .kml, let photos = row.photos {
      let paths = photos.flatMap { shot in
        [Self.line(shot.photo.path)] + shot.otherFiles.map { "+ " + Self.line($0) }
      }
      note = ((note.isEmpty ? [] : [note]) + paths).joined(separator: "\n")
    }
    // Viewers interpret a description as HTML.
    if format == .kml { note = HTMLText.escaped(note) }
    // GDAL keeps nested GeoJSON members as text.
    if format == .geojson, reader == .ogr { note = "" }
    let place = ReadBackPlace(
      spot.coordinate, name: isXML ? Listings.titles[spot.id] ?? "" : spot.id, time: time,
      note: note)
    guard format == .csv, let photos = row.photos else { return [place] }
    // A line for each photo, and one for a place without any.
    return Array(repeating: place, count: photos.isEmpty && spot.place != nil ? 1 : photos.count)
  }

  private static func line(_ path: FilePath) -> String {
    NameText.text(of: path.shown) { $0 < 0x20 || $0 == 0x7F }
  }

  @Test func `distance and bearing are those from the requested position`() throws {
    let spot = try #require(Listings.spots.first).spot
    let south = Coordinate(
      latitude: spot.coordinate.latitude - 0.001, longitude: spot.coordinate.longitude)!
    let row = SpotListing(spot: spot, approach: .init(from: south, to: spot))
    let json = try JSONValue(Format.json.text([row]))
    // A thousandth of a degree on the mean sphere.
    #expect(abs((json[0]?["distance"]?.number ?? 0) - 111.195) < 0.001)
    #expect(abs(json[0]?["bearing"]?.number ?? 90) < 0.001)
    let geoJSON = try JSONValue(Format.geojson.text([row]))
    let properties = geoJSON["features"]?[0]?["properties"]
    #expect(properties?["distance"] == json[0]?["distance"])
    let lines = String(decoding: Format.csv.text([row]), as: UTF8.self).split(separator: "\n")
    #expect(lines.first?.contains(",distance,bearing") == true)
    #expect(lines.dropFirst().first?.contains(",111.19") == true)
  }

  @Test func `no cell of a table is a formula, whatever a photo's metadata says`() throws {
    for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1"] {
      let listed = try #require(Listings.photos.first { $0.photos?.isEmpty == false })
      let old = try #require(listed.photos?.first).photo
      let shot = PhotoShot(
        photo: PhotoLocation(
          path: old.path, coordinate: old.coordinate, positionSource: .exif,
          captured: old.captured, altitudeMeters: nil, horizontalAccuracyMeters: nil, heading: nil,
          camera: Camera(make: text, model: text), rating: nil, isFavorite: false,
          caption: nil),
        otherFiles: [])
      let row = SpotListing(spot: listed.spot, photos: [shot])
      let table = String(decoding: Format.csv.text([row]), as: UTF8.self)
      #expect(table.contains("'" + text), "\(table)")
      #expect(!table.contains("," + text) && !table.contains("\"" + text), "\(table)")
    }
  }

  @Test func `a table can be split at semicolons, and a list of paths at bars`() throws {
    let listed = try #require(Listings.photos.first { $0.photos?.isEmpty == false })
    let old = try #require(listed.photos?.first).photo
    let paths = ["/photos/a;b.jpg", #"/photos/a|\b.jpg"#].map { FilePath($0) }
    let shot = PhotoShot(
      photo: PhotoLocation(
        path: paths[0], coordinate: old.coordinate, positionSource: .exif, captured: nil,
        altitudeMeters: nil, horizontalAccuracyMeters: nil, heading: nil, camera: nil, rating: nil,
        isFavorite: false, caption: nil), otherFiles: [paths[1]])
    let row = SpotListing(spot: listed.spot, photos: [shot])
    let table = String(decoding: Format.csv.text([row]), as: UTF8.self)
    #expect(table.contains(#","/photos/a;b.jpg","#), "\(table)")
    let list = try #require(table.split(separator: "\"").first { $0.contains("|") })
    let found = list.split(separator: "|").map { NameText.name(of: $0.utf8) }
    #expect(found == paths.map(\.bytes), "\(table)")
  }

  @Test(arguments: Format.allCases) func `an empty list gives a valid document`(_ format: Format)
    throws
  {
    let text = format.text([])
    let expected = try GoldenFile.text("none.\(format)", for: text)
    #expect(String(decoding: text, as: UTF8.self) == expected)
    let folder = TemporaryFolder()
    let file = folder.path("export.\(format)")
    try folder.write(text, to: file)
    for reader in format.readers where reader != .ogr {
      #expect(try ReadBack.places(in: file, by: reader) ?? [] == [], "\(reader)")
    }
  }
}
