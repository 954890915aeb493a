/// A bare codestream of JPEG XL (ISO/IEC 18181-1) or JPEG 2000 (ISO/IEC 15444-1, annex A), which
/// cannot contain metadata.
enum Codestream: MetadataContainer {
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    if bytes.count >= 2, try bytes.uint16(at: 0, .big) == 0xFF0A { return true }
    guard bytes.count >= 4 else { return false }
    return try bytes.uint32(at: 0, .big) == 0xFF4F_FF51
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    MetadataBlocks()
  }
}
