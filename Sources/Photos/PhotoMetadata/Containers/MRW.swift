/// A locator of metadata in Minolta's MRW files, a sequence of blocks of which TTW contains a TIFF
/// structure.
///
/// The layout is taken from ExifTool's MinoltaRaw.pm.
enum MRW: MetadataContainer {
  /// The maximum number of blocks; real files have five.
  private static let maximumBlocks = 64

  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    try bytes.hasPrefix("\0MRM", at: 0)
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    var offset = 8
    for _ in 0..<maximumBlocks where offset + 8 <= bytes.count {
      let length = Int(try bytes.uint32(at: offset + 4, .big))
      let content = offset + 8..<offset + 8 + length
      if try bytes.hasPrefix("\0TTW", at: offset) {
        return MetadataBlocks(exif: .range(content.clamped(to: 0..<bytes.count)))
      }
      offset = content.upperBound
    }
    return MetadataBlocks(damage: "there is no block with metadata")
  }
}
