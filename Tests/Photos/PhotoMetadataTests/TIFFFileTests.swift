import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct TIFFFileTests {
  private let block = ExifBlock(
    image: [Entry(0x10F, .ascii("Maker")), Entry(0x110, .ascii("A model"))],
    exif: [Entry(0x9003, .ascii("2024:04:13 20:34:30"))], gps: somewhere)

  /// The block as each kind of TIFF structure.
  private var kinds: [ExifBlock] {
    let kinds: [(magic: UInt16, isBigEndian: Bool, isBigTIFF: Bool)] = [
      (42, false, false), (42, true, false), (43, false, true), (43, true, true),
      (0x4F52, false, false), (0x5352, false, false), (0x4F52, true, false), (0x55, false, false),
    ]
    return kinds.map { kind in
      var block = block
      (block.magic, block.isBigEndian, block.isBigTIFF) = kind
      return block
    }
  }

  @Test func `every kind of TIFF structure is read`() {
    for block in kinds {
      let photo = properties(block.tiff)
      #expect(photo.isSomewhere, "\(block.magic)")
      #expect(photo.make == "Maker" && photo.model == "A model")
      #expect(photo.captured?.iso8601.hasPrefix("2024-04-13T20:34:30") == true)
    }
    #expect(reading([0x49, 0x49, 0x2C, 0] + block.tiff.dropFirst(4)).malformation != nil)
  }

  @Test func `BigTIFF pointers may be eight bytes wide`() throws {
    var block = block
    block.isBigTIFF = true
    for type: UInt8 in [13, 16, 18] {
      var bytes = block.tiff
      let entry = try #require(
        bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual([0x25, 0x88, 4, 0]) })
      bytes[entry + 2] = type
      #expect(properties(bytes).isSomewhere)
      // The upper four bytes are wrong, which only a pointer of eight bytes has.
      bytes[entry + 16] = 1
      #expect(properties(bytes).isSomewhere == (type == 13))
    }
  }

  @Test func `a pointer of two bytes is read in either byte order`() throws {
    for isBigEndian in [false, true] {
      var bytes = ExifBlock(isBigEndian: isBigEndian, gps: somewhere).tiff
      let pointer: [UInt8] = isBigEndian ? [0x88, 0x25, 0, 4] : [0x25, 0x88, 4, 0]
      let entry = try #require(
        bytes.indices.dropLast(12).first { bytes[$0..<$0 + 4].elementsEqual(pointer) })
      bytes[entry + (isBigEndian ? 3 : 2)] = 3
      // The number is in the first two bytes of the field; the others are undefined.
      let number = Array(bytes[(entry + (isBigEndian ? 10 : 8))...].prefix(2))
      bytes.replaceSubrange(entry + 8..<entry + 12, with: number + [0xFE, 0xFE])
      #expect(properties(bytes).isSomewhere)
    }
  }

  @Test func `the extension of every RAW format claims a photo`() {
    for name in ["a.NEF", "a.dng", "a.CR2", "a.tiff", "a.tif", "a.arw", "a.3fr", "a.png", "a.webp"]
    {
      #expect(PhotoFormats.claim(ofName: Array(name.utf8)) == .photo, "\(name)")
    }
    #expect(PhotoFormats.claim(ofName: Array("a.text".utf8)) == .other)
  }

  @Test func `metadata at the end of 1 GB is found within 64 KiB of reads`() throws {
    for var block in kinds {
      block.omitted = (1 << 30) - 100_000
      block.gap = 5000
      let bytes = block.tiff
      let header = Array(bytes[..<block.headerLength])
      let rest = Array(bytes[block.headerLength...])
      let (reading, bytesRead) = try readFile(
        [(0, header), (block.omitted + block.headerLength, rest)], count: 1 << 30)
      guard case .photo(let photo) = reading else {
        Issue.record("\(reading)")
        continue
      }
      #expect(photo.isSomewhere && photo.make == "Maker")
      #expect(bytesRead <= 64 << 10)
    }
  }

  @Test func `XMP in the image directory is read`() {
    let packet = XMPText.packet(
      attributes: #"exif:GPSLatitude="48,51.504N" exif:GPSLongitude="2,17.67E" xmp:Rating="4""#)
    for type: UInt16 in [1, 7] {
      for isBigTIFF in [false, true] {
        var block = ExifBlock(
          image: [
            Entry(0x02BC, .raw(type: type, count: UInt32(packet.utf8.count), Array(packet.utf8)))
          ])
        block.isBigTIFF = isBigTIFF
        let photo = properties(block.tiff)
        #expect(photo.isSomewhere && photo.positionSource == .xmp && photo.rating == 4)
      }
    }
  }

  @Test func `the beginning of an XMP packet above the read limit is used`() {
    let packet = XMPText.packet(
      attributes: #"exif:GPSLatitude="48,51.504N" exif:GPSLongitude="2,17.67E""#,
      elements: "<exif:Long>" + String(repeating: "x", count: 5 << 20) + "</exif:Long>")
    let entry = Entry(0x02BC, .raw(type: 1, count: UInt32(packet.utf8.count), Array(packet.utf8)))
    #expect(properties(ExifBlock(image: [entry]).tiff).isSomewhere)
  }

  @Test func `EXIF entries in the image directory are used if the Exif directory lacks them`() {
    let date = Entry(0x9003, .ascii("2020:01:02 03:04:05"))
    let alone = properties(ExifBlock(image: [date]).tiff)
    #expect(alone.captured?.iso8601.hasPrefix("2020-01-02") == true)
    var both = block
    both.image.append(date)
    #expect(properties(both.tiff).captured?.iso8601.hasPrefix("2024-04-13") == true)
  }

  @Test func `a truncated file is malformed at every length`() {
    for block in kinds {
      let layout = block.layout
      for length in 0..<layout.bytes.count {
        let reading = reading(Array(layout.bytes[..<length]))
        #expect(reading.malformation != nil, "\(block.magic): \(length) bytes: \(reading)")
      }
    }
  }

  @Test func `directories that point to themselves or nowhere end the walk`() {
    for var block in kinds {
      let layout = block.layout
      for pointer: UInt32 in [0, 2, 7, UInt32(layout.imageStart), .max, .max - 1, 0x8000_0000] {
        block.image = [Entry(0x8769, .longs([pointer])), Entry(0x8825, .longs([pointer]))]
        (block.exif, block.gps) = (nil, nil)
        #expect(properties(block.tiff).coordinate == nil)
        var bytes = block.tiff
        let place = block.isBigTIFF ? 8 : 4
        bytes.replaceSubrange(place..<place + 4, with: PhotoMetadataTests.bytes(Int(pointer)))
        #expect(properties(bytes).coordinate == nil)
      }
    }
  }

  @Test func `hostile counts and offsets do not trap`() {
    let numbers: [UInt32] = [0, 1, 4, 0x7FFF_FFFF, 0x8000_0000, .max - 7, .max]
    for var block in kinds {
      for count in numbers {
        for offset in numbers {
          for type: UInt16 in [0, 1, 2, 5, 12, 13, 16, 18, .max] {
            let hostile = ExifBlock.Value.field(type: type, count: count, offset)
            block.image = [0x10F, 0x02BC, 0x2E, 0x8769].map { Entry($0, hostile) }
            block.gps = [Entry(1, .ascii("N")), Entry(2, hostile), Entry(4, hostile)]
            #expect(properties(block.tiff).coordinate == nil)
          }
        }
      }
    }
  }

  @Test func `hostile 64-bit offsets and counts do not trap`() {
    var block = block
    block.isBigTIFF = true
    let bytes = block.tiff
    for start in 0..<bytes.count - 8 {
      for value: UInt8 in [0xFF, 0x7F] {
        var hostile = bytes
        hostile.replaceSubrange(
          start..<start + 8, with: [UInt8](repeating: 0xFF, count: 7) + [value])
        let photo = properties(hostile)
        #expect(photo.coordinate.map { (-90...90).contains($0.latitude) } ?? true)
      }
    }
  }

  @Test func `an RW2 file's own position takes precedence over its preview's`() {
    let preview = JPEGFile(block).bytes
    let entry = Entry(0x2E, .raw(type: 7, count: UInt32(preview.count), preview))
    var file = ExifBlock(image: [Entry(0x10F, .ascii("Panasonic")), entry])
    file.magic = 0x55
    let photo = properties(file.tiff)
    #expect(photo.isSomewhere && photo.make == "Panasonic" && photo.model == "A model")
    #expect(photo.captureTimeSource == .dateTimeOriginal)
    file.gps = ExifBlock.position(latitude: -10, longitude: 20)
    #expect(properties(file.tiff).coordinate == Coordinate(latitude: -10, longitude: 20))
    file.gps = ExifBlock.position(latitude: 0, longitude: 0)
    #expect(properties(file.tiff).isSomewhere)
    file.magic = 42
    #expect(properties(file.tiff).coordinate == nil)
  }
}
