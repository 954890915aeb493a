/// A locator of metadata in JPEG files: ISO/IEC 10918-1, annex B (markers); EXIF 2.32, section
/// 4.7.2 (APP1); XMP specification part 3, section 1.1.3.
///
/// Segments are skipped by their lengths, so metadata is found after other segments and beyond 64
/// KiB. Bytes between segments that are not a marker are skipped up to the next marker, as in
/// ExifTool.
enum JPEG: MetadataContainer {
  /// The maximum number of segments; real files have a few dozen before the picture.
  private static let maximumSegments = 4096

  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    guard bytes.count >= 2 else { return false }
    return try bytes.uint16(at: 0, .big) == 0xFFD8
  }

  /// Locates the first two EXIF blocks and the XMP packets before the picture.
  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    try locate(in: &bytes, segments: 2..<bytes.count)
  }

  /// Locates the metadata of a JPEG file embedded in another file; `nil` if no JPEG file begins at
  /// the range. Metadata beyond the end of the range is treated as missing.
  static func locate(
    in bytes: inout PhotoBytes, embeddedAt range: Range<Int>
  ) throws(PhotoBytesError) -> MetadataBlocks? {
    let range = range.clamped(to: 0..<bytes.count)
    guard range.count >= 2, try bytes.uint16(at: range.lowerBound, .big) == 0xFFD8 else {
      return nil
    }
    return try locate(in: &bytes, segments: range.dropFirst(2))
  }

  /// Locates the metadata in a sequence of segments.
  static func locate(
    in bytes: inout PhotoBytes, segments: Range<Int>
  ) throws(PhotoBytesError) -> MetadataBlocks {
    try MetadataBlocks.found(
      in: &bytes, truncation: "the file ends before the picture begins", goal: "picture"
    ) { (bytes, blocks) throws(PhotoBytesError) in
      try walk(segments, of: &bytes, &blocks)
    }
  }

  /// Walks through segments up to the picture; throws `beyondEnd` if the last segment is
  /// incomplete.
  private static func walk(
    _ segments: Range<Int>, of bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    var offset = segments.lowerBound
    for _ in 0..<maximumSegments {
      let (marker, position) = try nextMarker(in: &bytes, from: offset)
      guard position < segments.upperBound else { throw .beyondEnd }
      switch marker {
      case 0xD9, 0xDA: return  // end of image, start of scan
      case 0x01, 0xD0...0xD8: offset = position + 1  // markers without a segment
      default:
        let length = Int(try bytes.uint16(at: position + 1, .big))
        guard length >= 2 else {
          blocks.damage = "a segment is shorter than its own length field"
          return
        }
        let segment = position + 3..<position + 1 + length
        let available = segment.clamped(to: segments)
        if marker == 0xE1 {
          try inspectAPP1(available, isWhole: available == segment, of: &bytes, &blocks)
        } else if marker == 0xED {
          try inspectAPP13(available, of: &bytes, &blocks)
        }
        guard segment.upperBound <= segments.upperBound else { throw .beyondEnd }
        offset = segment.upperBound
      }
    }
    blocks.damage = "more than \(maximumSegments) segments"
  }

  /// Returns the first marker at or after an offset, and the offset of its code.
  private static func nextMarker(
    in bytes: inout PhotoBytes, from start: Int
  ) throws(PhotoBytesError) -> (marker: UInt8, position: Int) {
    var offset = start
    while true {
      while try bytes.byte(at: offset) != 0xFF { offset += 1 }
      while try bytes.byte(at: offset) == 0xFF { offset += 1 }
      let marker = try bytes.byte(at: offset)
      if marker >= 0xC0 || marker == 0x01 { return (marker, offset) }
    }
  }

  /// Stores the EXIF block, XMP packet or piece of extended XMP in a segment. `isWhole` is whether
  /// the whole segment is in the file.
  private static func inspectAPP1(
    _ segment: Range<Int>, isWhole: Bool, of bytes: inout PhotoBytes,
    _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    // The sixth byte should be 0, but some programs write another value.
    if segment.count > 6,
      try bytes.hasPrefix("Exif\0", at: segment.lowerBound)
    {
      try inspectExif(segment.dropFirst(6), of: &bytes, &blocks)
    }
    let xmpIdentifier: StaticString = "http://ns.adobe.com/xap/1.0/\0"
    if segment.count >= xmpIdentifier.utf8CodeUnitCount,
      try bytes.hasPrefix(xmpIdentifier, at: segment.lowerBound)
    {
      if isWhole {
        blocks.keep(packet: .range(segment.dropFirst(xmpIdentifier.utf8CodeUnitCount)))
      } else {
        blocks.skip("XMP packet", "the file ends within it")
      }
    }
    if isWhole { try blocks.extendedXMP.keep(segment, of: &bytes) }
  }

  /// Stores the image resources of Photoshop in a segment (XMP specification part 3, section 1.1.3,
  /// table 4).
  private static func inspectAPP13(
    _ segment: Range<Int>, of bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    let identifier: StaticString = "Photoshop 3.0\0"
    guard segment.count > identifier.utf8CodeUnitCount,
      try bytes.hasPrefix(identifier, at: segment.lowerBound)
    else { return }
    blocks.keep(resources: .range(segment.dropFirst(identifier.utf8CodeUnitCount)))
  }

  /// Stores a block that begins with a TIFF header.
  private static func inspectExif(
    _ block: Range<Int>, of bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    guard try TIFFLayout(block, of: &bytes) != nil else { return blocks.skipExif() }
    blocks.keep(exif: .range(block))
  }
}
