/// The part of an XMP packet that did not fit into its segment of a JPEG file, in segments of its
/// own: XMP specification part 3, section 1.1.3.1.
///
/// What goes into it is what is longest, so the properties that PhotoSpots uses are hardly ever
/// there, and it is only read where a photo has no position or no time without it.
///
/// Each segment has a piece of it, and says which packet it belongs to, how long the whole is and
/// where in it the piece stands. The pieces may lie in any order.
struct ExtendedXMP {
  /// What stands before a piece: the identifier, the name of the whole, its length, the piece's
  /// offset.
  private static let identifier: StaticString = "http://ns.adobe.com/xmp/extension/\0"
  private static let nameLength = 32
  private static let headerLength = identifier.utf8CodeUnitCount + nameLength + 4 + 4

  private struct Piece {
    /// The digits of a checksum by which the packet names its extension.
    let name: [UInt8]
    let wholeLength: Int
    let offset: Int
    let content: Range<Int>
  }

  private var pieces: [Piece] = []

  /// Keeps the piece that a segment of a JPEG file is, if it is one.
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

  /// Puts an extension together.
  ///
  /// - Parameters:
  ///   - name: What the packet calls it.
  ///   - bytes: The file.
  /// - Returns: The extension; `nil` where its pieces leave a gap, overlap or do not agree on how
  ///   long it is, and where it is longer than what is read of a file.
  /// - Throws: `io` alone.
  func joined(_ name: String, of bytes: inout PhotoBytes) throws(PhotoBytesError) -> [UInt8]? {
    let pieces = pieces.filter { $0.name.elementsEqual(name.utf8) }
      .sorted { $0.offset < $1.offset }
    var end = 0
    for piece in pieces {
      guard piece.offset == end, piece.wholeLength == pieces[0].wholeLength else { return nil }
      end += piece.content.count
    }
    guard end > 0, end == pieces[0].wholeLength, end <= PhotoBytes.budget else { return nil }
    var whole: [UInt8] = []
    whole.reserveCapacity(end)
    do throws(PhotoBytesError) {
      for piece in pieces {
        whole += try bytes.bytes(at: piece.content.lowerBound, count: piece.content.count)
      }
    } catch {
      guard case .io = error else { return nil }
      throw error
    }
    return whole
  }
}
