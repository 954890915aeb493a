/// The caption of two pictures: the first of several candidate lines that can be drawn.
package struct DiptychCaption: Hashable, Sendable {
  private let lines: [Line]

  private struct Line: Hashable, Sendable {
    let title: String
    let ending: String
  }

  /// Creates a caption from a place and years: `Arezzo, 2008 and 2026`.
  ///
  /// - Parameters:
  ///   - places: Names of the place, in order of preference. If none can be drawn, the caption
  ///     consists of the years. A long name is truncated.
  ///   - years: The years; `nil` if they are unknown.
  package init(places: [String], years: String?) {
    lines =
      places.map { Line(title: $0, ending: years.map { ", " + $0 } ?? "") }
      + [years].compactMap(\.self).map { Line(title: $0, ending: "") }
  }

  /// Creates a caption from any text.
  ///
  /// - Parameters:
  ///   - text: The text. A long text is truncated.
  ///   - years: A replacement if the text cannot be drawn.
  package init(text: String, years: String?) {
    lines = [text, years].compactMap(\.self).map { Line(title: $0, ending: "") }
  }

  /// Whether a text can be drawn; letters must be Latin, Greek or Cyrillic.
  package static func isDrawable(_ text: String) -> Bool { TextLine(text) != nil }

  /// The text that is drawn if there is enough room; `nil` for none.
  package var line: String? { drawable.map { $0.title.text + $0.ending } }

  /// The line that is drawn.
  private var drawable: (title: TextLine, ending: String)? {
    for line in lines {
      if let title = TextLine(line.title) { return (title, line.ending) }
    }
    return nil
  }

  /// Returns the line fitted to a width.
  ///
  /// - Parameters:
  ///   - width: The available width in pixels.
  ///   - sizes: The allowed font sizes, in pixels per em; a line too long for the smallest is
  ///     truncated.
  /// - Returns: The line and its font size; `nil` if there is nothing to draw.
  func fitted(width: Double, sizes: ClosedRange<Double>) -> (line: TextLine, size: Double)? {
    guard let (title, ending) = drawable else { return nil }
    let line = TextLine.fitted(title, ending, width: width / sizes.lowerBound)
    return (line, min(sizes.upperBound, width / line.width))
  }
}

extension Canvas {
  /// The horizontal position of a label.
  enum Corner: Sendable {
    case left, right
  }

  /// Draws a caption centred in a band.
  mutating func write(_ caption: DiptychCaption, in band: Box, sizes: ClosedRange<Double>) {
    let room = Double(band.width) * 0.94
    guard band.height > 0, let (line, size) = caption.fitted(width: room, sizes: sizes) else {
      return
    }
    let left = (Double(band.width) - line.width * size) / 2
    write(line, size: size, x: band.x + Int(saturating: left), in: band)
  }

  /// Draws a short text on a dark background in an upper corner of a box; draws nothing if the text
  /// cannot be drawn or does not fit.
  mutating func label(_ text: String?, in box: Box, _ corner: Corner, size: Double) {
    guard let line = text.flatMap(TextLine.init) else { return }
    let (margin, padding) = (Int(saturating: size * 0.55), Int(saturating: size * 0.4))
    let width = Int(saturating: line.width * size) + 2 * padding
    let height = Int(saturating: GlyphOutlines.ofProgram.capitalHeight * size) + 2 * padding
    guard width + 2 * margin <= box.width, height + 2 * margin <= box.height else { return }
    let x = corner == .left ? box.x + margin : box.x + box.width - margin - width
    let field = Box(x: x, y: box.y + margin, width: width, height: height)
    let shape = Coverage(boxOfWidth: width, height: height, cornerRadius: size * 0.3)
    blend(.black, shape, x: field.x, y: field.y, opacity: 160)
    write(line, size: size, x: field.x + padding, in: field)
  }

  /// Draws a line that begins at a column, with its capitals vertically centred in a box.
  private mutating func write(_ line: TextLine, size: Double, x: Int, in box: Box) {
    let coverage = line.coverage(size: size)
    let capitals = GlyphOutlines.ofProgram.capitalHeight * size
    let baseline = Double(box.y) + (Double(box.height) + capitals) / 2
    blend(
      .white, coverage, x: x - Int(saturating: size),
      y: Int(saturating: baseline.rounded()) - TextLine.baseline(size: size))
  }
}
