/// The line of text under two pictures: the first of several that can be drawn.
package struct DiptychCaption: Hashable, Sendable {
  private let lines: [Line]

  private struct Line: Hashable, Sendable {
    let title: String
    let ending: String
  }

  /// Creates the caption of a place and years: `Arezzo, 2008 and 2026`.
  ///
  /// - Parameters:
  ///   - places: Names of the place. The first that can be drawn is; where none can, the years
  ///     stand alone. A long one is cut.
  ///   - years: The years; `nil` where they are unknown.
  package init(places: [String], years: String?) {
    lines =
      places.map { Line(title: $0, ending: years.map { ", " + $0 } ?? "") }
      + [years].compactMap(\.self).map { Line(title: $0, ending: "") }
  }

  /// Creates a caption of any text.
  ///
  /// - Parameters:
  ///   - text: The text. A long one is cut.
  ///   - years: The replacement for a text that cannot be drawn.
  package init(text: String, years: String?) {
    lines = [text, years].compactMap(\.self).map { Line(title: $0, ending: "") }
  }

  /// Whether a text can be drawn: one with a letter that is not Latin, Greek or Cyrillic cannot.
  package static func isDrawable(_ text: String) -> Bool { TextLine(text) != nil }

  /// The text that is drawn where there is enough room; `nil` for none.
  package var line: String? { drawable.map { $0.title.text + $0.ending } }

  /// The line that is drawn.
  private var drawable: (title: TextLine, ending: String)? {
    for line in lines {
      if let title = TextLine(line.title) { return (title, line.ending) }
    }
    return nil
  }

  /// The line, as long as it may be.
  ///
  /// - Parameters:
  ///   - width: The room in pixels.
  ///   - sizes: The sizes of an em that it may have; it is cut where it is too long in the least.
  /// - Returns: The line and its size; `nil` for nothing.
  func fitted(width: Double, sizes: ClosedRange<Double>) -> (line: TextLine, size: Double)? {
    guard let (title, ending) = drawable else { return nil }
    let line = TextLine.fitted(title, ending, width: width / sizes.lowerBound)
    return (line, min(sizes.upperBound, width / line.width))
  }
}

extension Canvas {
  /// The side at which a label stands.
  enum Corner: Sendable {
    case left, right
  }

  /// Writes a line in the middle of a band.
  mutating func write(_ caption: DiptychCaption, in band: Box, sizes: ClosedRange<Double>) {
    let room = Double(band.width) * 0.94
    guard band.height > 0, let (line, size) = caption.fitted(width: room, sizes: sizes) else {
      return
    }
    let left = (Double(band.width) - line.width * size) / 2
    write(line, size: size, x: band.x + Int(saturating: left), in: band)
  }

  /// Writes a short text on a dark field in an upper corner of a box; nothing where it cannot be
  /// drawn, or there is no room for it.
  mutating func label(_ text: String?, in box: Box, _ corner: Corner, size: Double) {
    guard let line = text.flatMap(TextLine.init) else { return }
    let (margin, padding) = (Int(saturating: size * 0.55), Int(saturating: size * 0.4))
    let width = Int(saturating: line.width * size) + 2 * padding
    let height = Int(saturating: GlyphOutlines.ofProgram.capitalHeight * size) + 2 * padding
    guard width + 2 * margin <= box.width, height + 2 * margin <= box.height else { return }
    let x = corner == .left ? box.x + margin : box.x + box.width - margin - width
    let field = Box(x: x, y: box.y + margin, width: width, height: height)
    let shape = Coverage(boxOfWidth: width, height: height, cornerRadius: size * 0.3)
    lay(.black, shape, x: field.x, y: field.y, opacity: 160)
    write(line, size: size, x: field.x + padding, in: field)
  }

  /// Writes a line that begins at a column, its capitals in the middle of a box's height.
  private mutating func write(_ line: TextLine, size: Double, x: Int, in box: Box) {
    let coverage = line.coverage(size: size)
    let capitals = GlyphOutlines.ofProgram.capitalHeight * size
    let baseline = Double(box.y) + (Double(box.height) + capitals) / 2
    lay(
      .white, coverage, x: x - Int(saturating: size),
      y: Int(saturating: baseline.rounded()) - TextLine.baseline(size: size))
  }
}
