import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct JPEGStructureTests {
  private let block = ExifBlock(
    image: [Entry(0x10F, .ascii("Maker"))], exif: [Entry(0x9003, .ascii("2024:04:13 20:34:30"))],
    gps: somewhere)

  /// The result of reading a file from disk, for tests that depend on the number of bytes read.
  private func readFile(
    _ content: [UInt8], count: Int? = nil
  ) throws -> (reading: MetadataReader.Reading, bytesRead: Int) {
    let folder = TemporaryFolder()
    try folder.write(content, to: "photo.jpg")
    let file = try FileDescriptor.open(folder.path("photo.jpg"), .readOnly)
    defer { try? file.close() }
    var reader = MetadataReader()
    let reading = try reader.read(file, count: count ?? content.count)
    return (reading, reader.bytesRead)
  }

  private func isSomewhere(_ content: [UInt8]) throws -> Bool {
    let inMemory = reading(content)
    let onDisk = try readFile(content).reading
    #expect(inMemory == onDisk)
    guard case .photo(let photo) = onDisk else { return false }
    return photo.isSomewhere
  }

  @Test func `EXIF is found after other segments, beyond 64 KiB and after junk`() throws {
    let exif = JPEGFile.Part.exif(block.tiff)
    let full = JPEGFile.Part.application(2, length: 65_533)
    let files: [[JPEGFile.Part]] = [
      [exif], [.jfif, exif], [.application(13, length: 200), .jfif, exif], [full, exif],
      [full, full, full, .application(2, length: 1), exif],
      [.bytes([0, 0, 0]), exif], [.bytes(Array("junk".utf8) + [0xFF, 0x00, 0xFF, 0xFF]), exif],
      [.bytes([0xFF, 0xFF, 0xFF]), exif], [.bytes([0xFF, 0x01]), exif],
      [.jfif, .bytes([UInt8](repeating: 0x55, count: 100_000)), exif],
      [.segment(marker: 0xFE, Array("a comment".utf8)), exif],
      [.segment(marker: 0xDB, [UInt8](repeating: 1, count: 65)), exif],
    ]
    for (number, parts) in files.enumerated() {
      #expect(try isSomewhere(JPEGFile(parts).bytes), "file \(number)")
    }
  }

  @Test func `the first read may end anywhere in the metadata`() throws {
    for length in stride(from: 15_900, through: 16_400, by: 7) {
      let file = JPEGFile([.application(2, length: length), .exif(block.tiff)])
      #expect(try isSomewhere(file.bytes), "\(length) bytes before")
    }
  }

  @Test func `directories and values may lie anywhere in the block`() throws {
    for isBigEndian in [true, false] {
      for gap in [1, 2, 1000, 5000, 10_000] {
        var block = block
        block.isBigEndian = isBigEndian
        block.gap = gap
        block.tail = 500
        #expect(try isSomewhere(JPEGFile(block).bytes), "gaps of \(gap)")
        let late = JPEGFile([.application(2, length: 40_000), .exif(block.tiff)])
        #expect(try isSomewhere(late.bytes), "gaps of \(gap)")
      }
    }
  }

  @Test func `a block as large as a segment, with pointers beyond its end, is read`() throws {
    var block = block
    // A thumbnail's offset and length in the image directory.
    block.image += [
      Entry(0x201, .longs([70_000])), Entry(0x202, .longs([9_000_000])),
      Entry(0x927C, .field(type: 7, count: .max, .max)),
    ]
    block.exif =
      (block.exif ?? []) + [Entry(0x927C, .raw(type: 7, count: 100_000, [1, 2, 3, 4, 5]))]
    block.tail = 65_527 - block.tiff.count
    #expect(block.tiff.count == 65_527)
    #expect(try isSomewhere(JPEGFile(block).bytes))
  }

  @Test func `a thousand entries before the relevant ones are skipped`() throws {
    var block = block
    block.image =
      (0..<1000).map { Entry(UInt16(0xC000 + $0), .ascii("something else")) } + block.image
    #expect(try isSomewhere(JPEGFile(block).bytes))
  }

  @Test func `repeated entries count once and do not displace the position`() throws {
    var block = block
    let long = String(repeating: "x", count: 1023)
    // The same 1 KiB over and over: the extract of all of them would exceed what libexif reads.
    let start = UInt32(8 + 2 + 12 * 202 + 4)
    block.image =
      [Entry(0x10F, .ascii(long))]
      + (0..<199).map { _ in Entry(0x110, .field(type: 2, count: 1024, start)) }
    #expect(try isSomewhere(JPEGFile(block).bytes))
    let twice = ExifBlock(image: [Entry(0x10F, .ascii("First")), Entry(0x10F, .ascii("Second"))])
    #expect(properties(twice).make == "First")
  }

  @Test func `a garbage, empty or damaged block does not hide the next one`() {
    let good = JPEGFile.Part.exif(block.tiff)
    let firstBlocks: [[UInt8]] = [
      [], Array("no TIFF header".utf8), [UInt8](repeating: 0, count: 5000), ExifBlock().tiff,
      ExifBlock(image: [Entry(0x110, .ascii("A model"))]).tiff, Array(block.tiff.prefix(8)),
      // Its image directory lies beyond its end.
      Array("II*\0".utf8) + [0xFF, 0xFF, 0xFF, 0x7F],
    ]
    for (number, first) in firstBlocks.enumerated() {
      let photo = properties([.exif(first), good])
      #expect(photo.isSomewhere, "block \(number)")
      #expect(photo.make == "Maker", "block \(number)")
      let last = properties([.exif(first), .exif([1, 2, 3]), .jfif, good])
      #expect(last.isSomewhere, "block \(number)")
    }
    let second = ExifBlock(
      image: [Entry(0x10F, .ascii("Another"))],
      gps: ExifBlock.position(latitude: [(1, 1)], "N", longitude: [(2, 1)], "E"))
    let both = properties([good, .exif(second.tiff)])
    #expect(both.isSomewhere && both.make == "Maker", "the first one wins")
  }

  @Test func `EXIF and XMP may come in either order`() {
    let exif = JPEGFile.Part.exif(ExifBlock(image: [Entry(0x10F, .ascii("Maker"))]).tiff)
    let xmp = JPEGFile.Part.xmp(attributes: #"exif:GPSLatitude="10N" exif:GPSLongitude="20E""#)
    let first = properties([.jfif, xmp, .application(2, length: 30_000), exif])
    let second = properties([exif, .application(2, length: 30_000), .jfif, xmp])
    #expect(first == second)
    #expect(first.coordinate != nil && first.make == "Maker")
  }

  @Test func `a picture without metadata is valid`() {
    #expect(reading(JPEGFile().bytes) == .photo(PhotoProperties()))
    #expect(reading(JPEGFile([.jfif]).bytes) == .photo(PhotoProperties()))
    let emptyBlock = JPEGFile([.segment(marker: 0xE1, Array("Exif\0\0".utf8))]).bytes
    #expect(reading(emptyBlock) == .photo(PhotoProperties()))
  }

  @Test func `other content is malformed only if the file name claims a photo`() {
    for (content, reason) in [
      ([], "the file is empty"), (Array("hello".utf8), "the content is in no known format"),
      ([0xFF], "the content is in no known format"),
      ([0x89, 0x50, 0x4E, 0x47], "the content is in no known format"),
    ] as [([UInt8], String)] {
      #expect(reading(content).malformation == reason)
      #expect(reading(content, claimsToBePhoto: false) == .notAPhoto)
    }
  }

  @Test func `a file truncated after its metadata is read at every length`() {
    let whole = JPEGFile([.jfif, .exif(block.tiff), .application(2, length: 300)]).bytes
    let metadataEnd = 2 + 18 + 4 + 6 + block.tiff.count
    for length in metadataEnd...whole.count {
      #expect(properties(Array(whole[..<length])).isSomewhere, "\(length) of \(whole.count) bytes")
    }
  }

  @Test(arguments: [true, false])
  func `a truncated file gives a position only if all of it is present`(isBigEndian: Bool) {
    var block = block
    block.isBigEndian = isBigEndian
    let whole = JPEGFile(block).bytes
    let valuesEnd = 2 + 4 + 6 + block.layout.valuesEnd
    for length in 0..<whole.count {
      let cut = Array(whole[..<length])
      switch reading(cut) {
      case .photo(let photo):
        #expect(photo.coordinate == nil || photo.isSomewhere, "\(length) bytes")
        #expect(length >= valuesEnd, "\(length) bytes")
      case .malformed: #expect(length < valuesEnd, "\(length) bytes")
      case .notAPhoto: Issue.record("\(length) bytes: not a photo")
      }
    }
  }

  @Test(arguments: [true, false])
  func `values are not read from beyond the end of a truncated block`(
    isBigEndian: Bool
  ) {
    var block = block
    block.isBigEndian = isBigEndian
    let tiff = block.tiff
    for length in 0..<tiff.count {
      let behind = JPEGFile.Part.bytes(Array(tiff[length...]))
      let file = JPEGFile([.exif(Array(tiff[..<length])), behind, .application(2, length: 300)])
      #expect(properties(file.bytes).coordinate == nil, "\(length) of \(tiff.count) bytes")
    }
  }

  @Test func `a file that shrank after its size was read is malformed or complete`() throws {
    let file = JPEGFile([.application(2, length: 20_000), .exif(block.tiff)])
    for length in [0, 1, 2, 3, 100, 16_384, 20_010, 20_100] {
      let cut = Array(file.bytes[..<length])
      let reading = try readFile(cut, count: file.bytes.count).reading
      #expect(reading.malformation != nil, "\(length) bytes: \(reading)")
    }
    #expect(try readFile(file.bytes, count: 1 << 40).reading == reading(file.bytes))
  }

  @Test func `hostile counts, offsets and types do not trap`() {
    let numbers: [UInt32] = [0, 1, 4, 7, 0x7FFF_FFFF, 0x8000_0000, .max - 7, .max]
    for isBigEndian in [true, false] {
      for count in numbers {
        for offset in numbers {
          for type: UInt16 in [0, 1, 2, 5, 7, 10, 12, 13, 14, 129, .max] {
            let hostile = ExifBlock.Value.field(type: type, count: count, offset)
            let block = ExifBlock(
              isBigEndian: isBigEndian, image: [Entry(0x10F, hostile), Entry(0x112, hostile)],
              exif: [Entry(0x9003, hostile)],
              gps: [
                Entry(1, .ascii("N")), Entry(2, hostile), Entry(3, .ascii("E")), Entry(4, hostile),
                Entry(6, hostile), Entry(7, hostile),
              ])
            let reading = reading(JPEGFile(block).bytes)
            if case .photo(let photo) = reading, let coordinate = photo.coordinate {
              #expect((-90...90).contains(coordinate.latitude))
            }
          }
        }
      }
    }
  }

  @Test func `directories that point to themselves, the header or nowhere end the walk`() {
    let layout = block.layout
    for isBigEndian in [true, false] {
      for pointer: UInt32 in [
        0, 2, 7, UInt32(layout.imageStart), UInt32(layout.exifStart), .max, .max - 1, 0x8000_0000,
      ] {
        let pointers = [
          Entry(0x8769, .longs([pointer])), Entry(0x8825, .longs([pointer])),
        ]
        for block in [
          ExifBlock(isBigEndian: isBigEndian, image: pointers),
          ExifBlock(isBigEndian: isBigEndian, exif: pointers),
          ExifBlock(isBigEndian: isBigEndian, gps: pointers),
        ] {
          #expect(properties(block).coordinate == nil)
          var bytes = JPEGFile(block).bytes
          // The first directory's own offset.
          bytes.replaceSubrange(
            16..<20, with: (0..<4).map { UInt8(truncatingIfNeeded: pointer >> (8 * $0)) })
          #expect(properties(bytes).coordinate == nil)
        }
      }
    }
  }

  @Test func `a segment shorter than its length field ends the walk`() {
    let file = JPEGFile([.exif(block.tiff), .bytes([0xFF, 0xE2, 0, 1])]).bytes
    #expect(properties(file).isSomewhere)
    let early = JPEGFile([.bytes([0xFF, 0xE2, 0, 0]), .exif(block.tiff)]).bytes
    #expect(reading(early).malformation == "a segment is shorter than its own length field")
  }

  @Test func `at most 4 MiB of a file are read, and the head only once`() throws {
    let thousands = JPEGFile(
      [JPEGFile.Part](repeating: .application(2, length: 5000), count: 3000))
    let (reading, bytesRead) = try readFile(thousands.bytes)
    #expect(reading.malformation == "no picture within the first 4 MiB that were read")
    #expect(bytesRead <= 4 << 20)
    let junk = JPEGFile([.bytes([UInt8](repeating: 0x20, count: 6 << 20))])
    #expect(try readFile(junk.bytes).bytesRead <= 4 << 20)
    let more = JPEGFile([JPEGFile.Part](repeating: .application(2, length: 0), count: 5000))
    #expect(try readFile(more.bytes).reading.malformation == "more than 4096 segments")
    let small = try readFile(JPEGFile(block).bytes + [UInt8](repeating: 0, count: 1 << 20))
    #expect(small.bytesRead == 16 << 10)
  }

  @Test func `metadata is returned even if the picture lies beyond the read limit`() throws {
    let file = JPEGFile(
      [.application(2, length: 20_000), .exif(block.tiff)]
        + [JPEGFile.Part](repeating: .application(2, length: 5000), count: 3000))
    let (reading, bytesRead) = try readFile(file.bytes)
    #expect(bytesRead <= 4 << 20)
    guard case .photo(let photo) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(photo.isSomewhere)
  }

  @Test func `one reader reads many files without mixing them up`() throws {
    let folder = TemporaryFolder()
    try folder.write(
      JPEGFile([.application(2, length: 20_000), .exif(block.tiff)]).bytes, to: "late.jpg")
    try folder.write(JPEGFile(block).bytes, to: "early.jpg")
    try folder.write(JPEGFile([.application(2, length: 30_000)]).bytes, to: "none.jpg")
    var reader = MetadataReader()
    for name in ["late", "none", "early", "late", "early", "none", "none", "late"] {
      let file = try FileDescriptor.open(folder.path("\(name).jpg"), .readOnly)
      defer { try? file.close() }
      let size = Int(try file.seek(offset: 0, from: .end))
      guard case .photo(let photo) = try reader.read(file, count: size) else {
        Issue.record("\(name) is malformed")
        continue
      }
      #expect(photo.isSomewhere == (name != "none"), "\(name)")
    }
  }
}
