import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

/// The formats that are containers of a JPEG file, a TIFF structure or an XMP packet.
@Suite struct ContainerTests {
  private let tiff = ExifBlock(
    isBigEndian: true, image: [Entry(0x10F, .ascii("Maker"))], gps: somewhere
  ).tiff
  private let packet = Array(
    XMPText.packet(attributes: #"exif:GPSLatitude="48,51.504N" exif:GPSLongitude="2,17.67E""#).utf8)
  private var photo: [UInt8] { JPEGFile([.exif(tiff)]).bytes }

  private func raf(start: Int = 148, length: Int? = nil) -> [UInt8] {
    CarrierFile.raf(photo, start: start, length: length)
  }

  private func x3f(count: Int = 2) -> [UInt8] { CarrierFile.x3f(photo, count: count) }

  private var webP: [UInt8] {
    WebPFile([
      ("VP8X", [0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0]), ("VP8 ", [1, 2, 3]), ("EXIF", tiff),
    ]).bytes
  }

  private var all: [(name: String, file: [UInt8])] {
    [
      ("RAF", raf()), ("MRW", CarrierFile.mrw(tiff)), ("X3F", x3f()), ("WebP", webP),
      ("GIF", CarrierFile.gif(packet)), ("EXV", CarrierFile.exv(JPEGFile([.jfif, .exif(tiff)]))),
    ]
  }

  @Test func `the position is found in every format`() {
    for (name, file) in all { #expect(properties(file).isSomewhere, "\(name)") }
  }

  @Test func `a truncated file gives the position or none, at every length`() {
    for (name, file) in all {
      for length in 0..<file.count {
        guard case .photo(let photo) = reading(Array(file[..<length])) else { continue }
        #expect(photo.coordinate == nil || photo.isSomewhere, "\(name): \(length) bytes")
      }
    }
  }

  @Test func `hostile numbers at any place do not crash the reader`() {
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

  @Test func `an embedded JPEG file ends where its container says`() {
    // The EXIF segment runs on behind the end of the JPEG file.
    #expect(properties(raf(length: 100)).coordinate == nil)
    let nowhere = "the JPEG file inside is not where the header says"
    #expect(reading(raf(start: 147)).malformation == nowhere)
    #expect(reading(raf(start: 0xFFFF_FFFF, length: 0xFFFF_FFFF)).malformation == nowhere)
  }

  @Test func `WebP metadata is found as EXIF with and without identifier, and as XMP`() {
    let identified = Array("Exif\0\0".utf8) + tiff
    for chunks: [(type: String, content: [UInt8])] in [
      [("VP8 ", [1]), ("EXIF", identified)], [("VP8L", [1, 2]), ("XMP ", packet)],
      [("VP8X", []), ("ANMF", [1]), ("EXIF", tiff), ("XMP ", packet)],
      // Some software ends the name with a NUL.
      [("VP8X", [4, 0, 0, 0]), ("XMP\0", packet)],
    ] {
      #expect(properties(WebPFile(chunks).bytes).isSomewhere)
    }
    #expect(reading(WebPFile([("VP8 ", [1, 2])]).bytes) == .photo(PhotoProperties()))
    let cut = Array(webP.dropLast(tiff.count + 8))
    #expect(reading(cut).malformation == "the file ends before its metadata does")
  }

  @Test func `formats without a place for a position have no metadata and are valid`() {
    #expect(reading(CarrierFile.crw) == .photo(PhotoProperties()))
    let gif = Array("GIF87a".utf8) + [1, 0, 1, 0, 0, 0, 0] + [0x2C, 0, 0, 0x3B]
    #expect(reading(gif) == .photo(PhotoProperties()))
    #expect(reading(x3f(count: 1)) == .photo(PhotoProperties()))
  }
}
