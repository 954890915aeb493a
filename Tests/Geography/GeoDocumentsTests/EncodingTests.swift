import GeoDocuments
import Testing

@Suite struct EncodingTests {
  /// A waypoint in an encoding that is declared.
  private func waypoint(_ encoding: String, _ name: [UInt8]) -> [UInt8] {
    Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?>".utf8)
      + Array("<gpx><wpt lat=\"1\" lon=\"2\"><name>".utf8) + name
      + Array("</name></wpt></gpx>".utf8)
  }

  @Test func `text is read in the encoding that the file declares`() throws {
    for (encoding, bytes, name) in [
      ("windows-1251", [0xCC, 0xEE, 0xF1, 0xF2], "Мост"), ("KOI8-R", [0xED, 0xCF], "Мо"),
      ("iso-8859-2", [0xA3, 0xF3, 0x64, 0xBC], "Łódź"),
      ("Shift_JIS", [0x8C, 0xC3, 0x8B, 0xB4], "古橋"),
      ("GBK", [0xC7, 0xC5], "桥"), ("gb2312", [0xC7, 0xC5], "桥"), ("EUC-KR", [0xB4, 0xD9], "다"),
      ("Big5", [0xBE, 0xF4], "橋"), ("ISO-8859-1", [0x96, 0x80], "–€"), ("latin1", [0xFC], "ü"),
      ("us-ascii", [0xC3, 0xA9], "é"), ("us-ascii", [0xE9], "é"),
      ("ISO-8859-15", [0xA4], "€"), ("macintosh", [0x8A], "ä"),
    ] as [(String, [UInt8], String)] {
      let file = try placeFile(waypoint(encoding, bytes))
      #expect(file.records.map(\.name) == [name], "\(encoding)")
      #expect(file.skipped.isEmpty && file.guessedEncoding == nil, "\(encoding)")
    }
  }

  @Test func `a bad byte is marked where it is, and counted`() throws {
    let mark = "\u{FFFD}"
    for (encoding, bytes, name) in [
      ("UTF-8", Array("M".utf8) + [0xFF] + Array("hlé".utf8), "M\(mark)hlé"),
      ("UTF-8", [0x61, 0xFC, 0x62], "a\(mark)b"),
      ("Shift_JIS", [0x8C, 0xC3, 0xFF, 0x61], "古\(mark)a"),
    ] as [(String, [UInt8], String)] {
      let file = try placeFile(waypoint(encoding, bytes))
      #expect(file.records.map(\.name) == [name], "\(encoding)")
      #expect(file.skippedTexts == ["1 unreadable bytes, shown as \(mark) []"], "\(encoding)")
    }
    // A table of UTF-8 with one bad byte is not another encoding.
    let table = Array("name,lat,lon\nMühle é ".utf8) + [0xFF] + Array(",1,2\n".utf8)
    #expect(try placeFile(table).records.map(\.name) == ["Mühle é \(mark)"])
    let json =
      Array(#"{"type":"Point","coordinates":[1,2],"properties":{"name":"a"#.utf8) + [0xFC]
      + Array(#""}}"#.utf8)
    #expect(try placeFile(json).records.map(\.name) == ["a\(mark)"])
  }

  @Test(arguments: [
    "klingon", "UTF-8//TRANSLIT", "../../etc/passwd", "utf-8 ", "", "windows-1251//IGNORE", "-",
  ])
  func `an unknown encoding is refused by its name`(name: String) {
    #expect(throws: PlaceFileError.encoding(name.trimmingSpaces), "\(name)") {
      try placeFile(waypoint(name, [0xFC]))
    }
    #expect(PlaceFileError.encoding("x").description.contains("encoding 'x'"))
  }

  @Test func `a declaration that contradicts its own bytes counts as none`() throws {
    for encoding in ["UTF-16", "UTF-32", "IBM037"] {
      let file = try placeFile(waypoint(encoding, Array("Żółw".utf8)))
      #expect(file.records.map(\.name) == ["Żółw"], "\(encoding)")
    }
  }

  @Test func `a guess is named, and the user's encoding prevails`() throws {
    let table = Array("name,lat,lon\n".utf8) + [0xCC, 0xEE] + Array(",1,2\n".utf8)
    let guessed = try placeFile(table)
    #expect(guessed.records.map(\.name) == ["Ìî"] && guessed.guessedEncoding == "Windows-1252")
    let options = PlaceReading.Options(encoding: "windows-1251")
    guard case .places(let file) = try PlaceReading.read(table, options) else {
      return #expect(Bool(false))
    }
    #expect(file.records.map(\.name) == ["Мо"] && file.guessedEncoding == nil)
  }

  @Test func `long text is converted in pieces without a seam`() throws {
    // Characters of two bytes, at odd places too.
    for shift in 0..<3 {
      let head = String(repeating: "x", count: shift)
      let bytes = Array(head.utf8) + (0..<100_000).flatMap { _ in [0x8C, 0xC3] as [UInt8] }
      let start = "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><kml><Placemark><description>"
      let end = "</description><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"
      let text = Array(start.utf8) + bytes + Array(end.utf8)
      let file = try placeFile(text)
      #expect(file.skipped.map(\.reason) == [.longText], "\(shift)")
      #expect(file.records.first?.notes.first?.text.hasPrefix(head + "古古") == true)
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
