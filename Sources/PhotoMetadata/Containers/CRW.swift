/// Canon's CRW files: CIFF 1.0 (Canon, 1997), which has no EXIF and no place for a position.
enum CRW: MetadataContainer {
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    try bytes.hasPrefix("HEAPCCDR", at: 6)
  }

  /// Finds nothing.
  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    MetadataBlocks()
  }
}
