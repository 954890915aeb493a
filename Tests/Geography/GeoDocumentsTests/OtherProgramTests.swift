import Encodings
import Spatial
import Testing

@testable import GeoDocuments

/// Files as other programs write them.
@Suite struct OtherProgramTests {
  /// A file, its places as `name latitude longitude kind [collections] notes`, and the names of
  /// the parts left out.
  struct Sample {
    let text: String
    let places: [String]
    var unread: [String] = []
  }

  private static let samples: [Sample] = [
    // Locus Map, whose icons are files.
    Sample(
      text: """
        <gpx creator="Locus Map"><wpt lat="50" lon="14"><name>Praha</name><sym>city</sym><type>T</type>\
        <extensions><locus:icon xmlns:locus="l">file:city.zip:a.png</locus:icon></extensions></wpt></gpx>
        """, places: ["Praha 50.0 14.0 T []"], unread: ["icon"]),
    // Organic Maps, with elements of its own in ExtendedData.
    Sample(
      text: """
        <kml><Document><Placemark><name>Mill</name><ExtendedData xmlns:mwm="https://omaps.app">\
        <mwm:name><mwm:lang code="be">Млын</mwm:lang></mwm:name><mwm:icon>Bar</mwm:icon></ExtendedData>\
        <Point><coordinates>27.5,53.9</coordinates></Point></Placemark></Document></kml>
        """, places: ["Mill 53.9 27.5  []"], unread: ["lang", "icon"]),
    // A guide of Apple Maps is no list of Google.
    Sample(
      text: """
        Name,Address,URL
        Cafe,"1 Pier, SF","https://maps.apple.com/?address=x&ll=37.7955,-122.3937&q=Cafe"
        """,
      places: [
        "Cafe 37.7955 -122.3937  [] 1 Pier, SF|https://maps.apple.com/?address=x&ll=37.7955,-122.3937&q=Cafe"
      ]),
    // Guru Maps.
    Sample(
      text: """
        {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Camp",\
        "descr":"flat","folder":"Summer"},"geometry":{"type":"Point","coordinates":[20.1,40.2]}}]}
        """, places: ["Camp 40.2 20.1  [Summer] flat"]),
    // uMap: layers are collections, and the centre of the map is no place.
    Sample(
      text: """
        {"type":"umap","properties":{"name":"M"},"geometry":{"type":"Point","coordinates":[5,45]},"layers":[\
        {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Pump"},\
        "geometry":{"type":"Point","coordinates":[5.1,45.1]}}],"_umap_options":{"name":"Water"}},\
        {"type":"FeatureCollection","features":[]}]}
        """, places: ["Pump 45.1 5.1  [Water]"]),
    // Letters of hemispheres in columns of their own.
    Sample(
      text: "Name,Lat,N/S,Lon,E/W\nA,33.9,S,151.2,E\nB,48.5,N,1.5,W\n",
      places: ["A -33.9 151.2  []", "B 48.5 -1.5  []"]),
    Sample(
      text: "Name,Lat,N/S,Lon,E/W\nA,3.5,up,1.5,E\n", places: ["A 3.5 1.5  []"], unread: ["N/S"]),
    // A table with vertical bars.
    Sample(text: "name|lat|lon\nA|1.5|2.5\n", places: ["A 1.5 2.5  []"]),
    // The references of HTML.
    Sample(
      text: """
        <kml><Placemark><name>A</name><description><![CDATA[<p>Caf&eacute; &aring;&oelig; \
        &iquest;d&iacute;a? &rarr;</p>]]></description><Point><coordinates>2,1</coordinates></Point>\
        </Placemark></kml>
        """, places: ["A 1.0 2.0  [] Café åœ ¿día? →"]),
  ]

  private static func describe(_ record: PlaceRecord) -> String {
    let place = record.coordinate
    let notes = record.notes.map(\.text).joined(separator: "|")
    let collections = record.collections.joined(separator: ",")
    return "\(record.name) \(place.latitude) \(place.longitude) \(record.kind ?? "") "
      + "[\(collections)]" + (notes.isEmpty ? "" : " " + notes)
  }

  @Test(arguments: samples.indices)
  func `files of other programs become the places that a person expects`(number: Int) throws {
    let sample = Self.samples[number]
    let file = try placeFile(sample.text)
    #expect(file.records.map(Self.describe) == sample.places)
    #expect(file.unread.map(\.name) == sample.unread && file.skipped.isEmpty)
    #expect(file.dialect != "Google's saved places")
  }

