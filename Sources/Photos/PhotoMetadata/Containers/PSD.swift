/// A locator of metadata in Photoshop's PSD and PSB files: Adobe Photoshop File Formats
/// Specification (2019), sections "File Header", "Color Mode Data" and "Image Resources".
///
/// The metadata comes before the picture.
enum PSD: MetadataContainer {
  /// The maximum number of resources; real files have a few dozen.
  private static let maximumResources = 4096
  /// The signatures of resources; only `8BIM` uses the resource numbers of the specification.
  private static let signatures: Set<FourCharacterCode> = ["8BIM", "PHUT", "DCSR", "AgHg", "MeSa"]

  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    guard bytes.count >= 30, try bytes.hasPrefix("8BPS", at: 0) else { return false }
    return [1, 2].contains(try bytes.uint16(at: 4, .big))
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    try MetadataBlocks.found(
      in: &bytes, truncation: "the file ends before its picture begins", goal: "picture", by: walk)
  }

  private static func walk(
    _ bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    let colorTableLength = Int(try bytes.uint32(at: 26, .big))
    let start = 30 + colorTableLength
    let end = start + 4 + Int(try bytes.uint32(at: start, .big))
    var offset = start + 4
    for _ in 0..<maximumResources where offset < end {
      // A resource consists of a signature, a number, a name with its length before it, padded to
      // an even length, and the length of the content. Most resources are skipped, so little more
      // is read.
      let header = try bytes.bytes(at: offset, count: 7, minimumRead: 64)
      let nameLength = Int(header[header.startIndex + 6])
      let signature = FourCharacterCode(try bytes.uint32(at: offset, .big))
      guard signatures.contains(signature) else {
        blocks.damage = "an image resource does not begin where the one before ends"
        return
      }
      let number = try bytes.uint16(at: offset + 4, .big)
      let lengthStart = offset + 6 + (nameLength + 2) / 2 * 2
      let length = Int(try bytes.uint32(at: lengthStart, .big))
      let content = lengthStart + 4..<lengthStart + 4 + length
      let available = content.clamped(to: 0..<bytes.count)
      switch (signature, number) {
      case ("8BIM", 1058): blocks.keep(exif: .range(available))
      case ("8BIM", 1060): blocks.keep(packet: .range(available))
      case ("8BIM", 1028) where blocks.iptc == nil: blocks.iptc = .range(available)
      default: break
      }
      offset = content.upperBound + length % 2
    }
    if offset > bytes.count { throw .beyondEnd }
  }
}
