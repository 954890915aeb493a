import CivilTime
import Compression
import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct HEIFTests {
  private let block = ExifBlock(
    image: [Entry(0x110, .ascii("A model"))], exif: [Entry(0x9003, .ascii("2024:04:13 20:34:30"))],
    gps: somewhere)
  private let packet = Array(
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
    exif:GPSLatitude="10N" exif:GPSLongitude="20E"/></rdf:RDF>
    """.utf8)

  private func file(_ items: [HEIFFile.Item], _ change: (inout HEIFFile) -> Void = { _ in })
    -> [UInt8]
  {
    var file = HEIFFile(items)
    change(&file)
    return file.bytes
  }

  @Test(arguments: [2, 3] as [UInt8], [0, 1, 2] as [UInt8])
  func `EXIF is found with every version of the item boxes`(
    entryVersion: UInt8, locationVersion: UInt8
  ) {
    let picture = HEIFFile.Item("hvc1", parts: [[1, 2, 3]])
    for (width, hasBase) in [(4, false), (4, true), (8, false), (8, true)] {
      let photo = properties(
        file([picture, .exif(block.tiff), picture, .xmp(packet)]) {
          $0.entryVersion = entryVersion
          $0.locationVersion = locationVersion
          $0.width = width
          $0.hasBase = hasBase
        })
      #expect(photo.isSomewhere)
      #expect(photo.model == "A model")
      #expect(photo.xmpPosition == .valid)
    }
  }

  @Test(arguments: [1, 2] as [UInt8])
  func `items inside the metadata box are found`(version: UInt8) {
    for items in [
      [HEIFFile.Item.exif(block.tiff), .xmp(packet)], [.xmp(packet), .exif(block.tiff)],
    ] {
      let photo = properties(
        file(items) {
          $0.isInItemData = true
          $0.locationVersion = version
        })
      #expect(photo.isSomewhere)
      #expect(photo.xmpPosition == .valid)
    }
  }

  @Test(arguments: [0, 1] as [UInt8])
  func `XMP is found in items without a type`(version: UInt8) {
    let photo = properties(file([.xmp(packet)]) { $0.entryVersion = version })
    #expect(photo.coordinate == Coordinate(latitude: 10, longitude: 20))
    #expect(photo.positionSource == .xmp)
  }

  @Test func `an item in several parts is joined`() {
    let whole = HEIFFile.Item.exif(block.tiff).parts[0]
    for cuts in [[1], [3, 9], [40, 41, 90]] {
      let bounds = [0] + cuts + [whole.count]
      let parts = zip(bounds, bounds.dropFirst()).map { Array(whole[$0..<$1]) }
      #expect(properties(file([HEIFFile.Item("Exif", parts: parts)])).isSomewhere)
    }
    let halves = [Array(packet[..<50]), Array(packet[50...])]
    let xmp = HEIFFile.Item("mime", contentType: "application/rdf+xml", parts: halves)
    #expect(properties(file([xmp])).positionSource == .xmp)
  }

  @Test(arguments: [
    (0, ""), (6, "Exif\0\0"), (0, "Exif\0\0"), (6, ""), (99_999, "Exif\0\0"),
    (UInt32.max, "Exif\0\0"), (4, "junkExif\0\0"), (2, "xx"),
  ])
  func `a wrong offset of the TIFF header is corrected`(offset: UInt32, prefix: String) {
    #expect(
      properties(file([.exif(block.tiff, offset: offset, prefix: prefix)])).isSomewhere)
  }

  @Test func `items in another file or without a block are noted, those of another type are not`() {
    let elsewhere = properties(file([.exif(block.tiff), .xmp(packet)]) { $0.dataReference = 1 })
    #expect(elsewhere.coordinate == nil)
    #expect(elsewhere.unread.map(\.block) == ["EXIF block", "XMP packet"])
    let other = HEIFFile.Item("mime", contentType: "text/plain", parts: [packet])
    #expect(reading(file([other])) == .photo(PhotoProperties()))
    let blank = HEIFFile.Item("Exif", parts: [[UInt8](repeating: 0, count: 100)])
    #expect(properties(file([blank])).unread.map(\.reason) == ["it has no TIFF header"])
  }

  @Test func `an item without a length at an offset was deleted`() {
    let items = [
      HEIFFile.Item("Exif", parts: [[]]), .xmp([]), HEIFFile.Item("hvc1", parts: [packet]),
    ]
    #expect(reading(file(items)) == .photo(PhotoProperties()))
  }

  @Test func `a compressed XMP item is decompressed`() {
    func photo(_ encoding: String, _ content: [UInt8]) -> PhotoProperties {
      var item = HEIFFile.Item.xmp(content)
      item.contentEncoding = encoding
      return properties(file([item]))
    }
    let limit = 2 * packet.count + 64
    for (encoding, form) in [
      ("deflate", CompressedForm.zlib), ("deflate", .raw), ("compress_zlib", .zlib),
      ("gzip", .gzip),
    ] {
      let compressed = Deflate.packed(packet, as: form, upTo: limit) ?? []
      #expect(photo(encoding, compressed).positionSource == .xmp, "\(encoding)")
      #expect(photo(encoding, Array(compressed.prefix(12))).unread.count == 1, "\(encoding)")
    }
    #expect(photo("identity", packet).positionSource == .xmp)
    #expect(
      photo("lzma", packet).unread.map(\.description)
        == ["compressed XMP packet: its compression is unknown"])
    #expect(photo("br", [0xFF, 0xFF, 0xFF]).unread.map(\.block) == ["compressed XMP packet"])
    #expect(photo("deflate", []).positionSource == nil)
  }

  @Test(arguments: ["heic", "mif1", "avif", "avis", "mp42"])
  func `metadata is found with any brand`(brand: String) {
    #expect(properties(file([.exif(block.tiff)]) { $0.brand = brand }).isSomewhere)
    let movie = MovieFile([Box("udta", [.userText("©xyz", "+10.5+020.25/")])])
    var named = movie
    named.brand = brand
    #expect(properties(named.bytes).coordinate == Coordinate(latitude: 10.5, longitude: 20.25))
  }

  @Test func `a file truncated in its metadata is malformed, one truncated later is not`() {
    let whole = file([.exif(block.tiff)])
    let wanted = whole.count - (block.layout.bytes.count - block.layout.valuesEnd)
    for length in 0..<whole.count {
      let cut = Array(whole[..<length])
      guard case .photo(let photo) = reading(cut) else { continue }
      #expect(length > whole.count - block.tiff.count, "\(length) bytes")
      #expect(photo.coordinate == nil || photo.isSomewhere || length < wanted, "\(length) bytes")
    }
    #expect(reading(Array(whole[..<100])).malformation != nil)
    #expect(properties(whole + [0xFE, 0xFE]).isSomewhere)
  }

  @Test func `a file with only a type box is malformed`() {
    #expect(reading(Box.fileType("heic", "mif1").bytes).malformation != nil)
    #expect(reading(Box.fileType("mp42").bytes).malformation != nil)
  }
}

@Suite struct CR3Tests {
  private func raw(_ parts: [(String, ExifBlock)], after: [Box] = []) -> [UInt8] {
    let boxes = parts.map { Box($0.0, $0.1.tiff) }
    let canon = Box("uuid", userType: "85c0b687820f11e08111f4ce462b6a48", boxes)
    let media = Box("mdat", [UInt8](repeating: 0xFE, count: 100))
    return
      ([Box.fileType("crx ", "crx ", "isom"), Box("moov", [canon])] + after + [media]).file
  }

  private func parts(isBigEndian: Bool) -> [(String, ExifBlock)] {
    [
      ("CMT1", ExifBlock(isBigEndian: isBigEndian, image: [Entry(0x110, .ascii("A model"))])),
      (
        "CMT2",
        ExifBlock(isBigEndian: isBigEndian, image: [Entry(0x9003, .ascii("2024:04:13 20:34:30"))])
      ),
      ("CMT3", ExifBlock(isBigEndian: isBigEndian, image: [Entry(0x110, .ascii("A note"))])),
      ("CMT4", ExifBlock(isBigEndian: isBigEndian, image: somewhere)),
    ]
  }

  @Test(arguments: [true, false])
  func `each directory is read from its own box`(isBigEndian: Bool) {
    for parts in [parts(isBigEndian: isBigEndian), parts(isBigEndian: isBigEndian).reversed()] {
      let photo = properties(raw(parts))
      #expect(photo.isSomewhere)
      #expect(photo.positionSource == .exif)
      #expect(photo.model == "A model")
      #expect(photo.captured?.iso8601 == "2024-04-13T20:34:30.000Z")
    }
  }

  @Test func `a directory with another byte order is skipped`() {
    let mixed = parts(isBigEndian: true).prefix(1) + parts(isBigEndian: false).suffix(1)
    #expect(properties(raw(Array(mixed))).coordinate == nil)
  }

  @Test func `XMP after the movie box is found`() {
    let packet = Box(
      "uuid", userType: "be7acfcb97a942e89c71999491e3afac",
      Array(
        """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"/></rdf:RDF>
        """.utf8))
    let photo = properties(raw(parts(isBigEndian: false), after: [packet]))
    #expect(photo.isFavorite)
    #expect(photo.isSomewhere)
  }
}

@Suite struct BoxedPictureTests {
  private let block = ExifBlock(gps: somewhere)
  private let packet = Array(
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
    exif:GPSLatitude="10N" exif:GPSLongitude="20E"/></rdf:RDF>
    """.utf8)
  private let signature: [UInt8] = [0x0D, 0x0A, 0x87, 0x0A]

  @Test func `EXIF and XMP boxes of JPEG XL are found before and after the picture`() {
    let exif = Box("Exif", [0, 0, 0, 0] + block.tiff)
    let xmp = Box("xml ", packet)
    let picture = Box("jxlc", [0xFF, 0x0A, 1, 2, 3])
    for boxes in [[exif, xmp, picture], [picture, xmp, exif], [exif, picture, xmp]] {
      let photo = properties(
        [Box("JXL ", signature), Box.fileType("jxl ", "jxl ")].file + boxes.file)
      #expect(photo.isSomewhere)
      #expect(photo.xmpPosition == .valid)
    }
    let compressed = Box("brob", Array("Exif".utf8) + [1, 2, 3])
    let file = [Box("JXL ", signature), Box.fileType("jxl "), compressed, picture].file
    #expect(properties(file).coordinate == nil)
    #expect(properties(file).unread.map(\.block) == ["compressed EXIF block"])
  }

  @Test func `uuid boxes of JPEG 2000 are found, and XML that is not XMP is skipped`() {
    let exif = Box("uuid", userType: "4a706754696666457869662d3e4a5032", block.tiff)
    let xmp = Box("uuid", userType: "be7acfcb97a942e89c71999491e3afac", packet)
    let other = Box("xml ", Array("<gml/>".utf8))
    let picture = Box("jp2c", size: .toEnd, [0xFF, 0x4F, 0xFF, 0x51])
    for boxes in [[exif, other, xmp, picture], [xmp, other, exif, picture]] {
      let photo = properties(
        [Box("jP  ", signature), Box.fileType("jp2 ", "jp2 ")].file + boxes.file)
      #expect(photo.isSomewhere)
      #expect(photo.xmpPosition == .valid)
    }
    let plain = [Box("jP  ", signature), Box.fileType("jp2 "), Box("xml ", packet), picture].file
    #expect(properties(plain).positionSource == .xmp)
  }

  @Test(arguments: [[0xFF, 0x0A, 0x12], [0xFF, 0x4F, 0xFF, 0x51, 0]] as [[UInt8]])
  func `a bare codestream has no metadata and is valid`(content: [UInt8]) {
    #expect(reading(content) == .photo(PhotoProperties()))
  }
}
