import Encodings
import GeoDocuments
import Spatial
import Testing

/// What a reader meets is a place, a part of one, or counted by its name.
@Suite struct WholeFileTests {
  private func kml(_ body: String) -> String {
    "<?xml version=\"1.0\"?><kml><Document>\(body)</Document></kml>"
  }

  private func mark(_ name: String, _ more: String = "") -> String {
    "<Placemark><name>\(name)</name>\(more)<Point><coordinates>2,48</coordinates></Point></Placemark>"
  }

  private func link(_ address: String) -> String {
    "<NetworkLink><Link><href>\(address)</href></Link></NetworkLink>"
  }

  private func kmz(_ files: [(name: String, text: String)]) throws -> PlaceFile {
    var writer = ZipWriter()
    var bytes: [UInt8] = []
    for file in files { bytes += writer.file(file.name, Array(file.text.utf8)) }
    return try PlaceReading.readKMZ(try ZipReader(bytes + writer.finish()))
  }

  // MARK: - Archives

  @Test(arguments: [
    ["files/a.kml", "files/b.kml"], ["./files/a.kml", "files/../files/b.kml#x"],
    ["files\\a.kml", "/FILES/B.KML"], ["files/%61.kml"], [],
  ])
  func `every document of an archive is read once, linked or not`(links: [String]) throws {
    let file = try kmz([
      ("doc.kml", kml(mark("Root") + (links + links).map(link).joined())),
      ("files/a.kml", kml("<name>Benches</name>" + mark("A"))),
      ("files/b.kml", kml("<name>Wells</name>" + mark("B"))),
    ])
    #expect(file.records.map(\.name).sorted() == ["A", "B", "Root"])
    #expect(file.records.map(\.collections).contains(["Benches"]))
    #expect(file.skipped.isEmpty && file.repeatedCount == 0)
  }

  @Test func `links that lead out of an archive are counted`() throws {
    let out = ["https://e.org/a.kml", "../a.kml", "//e.org/a.kml", "b.kml", "", "file:///a.kml"]
    let file = try kmz([("doc.kml", kml(mark("Root") + out.map(link).joined()))])
    #expect(file.records.map(\.name) == ["Root"])
    #expect(file.skippedTexts == ["6 that are links to other files []"])
  }

