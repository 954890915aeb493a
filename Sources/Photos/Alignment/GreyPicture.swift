/// A grey picture: rows from the top, one byte per pixel, 0 for black.
package struct GreyPicture: Hashable, Sendable {
  /// The length of a row in pixels.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The brightness of each pixel.
  package let levels: [UInt8]

  /// Creates a picture, or returns `nil` if it is empty or there is not one byte per pixel.
  package init?(width: Int, height: Int, levels: [UInt8]) {
    guard width > 0, height > 0, levels.count / width == height, levels.count % width == 0 else {
      return nil
    }
    (self.width, self.height, self.levels) = (width, height, levels)
  }

  /// Creates a picture from rows of red, green and blue, one byte per channel, by BT.601 luma;
  /// `nil` if it is empty or there are not three bytes per pixel.
  package init?(width: Int, height: Int, rgb: [UInt8]) {
    guard rgb.count % 3 == 0 else { return nil }
    // The weights in units of 1/65,536; their sum keeps white at 255.
    let levels = [UInt8](unsafeUninitializedCapacity: rgb.count / 3) { levels, count in
      for at in stride(from: 0, to: rgb.count, by: 3) {
        let (red, green, blue) = (UInt32(rgb[at]), UInt32(rgb[at + 1]), UInt32(rgb[at + 2]))
        let sum = 19_595 &* red &+ 38_470 &* green &+ 7471 &* blue &+ 32_768
        levels.initializeElement(at: count, to: UInt8(truncatingIfNeeded: sum >> 16))
        count += 1
      }
    }
    self.init(width: width, height: height, levels: levels)
  }
}