  @Test(arguments: [
    "Név;Szélesség;Hosszúság;Megjegyzés", "Nimi;Leveysaste;Pituusaste;Huomautus",
    "이름;위도;경도;메모", "Nume;Latitudine;Longitudine;Descriere", "名稱;緯度;經度;備註",
    "Назва;Широта;Довгота;Опис", "Ad;Enlem;Boylam;Açıklama", "ΌΝΟΜΑ;ΠΛΆΤΟΣ;ΜΉΚΟΣ;ΣΗΜΕΊΩΣΗ",
    "Όνομα;Γεωγραφικό πλάτος;Γεωγραφικό μήκος;Σημείωση",
    "Název;Zeměpisná šířka;Zeměpisná délka;Popis",
    "Názov;Zemepisná šírka;Zemepisná dĺžka;Popis",
    "Naziv;Geografska širina;Geografska dužina;Napomena",
    "AD;ENLEM;BOYLAM;AÇIKLAMA", "Nazwa;Szerokość;Długość;Opis",
  ])
  func `columns are known in the languages of spreadsheets`(header: String) throws {
    let file = try placeFile(header + "\nA;48,5;11,5;n\n")
    #expect(file.records.map(Self.describe) == ["A 48.5 11.5  [] n"])
    #expect(file.unread.isEmpty)
  }

  @Test(arguments: [
    ("urn:ogc:def:crs:EPSG::3857", false), ("EPSG:25832", false), ("WGS 84 / UTM zone 32N", false),
    ("urn:ogc:def:crs:OGC:1.3:CRS84", true), ("EPSG:4326", true),
    ("http://www.opengis.net/def/crs/EPSG/0/4326", true),
  ])
  func `positions in another reference system are refused`(name: String, isRead: Bool) throws {
    let system = #""crs":{"type":"name","properties":{"name":"\#(name)"}}"#
    let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[12,13]}}"#
    for text in [
      #"{"type":"FeatureCollection",\#(system),"features":[\#(point)]}"#,
      #"{"type":"FeatureCollection","features":[\#(point)],\#(system)}"#,
      #"{"type":"Feature",\#(system),"geometry":{"type":"Point","coordinates":[12,13]}}"#,
    ] {
      if isRead {
        #expect(try placeFile(text).records.count == 1, "\(text)")
      } else {
        #expect(throws: PlaceFileError.referenceSystem(name), "\(text)") { try placeFile(text) }
      }
    }
  }

  @Test func `a table in a guessed encoding with unknown columns names the option`() throws {
    let header = "\u{CD}\u{E0}\u{E7};\u{D8}\u{E8};\u{C4}\u{EE}\n"
    let bytes = header.unicodeScalars.map { UInt8($0.value) } + Array("a;1;2\n".utf8)
    let error = try #require(throws: PlaceFileError.self) { try PlaceReading.read(bytes) }
    #expect("\(error)".contains("--encoding") && "\(error)".contains("Windows-1252"))
  }

  @Test func `files that are not text, and spreadsheets, are named as such`() throws {
    #expect(throws: PlaceFileError.unknownFormat) {
      try PlaceReading.read([1, 57, 0, 0, 0, 0x90, 0x0A, 0x0C, 0, 0x2C, 0x0A])
    }
    for name in ["xl/workbook.xml", "[Content_Types].xml", "content.xml"] {
      var writer = ZipWriter()
      let bytes = writer.file("[Content_Types].xml", [0x3C]) + writer.file(name + "x", [0x3C])
      let archive = try ZipReader(bytes + writer.finish())
      #expect(throws: PlaceFileError.spreadsheet) { try PlaceReading.readKMZ(archive) }
    }
  }

  @Test func `what another program adds beside the own element is kept or counted`() throws {
    var record = PlaceRecord(
      coordinate: try #require(Coordinate(latitude: 48, longitude: 2)))
    record.name = "Gate"
    record.kind = "photo"
    record.ownID = "0123456789abcdef"
    record.notes = [.init(text: "old", time: nil, id: "n1")]
    var bytes: [UInt8] = []
    PlaceWriter.write([record], as: .gpx) { bytes += $0 }
    let written = String(decoding: bytes, as: UTF8.self)
    #expect(try placeFile(written).unread.isEmpty)
    let edited =
      written
      .replacing("<sym>", with: "<cmt>closed</cmt><link href=\"https://e.org\"/><sym>")
      .replacing("</extensions>", with: "<o:address xmlns:o=\"o\">Way 1</o:address></extensions>")
    let file = try placeFile(edited)
    #expect(file.records[0].notes.map(\.text).sorted() == ["closed", "https://e.org", "old"])
    #expect(file.unread.map(\.name) == ["address"])
  }
}
