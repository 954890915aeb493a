/// A picture as rows of red, green and blue, a byte each.
struct Pixels: Hashable, Sendable {
  let width: Int
  let height: Int
  private(set) var rgb: [UInt8]

  init(width: Int, height: Int, rgb: [UInt8]) {
    precondition(rgb.count == width * height * 3, "a picture has three bytes for each pixel")
    self.width = width
    self.height = height
    self.rgb = rgb
  }

  /// Returns the picture as it is to be seen.
  ///
  /// - Parameter orientation: Where the first row and the first column belong, 1 to 8 (EXIF 2.32,
  ///   section 4.6.4 A): from 5 on rows become columns.
  /// - Returns: The picture; unchanged for any other number.
  func turned(by orientation: Int) -> Pixels {
    guard (2...8).contains(orientation) else { return self }
    let isTransposed = orientation >= 5
    let (newWidth, newHeight) = isTransposed ? (height, width) : (width, height)
    var turned = [UInt8]()
    turned.reserveCapacity(rgb.count)
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        let (column, row) = isTransposed ? (y, x) : (x, y)
        let isMirrored = [2, 3, 7, 8].contains(orientation)
        let isUpsideDown = [3, 4, 6, 7].contains(orientation)
        let fromX = isMirrored ? width - 1 - column : column
        let fromY = isUpsideDown ? height - 1 - row : row
        let start = (fromY * width + fromX) * 3
        turned += rgb[start..<start + 3]
      }
    }
    return Pixels(width: newWidth, height: newHeight, rgb: turned)
  }
}
