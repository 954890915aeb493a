import CLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

/// Files designed to exhaust or crash a reader. The cost of reading is limited by counts of bytes,
/// entries, boxes and texts, never by a clock.
@Suite struct HostileFileTests {
  private let tiff = ExifBlock(
    image: [Entry(0x10F, .ascii("Maker"))], exif: [Entry(0x9003, .ascii("2024:04:13 20:34:30"))],
    gps: somewhere
  ).tiff
  private let other = ExifBlock(gps: ExifBlock.position(latitude: 1, longitude: 2)).tiff
  private let packet = Array(
    XMPText.packet(attributes: #"exif:GPSLatitude="48,51.504N" exif:GPSLongitude="2,17.67E""#).utf8)

  private func canon(_ boxes: [Box]) -> [UInt8] {
    let uuid = Box("uuid", userType: "85c0b687820f11e08111f4ce462b6a48", boxes)
    return [Box.fileType("crx "), Box("moov", [uuid])].file
  }

  @Test func `thousands of directories in a CR3 file are not joined`() {
    let dates = [0x9003, 0x9004, 0x9011, 0x9012, 0x9291, 0x9292].map { Entry($0, .ascii("2")) }
    // More than 65,535 entries in all, the most that a directory can have.
    let many = [Box](repeating: Box("CMT1", ExifBlock(image: dates).tiff), count: 11_000)
    #expect(properties(canon(many + [Box("CMT4", ExifBlock(image: somewhere).tiff)])).isSomewhere)
  }

  /// Exceeds the memory that libexif is given initially.
  @Test func `values of maximum length are decoded, also for the next photo`() {
    let long = String(repeating: "M", count: 2000)
    let texts = [0x9003, 0x9004, 0x9011, 0x9012, 0x9291, 0x9292].map { Entry($0, .ascii(long)) }
    let degrees = [UInt32](repeating: 1, count: 128).map { ($0, $0) }
    let bearing = [0x5, 0x6, 0x10, 0x11, 0x1D, 0x1F].map { Entry($0, .rationals(degrees)) }
    let block = ExifBlock(
      image: [Entry(0x10F, .ascii(long)), Entry(0x110, .ascii(long))], exif: texts,
      gps: somewhere + bearing)
    var reader = MetadataReader()
    for _ in 0..<3 {
      guard case .photo(let photo) = reader.read(JPEGFile(block).bytes),
        case .photo(let next) = reader.read(JPEGFile([.exif(tiff)]).bytes)
      else {
        Issue.record("a photo is not one")
        return
      }
      #expect(photo.isSomewhere)
      #expect(photo.make?.utf8.count == 1024)
      #expect(photo.model == photo.make)
      #expect(photo.heading?.degrees == 1)
      #expect(next.isSomewhere)
      #expect(next.make == "Maker")
    }
  }

  @Test func `the first of two boxes with the same CR3 directory is used`() {
    let places = [somewhere, ExifBlock.position(latitude: 1, longitude: 2)].map {
      Box("CMT4", ExifBlock(image: $0).tiff)
    }
    #expect(properties(canon(places)).isSomewhere)
  }

  @Test func `an item whose overlapping parts exceed the file is ignored`() {
    let block = [0, 0, 0, 0] + tiff
    func photo(repetitions: Int) -> PhotoProperties {
      let entry = Box.full("infe", version: 2, [0, 1, 0, 0] + Array("Exif\0".utf8))
      let infos = Box.full("iinf", [0, 1] + entry.bytes)
      let type = Box.fileType("heic", "heic")
      func meta(start: Int) -> Box {
        let parts =
          [(start, block.count)]
          + [(Int, Int)](repeating: (0, type.bytes.count), count: repetitions)
        let extents = parts.flatMap { Box.number(UInt32($0.0)) + Box.number(UInt32($0.1)) }
        let head: [UInt8] = [0x44, 0, 0, 1, 0, 1, 0, 0]
        let places = head + Box.number(UInt16(parts.count)) + extents
        return Box.full("meta", [infos, Box.full("iloc", places)].file)
      }
      let start = type.bytes.count + meta(start: 0).bytes.count + 8
      return properties([type, meta(start: start), Box("mdat", block)].file)
    }
    #expect(photo(repetitions: 1).isSomewhere)
    #expect(photo(repetitions: 1000).coordinate == nil)
  }

  @Test func `only the first eight metadata texts of a PNG file are read`() {
    let stream = PNGFile.stored(PNGFile.profile("xmp", packet))
    let position = ("zTXt", Array("Raw profile type xmp\0\0".utf8) + stream)
    // A repetition of 258 bytes in 2 bits, over and over: half a megabyte that is no profile.
    let bomb = [0x78, 0x01, 0x63, 0x60] + [UInt8](repeating: 0, count: 600)
    let empty = ("zTXt", Array("Raw profile type exif\0\0".utf8) + bomb)
    let comment = ("tEXt", Array("Comment\0".utf8))
    for (count, isFound) in [(0, true), (7, true), (8, false), (2000, false)] {
      let texts = [(String, [UInt8])](repeating: empty, count: count)
      let photo = properties(PNGFile(texts + [position]).bytes)
      #expect(photo.isSomewhere == isFound, "\(count) texts")
      // Texts that are no metadata do not count.
      let comments = [(String, [UInt8])](repeating: comment, count: count)
      #expect(properties(PNGFile(comments + [position]).bytes).isSomewhere)
    }
  }

  @Test(.enabled(if: access("/dev/shm", W_OK) == 0, "needs a file system with files of 8 EiB"))
  func `offsets at the end of the largest possible file do not overflow`() throws {
    let path = FilePath("/dev/shm/photospots-test-\(getpid())")
    let file = try FileDescriptor.open(
      path, .readWrite, options: [.create, .truncate], permissions: .ownerReadWrite)
    defer { try? file.close() }
    #expect(unlink(path.string) == 0)
    let directory = Int.max - 20
    let offset = Array(Box.number(UInt64(directory)).reversed())
    try file.writeAll(toAbsoluteOffset: 0, [0x49, 0x49, 0x2B, 0, 8, 0, 0, 0] + offset)
    try file.writeAll(toAbsoluteOffset: Int64(directory), [9, 0, 0, 0, 0, 0, 0, 0])
    try file.resize(to: Int64.max)
    var reader = MetadataReader()
    let reading = try reader.read(file, count: Int.max)
    #expect(reading.malformation == "the EXIF block is cut off or damaged")
  }

  // MARK: - Metadata at the end of 1 GB

  /// A sparse file with data only at its beginning and end.
  private struct LargeFile {
    let name: String
    let head: [UInt8]
    let tail: [UInt8]
    /// The distance of the tail from the beginning, or from the end of the head.
    var isAfterHead = true

    static let gap = 1 << 30
    var tailStart: Int { Self.gap + (isAfterHead ? head.count : 0) }
  }

  private var largeFiles: [LargeFile] {
    let (gap, nothing) = (UInt32(LargeFile.gap), [UInt8]())
    let photo = JPEGFile([.exif(tiff)]).bytes
    var heif = HEIFFile([.exif(tiff)])
    heif.isInItemData = true
    let type = Box.fileType("heic", "mif1", "heic").bytes
    let signature = Box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]).bytes
    let preview =
      Array("SECi".utf8) + bytes(0) + bytes(2) + bytes(18) + [UInt8](repeating: 0, count: 12)
      + photo
    let sections =
      Array("SECd".utf8) + bytes(0x20000) + bytes(1) + bytes(LargeFile.gap)
      + bytes(preview.count) + Array("IMA2".utf8) + bytes(LargeFile.gap + preview.count)
    return [
      LargeFile(
        name: "PNG", head: PNGFile().bytes.dropLast(12) + Box.number(gap) + Array("IDAT".utf8),
        tail: [0, 0, 0, 0] + PNGFile.chunk("eXIf", tiff)),
      LargeFile(
        name: "WebP", head: Array("RIFF....WEBPVP8 ".utf8) + bytes(LargeFile.gap),
        tail: Array("EXIF".utf8) + bytes(tiff.count) + tiff),
      LargeFile(
        name: "HEIF", head: type + Box("mdat", size: .claimed(gap + 8), nothing).bytes,
        tail: Array(heif.bytes.dropFirst(type.count))),
      LargeFile(
        name: "JPEG XL", head: signature + Box("jxlc", size: .claimed(gap + 8), nothing).bytes,
        tail: Box("Exif", [0, 0, 0, 0] + tiff).bytes),
      LargeFile(
        name: "MRW", head: Array("\0MRM....\0PRD".utf8) + Box.number(gap),
        tail: Array("\0TTW".utf8) + Box.number(UInt32(tiff.count)) + tiff),
      LargeFile(
        name: "RAF",
        head: Array(CarrierFile.raf([], start: LargeFile.gap, length: photo.count).prefix(148)),
        tail: photo, isAfterHead: false),
      LargeFile(
        name: "X3F", head: Array("FOVb".utf8), tail: preview + sections, isAfterHead: false),
    ]
  }

