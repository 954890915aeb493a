/// The locations of the metadata in a file.
struct MetadataBlocks {
  /// The bytes of a metadata block.
  enum Block {
    /// A range of the file.
    case range(Range<Int>)
    /// Ranges of the file that follow one another.
    case ranges([Range<Int>])
    /// Bytes assembled from parts of the file, or decoded.
    case bytes([UInt8])

    /// The ranges of the file; empty for bytes in memory.
    var ranges: [Range<Int>] {
      switch self {
      case .range(let range): [range]
      case .ranges(let ranges): ranges
      case .bytes: []
      }
    }
  }

  /// The maximum number of XMP packets that are read; real files have one, rarely two.
  private static let maximumPackets = 8
  /// The maximum number of blocks of image resources that are read.
  private static let maximumResources = 8

  /// The EXIF block, beginning with its TIFF header; clamped to the end of the file.
  var exif: Block?
  /// A second EXIF block, used for properties that the first does not have.
  var furtherExif: Block?
  /// The XMP packets; later ones are used for properties that earlier ones do not have.
  private(set) var packets: [Block] = []
  /// The pieces of the packet's extension, which the packet refers to by name.
  var extendedXMP = ExtendedXMP()
  /// The image resources of Photoshop (`8BIM`), with IPTC metadata among them.
  private(set) var resources: [Block] = []
  /// The IPTC metadata, as IIM datasets.
  var iptc: Block?
  /// The native metadata of a QuickTime movie.
  var quickTime: QuickTimeMetadata?
  /// The reason why the search for metadata stopped early: the file is truncated or malformed.
  var damage: String?
  /// The blocks that cannot be read.
  private(set) var unread: [UnreadBlock] = []

  /// The first XMP packet.
  var xmp: Block? { packets.first }

  /// Stores an XMP packet.
  mutating func keep(packet: Block) {
    guard packets.count < Self.maximumPackets else {
      return skip("XMP packet", "the file has more than \(Self.maximumPackets)")
    }
    packets.append(packet)
  }

  /// Stores an EXIF block. Some software keeps a block that it cannot read, and adds its own.
  mutating func keep(exif block: Block) {
    if exif == nil {
      exif = block
    } else if furtherExif == nil {
      furtherExif = block
    } else {
      skipFurtherExif()
    }
  }

  /// Stores image resources of Photoshop.
  mutating func keep(resources block: Block) {
    guard resources.count < Self.maximumResources else {
      return skip("image resources", "the file has more than \(Self.maximumResources) blocks")
    }
    resources.append(block)
  }

  /// Notes a block that cannot be read; equal notes count once.
  mutating func skip(_ block: String, _ reason: String) {
    let block = UnreadBlock(block: block, reason: reason)
    if unread.count < 16, !unread.contains(block) { unread.append(block) }
  }

  /// Notes an EXIF block that does not begin with a TIFF header.
  mutating func skipExif() { skip("EXIF block", "it has no TIFF header") }

  /// Notes an EXIF block behind those that are read.
  mutating func skipFurtherExif() { skip("EXIF block", "the file has more than are read") }

  /// Locates metadata by a walk through a file, and reports an early end of it as ``damage``.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - truncation: The damage of a file that ends before the walk does.
  ///   - goal: The end of the walk, for the damage of a file in which it is too far: `picture`.
  ///   - walk: Adds the metadata that it finds.
  /// - Returns: The metadata found before the walk ended.
  /// - Throws: Only `io`.
  static func found(
    in bytes: inout PhotoBytes, truncation: String, goal: String,
    by walk: (inout PhotoBytes, inout MetadataBlocks) throws(PhotoBytesError) -> Void
  ) throws(PhotoBytesError) -> MetadataBlocks {
    var blocks = MetadataBlocks()
    do throws(PhotoBytesError) {
      try walk(&bytes, &blocks)
    } catch {
      switch error {
      case .beyondEnd: blocks.damage = truncation
      case .overBudget: blocks.damage = "no \(goal) within the first 4 MiB that were read"
      case .io: throw error
      }
    }
    return blocks
  }
}

/// A file format that contains metadata.
///
/// A container only locates the metadata; decoding is the same for all formats.
protocol MetadataContainer: SendableMetatype {
  /// Returns whether a file has this format, according to its first bytes.
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool

  /// Locates the metadata in a file of this format.
  ///
  /// Truncated or malformed metadata is reported in ``MetadataBlocks/damage``; only `io` is thrown.
  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks
}
