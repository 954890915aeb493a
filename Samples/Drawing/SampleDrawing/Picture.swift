/// Finished pixels: rows from the top, three bytes each pixel.
package struct Picture: Sendable {
  /// The pixels in a row.
  package let width: Int
  /// The rows.
  package let height: Int
  /// Red, green and blue of each pixel.
  package let rgb: [UInt8]

  /// Creates a picture.
  ///
  /// - Precondition: `rgb` holds `width` × `height` × 3 bytes.
  package init(width: Int, height: Int, rgb: [UInt8]) {
    precondition(rgb.count == width * height * 3)
    self.width = width
    self.height = height
    self.rgb = rgb
  }

  /// The picture turned a quarter against the clock, as a camera stores it that was held upright:
  /// EXIF orientation 6 turns it back.
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
