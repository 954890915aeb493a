/// Where the metadata of a file lies.
struct MetadataBlocks {
  /// How much of an XMP packet is read; what comes later is edit history and masks.
  static let maximumPacketLength = 256 * 1024

  /// A block of bytes.
  enum Block {
    /// It lies in the file as it is.
    case range(Range<Int>)
    /// It was put together from parts of the file.
    case bytes([UInt8])
  }

  /// The EXIF block, from its TIFF header on; cut at the end of the file.
  var exif: Block?
  /// Another EXIF block, which is asked for what the first does not say.
  var furtherExif: Block?
  /// The XMP packet.
  var xmp: Block?
  /// What did not fit into the packet, which names it.
  var extendedXMP = ExtendedXMP()
  /// What a movie says in QuickTime's own way.
  var quickTime: QuickTimeMetadata?
  /// The file ends, or stops making sense, before all metadata was seen.
  var damage: String?
}

/// A file format that holds metadata. Its one task is to find the metadata; what that says is
/// decoded alike for all of them.
protocol MetadataContainer: SendableMetatype {
  /// Whether the file is in this format, by its first bytes.
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool

  /// Finds the metadata in a file that is in this format. What of it is cut off is told in
  /// ``MetadataBlocks/damage``; only `io` is thrown.
  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks
}
