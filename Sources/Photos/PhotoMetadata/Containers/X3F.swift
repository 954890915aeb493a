/// A locator of metadata in Sigma's X3F files.
///
/// The last four bytes point to a directory of sections, some of which are previews: JPEG files
/// with EXIF. The layout is taken from ExifTool's SigmaRaw.pm. Files of the first cameras have no
/// such preview and no metadata that PhotoSpots uses.
enum X3F: MetadataContainer {
  /// The maximum number of sections; real files have about ten.
  private static let maximumSections = 64
  /// The length of an image section's header, in bytes.
  private static let imageHeaderLength = 28
  /// The format code of JPEG images.
  private static let jpegFormat: UInt32 = 18

  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    try bytes.hasPrefix("FOVb", at: 0)
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    let missing = MetadataBlocks(damage: "the directory is not where the end of the file says")
    guard bytes.count >= 16 else { return missing }
    let directory = Int(try bytes.uint32(at: bytes.count - 4, .little))
    guard directory <= bytes.count - 12, try bytes.hasPrefix("SECd", at: directory) else {
      return missing
    }
    let count = min(Int(try bytes.uint32(at: directory + 8, .little)), maximumSections)
    for index in 0..<count {
      let entry = directory + 12 + index * 12
      guard entry + 12 <= bytes.count else { return missing }
      if let photo = try photo(ofEntryAt: entry, in: &bytes), photo.exif != nil { return photo }
    }
    return MetadataBlocks()
  }

  /// Locates the metadata of the JPEG file that a directory entry refers to; `nil` if it refers to
  /// anything else.
  private static func photo(
    ofEntryAt entry: Int, in bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> MetadataBlocks? {
    let start = Int(try bytes.uint32(at: entry, .little))
    let length = Int(try bytes.uint32(at: entry + 4, .little))
    guard try bytes.hasPrefix("IMA", at: entry + 8),  // IMA2 or IMAG
      length > imageHeaderLength, start <= bytes.count - imageHeaderLength,
      try bytes.hasPrefix("SECi", at: start),
      try bytes.uint32(at: start + 12, .little) == jpegFormat
    else { return nil }
    return try JPEG.locate(in: &bytes, embeddedAt: start + imageHeaderLength..<start + length)
  }
}
