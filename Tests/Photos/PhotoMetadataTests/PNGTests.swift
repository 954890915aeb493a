import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoMetadata

@Suite struct PNGTests {
  private let tiff = ExifBlock(image: [Entry(0x10F, .ascii("Maker"))], gps: somewhere).tiff
  private let packet = Array(
    XMPText.packet(attributes: #"exif:GPSLatitude="48,51.504N" exif:GPSLongitude="2,17.67E""#).utf8)
  private let identifier = Array("Exif\0\0".utf8)

  private func text(_ keyword: String, _ text: [UInt8]) -> (String, [UInt8]) {
    ("tEXt", Array("\(keyword)\0".utf8) + text)
  }

  private func compressed(_ keyword: String, _ stream: [UInt8]) -> (String, [UInt8]) {
    ("zTXt", Array("\(keyword)\0\0".utf8) + stream)
  }

  private func international(_ text: [UInt8], isCompressed: Bool = false) -> (String, [UInt8]) {
    let flags = isCompressed ? "\u{1}\0" : "\0\0"
    return ("iTXt", Array("XML:com.adobe.xmp\0\(flags)en\0Titel\0".utf8) + text)
  }

  private var carriers: [(String, [UInt8])] {
    let xmpIdentifier = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    return [
      ("eXIf", tiff), ("eXIf", identifier + tiff), international(packet),
      text("Raw profile type exif", PNGFile.profile("exif", tiff)),
      text("Raw profile type exif", PNGFile.profile("exif", identifier + tiff)),
      text("Raw profile type APP1", PNGFile.profile("APP1", identifier + tiff)),
      text("Raw profile type APP1", PNGFile.profile("APP1", xmpIdentifier + packet)),
      text("Raw profile type xmp", PNGFile.profile("xmp", packet)),
      compressed("Raw profile type exif", PNGFile.stored(PNGFile.profile("exif", tiff))),
      compressed("Raw profile type xmp", PNGFile.stored(PNGFile.profile("xmp", packet))),
      international(PNGFile.stored(packet), isCompressed: true),
    ]
  }

  @Test func `a position is found in each kind of chunk, before and after the picture`() {
    let picture = ("IDAT", [UInt8](repeating: 7, count: 100))
    for (number, carrier) in carriers.enumerated() {
      #expect(properties(PNGFile([carrier, picture]).bytes).isSomewhere, "\(number)")
      #expect(properties(PNGFile([picture, picture, carrier]).bytes).isSomewhere, "\(number)")
    }
  }

  @Test func `compressed text is read with dynamic and fixed codes`() {
    // The position as Python's zlib compresses its profile, with strategies Z_DEFAULT and Z_FIXED.
    let streams = [
      """
      78da554fdb0d803008fc670a47b852dad0716ad4c40d1cdf3eb55c42e0a0470f3a9ffba2adc2b19224499c01
      283a1cc04115d2ebd6cab098331e5140728e616d8412bed33045de0a242ccb96f714d57ee6f13b6bdc5b7e00
      7bcd51160375d167df5941e2518db3e805e439350b
      """,
      """
      7801e34aadc84ce352000143230b2e134b134ba3440303030b03083034303032b5b0303081b0c1428906a800
      266704c540c065920a9504099802b131846b0ad3648caac1c414c93024f55c6616a896191b205c06e61ba3f2
      530c0c9240b4990992034006c19d6f88aac1d208ca827a8b0b00e439350b
      """,
    ]
    for stream in streams {
      let digits = stream.compactMap(\.hexDigitValue).map { UInt8($0) }
      let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
      let whole = compressed("Raw profile type exif", bytes)
      #expect(properties(PNGFile([whole]).bytes).isSomewhere)
      // A truncated stream, or one with a flipped bit.
      for length in 0..<bytes.count - 10 {
        let cut = compressed("Raw profile type exif", Array(bytes[..<length]))
        #expect(properties(PNGFile([cut]).bytes).coordinate == nil, "\(length)")
      }
      for bit in 0..<bytes.count * 8 {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        let reading = reading(PNGFile([compressed("Raw profile type exif", damaged)]).bytes)
        #expect(reading != .notAPhoto)
      }
    }
  }

  @Test func `compressed text that would fill the memory hides no other chunk`() {
    // RFC 1951, section 3.2.6: the last block, with fixed codes; the literal A; then over and over
    // 258 bytes from a distance of 1, in 13 bits.
    var bits = "1" + "10" + "01110001"
    for _ in 0..<20_000 { bits += "11000101" + "00000" }
    var bomb: [UInt8] = [0x78, 0x01]
    for (place, bit) in bits.utf8.enumerated() {
      if place % 8 == 0 { bomb.append(0) }
      if bit == UInt8(ascii: "1") { bomb[bomb.count - 1] |= 1 << UInt8(place % 8) }
    }
    let chunk = compressed("Raw profile type exif", bomb)
    #expect(properties(PNGFile([chunk, ("eXIf", tiff)]).bytes).isSomewhere)
  }

  @Test func `an EXIF chunk takes precedence over EXIF in text`() {
    let other = ExifBlock(gps: ExifBlock.position(latitude: 1, longitude: 2)).tiff
    let profile = text("Raw profile type exif", PNGFile.profile("exif", other))
    #expect(properties(PNGFile([profile, ("eXIf", tiff)]).bytes).isSomewhere)
    let without = ExifBlock(image: [Entry(0x112, .shorts([6]))]).tiff
    let photo = properties(PNGFile([profile, ("eXIf", without)]).bytes)
    #expect(photo.coordinate == Coordinate(latitude: 1, longitude: 2) && photo.orientation == 6)
  }

  @Test func `thousands of picture chunks are skipped in few reads`() throws {
    for count in [1, 2, 3, 100, 1023, 1024, 1025, 6000] {
      let picture = PNGFile.chunk("IDAT", [UInt8](repeating: 0x55, count: 8192))
      var file = Array(PNGFile().bytes.dropLast(12))
      for _ in 0..<count { file += picture }
      file += PNGFile.chunk("IDAT", [1, 2, 3]) + PNGFile.chunk("eXIf", tiff)
      file += PNGFile.chunk("IEND", [])
      let (reading, bytesRead) = try readFile([(0, file)], count: file.count)
      guard case .photo(let photo) = reading else {
        Issue.record("\(count) chunks: \(reading)")
        continue
      }
      #expect(photo.isSomewhere, "\(count) chunks")
      #expect(bytesRead <= 26 << 10, "\(count) chunks")
    }
  }

  @Test func `a picture without metadata is valid, truncated or not`() {
    let picture = ("IDAT", [UInt8](repeating: 7, count: 1000))
    let file = PNGFile([text("Software", [0x41]), picture, picture]).bytes
    #expect(reading(file) == .photo(PhotoProperties()))
    #expect(reading(Array(file.dropLast(500))) == .photo(PhotoProperties()))
    #expect(reading(Array(file[..<30])).malformation == "the file ends before the picture begins")
  }

  @Test func `a truncated file gives the position or none, at every length`() {
    for carrier in carriers {
      let file = PNGFile([carrier, ("IDAT", [1, 2, 3])]).bytes
      for length in 0..<file.count {
        let reading = reading(Array(file[..<length]))
        guard case .photo(let photo) = reading else { continue }
        #expect(photo.coordinate == nil || photo.isSomewhere, "\(length)")
      }
    }
  }

  @Test func `lengths beyond the end, and thousands of chunks, end the walk`() {
    for length in [0x7FFF_FFFF, 0xFFFF_FFFF] {
      for type in ["eXIf", "tEXt", "zTXt", "iTXt", "IDAT", "abcd"] {
        let file = PNGFile().bytes.dropLast(12) + bytes(length, isBigEndian: true) + type.utf8
        #expect(properties(Array(file + tiff)).coordinate.map { _ in type == "eXIf" } ?? true)
        for keyword in ["XML:com.adobe.xmp\0", "Raw profile type exif\0"] {
          for tail in ["", "\0", "\u{1}", "\0\0", "\u{1}\0\0", "\0\0\0\0", "\nexif\n", "\n\n\n"] {
            #expect(properties(Array(file + keyword.utf8 + tail.utf8)).coordinate == nil)
          }
        }
      }
    }
    let chunks = (0..<5000).map { ("tEX\($0 % 2)", [UInt8]()) }
    #expect(reading(PNGFile(chunks).bytes).malformation == "more than 4096 chunks")
  }
}
