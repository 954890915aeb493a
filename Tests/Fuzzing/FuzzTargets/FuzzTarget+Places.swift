import CivilTime
import GeoDocuments
import Spatial

extension FuzzTarget {
  /// The file formats of places that can be imported.
  static let placeFiles =
    [PlaceFormat.gpx, .kml, .geojson, .csv, .topojson, .osm, .loc, .ov2, .wkt, .objects]
    .map(placeFile) + [placeArchive]

  private static func placeFile(_ format: PlaceFormat) -> FuzzTarget {
    FuzzTarget("places-\(format.rawValue)", seeds: Seeds.places(format)) { content in
      // For every other input the format must be detected.
      let options = PlaceReading.Options(
        format: content.count % 2 == 0 ? format : nil, title: "A list")
      let reading: PlaceReading.Content
      do throws(PlaceFileError) { reading = try PlaceReading.read(content, options) } catch {
        return error.description.utf8.count > 10_000 ? "an endless message" : nil
      }
      guard case .places(let file) = reading else { return nil }
      return fault(of: file)
    }
  }

  /// Returns the violated invariant of a file's places; `nil` if there is none and a round trip
  /// through writing and reading does not change them.
  private static func fault(of file: PlaceFile) -> String? {
    let keys = file.records.map { $0.ownID.map { Array($0.utf8) } ?? $0.key(format: file.format) }
    guard Set(keys).count == keys.count else { return "a place that is there twice" }
    for record in file.records {
      if record.name.unicodeScalars.count > RecordLimits.nameLength { return "a long name" }
      if record.notes.contains(where: { $0.text.isEmpty || $0.text.unicodeScalars.count > 10_000 })
      {
        return "an empty or long note"
      }
      if let radius = record.alertRadiusMeters, !RecordLimits.radiusMeters.contains(radius) {
        return "a radius out of range"
      }
      if !(record.created?.isWritable ?? true) { return "a time that cannot be written" }
    }
    var text: [UInt8] = []
    PlaceWriter.write(file.records, as: .gpx) { text += $0 }
    guard case .places(let again)? = try? PlaceReading.read(text) else {
      return "no places after writing them"
    }
    guard again.records.count + again.repeatedCount == file.records.count else {
      return "other places after writing them"
    }
    return nil
  }

  private static let placeArchive = FuzzTarget(
    "places-zip", magic: Magic([0x50, 0x4B]), seeds: Seeds.archives
  ) { content in
    let archive: ZipReader
    do throws(ZipError) { archive = try ZipReader(content, totalLimit: 1 << 24) } catch {
      return nil
    }
    for entry in archive.entries {
      guard entry.name.utf8.first != UInt8(ascii: "/"),
        !entry.name.split(separator: "/").contains("..")
      else { return "a name that leads elsewhere" }
      if let bytes = try? archive.contents(of: entry, limit: 1 << 22), bytes.count != entry.size {
        return "an entry of another size"
      }
    }
    guard let places = try? PlaceArchive(archive) else {
      if let file = try? PlaceReading.readKMZ(archive) { return fault(of: file) }
      return nil
    }
    for photo in places.photos
    where photo.relativePath.first == UInt8(ascii: "/") || photo.relativePath.first == 0x2E {
      return "a photo that leads elsewhere"
    }
    _ = try? places.verify()
    return nil
  }
}

extension Seeds {
  /// Small files of places of a format, with all elements that are read.
  static func places(_ format: PlaceFormat) -> [[UInt8]] {
    var own: [UInt8] = []
    if let record, PlaceWriter.formats.contains(format) {
      PlaceWriter.write([record], as: format) { own += $0 }
    }
    if format == .ov2 { return pointsOfInterest }
    return foreignPlaces(format).map { Array($0.utf8) } + (own.isEmpty ? [] : [own])
  }

  private static let record: PlaceRecord? = Coordinate(latitude: 48.8584, longitude: 2.2945).map {
    var record = PlaceRecord(coordinate: $0)
    record.name = "Tower"
    record.kind = "tree"
    record.alertRadiusMeters = 40
    record.notes = [.init(text: "a\nb", time: Instant(secondsSince1970: 1_700_000_000))]
    record.collections = ["A", "B|C"]
    record.photos = [Array("/a b.jpg".utf8)]
    record.created = Instant(secondsSince1970: 1_600_000_000)
    record.ownID = "0123456789abcdef"
    return record
  }