  @Test func `pictures of an archive are kept, and every other file is counted`() throws {
    let picture = { (address: String) in
      "<description><![CDATA[<img src=\"\(address)\"/>]]></description>"
    }
    let file = try kmz([
      (
        "doc.kml",
        kml(
          mark("Gate", picture("files/gate.jpg")) + mark("Arch", picture("files/none.jpg"))
            + mark("Web", picture("https://e.org/a.jpg"))
            + mark("Own", picture("data:image/png;base64,AAAA")))
      ), ("files/gate.jpg", "picture"), ("files/icon.png", "icon"),
    ])
    #expect(file.pictures.map(\.name) == ["files/gate.jpg"])
    #expect(file.records.map(\.archivedPictures) == [["files/gate.jpg"], [], [], []])
    #expect(
      file.skippedTexts == [
        #"3 pictures ["Arch", "Web", "Own"]"#, #"1 other files of the archive ["files/icon.png"]"#,
      ])
  }

  // MARK: - One counter for each part

  /// Each input with what its reader leaves out, by counter.
  private static let counted: [(text: String, left: [String], unread: [String])] = [
    (
      "<gpx><wpt lat='1' lon='2'><name>a</name><name>b</name><ele>5</ele><time>soon</time></wpt></gpx>",
      ["1 unreadable times"], ["ele", "name"]
    ),
    (
      "<gpx><wpt lat='1' lon='2'><extensions><g:Proximity xmlns:g='g'>wide</g:Proximity><x>1</x></extensions></wpt></gpx>",
      ["1 unreadable radii"], ["x"]
    ),
    (
      "<gpx><wpt lat='1' lon='2'><desc>&lt;img src='a.png'/&gt;b</desc></wpt><rte/></gpx>",
      ["1 pictures", "1 that are not points"], []
    ),
    (
      """
      <kml><Placemark><name>a</name><name>b</name><styleUrl>#s</styleUrl><TimeStamp><when>x</when></TimeStamp>\
      <ExtendedData><Data name="radius"><value>far</value></Data></ExtendedData>\
      <Point><coordinates>1,2</coordinates></Point></Placemark></kml>
      """, ["1 unreadable times", "1 unreadable radii"], ["styleUrl", "name"]
    ),
    (
      "name,title,lat,lon,height,when,radius\na,b,1,2,3,soon,50 leagues\nc,c,3,4,,,\n",
      ["1 unreadable times", "1 unreadable radii"], ["height", "title"]
    ),
    ("name,lat,lon,radius\na,1,2,9 km\n", ["1 radii limited to 10 to 5000 m"], []),
    ("name,lat,lon\na,1,2,,x\n", [], ["column 5"]),
    (
      """
      {"features":[1,{"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"a","title":"b",\
      "height":3,"things":[1],"nothing":null,"radius":"5 parsecs","photos":["x"]}}],"source":"s"}
      """,
      ["1 that are malformed", "1 unreadable radii", "1 photos with an unreadable path"],
      ["title", "height", "things", "source"]
    ),
    (
      "id,name,latitude,longitude,kind,radius,notes,visited\n,a,1,2,k,wide,n,yes\n",
      ["1 unreadable radii"], ["visited"]
    ),
  ]

  @Test(arguments: counted.indices)
  func `what is not kept ends in one counter`(number: Int) throws {
    let (text, left, unread) = Self.counted[number]
    let file = try placeFile(text)
    #expect(file.skipped.map { "\($0.count) \($0.reason.rawValue)" } == left, "\(text)")
    #expect(file.unread.map(\.name).sorted() == unread.sorted(), "\(text)")
  }

  @Test func `a text beyond its limit is counted, and shorter ones are not`() throws {
    for (length, count) in [(9_999, 0), (10_000, 0), (10_001, 1)] {
      let note = String(repeating: "n", count: length)
      for text in [
        "<gpx><wpt lat='1' lon='2'><desc>\(note)</desc></wpt></gpx>", "lat,lon,note\n1,2,\(note)\n",
        kml(mark("a", "<description>\(note)</description>")),
      ] {
        let file = try placeFile(text)
        #expect(file.skipped.map(\.count) == (count == 0 ? [] : [1]), "\(text.prefix(40))")
        #expect(file.skipped.allSatisfy { $0.reason == .longText })
      }
    }
  }

  @Test func `the sentence behind a picture inside a description is read`() throws {
    let picture = "<img src='data:image/png;base64,\(String(repeating: "A", count: 200_000))'/>"
    let file = try placeFile(
      kml(mark("Oak", "<description><![CDATA[\(picture)<p>Hollow</p>]]></description>")))
    #expect(file.records.first?.notes.map(\.text) == ["Hollow"])
    #expect(file.skippedTexts == [#"1 pictures ["Oak"]"#])
  }

  // MARK: - Values

  @Test func `radii may have units`() throws {
    for (text, meters) in [
      ("50", 50.0), ("50 m", 50), ("50m", 50), ("50,5 m", 50.5), ("0.5 km", 500), ("50 ft", 15.24),
      ("100 yd", 91.44), ("1 mi", 1609.344), ("200'", 60.96), ("1e2", 100), ("5e1 Meter", 50),
    ] {
      let file = try placeFile("name;lat;lon;radius\na;1;2;\(text)\n")
      let radius = try #require(file.records.first?.alertRadiusMeters, "\(text)")
      #expect(abs(radius - meters) < 1e-9 && file.skipped.isEmpty, "\(text) \(radius)")
    }
  }

  @Test(arguments: [
    "POINT (2 48)", "POINT Z (2 48 100)", "POINTZ(2 48 100)", "MULTIPOINT ((2 48))",
    "MULTIPOINT (2 48)", "SRID=4326;POINT(2 48)", "GEOMETRYCOLLECTION (POINT (2 48))",
    "multipoint zm ((2 48 1 2))",
  ])
  func `well-known text of one point is a place`(text: String) throws {
    let file = try placeFile("WKT\tname\n\(text)\tOak\n")
    #expect(file.records.map(\.line) == ["Oak @ 48 2"], "\(file.skippedTexts)")
  }

  @Test func `well-known text of no point, of several and of lines is left out`() throws {
    for (text, reason) in [
      ("MULTIPOINT ((2 48), (3 49))", PlaceFile.Reason.otherGeometry),
      ("LINESTRING (2 48, 3 49)", .otherGeometry),
      ("GEOMETRYCOLLECTION (POINT (2 48), LINESTRING (2 48, 3 49))", .otherGeometry),
      ("POINT EMPTY", .withoutPosition), ("POINT (2)", .unreadablePosition),
      ("SRID=3857;POINT (2 48)", .unreadablePosition),
    ] {
      let file = try placeFile("WKT\tname\n\(text)\tOak\n")
      #expect(file.records.isEmpty && file.skipped.map(\.reason) == [reason], "\(text)")
    }
  }

  @Test(arguments: [
    #"{"type":"MultiPoint","coordinates":[[2,48]]}"#,
    #"{"coordinates":[[2,48,100]],"type":"MultiPoint"}"#,
    #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[2,48]}]}"#,
    #"{"type":"GeometryCollection","geometries":[{"type":"MultiPoint","coordinates":[[2,48]]}]}"#,
  ])
  func `GeoJSON of one point is a place`(geometry: String) throws {
    let feature = #"{"type":"Feature","properties":{"name":"Oak"},"geometry":\#(geometry)}"#
    #expect(try placeFile(feature).records.map(\.line) == ["Oak @ 48 2"])
    let point = #"[{"type":"Point""#
    let more = geometry.replacing("[[2,48", with: "[[3,49],[2,48")
      .replacing(point, with: point + #","coordinates":[3,49]},{"type":"Point""#)
    let file = try placeFile(feature.replacing(geometry, with: more))
    #expect(file.skippedTexts == [#"1 that are not points ["Oak"]"#])
  }

  @Test func `sequences of GeoJSON texts are read, and a damaged text is counted`() throws {
    let feature = { (name: String, longitude: Int) in
      """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[\(longitude),48]},\
      "properties":{"name":"\(name)"}}
      """
    }
    let separator = "\u{1E}"
    let lines = "\(feature("a", 1))\n\n\(feature("b", 2))\n"
    #expect(try placeFile(lines).records.map(\.name) == ["a", "b"])
    let parts = [feature("a", 1) + "\n", #"{"type":"Fea"#, feature("b", 2) + "\n"]
    let records = parts.map { separator + $0 }.joined()
    let file = try placeFile(records)
    #expect(file.records.map(\.name) == ["a", "b"])
    #expect(file.skippedTexts == ["1 that are malformed []"])
  }

  @Test(arguments: [
    "Titel,Notiz,URL,Kommentar", "Tytuł,Notatka,URL,Komentarz", "タイトル,メモ,URL,コメント",
    "Title,Note,URL,Comment",
  ])
  func `Google's lists keep their name in every language`(header: String) throws {
    let table = """
      \(header)
      Mühle,am Bach,"https://www.google.com/maps/@48.1,2.1,3z",alt

      """
    let file = try placeFile(Array(table.utf8), title: "Gespeicherte Orte")
    #expect(file.records.map(\.collections) == [["Gespeicherte Orte"]])
    #expect(file.records.map(\.name) == ["Mühle"])
    #expect(file.records.first?.notes.map(\.text) == ["am Bach", "alt"])
  }
}
