/// The identifier `Exif\0\0` that precedes an EXIF block in a JPEG file; some programs also write
/// it in formats that do not use it.
enum ExifIdentifier {
  /// Returns the block without the identifier, if it has one.
  static func dropped(
    from block: Range<Int>, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Range<Int> {
    guard block.count > 6, try bytes.hasPrefix("Exif\0", at: block.lowerBound) else { return block }
    return block.dropFirst(6)
  }
}

extension MetadataBlocks {
  /// Stores the content of a chunk for EXIF.
  mutating func keepExif(_ chunk: Range<Int>, of bytes: inout PhotoBytes) throws(PhotoBytesError) {
    keep(exif: .range(try ExifIdentifier.dropped(from: chunk, of: &bytes)))
  }
}
