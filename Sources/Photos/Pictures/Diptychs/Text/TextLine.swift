/// A text laid out as a single line: Latin, Greek and Cyrillic, from left to right.
package struct TextLine: Sendable {
  /// The maximum number of scalars; further ones are ignored.
  package static let maximumScalars = 1000

  /// The drawn text, without repeated, leading or trailing spaces.
  package let text: String
  /// The length of the line, in ems.
  package let width: Double
  private let glyphs: [(number: Int, place: Double)]

  /// Creates a line, or returns `nil` if the text cannot be drawn.
  ///
  /// A text with a letter or digit without a glyph is not drawn at all, because part of a name is a
  /// different name. Combining marks without a glyph are omitted, as are symbols without a glyph
  /// and invisible characters. Control characters and any white space become spaces.
  package init?(_ text: String) {
    guard let text = Self.drawn(text) else { return nil }
    self.init(drawn: text)
  }

  /// Creates a line from a text in which every character has a glyph.
  private init(drawn text: String) {
    let outlines = GlyphOutlines.ofProgram
    var (x, last) = (0.0, Int?.none)
    var glyphs: [(number: Int, place: Double)] = []
    for character in text {
      guard let glyph = outlines.glyph(of: character) else { continue }
      if let last { x += outlines.kerning(last, glyph) }
      glyphs.append((glyph, x))
      x += outlines.advance(of: glyph)
      last = glyph
    }
    (self.text, self.glyphs, width) = (text, glyphs, x)
  }

  /// Returns a title and its ending, truncated to a maximum width in ems.
  ///
  /// - Returns: The whole line if it fits; otherwise the beginning of the title, an ellipsis and
  ///   the ending. If even that does not fit, the whole line.
  package static func fitted(_ title: TextLine, _ ending: String, width: Double) -> TextLine {
    let whole = TextLine(drawn: title.text + ending)
    guard whole.width > width else { return whole }
    let characters = Array(title.text)
    // No kerning makes a longer beginning narrower, so a binary search is possible.
    var (fits, longer) = (0, characters.count)
    while fits + 1 < longer {
      let middle = (fits + longer) / 2
      if cut(characters, middle, ending).width <= width { fits = middle } else { longer = middle }
    }
    return fits > 0 ? cut(characters, fits, ending) : whole
  }

  /// Returns a line of the first characters of a title, an ellipsis and an ending.
  private static func cut(_ title: [Character], _ count: Int, _ ending: String) -> TextLine {
    var beginning = title.prefix(count)
    while let last = beginning.last, last == " " || last == "," { beginning.removeLast() }
    return TextLine(drawn: String(beginning) + "…" + ending)
  }

  // MARK: - Drawable characters

  /// Returns the drawable form of a text; `nil` if it is empty, or a letter or digit has no glyph.
  private static func drawn(_ text: String) -> String? {
    var drawn = ""
    for character in String(text.unicodeScalars.prefix(maximumScalars)) {
      switch part(character) {
      case .glyph(" "): if let last = drawn.last, last != " " { drawn.append(" ") }
      case .glyph(let character): drawn.append(character)
      case .nothing: break
      case .obstacle: return nil
      }
    }
    while drawn.last == " " { drawn.removeLast() }
    return drawn.isEmpty ? nil : drawn
  }

  /// The drawn form of a character.
  private enum Part {
    case glyph(Character)
    /// The character is omitted.
    case nothing
    /// A letter or digit without a glyph, because of which the text is not drawn.
    case obstacle
  }

  /// Returns the drawn form of a character: its glyph, else that of its base letter.
  private static func part(_ character: Character) -> Part {
    let outlines = GlyphOutlines.ofProgram
    guard let base = character.unicodeScalars.first else { return .nothing }
    if base.properties.isWhitespace { return .glyph(" ") }
    if outlines.glyph(of: character) != nil { return .glyph(character) }
    let plain = Character(base)
    switch base.properties.generalCategory {
    case .control: return .glyph(" ")
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      return outlines.glyph(of: plain) != nil ? .glyph(plain) : .obstacle
    case .format, .nonspacingMark, .enclosingMark, .spacingMark, .surrogate, .privateUse,
      .unassigned:
      return .nothing
    default: return outlines.glyph(of: plain) != nil ? .glyph(plain) : .nothing
    }
  }

  // MARK: - Drawing

  /// Rasterizes the line.
  ///
  /// - Parameter size: The font size in pixels per em.
  /// - Returns: The coverage of pixels, with a margin of one em on the left and right. The baseline
  ///   is at ``baseline(size:)``.
  package func coverage(size: Double) -> Coverage {
    let outlines = GlyphOutlines.ofProgram
    let baseline = Double(Self.baseline(size: size))
    var outline = OutlineCoverage(
      width: Int(saturating: (width + 2) * size) + 2,
      height: Int(saturating: baseline + (outlines.descent + Self.roomBelow) * size) + 2)
    for (glyph, place) in glyphs {
      for contour in outlines.contours(of: glyph) {
        outline.add(
          contour.map {
            .init(
              x: (place + 1 + $0.x) * size, y: baseline - $0.y * size, isOnCurve: $0.isOnCurve)
          })
      }
    }
    return outline.coverage
  }

  /// Returns the row of the baseline in a coverage whose text begins one em from its left edge.
  static func baseline(size: Double) -> Int {
    Int(saturating: (GlyphOutlines.ofProgram.ascent + roomAbove) * size) + 2
  }

  /// The margins in ems for capitals with two accents, which exceed the ascent, and for letters
  /// with marks below, which exceed the descent.
  private static let (roomAbove, roomBelow) = (0.4, 0.3)
}
