/// Canon's CRW files: CIFF 1.0 (Canon, 1997), which contains neither EXIF nor a position.
enum CRW: MetadataContainer {
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    try bytes.hasPrefix("HEAPCCDR", at: 6)
  }

  /// Returns no blocks, because the format has none.
  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    MetadataBlocks()
  }
}
