/// The part of an XMP packet that did not fit into its segment of a JPEG file and was split among
/// other segments: XMP specification part 3, section 1.1.3.1.
///
/// Programs move the longest properties there, so it hardly ever contains a property that
/// PhotoSpots uses. It is read only if the photo otherwise lacks a position or a time.
///
/// Each segment contains a piece, the name of the extension, the total length and the offset of the
/// piece. The pieces may be in any order.
struct ExtendedXMP {
  /// The header of a piece: identifier, name of the extension, total length, offset of the piece.
  private static let identifier: StaticString = "http://ns.adobe.com/xmp/extension/\0"
  private static let nameLength = 32
  private static let headerLength = identifier.utf8CodeUnitCount + nameLength + 4 + 4

  private struct Piece {
    /// The name of the extension: the digits of a checksum, which the main packet contains too.
    let name: [UInt8]
    let wholeLength: Int
    let offset: Int
    let content: Range<Int>
  }

  private var pieces: [Piece] = []

  /// Stores the location of the piece in a segment, if the segment contains one.
  mutating func keep(
    _ segment: Range<Int>, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) {
    guard segment.count > Self.headerLength,
      try bytes.hasPrefix(Self.identifier, at: segment.lowerBound)
    else { return }
    let nameStart = segment.lowerBound + Self.identifier.utf8CodeUnitCount
    let numbersStart = nameStart + Self.nameLength
    pieces.append(
      Piece(
        name: Array(try bytes.bytes(at: nameStart, count: Self.nameLength)),
        wholeLength: Int(try bytes.uint32(at: numbersStart, .big)),
        offset: Int(try bytes.uint32(at: numbersStart + 4, .big)),
        content: segment.dropFirst(Self.headerLength)))
  }

  /// Returns the ranges of an extension's pieces, in order.
  ///
  /// - Parameter name: The name of the extension according to the main packet.
  /// - Returns: The ranges; `nil` if the pieces have gaps or overlaps or disagree about the total
  ///   length.
  func ranges(_ name: String) -> [Range<Int>]? {
    let pieces = pieces.filter { $0.name.elementsEqual(name.utf8) }
      .sorted { $0.offset < $1.offset }
    var end = 0
    for piece in pieces {
      guard piece.offset == end, piece.wholeLength == pieces[0].wholeLength else { return nil }
      end += piece.content.count
    }
    guard end > 0, end == pieces[0].wholeLength else { return nil }
    return pieces.map(\.content)
  }
}
