/// The identifier `Exif\0\0` of the EXIF block in a JPEG file, which some writers leave before it
/// where a format has none.
enum ExifIdentifier {
  /// The block without the identifier.
  static func dropped(
    from block: Range<Int>, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Range<Int> {
    guard block.count > 6, try bytes.hasPrefix("Exif\0", at: block.lowerBound) else { return block }
    return block.dropFirst(6)
  }
}