  @Test func `metadata after 1 GB is found within 64 KiB of reads, in every format`() throws {
    for file in largeFiles {
      let (reading, bytesRead) = try readFile(
        [(0, file.head), (file.tailStart, file.tail)], count: file.tailStart + file.tail.count)
      guard case .photo(let photo) = reading else {
        Issue.record("\(file.name): \(reading)")
        continue
      }
      #expect(photo.isSomewhere && photo.make == "Maker", "\(file.name)")
      #expect(bytesRead <= 64 << 10, "\(file.name): \(bytesRead) bytes")
    }
  }

  // MARK: - Text

  @Test(arguments: [
    // Ten of ten of ten: 10^9 characters, were it expanded.
    (0..<9).map { "<!ENTITY l\($0 + 1) '\(String(repeating: "&l\($0);", count: 10))'>" }.joined(),
    "<!ENTITY l9 SYSTEM 'file:///etc/passwd'>", "<!ENTITY % l9 SYSTEM 'http://127.0.0.1/'> %l9;",
    "",
  ])
  func `an XMP packet with a document type is rejected before expanding entities`(
    declarations: String
  ) {
    let type = "<!DOCTYPE x [<!ENTITY l0 'lol'>\(declarations)]>"
    let sound = XMPText.packet(attributes: #"exif:GPSLatitude="48N" exif:GPSLongitude="2E""#)
    let reference = XMPText.packet(attributes: #"exif:GPSLatitude="&l9;N" xmp:Rating="5""#)
    for text in [type + sound, type + reference, reference] {
      var properties = PhotoProperties()
      properties.complete(.xmp, Array(text.utf8))
      #expect(properties == PhotoProperties(), "\(text)")
    }
  }

  @Test func `text nested 100 000 levels deep has no metadata`() {
    let count = 100_000
    func nested(_ open: String, _ inside: String, _ close: String) -> [UInt8] {
      let (before, after) = (
        String(repeating: open, count: count), String(repeating: close, count: count)
      )
      return Array((before + inside + after).utf8)
    }
    let json = "\"geoData\": {\"latitude\": 1, \"longitude\": 2}"
    let texts: [(Sidecar.Kind, [UInt8])] = [
      (.xmp, nested("<a>", XMPText.packet(attributes: #"xmp:Rating="5""#), "</a>")),
      (.xmp, nested("<a xmlns:b='c'>", "", "</a>")), (.takeout, nested("[", "", "]")),
      (.takeout, nested("{\"a\":", "{\(json)}", "}")),
      (.takeout, Array("{\"a\": ".utf8) + nested("[", "", "]") + Array(", \(json)}".utf8)),
    ]
    for (kind, text) in texts {
      var properties = PhotoProperties()
      properties.complete(kind, text)
      #expect(properties == PhotoProperties())
    }
  }
}