  private static func foreignPlaces(_ format: PlaceFormat) -> [String] {
    switch format {
    case .gpx:
      [
        """
        <?xml version="1.0" encoding="ISO-8859-1"?><gpx creator="OsmAnd"><wpt lat="1.5" lon="2.5">\
        <time>2026-01-02T03:04:05Z</time><name>a</name><cmt>b</cmt><desc>&lt;br&gt;c</desc>\
        <link href="file:///a%20b.jpg"/><sym>s</sym><type>t</type><extensions>\
        <g:WaypointExtension><g:Proximity>80</g:Proximity><g:Categories><g:Category>x</g:Category>\
        </g:Categories><g:Address><g:City>y</g:City></g:Address></g:WaypointExtension>\
        <o:icon>amenity_cafe</o:icon></extensions></wpt><trk/></gpx>
        """
      ]
    case .kml:
      [
        """
        <kml><Document><Folder><name>F</name><Placemark id="0123456789ab"><name>a</name>\
        <description><![CDATA[<p>b<a href="http://c">d</a>&nbsp;&#65;<!-- e -->]]></description>\
        <TimeSpan><begin>2025-01-02</begin></TimeSpan><ExtendedData><Data name="radius"><value>1\
        </value></Data><SchemaData><SimpleData name="x">y</SimpleData></SchemaData></ExtendedData>\
        <MultiGeometry><Point><coordinates>1.5, 2.5,3</coordinates></Point></MultiGeometry>\
        </Placemark></Folder><NetworkLink/></Document></kml>
        """
      ]
    case .geojson:
      [
        """
        {"type":"FeatureCollection","generator":"photospots","features":[{"type":"Feature","id":"0123456789abcdef",\
        "geometry":{"type":"Point","coordinates":[1.5,2.5,3]},"properties":{"name":"a","radius":20,\
        "notes":[{"time":"2025-01-02T03:04:05Z","text":"b"},"c"],"tags":["d"],"photos":["/e"],"time":1700000000000}}]}
        """,
        """
        {"features":[{"geometry":{"coordinates":[0,0]},"properties":{"google_maps_url":"http://maps.google.com/?q=1,2",\
        "Location":{"Business Name":"a","Geo Coordinates":{"Latitude":"1.5","Longitude":"2.5"}}}}]}
        """,
      ]
    case .topojson:
      [
        """
        {"type":"Topology","objects":{"a":{"type":"GeometryCollection","geometries":[{"type":"Point",\
        "coordinates":[1,2],"properties":{"name":"b"}},{"arcs":[0]}]}},"transform":{"scale":[1,2],"translate":[3,4]}}
        """
      ]
    case .osm:
      [
        """
        {"elements":[{"type":"node","id":1,"lat":1.5,"lon":2.5,"tags":{"name":"a","amenity":"bench"}},\
        {"type":"way","id":2,"center":{"lat":1,"lon":2},"tags":{}}]}
        """,
        """
        <osm><node id="1" lat="1" lon="2"><tag k="name" v="a"/></node><way id="2"><center lat="1" lon="2"/>\
        </way></osm>
        """,
      ]
    case .loc:
      [
        """
        <loc src="s"><waypoint><name id="GC1">a</name><coord lat="1" lon="2"/><type>t</type><link>l</link>\
        </waypoint></loc>
        """
      ]
    case .wkt: ["POINT (1 2) a\nSRID=4326;MULTIPOINT Z ((1 2 3)),\"b\",c\nPOINT EMPTY\n"]
    case .objects:
      [
        """
        {"items":[{"venue":{"id":"0123456789ab","name":"a","location":{"lat":1.5,"lng":2.5}},"createdAt":1700000000},\
        {"name":"b","latLng":[1,2],"tags":["c"]},{"location":{"type":"Point","coordinates":[1,2]}},{"latitudeE7":1,"longitudeE7":2}]}
        """
      ]
    default:
      [
        "16.3738,48.2082,a\n139.7454,35.6586,b\n",
        "Title,Note,URL,Comment\n,,,\na,b,\"https://www.google.com/maps/@1.5,2.5,3z\",\"c\"\"d\"\n",
        "sep=;\nName;Breite;Länge;Datum\nx;1,5;2,5;2025/01/02\ny;\"1°30'\"\"N\";\"2°30'\"\"E\";\n",
        "WKT\tname\nPOINT (1.5 2.5)\ta\n",
      ]
    }
  }

  /// A place of each kind of TomTom's records.
  private static let pointsOfInterest: [[UInt8]] = [
    [1, 21, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
      + [2, 15, 0, 0, 0, 0x10, 0, 0, 0, 0x20, 0, 0, 0, 0x61, 0]
      + [3, 17, 0, 0, 0, 0x10, 0, 0, 0, 0x20, 0, 0, 0, 0x61, 0, 0x62, 0] + [0, 6, 0, 0, 0, 7]
  ]

  /// Archives of KML, and of places with a photo.
  static let archives: [[UInt8]] = {
    var (map, bundle) = (ZipWriter(), ZipWriter())
    let photo = Array("photo".utf8)
    let manifest = PlaceArchive.manifest(
      [
        .init(name: "places.json", size: 2, hash: [1]),
        .init(name: "photos/a.jpg", size: 5, hash: [2], path: Array("/a.jpg".utf8)),
      ], missingPhotos: [Array("/b".utf8)])
    let kml = map.file("doc.kml", Seeds.places(.kml)[0]) + map.finish()
    let archive =
      bundle.file("manifest.json", manifest) + bundle.file("places.json", Array("{}".utf8))
      + bundle.file("photos/a.jpg", photo)
    return [kml, archive + bundle.finish()]
  }()
}
