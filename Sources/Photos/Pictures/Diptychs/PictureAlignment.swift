/// The alignment of a later picture with an earlier one.
///
/// Both pictures are cropped to the shape of the earlier one, with a ratio of sides of at most 2:1,
/// and scaled to the same width. A similarity about the centre then maps each point of the earlier
/// picture to the same point of the scene in the later picture.
package struct PictureAlignment: Hashable, Sendable {
  /// The clockwise rotation in degrees.
  package let turnDegrees: Double
  /// The scale.
  package let zoom: Double
  /// The shift to the right, in widths of the cropped picture.
  package let right: Double
  /// The shift downwards, in widths of the cropped picture.
  package let down: Double

  /// Creates an alignment, or returns `nil` if a number is implausible: a rotation beyond 45°, a
  /// scale outside 0.25–4, or a shift of more than a width.
  package init?(turnDegrees: Double, zoom: Double, right: Double, down: Double) {
    guard (-45...45).contains(turnDegrees), (0.25...4).contains(zoom), (-1...1).contains(right),
      (-1...1).contains(down)
    else { return nil }
    (self.turnDegrees, self.zoom, self.right, self.down) = (turnDegrees, zoom, right, down)
  }

  /// Returns the similarity that maps pixels of the earlier picture to the same points of the scene
  /// in the later one.
  func map(from earlier: Pixels, to later: Pixels) -> Similarity {
    let shape = Self.shape(of: earlier)
    let (from, to) = (Self.middle(of: earlier, shape), Self.middle(of: later, shape))
    let toWidths = Similarity(
      scale: 1 / from.width, x: -Double(earlier.width) / 2 / from.width,
      y: -Double(earlier.height) / 2 / from.width)
    let toPixels = Similarity(
      scale: to.width, x: Double(later.width) / 2, y: Double(later.height) / 2)
    return
      toWidths
      .followed(
        by: Similarity(turnDegrees: turnDegrees, zoom: zoom, x: right, y: down)
      )
      .followed(by: toPixels)
  }

  /// Returns the ratio of sides with which the page compares pictures (`comparedSize` of
  /// `align/picture.js`): the longer side has 128 pixels, the other a multiple of four.
  private static func shape(of picture: Pixels) -> Double {
    let shape = Double(picture.width) / Double(picture.height)
    let short = max(0.5, min(shape, 1 / shape))
    let pixels = 4 * (128 * short / 4).rounded(.toNearestOrAwayFromZero)
    return shape >= 1 ? 128 / pixels : pixels / 128
  }

  /// Returns the size of the largest centred part of a picture with a given ratio of width to
  /// height.
  static func middle(of picture: Pixels, _ shape: Double) -> (width: Double, height: Double) {
    let (width, height) = (Double(picture.width), Double(picture.height))
    return width > height * shape ? (height * shape, height) : (width, width / shape)
  }
}
