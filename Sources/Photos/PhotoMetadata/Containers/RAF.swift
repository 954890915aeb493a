/// A locator of metadata in Fujifilm's RAF files, which embed a JPEG file with all metadata.
///
/// The layout is taken from ExifTool's FujiFilm.pm: the offset and length of the JPEG file are at
/// 84 and 88.
enum RAF: MetadataContainer {
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    try bytes.hasPrefix("FUJIFILMCCD-RAW ", at: 0)
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    guard bytes.count >= 92 else {
      return MetadataBlocks(damage: "the file ends before its header does")
    }
    let start = Int(try bytes.uint32(at: 84, .big))
    let length = Int(try bytes.uint32(at: 88, .big))
    if let photo = try JPEG.locate(in: &bytes, embeddedAt: start..<start + length) { return photo }
    return MetadataBlocks(damage: "the JPEG file inside is not where the header says")
  }
}
