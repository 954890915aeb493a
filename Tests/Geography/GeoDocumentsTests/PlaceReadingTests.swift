import CivilTime
import Encodings
import GeoDocuments
import Spatial
import TestSupport
import Testing

@Suite struct PlaceReadingTests {
  private let gpx = """
    <?xml version="1.0"?><gpx><wpt lat="1.5" lon="2.5"><name>Tür</name></wpt></gpx>
    """

  @Test func `text in UTF-16 and single-byte encodings is read`() throws {
    func wide(_ text: String, mark: Bool, isBigEndian: Bool) -> [UInt8] {
      ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
        let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
        return isBigEndian ? bytes : bytes.reversed()
      }
    }
    for mark in [true, false] {
      for isBigEndian in [true, false] {
        let file = try placeFile(wide(gpx, mark: mark, isBigEndian: isBigEndian))
        #expect(file.records.map(\.name) == ["Tür"], "\(mark) \(isBigEndian)")
      }
    }
    let marked = try placeFile([0xEF, 0xBB, 0xBF] + Array(gpx.utf8))
    #expect(marked.records.map(\.name) == ["Tür"])
    let latin = gpx.replacing("\"1.0\"", with: "\"1.0\" encoding='ISO-8859-1'").unicodeScalars
    let declared = try placeFile(latin.map { UInt8($0.value) })
    #expect(declared.records.map(\.name) == ["Tür"])
    let table = Array("name,lat,lon\nT".utf8) + [0xFC, 0x72, 0x80] + Array(",1,2\n".utf8)
    #expect(try placeFile(table).records.map(\.name) == ["Tür€"])
  }

  @Test func `the format is recognised by the content`() throws {
    for (text, format) in [
      (gpx, PlaceFormat.gpx), ("<kml><Placemark/></kml>", .kml), ("lat,lon\n1,2", .csv),
      (#"{"type":"Point","coordinates":[1,2]}"#, .geojson),
      (#"{"type":"FeatureCollection","features":[]}"#, .geojson),
    ] {
      #expect(try placeFile(text).format == format, "\(text)")
    }
    for text in ["<x><body/></x>", "[1,2]", #"{"a":1}"#, "just words"] {
      #expect(throws: PlaceFileError.unknownFormat, "\(text)") { try placeFile(text) }
    }
    #expect(throws: PlaceFileError.empty) { try placeFile(" \n") }
    guard case .document = try PlaceReading.read(Array(#"{"format":"photospots-places"}"#.utf8))
    else { return #expect(Bool(false), "no document") }
  }

  @Test func `unclear columns are listed with the option that names them`() throws {
    let table = "Title,X,Y,Remarks\nOak,2.5,1.5,old\n"
    #expect(throws: PlaceFileError.unclearColumns(["Title", "X", "Y", "Remarks"])) {
      try placeFile(table)
    }
    let message = PlaceFileError.unclearColumns(["Title", "X"]).description
    #expect(message.contains("1 'Title', 2 'X'") && message.contains("--columns latitude="))
    let file = try placeFile(table, columns: "latitude=Y,longitude=X,name=Title")
    #expect(file.records.map(\.line) == [#"Oak @ 1.5 2.5; note "old""#])
    #expect(throws: PlaceFileError.noColumn("Z", columns: ["Title", "X", "Y", "Remarks"])) {
      try placeFile(table, columns: "latitude=Y,longitude=Z")
    }
    // Two candidate columns are unclear too.
    #expect(throws: PlaceFileError.self) { try placeFile("lat,latitude,lon\n1,2,3\n") }
    #expect(PlaceColumns("latitude=Y,frog=X") == nil && PlaceColumns("latitude") == nil)
  }

  @Test func `a table without a header is read by column numbers`() throws {
    let file = try placeFile("Oak;1,5;2,5\nElm;3,5;4,5\n", columns: "name=1,latitude=2,longitude=3")
    #expect(file.records.map(\.line) == ["Oak @ 1.5 2.5", "Elm @ 3.5 4.5"])
  }

  @Test func `quoted fields keep separators and line breaks, and an open quote spoils one field`()
    throws
  {
    let file = try placeFile(
      "sep=;\nname;lat;lon;note\n\"a;b\"\"c\"\"\";1;2;\"x\r\ny\"\nd;3;4;\"open\ne;5;6;z\n")
    #expect(file.records.map(\.name) == ["a;b\"c\"", "d", "e"])
    #expect(file.records[0].notes.map(\.text) == ["x\ny"])
  }

  @Test func `an unclosed quote on every line is read in linear time`() throws {
    let rows = String(repeating: "a\"b,1,2,\"\"\"\n", count: 20_000)
    let file = try placeFile("name,lat,lon,note\n" + rows)
    #expect(file.records.count + file.skipped.count > 0)
  }

  @Test func `reading a file again gives the same keys`() throws {
    for name in [
      "garmin.gpx", "folders.kml", "points.geojson", "Saved Places.json", "excel-de.csv",
    ] {
      let first = try placeFile(golden(name))
      let second = try placeFile(golden(name))
      #expect(first.records == second.records)
      let keys = first.records.map { $0.key(format: first.format) }
      #expect(Set(keys).count == first.records.count, "\(name)")
    }
    var one = PlaceRecord(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
    var other = PlaceRecord(
      coordinate: try #require(Coordinate(latitude: 1.000_000_2, longitude: 2)))
    #expect(one.key(format: .gpx) == other.key(format: .gpx))
    #expect(one.key(format: .gpx) != one.key(format: .kml))
    other.name = "b"
    #expect(one.key(format: .gpx) != other.key(format: .gpx))
    (one.sourceID, other.sourceID) = ("node/240109189", "node/240109189")
    #expect(one.key(format: .gpx) == other.key(format: .gpx))
  }

  @Test func `short ids, which repeat in other files, do not identify a place`() throws {
    let files = try ["A", "B"].map { name in
      try placeFile(
        """
        {"type":"Feature","id":"1","geometry":{"type":"Point","coordinates":[1,2]},\
        "properties":{"name":"\(name)"}}
        """)
    }
    #expect(
      files[0].records[0].key(format: .geojson) != files[1].records[0].key(format: .geojson))
  }

  @Test func `text is cut to its limits, and control characters are removed`() throws {
    let long = String(repeating: "é", count: 20_000)
    let file = try placeFile(
      "name;lat;lon;note;kind;radius\n\u{1B}[31m\(long);1;2;a\u{7}b\(long);\(long);1e9\n")
    let record = try #require(file.records.first)
    #expect(record.name.unicodeScalars.count == 200 && record.name.hasPrefix("[31mé"))
    #expect(record.notes.first?.text.unicodeScalars.count == 10_000)
    #expect(record.notes.first?.text.hasPrefix("abé") == true)
    #expect(record.kind?.unicodeScalars.count == 60 && record.alertRadiusMeters == 5000)
  }

  @Test func `rejects XML that declares entities, is truncated or nested too deeply`() {
    for text in [
      "<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>", "<gpx><wpt lat=\"1\" lon=\"2\">",
      String(repeating: "<kml>", count: 10_000),
    ] {
      #expect(throws: PlaceFileError.self, "\(text.prefix(40))") { try placeFile(text) }
    }
  }

  @Test func `an oversized element is skipped, and the others are read`() throws {
    let large = String(repeating: "<a/>", count: 20_000)
    let file = try placeFile(
      "<gpx><wpt lat='1' lon='2'><name>L</name>\(large)</wpt><wpt lat='3' lon='4'/></gpx>")
    #expect(file.records.count == 1)
    #expect(file.skippedTexts == [#"1 that are too large ["L"]"#])
  }

  @Test func `HTML descriptions become text without tags`() throws {
    for (html, text) in [
      ("a<br>b", "a\nb"), ("<p>a</p><p>b</p>", "a\n\nb"),
      ("<b>a</b> &lt;b&gt; &#233;&#x41;", "a <b> éA"),
      ("<style>x</style>a<!-- > b -->c<br/>", "ac"), ("<ul><li>a<li>b</ul>", "- a\n- b"),
      ("<div>a < b and <i", "a < b and <i"), ("<br>&amp;amp; &bogus;", "&amp; &bogus;"),
      ("<a href=\"https://e.org/?a=1&amp;b\">x</a>", "x (https://e.org/?a=1&b)"),
    ] {
      let escaped = XMLText.escaped(html)
      let file = try placeFile(
        """
        <kml><Placemark><description>\(escaped)</description><Point><coordinates>1,2</coordinates>\
        </Point></Placemark></kml>
        """)
      #expect(file.records.first?.notes.first?.text == text, "\(html)")
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `a description of only opening brackets is read in linear time`() throws {
    let markup = "<br>" + String(repeating: "<a", count: 30_000)
    let file = try placeFile(
      """
      <kml><Placemark><description>\(XMLText.escaped(markup))</description><Point><coordinates>1,2\
      </coordinates></Point></Placemark></kml>
      """)
    #expect(file.records.count == 1)
  }
}
