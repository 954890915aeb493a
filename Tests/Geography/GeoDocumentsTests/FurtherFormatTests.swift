import Encodings
import Spatial
import Testing

@testable import GeoDocuments

/// Formats that are only read, and files that are refused by their names.
@Suite struct FurtherFormatTests {
  /// A file, the title of its format, its places, and what is left out and not read.
  struct Sample {
    let title: String
    let text: String
    let places: [String]
    var left: [String] = []
    var unread: [String] = []
  }

  private static let samples: [Sample] = [
    Sample(
      title: "LOC waypoints",
      text: """
        <?xml version="1.0" encoding="UTF-8"?><loc version="1.0" src="Groundspeak"><waypoint>\
        <name id="GC2A3B4"><![CDATA[Old Mill by Ann]]></name><coord lat="48.20849" lon="16.37208"/>\
        <type>Geocache</type><link text="Cache Details">https://www.geocaching.com/GC2A3B4</link>\
        <container>2</container></waypoint><waypoint><name id="GCX"></name><coord lat="1" lon="2"/>\
        </waypoint><waypoint><name id="GCY">Lost</name></waypoint><waypoint><name>Far</name>\
        <coord lat="91" lon="2"/></waypoint></loc>
        """,
      places: [
        """
        Old Mill by Ann @ 48.20849 16.37208; id Groundspeak/GC2A3B4; kind Geocache; \
        note "https://www.geocaching.com/GC2A3B4"
        """, "GCX @ 1 2; id Groundspeak/GCX",
      ],
      left: [#"1 without a position ["Lost"]"#, #"1 with an unreadable position ["Far"]"#],
      unread: ["container"]),
    Sample(
      title: "OpenStreetMap",
      text: """
        {"version":0.6,"generator":"Overpass API","osm3s":{},"elements":[\
        {"type":"node","id":7,"lat":48.2,"lon":16.3,"tags":{"name":"Oak","natural":"tree","height":"12"}},\
        {"type":"way","id":8,"center":{"lat":48.3,"lon":16.4},"nodes":[9],"tags":{"tourism":"museum",\
        "addr:street":"Ring","addr:housenumber":"5","website":"https://e.org"}},\
        {"type":"node","id":9,"lat":48.4,"lon":16.5},{"type":"way","id":10,"tags":{"name":"Path"}},3]}
        """,
      places: [
        "Oak @ 48.2 16.3; id node/7; kind tree",
        #" @ 48.3 16.4; id way/8; kind museum; note "https://e.org"; note "Ring 5""#,
      ], left: ["2 that are not points [\"Path\"]", "1 that are malformed []"], unread: ["height"]),
    Sample(
      title: "OpenStreetMap",
      text: """
        <osm version="0.6"><node id="1" lat="1" lon="2"/><node id="2" lat="3" lon="4">\
        <tag k="historic" v="wayside_cross"/><tag k="description" v="granite"/></node>\
        <node id="3" lat="5" lon="6"/></osm>
        """,
      places: [
        #" @ 3 4; id node/2; kind wayside cross; note "granite""#, " @ 1 2; id node/1",
        " @ 5 6; id node/3",
      ]),
    Sample(
      title: "OpenStreetMap",
      text: """
        <osm version="0.6"><node id="1" version="1" lat="48" lon="2"><tag k="name" v="Oak"/></node>\
        <node id="1" version="2" lat="48.5" lon="2.5"><tag k="name" v="Oak"/></node>\
        <node id="2" action="delete" lat="5" lon="6"><tag k="name" v="Hill"/></node></osm>
        """,
      places: ["Oak @ 48.5 2.5; id node/1"], left: [#"1 that were deleted ["Hill"]"#]),
    Sample(
      title: "TopoJSON",
      text: """
        {"type":"Topology","objects":{"wells":{"type":"GeometryCollection","geometries":[\
        {"type":"Point","coordinates":[100,200],"id":"w1","properties":{"name":"Deep","depth":9}},\
        {"type":"LineString","arcs":[0],"properties":{"name":"Way"}}]},"gate":{"type":"Point",\
        "coordinates":[0,0]}},"arcs":[[[0,0],[1,1]]],"transform":{"scale":[0.01,0.02],"translate":[10,40]}}
        """,
      places: [#"Deep @ 44 11; in ["wells"]"#, #" @ 40 10; in ["gate"]"#],
      left: [#"1 that are not points ["Way"]"#], unread: ["depth"]),
    Sample(
      title: "well-known text",
      text: """
        # wells
        POINT (16.37 48.2) Deep well
        SRID=4326;POINT Z (2 1 7),"Oak, old",hollow
        LINESTRING (1 2, 3 4) Way
        POINT EMPTY
        POINT (16.37 98) North
        somewhere
        """,
      places: ["Deep well @ 48.2 16.37", #"Oak, old @ 1 2; note "hollow""#],
      left: [
        #"1 that are not points ["Way"]"#, #"1 without a position ["line 5"]"#,
        #"1 with an unreadable position ["North"]"#, #"1 that are malformed ["line 7"]"#,
      ]),
    // The check-ins of Foursquare's export.
    Sample(
      title: "check-ins",
      text: """
        {"count":3,"items":[{"id":"5e2a1b2c3d4e5f6a7b8c9d0e","createdAt":"2020-01-24 08:12:44.000000",\
        "type":"checkin","visibility":"public","timeZoneOffset":60,"shout":"Good cake","venue":\
        {"id":"4b5a1b2c3d4e5f6a7b8c9d0e","name":"Café Sperl","url":"https://foursquare.com/v/x"},\
        "lat":48.2,"lng":16.36,"comments":{"count":0}},{"createdAt":"2020-02-24 08:12:44","venue":\
        {"id":"4b5a1b2c3d4e5f6a7b8c9d0e","name":"Café Sperl","url":"https://foursquare.com/v/x"},\
        "lat":48.2,"lng":16.36},{"type":"checkin","venue":{"name":"Nowhere"}}]}
        """,
      places: [
        """
        Café Sperl @ 48.2 16.36; id 4b5a1b2c3d4e5f6a7b8c9d0e; created 2020-01-24T08:12:44.000Z; \
        note "Good cake"; note "https://foursquare.com/v/x"
        """
      ], left: [#"1 without a position ["Nowhere"]"#],
      unread: ["id", "kind", "visibility", "timeZoneOffset", "comments", "count"]),
    // The waypoints that OwnTracks exports, one of them a beacon.
    Sample(
      title: "JSON",
      text: """
        {"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Home","lat":48.1,"lon":2.1,\
        "rad":100,"tst":1780315200},{"_type":"waypoint","desc":"Bench","lat":48.2,"lon":2.1,\
        "rad":0,"tst":1780315201},{"_type":"waypoint","desc":"Key","lat":0,"lon":0,"rad":0,\
        "tst":1780315202}]}
        """,
      places: [
        "Home @ 48.1 2.1; radius 100.0; created 2026-06-01T12:00:00.000Z",
        "Bench @ 48.2 2.1; created 2026-06-01T12:00:01.000Z",
      ], left: [#"1 without a position ["Key"]"#], unread: ["_type"]),
    // Lists of other programs.
    Sample(
      title: "JSON",
      text: """
        {"lists":[{"title":"Summer","places":[{"title":"Beach","location":{"lat":1.5,"lng":2.5},\
        "categories":[{"name":"Sand"}]},{"title":"Pier","latLng":[1.6,2.6]},{"title":"?",\
        "coordinates":[1.7,2.7]},{"title":"Hut","location":{"type":"Point","coordinates":[100.5,1.8]}}]}]}
        """,
      places: [
        #"Beach @ 1.5 2.5; kind Sand; in ["Summer"]"#, #"Pier @ 1.6 2.6; in ["Summer"]"#,
        #"Hut @ 1.8 100.5; in ["Summer"]"#,
      ], left: [#"1 with an unreadable position ["?"]"#]),
    Sample(
      title: "JSON",
      text: """
        {"name":"A","lat":1,"lon":2}
        {"name":"B","latitudeE7":30000000,"longitudeE7":40000000,"tags":["x","y"]}
        {"name":
        """,
      places: ["A @ 1 2", #"B @ 3 4; in ["x", "y"]"#], left: ["1 that are malformed []"]),
  ]

  /// Such a place was taken in GPX and KML, and of GeoJSON and CSV only in some forms.
  @Test(arguments: [
    #"<gpx><wpt lat="0" lon="0.0"><name>A</name></wpt><wpt lat="0" lon="1"><name>B</name></wpt></gpx>"#,
    "<kml><Placemark><name>A</name><Point><coordinates>0,0,0</coordinates></Point></Placemark>"
      + "<Placemark><name>B</name><Point><coordinates>1,0</coordinates></Point></Placemark></kml>",
    "name,lat,lon\nA,0,0\nB,0,1\n", "POINT (0 0) A\nPOINT (1 0) B\n",
    #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},"#
      + #""geometry":{"type":"Point","coordinates":[0,0]}},{"type":"Feature","#
      + #""properties":{"name":"B"},"geometry":{"type":"Point","coordinates":[1,0]}}]}"#,
  ])
  func `zeros are no position in any format`(text: String) throws {
    let file = try placeFile(text)
    #expect(file.records.map(\.name) == ["B"])
    #expect(file.skipped.map(\.text) == ["1 without a position"])
    #expect(file.skipped.first?.examples == ["A"])
  }

  @Test(arguments: samples.indices)
  func `places of further formats are read`(number: Int) throws {
    let sample = Self.samples[number]
    let file = try placeFile(sample.text)
    #expect(file.title == sample.title)
    #expect(file.records.map(\.line) == sample.places)
    #expect(file.skippedTexts == sample.left)
    #expect(file.unread.map(\.name) == sample.unread)
  }

  // MARK: - TomTom

  private func record(_ kind: UInt8, _ longitude: Double, _ latitude: Double, _ text: [UInt8])
    -> [UInt8]
  {
    let numbers = [longitude, latitude].map {
      UInt32(bitPattern: Int32(saturating: ($0 * 100_000).rounded()))
    }
    let length = UInt32(13 + text.count)
    return [kind]
      + ([length] + numbers).flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
      } + text
  }

  @Test func `TomTom's points of interest are read`() throws {
    let area = record(1, 0, 0, [UInt8](repeating: 0, count: 8))
    let bytes =
      area + record(2, 16.37208, 48.20849, Array("Stephansdom\0".utf8))
      + record(0, 1, 2, [1, 2, 3]) + record(2, -9.14, 38.71, [0x43, 0x61, 0x66, 0xE9, 0])
      + record(3, 1, 2, Array("Pump\0+43 1\0note\0".utf8)) + [9, 9]
    let file = try placeFile(bytes)
    #expect(file.title == "TomTom POI")
    #expect(
      file.records.map(\.line) == [
        "Stephansdom @ 48.20849 16.37208", "Café @ 38.71 -9.14",
        #"Pump @ 2 1; note "+43 1"; note "note""#,
      ])
    #expect(file.skipped.map(\.reason) == [.malformed])
    #expect(file.guessedEncoding == "Windows-1252")
  }

  // MARK: - Tables without a header

  @Test(arguments: [
    (
      "name;link\nDom;https://www.openstreetmap.org/?mlat=48.2085&mlon=16.3731\n",
      ["Dom @ 48.2085 16.3731; note \"https://www.openstreetmap.org/?mlat=48.2085&mlon=16.3731\""]
    ),
    ("Tower;N48.8584;E2.2945;tall\n", ["Tower @ 48.8584 2.2945; note \"tall\""]),
    (
      "139.7454,35.6586,\"Tokyo Tower\"\n-0.1246,51.5007,Big Ben\n".replacing(
        "-0.1246,51.5007", with: "151.2153,-33.8568"),
      ["Tokyo Tower @ 35.6586 139.7454", "Big Ben @ -33.8568 151.2153"]
    ),
    ("48.8584,2.2945\n-33.8568,151.2153\n", [" @ 48.8584 2.2945", " @ -33.8568 151.2153"]),
    (
      "Oak\t48.8584, 2.2945\nElm\t48°51'30\"N 2°17'40\"E\n",
      ["Oak @ 48.8584 2.2945", "Elm @ 48.8583333 2.2944444"]
    ),
    ("\"POINT (2 48)\",Oak\n\"POINT (3 49)\",Elm\n", ["Oak @ 48 2", "Elm @ 49 3"]),
    ("48.8584 2.2945\n8FW4V75V+8Q\n", [" @ 48.8584 2.2945", " @ 48.8583125 2.2944375"]),
  ])
  func `columns are known by their values, and places by links in any column of that kind`(
    text: String, places: [String]
  ) throws {
    #expect(try placeFile(text).records.map(\.line) == places)
  }

  @Test func `two columns that may be swapped are refused with both readings`() throws {
    for (text, error) in [
      (
        "16.3738,48.2082,\"Wien\"\n2.2945,48.8584,\"Paris\"\n",
        PlaceFileError.unclearOrder(1, 2, name: 3)
      ),
      ("Wien;48.2082;16.3738\n", .unclearOrder(2, 3, name: 1)),
    ] {
      #expect(throws: error) { try placeFile(text) }
      #expect("\(error)".contains("longitude=") && "\(error)".contains(",name="))
    }
    let garmin = "16.3738,48.2082,\"Wien\"\n"
    let columns = "longitude=1,latitude=2,name=3"
    #expect(
      try placeFile(garmin, columns: columns).records.map(\.line) == ["Wien @ 48.2082 16.3738"])
  }

  // MARK: - Refused by name

  @Test(arguments: [
    (Array("SQLite format 3\0\u{10}".utf8), ForeignFile.database),
    ([0, 0, 0x27, 0x0A, 0, 0], .shapefile), (Array("\u{0E}\u{10}aabbbb.FIT".utf8), .fit),
    ([0x1F, 0x8B, 8, 0], .packed), ([0xD0, 0xCF, 0x11, 0xE0], .document),
    (Array("\0\0\u{8}\0\0\0\0\0GRMREC00".utf8), .garminPOI),
    (Array("$GPGGA,1,2\r\n".utf8), .nmea), (Array("OziExplorer Waypoint File".utf8), .ozi),
    (Array("<TrainingCenterDatabase/>".utf8), .training),
    (Array("<html><p/></html>".utf8), .webPage),
    (Array(#"{"semanticSegments":[]}"#.utf8), .timeline),
    (Array(#"[{"startTime":"x","timelinePath":[]}]"#.utf8), .timeline),
    (Array(#"[{"endTime":"x","startTime":"x","visit":{"lat":1,"lon":2}}]"#.utf8), .timeline),
    (Array(#"[{"lat":1,"lon":2},{"startTime":"x","timelinePath":[]}]"#.utf8), .timeline),
    (
      Array(
        #"{"locations":[{"latitudeE7":482000000,"longitudeE7":163000000,"timestampMs":"1700000000000"},{"latitudeE7":482000000,"longitudeE7":163000000,"timestampMs":"1700000001000"},{"latitudeE7":482000000,"longitudeE7":163000009,"timestampMs":"1700000000000"}]}"#
          .utf8), .recording
    ),
  ])
  func `a file that holds no places is refused by its name`(
    bytes: [UInt8], kind: ForeignFile
  ) throws {
    #expect(throws: PlaceFileError.foreign(kind)) { try placeFile(bytes) }
    #expect("\(PlaceFileError.foreign(kind))".contains(kind.advice))
  }

  /// Both were dropped without a word: of a geocache, the name that people use.
  @Test func `the titles of links are notes`() throws {
    let text = """
      <gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="2"><name>GC2A3B4</name>\
      <url>https://e.org/1</url><urlname>The Old Mill</urlname></wpt><wpt lat="1" lon="3">\
      <name>Mill</name><desc>A mill</desc><link href="https://e.org/2"><text>Opening hours</text></link>\
      <link href="https://e.org/3"><text>Mill</text></link></wpt></gpx>
      """
    let file = try placeFile(Array(text.utf8))
    #expect(
      file.records.map { $0.notes.map(\.text) } == [
        ["The Old Mill", "https://e.org/1"],
        ["A mill", "Opening hours", "https://e.org/2", "https://e.org/3"],
      ])
  }

  @Test func `an archive without KML names the files to import`() throws {
    var writer = ZipWriter()
    let bytes = writer.file("favorites.gpx", [0x3C]) + writer.file("x.bin", [1])
    let archive = try ZipReader(bytes + writer.finish())
    let error = PlaceFileError.noDocument(["favorites.gpx"])
    #expect(throws: error) { try PlaceReading.readKMZ(archive) }
    #expect("\(error)".contains("'favorites.gpx'"))
  }
}
