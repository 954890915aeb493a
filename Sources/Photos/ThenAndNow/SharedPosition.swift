import PhotoMetadata
package import Spatial

/// The position in a shared picture's metadata, which is written only on request.
package enum SharedPosition {
  /// Adds a position to a JPEG file without metadata. It inserts an EXIF block after the start
  /// marker (EXIF 2.32, section 4.5.4) that contains only the position and the mandatory tags.
  ///
  /// - Returns: The file; `nil` if the memory for the block cannot be allocated.
  package static func file(_ jpeg: [UInt8], at position: Coordinate) -> [UInt8]? {
    var properties = PhotoProperties()
    properties.coordinate = position
    guard let size = size(of: jpeg),
      let block = properties.exifBlock(width: size.width, height: size.height, hasProfile: false)
    else { return nil }
    let length = block.count + 2
    precondition(length <= 0xFFFF, "a position takes less than a segment")
    return jpeg.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + block
      + jpeg.dropFirst(2)
  }

  /// Returns the size in the frame header of a baseline file (ITU-T T.81, B.2.2).
  private static func size(of jpeg: [UInt8]) -> (width: UInt16, height: UInt16)? {
    var place = 2
    while place + 9 <= jpeg.count, jpeg[place] == 0xFF {
      func number(_ offset: Int) -> UInt16 {
        UInt16(jpeg[place + offset]) << 8 | UInt16(jpeg[place + offset + 1])
      }
      if jpeg[place + 1] == 0xC0 { return (number(7), number(5)) }
      place += 2 + Int(number(2))
    }
    return nil
  }
}
