/// Two pictures of one place from different years, side by side or one above the other, with their
/// years and a caption.
package struct Diptych: Sendable {
  /// The shape of the resulting picture.
  package enum Shape: String, CaseIterable, Sendable {
    /// 1200 × 630 pixels, with the pictures side by side.
    case landscape
    /// 1080 × 1350 pixels, with the pictures one above the other.
    case portrait
  }

  /// One of the two pictures.
  package struct Side: Sendable {
    /// The picture, upright.
    package let picture: Pixels
    /// A short text in the corner, such as the year; `nil` for none.
    package let label: String?

    /// Creates a side.
    package init(_ picture: Pixels, label: String?) {
      (self.picture, self.label) = (picture, label)
    }
  }

  /// The picture on the left or at the top.
  package let earlier: Side
  /// The picture on the right or at the bottom.
  package let later: Side
  /// The caption; `nil` for none.
  package let caption: DiptychCaption?
  /// The alignment of the later picture with the earlier one; `nil` if unknown.
  package let alignment: PictureAlignment?

  /// Creates a diptych.
  package init(
    earlier: Side, later: Side, caption: DiptychCaption? = nil, alignment: PictureAlignment? = nil
  ) {
    (self.earlier, self.later, self.caption, self.alignment) = (earlier, later, caption, alignment)
  }

  /// Whether there is a caption that can be drawn.
  var hasCaption: Bool { caption?.line != nil }

  /// The shape that shows most of both pictures.
  package var suitingShape: Shape {
    suiting { DiptychLayout($0, hasCaption: hasCaption).earlier }
  }

  /// The shape that shows most of both pictures in a ``slider(_:)``.
  package var suitingSliderShape: Shape {
    suiting { SliderLayout($0, hasCaption: hasCaption).picture }
  }

  /// Returns the shape that shows most of both pictures: the one with the greater product of their
  /// visible shares.
  private func suiting(_ box: (Shape) -> Box) -> Shape {
    func seen(_ shape: Shape) -> Double {
      let box = box(shape)
      let of = Double(box.width) / Double(box.height)
      return [earlier.picture, later.picture].map { picture in
        let part = PictureAlignment.middle(of: picture, of)
        return part.width * part.height / (Double(picture.width) * Double(picture.height))
      }.reduce(1, *)
    }
    return seen(.landscape) >= seen(.portrait) ? .landscape : .portrait
  }

  /// Draws the diptych.
  ///
  /// - Parameter shape: The shape of the result.
  /// - Returns: The picture.
  package func picture(_ shape: Shape) -> Pixels {
    picture(DiptychLayout(shape, hasCaption: hasCaption))
  }

  func picture(_ layout: DiptychLayout) -> Pixels {
    var canvas = Canvas(width: layout.width, height: layout.height, .ground)
    let crop = PairCrop(
      earlier.picture, later.picture, alignment, width: layout.earlier.width,
      height: layout.earlier.height)
    canvas.draw(earlier.picture, in: layout.earlier, crop.earlier)
    canvas.draw(later.picture, in: layout.later, crop.later)
    canvas.label(earlier.label, in: layout.earlier, .left, size: layout.labelSize)
    canvas.label(later.label, in: layout.later, .left, size: layout.labelSize)
    if let caption { canvas.write(caption, in: layout.caption, sizes: layout.captionSizes) }
    return canvas.pixels
  }
}

/// The layout of a diptych.
struct DiptychLayout: Hashable, Sendable {
  let width: Int
  let height: Int
  /// The boxes of both pictures, which have the same size.
  let earlier: Box
  let later: Box
  /// The band of the caption; its height is zero if there is none.
  let caption: Box
  /// The font size of the labels, in pixels per em.
  let labelSize: Double
  /// The allowed font sizes of the caption, in pixels per em.
  let captionSizes: ClosedRange<Double>

  private static let gap = 6

  init(_ shape: Diptych.Shape, hasCaption: Bool) {
    let band: Int
    switch shape {
    case .landscape:
      (width, height, band) = (1200, 630, hasCaption ? 66 : 0)
      let box = Box(x: 0, y: 0, width: (width - Self.gap) / 2, height: height - band)
      earlier = box
      later = Box(x: width - box.width, y: 0, width: box.width, height: box.height)
    case .portrait:
      (width, height, band) = (1080, 1350, hasCaption ? 84 : 0)
      let box = Box(x: 0, y: 0, width: width, height: (height - band - Self.gap) / 2)
      earlier = box
      later = Box(x: 0, y: box.height + Self.gap, width: width, height: box.height)
    }
    caption = Box(x: 0, y: height - band, width: width, height: band)
    labelSize = 34
    captionSizes = 22...(shape == .landscape ? 34 : 38)
  }
}
