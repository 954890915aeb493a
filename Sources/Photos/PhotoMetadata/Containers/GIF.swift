/// A locator of metadata in GIF files: GIF89a (CompuServe, 1990), sections 15 to 26; XMP
/// specification part 3, section 1.1.2.
///
/// The format has no EXIF.
enum GIF: MetadataContainer {
  /// The maximum number of blocks before the first picture, and of blocks within one extension; an
  /// XMP packet read as blocks may consist of many.
  private static let maximumBlocks = 4096

  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    guard bytes.count >= 13, try bytes.hasPrefix("GIF8", at: 0) else { return false }
    return [0x3761, 0x3961].contains(try bytes.uint16(at: 4, .big))  // 7a, 9a
  }

  /// Locates an XMP packet before the first picture, where all programs write it.
  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    try MetadataBlocks.found(
      in: &bytes, truncation: "the file ends before the picture begins", goal: "picture"
    ) { (bytes, blocks) throws(PhotoBytesError) in
      if let packet = try packet(in: &bytes) { blocks.keep(packet: .range(packet)) }
    }
  }

  private static func packet(
    in bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Range<Int>? {
    let flags = try bytes.byte(at: 10)
    let colorTableLength = flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    var offset = 13 + colorTableLength
    for _ in 0..<maximumBlocks {
      // Anything but an extension is a picture or the end of the file.
      guard try bytes.byte(at: offset) == 0x21 else { return nil }
      let content = offset + 2
      if try bytes.hasPrefix("\u{0B}XMP DataXMP", at: content) {
        // The packet is not divided into blocks. A trailer leads decoders that read it as blocks to
        // its end.
        let start = content + 12
        // The end of a long packet is that of its outermost element.
        guard let end = try endOfBlocks(from: start, in: &bytes) else { return start..<bytes.count }
        return start..<end
      }
      guard let end = try endOfBlocks(from: content, in: &bytes) else { return nil }
      offset = end
    }
    return nil
  }

  /// Returns the offset after a sequence of blocks; each begins with its length, and the last is
  /// empty; `nil` if there are too many.
  private static func endOfBlocks(
    from start: Int, in bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Int? {
    var offset = start
    for _ in 0..<maximumBlocks {
      let length = Int(try bytes.byte(at: offset))
      offset += 1 + length
      if length == 0 { return offset }
    }
    return nil
  }
}
