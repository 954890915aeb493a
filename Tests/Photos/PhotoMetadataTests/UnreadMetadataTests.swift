import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct UnreadMetadataTests {
  private static let namespaces = """
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
    xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:crs="http://ns.adobe.com/crs/1.0/"
    """
  private static let position = """
    <exif:GPSLatitude>10N</exif:GPSLatitude><exif:GPSLongitude>20E</exif:GPSLongitude>
    """

  private static func packet(_ elements: String) -> String {
    "<rdf:RDF \(namespaces)><rdf:Description>\(elements)</rdf:Description></rdf:RDF>"
  }

  /// Masks of a raw developer.
  private static func masks(_ count: Int) -> String {
    let mask = "<crs:Mask>" + String(repeating: "0123456789abcdef", count: 4096) + "</crs:Mask>"
    return String(repeating: mask, count: count)
  }

  private func completed(_ packet: [UInt8]) throws -> (PhotoProperties, [Sidecar.Problem]) {
    let folder = TemporaryFolder()
    try folder.write(packet, to: "a.xmp")
    var photo = PhotoProperties()
    let problems = photo.complete(with: [Sidecar(kind: .xmp, path: folder.path("a.xmp"))])
    return (photo, problems)
  }

  private let somewhere = Coordinate(latitude: 10, longitude: 20)

  private static let longElements = [
    position + masks(30), masks(30) + position,
    "<crs:Mask crs:value='\(String(repeating: "0", count: 3 << 20))'/>" + position,
  ]

  @Test(arguments: longElements.indices)
  func `the position in a long packet is read, wherever it is`(number: Int) throws {
    let packet = Array(Self.packet(Self.longElements[number]).utf8)
    let (sidecar, problems) = try completed(packet)
    #expect(sidecar.coordinate == somewhere)
    #expect(problems == [])
    let png = TextPNG.xmp(packet)
    #expect(properties(png).coordinate == somewhere)
    #expect(properties(png).unread == [])
    let (reading, bytesRead) = try readFile([(0, png)], count: png.count)
    guard case .photo(let photo) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(photo.coordinate == somewhere)
    #expect(bytesRead < png.count + 64 << 10)
  }

  @Test func `a position that cannot be used is told from none`() {
    func unusable(_ photo: PhotoProperties) -> String? { photo.unusablePosition?.description }
    func exif(_ gps: [Entry]) -> PhotoProperties { properties([.exif(ExifBlock(gps: gps).tiff)]) }
    let degrees = { (number: UInt32) in ExifBlock.Value.rationals([(number, 1), (0, 1), (0, 1)]) }
    #expect(
      unusable(exif([Entry(2, degrees(10)), Entry(4, degrees(20))]))
        == "position in EXIF: N/S/E/W is missing")
    #expect(
      unusable(
        exif([
          Entry(1, .ascii("N")), Entry(2, degrees(95)), Entry(3, .ascii("E")),
          Entry(4, degrees(20)),
        ])) == "position in EXIF: position is out of range")
    #expect(
      unusable(properties([.xmp(attributes: "exif:GPSLatitude='here' exif:GPSLongitude='2E'")]))
        == "position in XMP: position is not a number")
    // Receivers without a position.
    let none = ExifBlock.Value.rationals([(0, 0), (0, 0), (0, 0)])
    for gps in [
      [], [Entry(2, degrees(0)), Entry(4, degrees(0))],
      [Entry(1, .ascii("N")), Entry(2, none), Entry(3, .ascii("E")), Entry(4, none)],
    ] {
      #expect(unusable(exif(gps)) == nil)
    }
    let both = properties([
      .exif(ExifBlock(gps: [Entry(2, degrees(10)), Entry(4, degrees(20))]).tiff),
      .xmp(attributes: "exif:GPSLatitude='10N' exif:GPSLongitude='20E'"),
    ])
    #expect(both.coordinate == somewhere && unusable(both) == nil)
  }

  @Test func `a long sidecar that is not XMP is not read to its end`() throws {
    let (photo, problems) = try completed([UInt8](repeating: 0, count: 4 << 20))
    #expect(photo == PhotoProperties())
    #expect(problems.map(\.reason) == ["the sidecar is not valid XMP"])
  }

  @Test func `a sidecar that is another XML document is not valid XMP`() throws {
    let page = Array("<!-- login --><html><body>Sign in</body></html>".utf8)
    #expect(try completed(page).1.map(\.reason) == ["the sidecar is not valid XMP"])
    for valid in [
      Self.packet(""), "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>",
      "<x:xapmeta xmlns:x='adobe:ns:meta/'>\(Self.packet(""))</x:xapmeta>",
      // Wrapped in an element of another program.
      "<sidecar>\(Self.packet(Self.position))</sidecar>",
    ] {
      #expect(try completed(Array(valid.utf8)).1 == [], "\(valid)")
    }
  }

  @Test func `a sidecar that is damaged after some properties is read so far, and says so`() throws
  {
    let (photo, problems) = try completed(Array((Self.packet(Self.position).dropLast(20)).utf8))
    #expect(photo.coordinate == somewhere)
    #expect(problems.count == 1 && problems.first?.isUnreadable == false)
  }

  @Test(arguments: [true, false], [true, false])
  func `packets in UTF-16 are read, with and without a byte-order mark`(
    isBigEndian: Bool, hasMark: Bool
  ) throws {
    let text =
      (hasMark ? "\u{FEFF}" : "") + Self.packet("<crs:Name>Café 📷</crs:Name>" + Self.position)
    let bytes = text.utf16.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBigEndian ? [high, low] : [low, high]
    }
    #expect(try completed(bytes).0.coordinate == somewhere)
    let wide = text.unicodeScalars.flatMap { scalar -> [UInt8] in
      let bytes = withUnsafeBytes(of: scalar.value.bigEndian) { Array($0) }
      return isBigEndian ? bytes : bytes.reversed()
    }
    #expect(try completed(wide).0.coordinate == somewhere)
  }

  @Test func `a second packet gives what the first does not have`() {
    let first = JPEGFile.Part.xmp("<rdf:RDF \(Self.namespaces)><rdf:Description/></rdf:RDF>")
    let second = JPEGFile.Part.xmp(Self.packet(Self.position))
    #expect(properties([first, second]).coordinate == somewhere)
    let broken = properties([.xmp("<rdf:RDF>"), second])
    #expect(broken.coordinate == somewhere)
    #expect(broken.unread.map(\.block) == ["XMP packet"])
  }

  @Test func `a damaged compressed box is noted, and does not hide others`() {
    let boxes = [
      JXL.box("brob", Array("Exif".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
      JXL.box("brob", Array("jumb".utf8) + [0xFF]),
      JXL.box("xml ", Array(Self.packet(Self.position).utf8)),
    ]
    let photo = properties(JXL.file(boxes))
    #expect(photo.coordinate == somewhere)
    #expect(photo.unread.count == 1)
    #expect(photo.unread.first?.block == "compressed EXIF block")
  }

  @Test func `compressed boxes are decompressed`() {
    let packet = JXL.box(
      "brob", Array("xml ".utf8) + JXL.stored(Array(Self.packet(Self.position).utf8)))
    let photo = properties(JXL.file([packet]))
    // The library need not be installed.
    if let unread = photo.unread.first {
      #expect(unread.reason.hasPrefix("Brotli cannot be used"))
    } else {
      #expect(photo.coordinate == somewhere)
      let block = ExifBlock(gps: PhotoMetadataTests.somewhere).tiff
      let exif = JXL.box("brob", Array("Exif".utf8) + JXL.stored([0, 0, 0, 0] + block))
      #expect(properties(JXL.file([exif])).isSomewhere)
      let cut = JXL.box("brob", Array("Exif".utf8) + JXL.stored([0, 0, 0, 0] + block).dropLast(1))
      #expect(properties(JXL.file([cut])).isSomewhere)
      #expect(properties(JXL.file([cut])).unread.count == 1)
    }
  }

  @Test func `an EXIF block without a TIFF header is noted in every format`() {
    let block = Array("no TIFF header".utf8)
    let files = [
      JPEGFile([.exif(block)]).bytes, TextPNG.file([("eXIf", block)]),
      TextPNG.file([("tEXt", Array("Raw profile type exif\0\nexif\n 2\n4142\n".utf8))]),
      WebPFile([("VP8 ", [1]), ("EXIF", block)]).bytes,
      JXL.file([JXL.box("Exif", [0, 0, 0, 0] + block)]),
      HEIFFile([HEIFFile.Item("Exif", parts: [[0, 0, 0, 0] + block])]).bytes,
    ]
    for (number, file) in files.enumerated() {
      #expect(
        properties(file).unread.map(\.description) == ["EXIF block: it has no TIFF header"],
        "\(number)")
    }
  }

  @Test func `blocks behind those that are read are noted`() {
    let exif = ExifBlock(image: [Entry(0x10F, .ascii("Maker"))]).tiff
    let more = ["the file has more than are read"]
    #expect(properties([.exif(exif), .exif(exif)]).unread == [])
    #expect(properties([.exif(exif), .exif(exif), .exif(exif)]).unread.map(\.reason) == more)
    for count in 1...3 {
      for file in [
        TextPNG.file(Array(repeating: ("eXIf", exif), count: count)),
        WebPFile(Array(repeating: ("EXIF", exif), count: count)).bytes,
        JXL.file(Array(repeating: JXL.box("Exif", [0, 0, 0, 0] + exif), count: count)),
      ] {
        #expect(properties(file).unread.map(\.reason) == (count > 2 ? more : []))
      }
    }
    let packet = ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.packet("").utf8)
    #expect(properties(TextPNG.file(Array(repeating: packet, count: 8))).unread == [])
    #expect(
      properties(TextPNG.file(Array(repeating: packet, count: 9))).unread.map(\.block)
        == ["metadata in a text"])
    let damaged = ("iTXt", Array("XML:com.adobe.xmp\0\0\0".utf8))
    #expect(properties(TextPNG.file([damaged])).unread.map(\.block) == ["metadata in a text"])
  }

  @Test(arguments: ["iptc", "8bim"]) func `IPTC metadata in a text of a PNG file is read`(
    name: String
  ) {
    let dataset: [UInt8] = [0x1C, 2, 55, 0, 8] + Array("19650704".utf8)
    let resources = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(dataset.count)] + dataset
    for content in [dataset, resources, Array("Photoshop 3.0\0".utf8) + resources] {
      let text = Array("Raw profile type \(name)\0".utf8) + PNGFile.profile(name, content)
      let photo = properties(TextPNG.file([("tEXt", text)]))
      #expect(photo.captured?.iso8601 == "1965-07-04")
      #expect(photo.captureTimeSource == .iptc)
    }
  }

  @Test func `a block beside a compressed one was added later, and goes first`() {
    func exif(_ latitude: Double) -> [UInt8] {
      [0, 0, 0, 0] + ExifBlock(gps: ExifBlock.position(latitude: latitude, longitude: 20)).tiff
    }
    let compressed = JXL.box("brob", Array("Exif".utf8) + JXL.stored(exif(1)))
    let plain = JXL.box("Exif", exif(10))
    for boxes in [[compressed, plain], [plain, compressed]] {
      #expect(properties(JXL.file(boxes)).coordinate == somewhere)
    }
    let undated = JXL.box("Exif", [0, 0, 0, 0] + ExifBlock().tiff)
    let both = properties(JXL.file([undated, compressed]))
    #expect(both.coordinate?.latitude == 1 || both.unread.map(\.block) == ["compressed EXIF block"])
    let many = Array(repeating: JXL.box("brob", Array("xml ".utf8) + JXL.stored([1])), count: 5)
    #expect(!properties(JXL.file(many)).unread.isEmpty)
  }

  @Test func `the dates of IPTC metadata are read, the original one first`() {
    func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number, 0, UInt8(text.utf8.count)] + text.utf8
    }
    func photo(_ datasets: [UInt8], exif: [Entry] = []) -> PhotoProperties {
      let resource =
        Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [0x03, 0xED, 0, 0, 0, 0, 0, 2, 1, 2]
        + Array("8BIM".utf8) + [0x04, 0x04, 0, 0, 0, 0, UInt8(datasets.count >> 8)]
        + [UInt8(datasets.count & 0xFF)] + datasets
      return properties([
        .exif(ExifBlock(exif: exif).tiff), .segment(marker: 0xED, resource),
      ])
    }
    let digitized = dataset(62, "20210203") + dataset(63, "100000+0100")
    let taken = photo(digitized + dataset(55, "19650701") + dataset(60, "120000+0000"))
    #expect(taken.captured?.iso8601 == "1965-07-01T12:00:00.000+00:00")
    #expect(taken.captureTimeSource == .iptc)
    #expect(photo(digitized).captured?.iso8601 == "2021-02-03T10:00:00.000+01:00")
    let partial = photo(digitized + dataset(55, "19650000"))
    #expect(partial.captured == nil && partial.partialCapture?.date.description == "1965")
    let original = [Entry(0x9003, .ascii("1999:03:04 05:06:07"))]
    #expect(photo(dataset(55, "19650701"), exif: original).captureTimeSource == .dateTimeOriginal)
    for cut in 1..<digitized.count { _ = photo(Array(digitized.prefix(cut))) }
  }
}

