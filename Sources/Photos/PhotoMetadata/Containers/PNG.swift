/// A locator of metadata in PNG files: PNG specification, third edition (W3C, 2025), sections 5.3
/// and 11.3; XMP specification part 3, section 1.1.5.
///
/// EXIF is stored in its own chunk or as text, which ImageMagick and Exiv2 used before that chunk
/// existed. Metadata may follow the picture, whose chunks are skipped by their lengths.
enum PNG: MetadataContainer {
  /// The maximum number of visited chunks; real files have a few dozen, apart from the chunks of
  /// the picture, which are skipped many at a time.
  private static let maximumChunks = 4096
  /// The maximum number of texts with metadata; real files have up to three. Half a kilobyte may
  /// decompress to half a megabyte, so thousands of texts would take half a minute.
  private static let maximumTexts = 8

  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    guard bytes.count >= 8 else { return false }
    return try bytes.uint64(at: 0, .big) == 0x8950_4E47_0D0A_1A0A
  }

  /// Locates the first EXIF block, the first EXIF block stored as text, and the first XMP packet.
  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    var walk = Walk()
    do throws(PhotoBytesError) {
      try walk.run(&bytes)
    } catch {
      switch error {
      case .beyondEnd where walk.sawPicture: break
      case .beyondEnd: walk.blocks.damage = "the file ends before the picture begins"
      case .overBudget: walk.blocks.damage = "no end within the first 4 MiB that were read"
      case .io: throw error
      }
    }
    return walk.blocks
  }

  private struct Chunk: Equatable {
    let type: UInt32
    let length: Int

    static func ascii(_ type: StaticString) -> UInt32 {
      type.withUTF8Buffer { unsafe $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Reads the length and type of a chunk, and little more, because most chunks are skipped.
    init(at offset: Int, of bytes: inout PhotoBytes) throws(PhotoBytesError) {
      _ = try bytes.bytes(at: offset, count: 8, minimumRead: 64)
      length = Int(try bytes.uint32(at: offset, .big))
      type = try bytes.uint32(at: offset + 4, .big)
    }
  }

  private struct Walk {
    var blocks = MetadataBlocks()
    var sawPicture = false
    private var textsLeft = PNG.maximumTexts

    private static let exif = Chunk.ascii("eXIf")
    private static let text = Chunk.ascii("tEXt")
    private static let compressedText = Chunk.ascii("zTXt")
    private static let internationalText = Chunk.ascii("iTXt")
    private static let picture = Chunk.ascii("IDAT")
    private static let frame = Chunk.ascii("fdAT")
    private static let end = Chunk.ascii("IEND")

    mutating func run(_ bytes: inout PhotoBytes) throws(PhotoBytesError) {
      var offset = 8
      for _ in 0..<PNG.maximumChunks {
        let chunk = try Chunk(at: offset, of: &bytes)
        let content = offset + 8..<offset + 8 + chunk.length
        let available = content.clamped(to: 0..<bytes.count)
        switch chunk.type {
        case Self.end: return
        case Self.exif: try blocks.keepExif(available, of: &bytes)
        case Self.text, Self.compressedText, Self.internationalText:
          guard textsLeft > 0 else {
            if try PNGText.hasMetadata(available, of: &bytes) {
              blocks.skip(PNGText.name, "the file has more than \(PNG.maximumTexts)")
            }
            break
          }
          guard let text = try PNGText(chunk.type, in: available, of: &bytes, &blocks) else {
            break
          }
          keep(text)
        case Self.picture, Self.frame:
          sawPicture = true
          offset = try PNG.lastAlike(chunk, from: offset, in: &bytes)
        default: break
        }
        // Skip the content and its checksum.
        offset += 8 + chunk.length + 4
      }
      blocks.damage = "more than \(PNG.maximumChunks) chunks"
    }

    private mutating func keep(_ text: PNGText) {
      textsLeft -= 1
      switch text.kind {
      case .exif where blocks.furtherExif == nil: blocks.furtherExif = text.block
      case .exif: blocks.skipFurtherExif()
      case .xmp: blocks.keep(packet: text.block)
      case .iptc: blocks.iptc = blocks.iptc ?? text.block
      case .resources: blocks.keep(resources: text.block)
      }
    }
  }

  /// Returns the offset of the last in a run of chunks with equal type and length, which is how
  /// encoders write a picture.
  ///
  /// The search uses steps that double and then halve, so it does not visit every chunk. Eight
  /// equal bytes at exactly the expected distance cannot reasonably occur by chance.
  private static func lastAlike(
    _ chunk: Chunk, from start: Int, in bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Int {
    let stride = chunk.length + 12
    var offset = start
    var step = 1
    var isGrowing = true
    while step > 0 {
      let next = offset + step * stride
      if next <= bytes.count - 8, try Chunk(at: next, of: &bytes) == chunk {
        offset = next
        step = isGrowing ? step * 2 : step / 2
      } else {
        isGrowing = false
        step /= 2
      }
    }
    return offset
  }
}
