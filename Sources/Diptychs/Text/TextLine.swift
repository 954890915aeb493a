/// A text that is drawn as one line: Latin, Greek and Cyrillic, from left to right.
struct TextLine: Sendable {
  /// A text has no more scalars.
  static let mostScalars = 1000

  /// The drawn text, without repeated, leading or trailing spaces.
  let text: String
  /// The length of the line in ems.
  let width: Double
  private let glyphs: [(number: Int, place: Double)]

  /// Takes a text; `nil` where it cannot be drawn.
  ///
  /// A text with a letter or a number that there is no glyph of is not drawn at all: a part of a
  /// name is another name. Marks that a letter has no glyph with are left out, as are signs
  /// without a glyph and all that is not seen: controls, marks of direction. Any white space is a
  /// space.
  init?(_ text: String) {
    guard let text = Self.drawn(text) else { return nil }
    self.init(drawn: text)
  }

  /// Takes a text of which every character has a glyph.
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

  /// A title with its ending, cut so that it is no longer than a number of ems.
  ///
  /// - Returns: The whole line, where it is no longer; else as much of the title as there is room
  ///   for, an ellipsis and the ending; the line as it is where that is too long without a title.
  static func fitted(_ title: TextLine, _ ending: String, width: Double) -> TextLine {
    let whole = TextLine(drawn: title.text + ending)
    guard whole.width > width else { return whole }
    let characters = Array(title.text)
    // No kerning makes a longer beginning a shorter line.
    var (fits, longer) = (0, characters.count)
    while fits + 1 < longer {
      let middle = (fits + longer) / 2
      if cut(characters, middle, ending).width <= width { fits = middle } else { longer = middle }
    }
    return fits > 0 ? cut(characters, fits, ending) : whole
  }

  private static func cut(_ title: [Character], _ count: Int, _ ending: String) -> TextLine {
    var beginning = title.prefix(count)
    while let last = beginning.last, last == " " || last == "," { beginning.removeLast() }
    return TextLine(drawn: String(beginning) + "…" + ending)
  }

  // MARK: - What is drawn

  private static func drawn(_ text: String) -> String? {
    var drawn = ""
    for character in String(text.unicodeScalars.prefix(mostScalars)) {
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
    case nothing
    case obstacle
  }

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

  /// The coverage of pixels by the line.
  ///
  /// - Parameter size: The size of an em in pixels.
  /// - Returns: The coverage, with room of an em at both ends; its base line is at
  ///   ``baseline(size:)``.
  func coverage(size: Double) -> Coverage {
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

  /// The row of the base line in a coverage, whose text begins an em from its left.
  static func baseline(size: Double) -> Int {
    Int(saturating: (GlyphOutlines.ofProgram.ascent + roomAbove) * size) + 2
  }

  /// Capitals with two accents reach beyond the ascent, letters with marks below beyond the
  /// descent, by less than this in ems.
  private static let (roomAbove, roomBelow) = (0.4, 0.3)
}
