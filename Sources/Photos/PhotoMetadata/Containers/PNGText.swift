import Compression
import Encodings

/// Metadata from a text chunk of a PNG file: PNG specification, third edition, section 11.3.3.
struct PNGText {
  /// The type of metadata.
  enum Kind {
    case exif, xmp, iptc
    /// Image resources of Photoshop.
    case resources
  }

  let kind: Kind
  let block: MetadataBlocks.Block

  /// The name of such metadata in notes.
  static let name = "metadata in a text"
  /// The maximum number of bytes read of a chunk, and of decompressed bytes. An EXIF block in
  /// hexadecimal digits rarely exceeds 128 KiB.
  private static let maximumLength = 512 * 1024
  /// The same for a compressed XMP packet.
  private static let maximumPacketLength = (stored: 2 << 20, plain: 32 << 20)

  /// Returns whether a chunk's content has the keyword of metadata.
  static func hasMetadata(
    _ content: Range<Int>, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Bool {
    try Keyword(at: content, of: &bytes) != nil
  }

  /// Reads the part of a chunk's content that is in the file; `nil` if it is not metadata.
  init?(
    _ type: UInt32, in content: Range<Int>, of bytes: inout PhotoBytes,
    _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    guard let keyword = try Keyword(at: content, of: &bytes) else { return nil }
    let start = content.lowerBound + keyword.length
    let text = start..<content.upperBound
    var isCompressed = type == 0x7A54_5874  // zTXt
    var textStart = text.lowerBound
    if isCompressed {
      textStart += 1  // the method
    } else if type == 0x6954_5874 {  // iTXt
      guard text.count >= 2 else {
        blocks.skip(Self.name, "it is damaged")
        return nil
      }
      isCompressed = try bytes.byte(at: textStart) == 1
      // The flag and the method are followed by a language and a translated keyword, each ending in
      // a NUL.
      let head = try bytes.bytes(at: textStart, count: min(text.count, 512))
      let ends = head.indices.dropFirst(2).filter { head[$0] == 0 }.prefix(2)
      guard let end = ends.last, ends.count == 2 else {
        blocks.skip(Self.name, "it is damaged")
        return nil
      }
      textStart += end - head.startIndex + 1
    }
    let (stored, plain) =
      keyword == .xmp ? Self.maximumPacketLength : (Self.maximumLength, Self.maximumLength)
    let length = min(text.upperBound - textStart, stored)
    guard length > 0 else {
      blocks.skip(Self.name, "it is empty")
      return nil
    }
    if keyword == .xmp, !isCompressed {
      self.init(kind: .xmp, block: .range(textStart..<text.upperBound))
      return
    }
    let written = try bytes.bytes(at: textStart, count: length)
    let decoded =
      isCompressed ? Inflater.prefix(of: written, as: .zlib, upTo: plain)[...] : written
    if length < text.upperBound - textStart || isCompressed && decoded.count == plain {
      blocks.skip(
        keyword == .xmp ? "XMP packet" : Self.name,
        "only its first \(decoded.count >> 10) KiB are read")
    }
    self.init(keyword, decoded)
  }

  private init(kind: Kind, block: MetadataBlocks.Block) {
    (self.kind, self.block) = (kind, block)
  }

  private init?(_ keyword: Keyword, _ text: ArraySlice<UInt8>) {
    guard keyword != .xmp else {
      self.init(kind: .xmp, block: .bytes(Array(text)))
      return
    }
    let profile = Self.profile(text)
    let xmpIdentifier = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    let photoshop = Array("Photoshop 3.0\0".utf8)
    if keyword == .xmpProfile {
      self.init(kind: .xmp, block: .bytes(profile))
    } else if keyword == .iptcProfile || keyword == .resourcesProfile {
      // Either may have the form of the other.
      let content = Array(profile.dropFirst(profile.starts(with: photoshop) ? photoshop.count : 0))
      let isDatasets = content.first == 0x1C
      self.init(kind: isDatasets ? .iptc : .resources, block: .bytes(content))
    } else if profile.starts(with: xmpIdentifier) {
      self.init(kind: .xmp, block: .bytes(Array(profile.dropFirst(xmpIdentifier.count))))
    } else {
      let hasIdentifier = profile.starts(with: Array("Exif\0".utf8))
      self.init(kind: .exif, block: .bytes(Array(profile.dropFirst(hasIdentifier ? 6 : 0))))
    }
  }

  /// Decodes a profile in the form that ImageMagick writes, up to the first invalid character: a
  /// line with a name, a line with the length, and hexadecimal digits.
  private static func profile(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    let lines = text.drop { $0 == newline }.split(
      separator: newline, maxSplits: 2, omittingEmptySubsequences: true)
    guard lines.count == 3 else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines[2].count / 2)
    var high: UInt8?
    for character in lines[2] {
      if [newline, 0x0D, 0x20].contains(character) { continue }
      guard let digit = Hexadecimal.value(ofDigit: character) else { return bytes }
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    return bytes
  }

  /// The keywords of text chunks that contain metadata.
  private enum Keyword: CaseIterable {
    case xmp, exifProfile, app1Profile, xmpProfile, iptcProfile, resourcesProfile

    var text: StaticString {
      switch self {
      case .xmp: "XML:com.adobe.xmp\0"
      case .exifProfile: "Raw profile type exif\0"
      case .app1Profile: "Raw profile type APP1\0"
      case .xmpProfile: "Raw profile type xmp\0"
      case .iptcProfile: "Raw profile type iptc\0"
      case .resourcesProfile: "Raw profile type 8bim\0"
      }
    }

    /// The length including the final NUL.
    var length: Int { text.utf8CodeUnitCount }

    /// Reads the keyword of a text chunk; `nil` for any other keyword.
    init?(at content: Range<Int>, of bytes: inout PhotoBytes) throws(PhotoBytesError) {
      for keyword in Self.allCases where content.count >= keyword.length {
        guard try bytes.hasPrefix(keyword.text, at: content.lowerBound) else { continue }
        self = keyword
        return
      }
      return nil
    }
  }
}
