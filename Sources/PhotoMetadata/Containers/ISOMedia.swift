/// Locates metadata in files that are built of boxes: ISO base media files (ISO/IEC 14496-12: HEIC,
/// HEIF, AVIF, MP4, 3GP, CR3), QuickTime movies, and the containers of JPEG XL (ISO/IEC 18181-2)
/// and JPEG 2000 (ISO/IEC 15444-1, annex I).
///
/// Pictures and movies are passed over by the sizes of their boxes. What a file says it is decides
/// only when the search may end; which boxes are there decides what is read. Boxes of JPEG XL that
/// are compressed with Brotli (`brob`) are not read.
enum ISOMedia: MetadataContainer {
  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    guard bytes.count >= 8 else { return false }
    let size = try bytes.uint32(at: 0, .big)
    switch FourCharacterCode(try bytes.uint32(at: 4, .big)) {
    case "ftyp": return size >= 8
    case "JXL ", "jP  ": return size == 12
    // QuickTime movies from before 2001 have no `ftyp`.
    case "moov", "mdat", "wide", "free", "skip", "pnot": return size == 1 || size >= 8
    default: return false
    }
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    var search = Search()
    do throws(PhotoBytesError) {
      try search.run(in: &bytes)
    } catch {
      switch error {
      case .beyondEnd: search.blocks.damage = "the file ends within its metadata"
      case .overBudget: search.blocks.damage = "no metadata within the first 4 MiB that were read"
      case .io: throw error
      }
    }
    return search.blocks
  }

  /// The longest XMP packet, and the longest block in several parts, that is read.
  static let maximumBlockLength = 1024 * 1024

  /// Finds the TIFF header in an item that holds an EXIF block; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - hasOffset: Whether it begins with the offset of the header from behind that offset:
  ///     ISO/IEC 23008-12, annex A.2.1. Writers get it wrong, so that the header is also looked for
  ///     where it mostly is.
  ///   - bytes: The file.
  /// - Returns: The block, from its header to the end of the item.
  /// - Throws: Where the bytes cannot be read.
  static func exifBlock(
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

/// A search through the boxes of a file, and what it has found.
private struct Search {
  var blocks = MetadataBlocks()
  private var isStillImage = false
  /// Whether a box was there that a file of its kind cannot do without.
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

  /// Looks into a box; true where nothing that matters can follow.
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
    // Fragments of a movie; their boxes may be thousands.
    case "moof": return hasMovie
    case "jp2c", "jxlc", "jxlp": hasContent = true
    // In CR3 files the packet stands before the picture.
    case "mdat": return blocks.exif != nil && hasMovie
    default: try inspectBlock(box, of: &bytes)
    }
    return false
  }

  private mutating func inspectBlock(
    _ box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) {
    switch (box.type, box.userType) {
    case ("Exif", _) where blocks.exif == nil:
      blocks.exif = try ISOMedia.exifBlock(in: box.content, hasOffset: true, of: &bytes)
        .map { .range($0) }
    case (_, .jpeg2000Exif?) where blocks.exif == nil:
      blocks.exif = try ISOMedia.exifBlock(in: box.content, hasOffset: false, of: &bytes)
        .map { .range($0) }
    // JPEG 2000 may have other XML as well, which does not take the place of a packet.
    case ("xml ", _) where blocks.xmp == nil: blocks.keepXMP(box)
    case (_, .xmp?): blocks.keepXMP(box)
    default: break
    }
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
  /// Keeps the XMP packet that a box is, where it is whole and not overlong.
  mutating func keepXMP(_ box: ISOBox) {
    guard box.isWhole, box.content.count <= ISOMedia.maximumBlockLength else { return }
    xmp = .range(box.content)
  }
}
