import CGlyphs

/// A reader of the glyph outlines that `make-glyphs.py` writes; the head of that script describes
/// the format.
///
/// The outlines are embedded in the program, so their contents are trusted.
struct GlyphOutlines: Sendable {
  /// The embedded outlines.
  static let ofProgram = GlyphOutlines()

  /// A point of a contour, in ems from the origin on the baseline, y upwards.
  struct Point: Hashable {
    var x: Double
    var y: Double
    var isOnCurve = true
  }

  /// The height of the glyphs above the baseline, in ems.
  let ascent: Double
  /// The depth of the glyphs below the baseline, in ems.
  let descent: Double
  /// The height of capitals, in ems.
  let capitalHeight: Double

  private let bytes: [UInt8]
  private let unitsPerEm: Double
  private let glyphs: [Character: Int]
  private let kerns: [UInt32: Int16]
  // The offsets of the parts.
  private let advances: Int
  private let starts: Int
  private let outlines: Int

  /// The maximum nesting of composite glyphs: an accent and a letter, which may have an accent
  /// itself.
  private static let maximumNestings = 4

  private init() {
    let start = unsafe photospots_glyphs()
    bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: photospots_glyphs_size()))
    precondition(bytes.starts(with: "glyphs 1".utf8), "the glyphs are of another version")
    var reader = Reader(bytes, at: 8)
    unitsPerEm = Double(reader.number(UInt16.self))
    ascent = Double(reader.number(UInt16.self)) / unitsPerEm
    descent = Double(reader.number(UInt16.self)) / unitsPerEm
    capitalHeight = Double(reader.number(UInt16.self)) / unitsPerEm
    let counts = (0..<4).map { _ in Int(reader.number(UInt32.self)) }
    let codes = (0..<counts[0]).map { _ in reader.number(UInt16.self) }
    let numbers = (0..<counts[0]).map { _ in Int(reader.number(UInt16.self)) }
    // A letter and a combining accent equal the precomposed character. If several code points are
    // the same character, such as the ohm sign and omega, the first one is used.
    glyphs = Dictionary(
      zip(codes.compactMap { Unicode.Scalar($0).map(Character.init) }, numbers),
      uniquingKeysWith: { first, _ in first })
    advances = reader.place
    starts = advances + counts[1] * 2
    reader.place = starts + counts[1] * 4
    let pairs = (0..<counts[2]).map { _ in reader.number(UInt32.self) }
    kerns = Dictionary(
      zip(pairs, pairs.map { _ in Int16(bitPattern: reader.number(UInt16.self)) }),
      uniquingKeysWith: { first, _ in first })
    outlines = reader.place
    precondition(outlines + counts[3] == bytes.count, "the glyphs are cut off")
  }

  /// The characters that have a glyph.
  var characters: some Sequence<Character> { glyphs.keys }

  /// Returns the glyph of a character; `nil` if there is none.
  func glyph(of character: Character) -> Int? { glyphs[character] }

  /// Returns the advance width of a glyph, in ems.
  func advance(of glyph: Int) -> Double {
    Double(read(UInt16.self, at: advances + glyph * 2)) / unitsPerEm
  }

  /// Returns the kerning between two glyphs, in ems.
  func kerning(_ left: Int, _ right: Int) -> Double {
    let pair = UInt32(truncatingIfNeeded: left) << 16 | UInt32(truncatingIfNeeded: right)
    return Double(kerns[pair] ?? 0) / unitsPerEm
  }

  /// Returns the contours of a glyph. Between two consecutive off-curve points there is an implied
  /// on-curve point in the middle.
  func contours(of glyph: Int) -> [[Point]] { contours(of: glyph, nesting: 0) }

  private func contours(of glyph: Int, nesting: Int) -> [[Point]] {
    guard nesting < Self.maximumNestings else { return [] }
    var reader = Reader(bytes, at: outlines + Int(read(UInt32.self, at: starts + glyph * 4)))
    let count = Int(reader.number(UInt8.self))
    guard count < 128 else {
      return (0..<count - 128).flatMap { _ in moved(&reader, nesting: nesting) }
    }
    var at = (x: 0, y: 0)
    return (0..<count).map { _ in
      let points = reader.variableLengthNumber()
      let bits = reader.place
      reader.place += (points + 7) / 8
      return (0..<points).map { point in
        at.x += reader.signedVariableLengthNumber()
        at.y += reader.signedVariableLengthNumber()
        return Point(
          x: Double(at.x) / unitsPerEm, y: Double(at.y) / unitsPerEm,
          isOnCurve: bytes[bits + point / 8] >> UInt8(point % 8) & 1 == 1)
      }
    }
  }

  /// Reads a component of a composite glyph: another glyph and the shift of its contours.
  private func moved(_ reader: inout Reader, nesting: Int) -> [[Point]] {
    let other = Int(reader.number(UInt16.self))
    let x = Double(Int16(bitPattern: reader.number(UInt16.self))) / unitsPerEm
    let y = Double(Int16(bitPattern: reader.number(UInt16.self))) / unitsPerEm
    return contours(of: other, nesting: nesting + 1).map { contour in
      contour.map { Point(x: $0.x + x, y: $0.y + y, isOnCurve: $0.isOnCurve) }
    }
  }

  private func read<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
    var reader = Reader(bytes, at: place)
    return reader.number(type)
  }

  /// A cursor that reads consecutive numbers.
  private struct Reader {
    let bytes: [UInt8]
    var place: Int

    init(_ bytes: [UInt8], at place: Int) { (self.bytes, self.place) = (bytes, place) }

    /// Reads a little-endian number.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
      var number: Number = 0
      for byte in 0..<Number.bitWidth / 8 {
        number |= Number(truncatingIfNeeded: bytes[place + byte]) << Number(8 * byte)
      }
      place += Number.bitWidth / 8
      return number
    }

    /// Reads an unsigned number in LEB128 encoding: seven bits per byte, the lowest first; the high
    /// bit of a byte means that more follow.
    mutating func variableLengthNumber() -> Int {
      var (number, shift) = (0, 0)
      while true {
        let byte = Int(bytes[place])
        place += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { return number }
      }
    }

    /// Reads a signed number: a variable-length number with the sign in the lowest bit and the
    /// magnitude above it.
    mutating func signedVariableLengthNumber() -> Int {
      let number = variableLengthNumber()
      return number & 1 == 1 ? -(number >> 1) : number >> 1
    }
  }
}
