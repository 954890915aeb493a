/// A locator of metadata in WebP files: RFC 9649, section 2.7.
enum WebP: MetadataContainer {
  /// The maximum number of chunks; long animations have a few hundred.
  private static let maximumChunks = 4096

  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    guard try bytes.hasPrefix("RIFF", at: 0) else { return false }
    return try bytes.hasPrefix("WEBP", at: 8)
  }

  /// Locates the first EXIF block and the first XMP packet, which come after the picture.
  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    try MetadataBlocks.found(
      in: &bytes, truncation: "the file ends before its metadata does", goal: "end", by: walk)
  }

  private static func walk(
    _ bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    var announced = (exif: false, xmp: false)
    var offset = 12
    for _ in 0..<maximumChunks {
      // A file without metadata that its header announces has been truncated.
      guard offset + 8 <= bytes.count else {
        let isMissing = announced.exif && blocks.exif == nil || announced.xmp && blocks.xmp == nil
        if isMissing { throw .beyondEnd }
        return
      }
      _ = try bytes.bytes(at: offset, count: 8, minimumRead: 64)
      let length = Int(try bytes.uint32(at: offset + 4, .little))
      let content = offset + 8..<offset + 8 + length
      let available = content.clamped(to: 0..<bytes.count)
      if try bytes.hasPrefix("VP8X", at: offset), !available.isEmpty {
        let flags = try bytes.byte(at: available.lowerBound)
        announced = (flags & 0x08 != 0, flags & 0x04 != 0)
      } else if try bytes.hasPrefix("EXIF", at: offset) {
        try blocks.keepExif(available, of: &bytes)
      } else if try isPacket(at: offset, &bytes) {
        blocks.keep(packet: .range(available))
      }
      offset = content.upperBound + length % 2
    }
    blocks.damage = "more than \(maximumChunks) chunks"
  }

  /// Returns whether a chunk is an XMP packet. Some software ends its name with a NUL in place of
  /// the space.
  private static func isPacket(
    at offset: Int, _ bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Bool {
    if try bytes.hasPrefix("XMP ", at: offset) { return true }
    return try bytes.hasPrefix("XMP\0", at: offset)
  }
}
