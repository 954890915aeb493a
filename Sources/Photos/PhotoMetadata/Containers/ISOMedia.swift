/// A locator of metadata in files that consist of boxes: ISO base media files (ISO/IEC 14496-12:
/// HEIC, HEIF, AVIF, MP4, 3GP, CR3), QuickTime movies, and the containers of JPEG XL (ISO/IEC
/// 18181-2) and JPEG 2000 (ISO/IEC 15444-1, annex I).
///
/// Picture and movie data are skipped by the sizes of their boxes. The boxes in a file determine
/// what is read; its declared brand determines only when the search may stop early. JPEG XL boxes
/// compressed with Brotli (`brob`; ISO/IEC 18181-2, section 9.3) are decompressed, where
/// libbrotlidec is installed.
enum ISOMedia: MetadataContainer {
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    guard bytes.count >= 8 else { return false }
    let size = try bytes.uint32(at: 0, .big)
    switch FourCharacterCode(try bytes.uint32(at: 4, .big)) {
    case "ftyp": return size >= 8
    case "JXL ", "jP  ": return size == 12
    // QuickTime movies from before 2001 have no `ftyp` box.
    case "moov", "mdat", "wide", "free", "skip", "pnot": return size == 1 || size >= 8
    default: return false
    }
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    try MetadataBlocks.found(
      in: &bytes, truncation: "the file ends within its metadata", goal: "metadata"
    ) { (bytes, blocks) throws(PhotoBytesError) in
      var search = Search()
      defer { blocks = search.found }
      try search.run(in: &bytes)
    }
  }

  /// The maximum length of an EXIF block made of several extents.
  static let maximumBlockLength = 1024 * 1024

  /// Locates the TIFF header in an item that contains an EXIF block; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - hasOffset: Whether the item begins with the offset of the header, counted from the end of
  ///     that field: ISO/IEC 23008-12, annex A.2.1. Some programs write a wrong offset, so the
  ///     usual places are tried too.
  ///   - bytes: The file.
  ///   - blocks: Receives the reason if there is none.
  /// - Returns: The range from the header to the end of the item.
  /// - Throws: An error if the bytes cannot be read.
  static func exifBlock(
    in item: Range<Int>, hasOffset: Bool, of bytes: inout PhotoBytes,
    _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) -> Range<Int>? {
    let block = try exifBlock(in: item, hasOffset: hasOffset, of: &bytes)
    if block == nil { blocks.skipExif() }
    return block
  }

  private static func exifBlock(
    in item: Range<Int>, hasOffset: Bool, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Range<Int>? {
    var starts = [0]
    if hasOffset, item.count >= 4 {
      starts = [4 + Int(try bytes.uint32(at: item.lowerBound, .big)), 4, 0]
    }
    for start in starts where start <= item.count {
      if try isTIFF(item.lowerBound + start, of: &bytes) { return item.dropFirst(start) }
    }
    for start in item.prefix(64) where try bytes.hasPrefix("Exif\0\0", at: start) {
      let block = item.dropFirst(start + 6 - item.lowerBound)
      if try isTIFF(block.lowerBound, of: &bytes) { return block }
    }
    return nil
  }

  private static func isTIFF(
    _ offset: Int, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Bool {
    if try bytes.hasPrefix("MM\0*", at: offset) { return true }
    return try bytes.hasPrefix("II*\0", at: offset)
  }
}

/// The state and the results of a search through the boxes of a file.
private struct Search {
  private var blocks = MetadataBlocks()
  /// The decompressed boxes.
  private var decompressed: [CompressedBox.Content] = []
  private var isStillImage = false
  /// Whether a box was found that every valid file of its kind has.
  private var hasContent = false
  private var hasMovie = false

  /// The brands of still images: ISO/IEC 23008-12, section 10; AV1 Image File Format, section 8.
  private static let stillImageBrands: Set<FourCharacterCode> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1", "avif",
    "avis", "avci", "jpeg", "miaf",
  ]

  mutating func run(in bytes: inout PhotoBytes) throws(PhotoBytesError) {
    var boxes = ISOBoxes(in: 0..<bytes.count)
    while let box = try boxes.next(in: &bytes) {
      if try inspect(box, of: &bytes) { return }
    }
    guard !hasContent else { return }
    blocks.damage = boxes.isDamaged ? "a box is shorter than its header" : "no picture and no movie"
  }

  /// Examines a box; returns `true` if no relevant box can follow.
  private mutating func inspect(
    _ box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Bool {
    switch box.type {
    case "ftyp": isStillImage = try hasStillImageBrand(box, of: &bytes)
    case "meta":
      hasContent = true
      if !box.isWhole { blocks.damage = "the file ends within its metadata" }
      let hasItems = try HEIF.locate(in: box, of: &bytes, &blocks)
      return hasItems && isStillImage
    case "moov":
      (hasContent, hasMovie) = (true, true)
      if !box.isWhole { blocks.damage = "the file ends within its movie box" }
      try QuickTime.locate(in: box, of: &bytes, &blocks)
    // The fragments of a movie, which may have thousands of boxes.
    case "moof": return hasMovie
    case "jp2c", "jxlc", "jxlp": hasContent = true
    // In CR3 files, the XMP packet comes before the picture data.
    case "mdat": return blocks.exif != nil && hasMovie
    default: try inspectBlock(box, of: &bytes)
    }
    return false
  }

  private mutating func inspectBlock(
    _ box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) {
    switch (box.type, box.userType) {
    case ("Exif", _), (_, .jpeg2000Exif?):
      let block = try ISOMedia.exifBlock(
        in: box.content, hasOffset: box.userType == nil, of: &bytes, &blocks)
      if let block { blocks.keep(exif: .range(block)) }
    // Other XML in a JPEG 2000 file has no property of a photo.
    case ("xml ", _): blocks.keepXMP(box)
    case (_, .xmp?): blocks.keepXMP(box)
    case ("brob", _):
      guard decompressed.count < Self.maximumCompressed else {
        blocks.skip("compressed box", "the file has more than \(Self.maximumCompressed)")
        break
      }
      if let box = try CompressedBox(box, of: &bytes, &blocks) { decompressed.append(box.content) }
    default: break
    }
  }

  /// The maximum number of boxes that are decompressed, to at most 32 MiB each; files have two.
  private static let maximumCompressed = 4

  /// The blocks, with those of compressed boxes after the others: a program that cannot decompress
  /// a box leaves it as it is and adds its own.
  var found: MetadataBlocks {
    var found = blocks
    for content in decompressed {
      switch content {
      case .exif(let bytes): found.keep(exif: .bytes(bytes))
      case .xmp(let bytes): found.keep(packet: .bytes(bytes))
      }
    }
    return found
  }

  private func hasStillImageBrand(
    _ box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Bool {
    var fields = ISOFields(in: box.content.prefix(256))
    while let brand = try fields.number(4, of: &bytes) {
      if Self.stillImageBrands.contains(FourCharacterCode(UInt32(brand))) { return true }
    }
    return false
  }
}

extension MetadataBlocks {
  /// Stores a box as an XMP packet if it is complete.
  mutating func keepXMP(_ box: ISOBox) {
    guard box.isWhole else { return skip("XMP packet", "the file ends within it") }
    keep(packet: .range(box.content))
  }
}
