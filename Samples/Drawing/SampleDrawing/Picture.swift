/// An uncompressed picture: rows from the top, three bytes per pixel.
package struct Picture: Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// The red, green and blue bytes of each pixel.
  package let rgb: [UInt8]

  /// Creates a picture.
  ///
  /// - Precondition: `rgb` has `width` × `height` × 3 bytes.
  package init(width: Int, height: Int, rgb: [UInt8]) {
    precondition(rgb.count == width * height * 3)
    self.width = width
    self.height = height
    self.rgb = rgb
  }

  /// The picture rotated counterclockwise by 90°, as stored by a camera held upright. EXIF
  /// orientation 6 rotates it back.
  var turnedLeft: Picture {
    var turned = [UInt8]()
    turned.reserveCapacity(rgb.count)
    for row in 0..<width {
      for column in 0..<height {
        let source = (column * width + width - 1 - row) * 3
        turned += rgb[source..<source + 3]
      }
    }
    return Picture(width: height, height: width, rgb: turned)
  }
}