/// Files of JPEG XL.
private enum JXL {
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    bytes(content.count + 8, isBigEndian: true) + type.utf8 + content
  }

  static func file(_ boxes: [[UInt8]]) -> [UInt8] {
    box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
      + boxes.joined() + box("jxlc", [0xFF, 0x0A])
  }

  /// Returns a Brotli stream that stores bytes, at most 65,536, without compressing them: RFC 7932,
  /// section 9.2.
  static func stored(_ content: [UInt8]) -> [UInt8] {
    // A window of 16 bits (one bit); not the last metablock, whose length has four digits of four
    // bits (three bits), uncompressed (one bit).
    let length = UInt32(content.count - 1)
    let header = UInt32(0) | 0 << 1 | 0 << 2 | length << 4 | 1 << 20
    let start = [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16 & 0xFF)]
    // The last metablock, which is empty.
    return start + content + [0x03]
  }
}

/// Files of PNG.
private enum TextPNG {
  static func xmp(_ packet: [UInt8]) -> [UInt8] {
    file([("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet)])
  }

  static func file(_ chunks: [(type: String, content: [UInt8])]) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunks.flatMap { chunk($0.type, $0.content) } + chunk("IDAT", [0]) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    bytes(content.count, isBigEndian: true) + type.utf8 + content + [0, 0, 0, 0]
  }
}
