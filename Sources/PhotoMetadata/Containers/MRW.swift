/// Locates metadata in Minolta's MRW files: blocks in a row, of which TTW is a TIFF structure; the
/// layout is that of ExifTool's MinoltaRaw.pm.
enum MRW: MetadataContainer {
  /// Real files have five blocks.
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
