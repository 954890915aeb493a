import Compression

/// Metadata in a box of JPEG XL that is compressed with Brotli: ISO/IEC 18181-2, section 9.3; RFC
/// 7932.
struct CompressedBox {
  /// The decompressed metadata.
  enum Content {
    /// An EXIF block, beginning with its TIFF header.
    case exif([UInt8])
    /// An XMP packet.
    case xmp([UInt8])
  }

  let content: Content

  /// The maximum length of the compressed bytes, within the read budget of a file.
  private static let maximumLength = 2 << 20
  /// The maximum length of the decompressed bytes. A kilobyte may decompress to a gigabyte.
  private static let maximumExifLength = 1 << 20
  private static let maximumPacketLength = 32 << 20

  /// Decompresses a box; `nil` if it has no metadata, or cannot be read, which `blocks` notes.
  init?(
    _ box: ISOBox, of bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    // The type of the box comes first.
    guard box.content.count > 4 else { return nil }
    let type = FourCharacterCode(try bytes.uint32(at: box.content.lowerBound, .big))
    guard type == "Exif" || type == "xml " else { return nil }
    let isExif = type == "Exif"
    let name = isExif ? "compressed EXIF block" : "compressed XMP packet"
    let stream = box.content.dropFirst(4)
    guard box.isWhole, stream.count <= Self.maximumLength else {
      blocks.skip(name, box.isWhole ? "it is longer than 2 MiB" : "the file ends within it")
      return nil
    }
    let compressed = try bytes.bytes(at: stream.lowerBound, count: stream.count)
    let plain: Brotli.Prefix
    do throws(Brotli.Failure) {
      plain = try Brotli.prefix(
        of: compressed,
        upTo: isExif ? Self.maximumExifLength : Self.maximumPacketLength)
    } catch {
      switch error {
      case .damaged: blocks.skip(name, "it is damaged")
      case .missing(let reason): blocks.skip(name, "Brotli cannot be used: \(reason)")
      }
      return nil
    }
    if !plain.isWhole { blocks.skip(name, "its end is damaged or missing, or it is too long") }
    guard isExif else {
      content = .xmp(plain.bytes)
      return
    }
    var memory = PhotoBytes()
    memory.open(plain.bytes)
    guard
      let block = try ISOMedia.exifBlock(
        in: plain.bytes.indices, hasOffset: true, of: &memory, &blocks)
    else { return nil }
    content = .exif(Array(plain.bytes[block]))
  }
}
