/// A locator of metadata in Exiv2's EXV files, which consist of the segments of a JPEG file without
/// a picture.
enum EXV: MetadataContainer {
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    guard bytes.count >= 7, try bytes.uint16(at: 0, .big) == 0xFF01 else { return false }
    return try bytes.hasPrefix("Exiv2", at: 2)
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    try JPEG.locate(in: &bytes, segments: 7..<bytes.count)
  }
}
