import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

/// The formats that have little of their own: what they lead to is a JPEG file, a TIFF structure or a
/// packet.
@Suite struct ContainerTests {
  private let tiff = ExifBlock(
    isBigEndian: true, image: [Entry(0x10F, .ascii("Maker"))], gps: somewhere
  ).tiff
  private let packet = Array(
    XMPText.packet(attributes: #"exif:GPSLatitude="48,51.504N" exif:GPSLongitude="2,17.67E""#).utf8)
  private var photo: [UInt8] { JPEGFile([.exif(tiff)]).bytes }

  private func raf(start: Int = 148, length: Int? = nil) -> [UInt8] {
    let header = Array("FUJIFILMCCD-RAW 0201FF392201".utf8)
    let big = { bytes($0, isBigEndian: true) }
    return header + [UInt8](repeating: 0, count: 84 - header.count) + big(start)
      + big(length ?? photo.count) + [UInt8](repeating: 0, count: 56) + photo
      + [UInt8](repeating: 0xAB, count: 500)
  }

  private var mrw: [UInt8] {
    let big = { bytes($0, isBigEndian: true) }
    return Array("\0MRM".utf8) + big(1000) + Array("\0PRD".utf8) + big(24)
      + [UInt8](repeating: 1, count: 24) + Array("\0TTW".utf8) + big(tiff.count) + tiff
  }

  private func x3f(count: Int = 2) -> [UInt8] {
    let section = { (format: Int, content: [UInt8]) in
      Array("SECi".utf8) + bytes(0) + bytes(2) + bytes(format) + [UInt8](repeating: 0, count: 12)
        + content
    }
    let raw = section(3, [9, 9, 9])
    let preview = section(18, photo)
    var file = Array("FOVb".utf8) + [UInt8](repeating: 0, count: 36) + raw + preview
    let directory = file.count
    file += Array("SECd".utf8) + bytes(0x20000) + bytes(count)
    file += bytes(40) + bytes(raw.count) + Array("IMA2".utf8)
    file += bytes(40 + raw.count) + bytes(preview.count) + Array("IMA2".utf8)
    return file + bytes(directory)
  }

  private var webP: [UInt8] {
    WebPFile([
      ("VP8X", [0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0]), ("VP8 ", [1, 2, 3]), ("EXIF", tiff),
    ]).bytes
  }

  private var gif: [UInt8] {
    // The packet is followed by bytes that lead a reader of blocks to the end: 1, then 255 down to 0, and 0.
    let trailer = [1] + (0...255).reversed().map { UInt8($0) } + [0]
    return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
      + [0x21, 0xFE, 2, 0x41, 0x42, 0] + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet
      + trailer + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
  }

  private var exv: [UInt8] {
    [0xFF, 0x01] + Array("Exiv2".utf8) + JPEGFile([.jfif, .exif(tiff)]).bytes.dropFirst(2)
  }

  private var all: [(name: String, file: [UInt8])] {
    [
      ("RAF", raf()), ("MRW", mrw), ("X3F", x3f()), ("WebP", webP), ("GIF", gif), ("EXV", exv),
    ]
  }

  @Test func `the position of each format is found`() {
    for (name, file) in all { #expect(properties(file).isSomewhere, "\(name)") }
  }

  @Test func `a cut-off file gives the position or none, at every length`() {
    for (name, file) in all {
      for length in 0..<file.count {
        guard case .photo(let photo) = reading(Array(file[..<length])) else { continue }
        #expect(photo.coordinate == nil || photo.isSomewhere, "\(name): \(length) bytes")
      }
    }
  }

  @Test func `hostile numbers anywhere end the search`() {
    for (name, file) in all {
      for place in 0..<min(file.count - 4, 400) {
        for number: [UInt8] in [[255, 255, 255, 255], [127, 255, 255, 255], [0, 0, 0, 0]] {
          var hostile = file
          hostile.replaceSubrange(place..<place + 4, with: number)
          #expect(reading(hostile) != .notAPhoto, "\(name)")
        }
      }
    }
    #expect(properties(x3f(count: 0x7FFF_FFFF)).isSomewhere)
  }

  @Test func `a JPEG file inside ends where its container says`() {
    // The EXIF segment runs on behind the end of the JPEG file.
    #expect(properties(raf(length: 100)).coordinate == nil)
    let nowhere = "the JPEG file inside is not where the header says"
    #expect(reading(raf(start: 147)).malformation == nowhere)
    #expect(reading(raf(start: 0xFFFF_FFFF, length: 0xFFFF_FFFF)).malformation == nowhere)
  }

  @Test func `WebP metadata is found with the identifier, without announcement and as XMP`() {
    let identified = Array("Exif\0\0".utf8) + tiff
    for chunks: [(type: String, content: [UInt8])] in [
      [("VP8 ", [1]), ("EXIF", identified)], [("VP8L", [1, 2]), ("XMP ", packet)],
      [("VP8X", []), ("ANMF", [1]), ("EXIF", tiff), ("XMP ", packet)],
    ] {
      #expect(properties(WebPFile(chunks).bytes).isSomewhere)
    }
    #expect(reading(WebPFile([("VP8 ", [1, 2])]).bytes) == .photo(PhotoProperties()))
    let cut = Array(webP.dropLast(tiff.count + 8))
    #expect(reading(cut).malformation == "the file ends before its metadata does")
  }

  @Test func `formats that have no place for a position say nothing and are no error`() {
    let crw =
      [0x49, 0x49, 0x1A, 0, 0, 0] + Array("HEAPCCDR".utf8) + [UInt8](repeating: 0, count: 40)
    #expect(reading(crw) == .photo(PhotoProperties()))
    let gif = Array("GIF87a".utf8) + [1, 0, 1, 0, 0, 0, 0] + [0x2C, 0, 0, 0x3B]
    #expect(reading(gif) == .photo(PhotoProperties()))
    #expect(reading(x3f(count: 1)) == .photo(PhotoProperties()))
  }
}
