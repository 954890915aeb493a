/// A picture as rows of red, green and blue, one byte per channel.
package struct Pixels: Hashable, Sendable {
  /// The length of a row in pixels.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The bytes, three per pixel.
  package private(set) var rgb: [UInt8]
  /// Whether data of the picture were missing in its file; the rest is filled with one colour.
  package let isCutOff: Bool

  /// Creates a picture.
  ///
  /// - Precondition: There are three bytes per pixel.
  package init(width: Int, height: Int, rgb: [UInt8], isCutOff: Bool = false) {
    precondition(rgb.count == width * height * 3, "a picture has three bytes for each pixel")
    self.width = width
    self.height = height
    self.rgb = rgb
    self.isCutOff = isCutOff
  }

  /// Returns the picture rotated and mirrored to its upright orientation.
  ///
  /// - Parameter orientation: The orientation of the picture, 1 to 8 (EXIF 2.32, section 4.6.4 A);
  ///   from 5 on, rows become columns.
  /// - Returns: The upright picture; unchanged for any other number.
  package func turned(by orientation: Int) -> Pixels {
    guard (2...8).contains(orientation) else { return self }
    let isTransposed = orientation >= 5
    let (newWidth, newHeight) = isTransposed ? (height, width) : (width, height)
    let isMirrored = [2, 3, 7, 8].contains(orientation)
    let isUpsideDown = [3, 4, 6, 7].contains(orientation)
    // The steps in this picture that correspond to a step along a row, and to the next row, of the
    // result.
    let column = isMirrored ? -3 : 3
    let row = isUpsideDown ? -3 * width : 3 * width
    let (acrossStep, downStep) = isTransposed ? (row, column) : (column, row)
    let first = (isMirrored ? width - 1 : 0) * 3 + (isUpsideDown ? height - 1 : 0) * width * 3
    let turned = unsafe rgb.withUnsafeBufferPointer { from in
      unsafe [UInt8](unsafeUninitializedCapacity: rgb.count) { to, count in
        for y in 0..<newHeight {
          var source = first + y * downStep
          for _ in 0..<newWidth {
            unsafe to.initializeElement(at: count, to: from[source])
            unsafe to.initializeElement(at: count + 1, to: from[source + 1])
            unsafe to.initializeElement(at: count + 2, to: from[source + 2])
            source += acrossStep
            count += 3
          }
        }
      }
    }
    return Pixels(width: newWidth, height: newHeight, rgb: turned, isCutOff: isCutOff)
  }
}
