package import Alignment
import Encodings

/// The file format of cached grey pictures, which are reused by later searches.
///
/// A file consists of the line `photospots-grey 2`; the width and the height, one byte each; one
/// byte per pixel, in rows from the top; and the FNV-1a hash of all that, eight bytes,
/// little-endian.
package enum KeptPicture {
  /// The length of a picture's longer side in pixels: enough to compare the middle of a portrait
  /// photo with a landscape one.
  static let longestSide = 192
  /// The maximum size of a file in bytes.
  static let longestFile = header.count + 2 + longestSide * longestSide + 8

  // The version number changes when pictures are accepted that were not, or the reverse.
  private static let header = Array("photospots-grey 2\n".utf8)

  /// Encodes a picture, whose sides are at most ``longestSide``.
  package static func bytes(of picture: GreyPicture) -> [UInt8] {
    var bytes = header
    bytes += [UInt8(clamping: picture.width), UInt8(clamping: picture.height)]
    bytes += picture.levels
    let hash = hash(of: bytes[...])
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(8 * $0)) }
  }

  /// Decodes a picture; `nil` if the file has another format or is damaged.
  package static func picture(_ bytes: [UInt8]) -> GreyPicture? {
    let end = bytes.count - 8
    guard end >= header.count + 2, bytes.count <= longestFile, bytes.starts(with: header),
      bytes[end...].reversed().reduce(0, { $0 << 8 | UInt64($1) }) == hash(of: bytes[..<end])
    else { return nil }
    let (width, height) = (Int(bytes[header.count]), Int(bytes[header.count + 1]))
    guard max(width, height) <= longestSide else { return nil }
    return GreyPicture(width: width, height: height, levels: Array(bytes[(header.count + 2)..<end]))
  }

  private static func hash(of bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.combine(bytes)
    return hash.mixed
  }
}
