/// Where the metadata of a file lies.
struct MetadataBlocks {
  /// The EXIF block, from its TIFF header on; cut at the end of the file.
  var exif: Range<Int>?
  /// The XMP packet.
  var xmp: Range<Int>?
  /// The file ends, or stops making sense, before all metadata was seen.
  var damage: String?
}
