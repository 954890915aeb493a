/// A converter of text that arrives in pieces to UTF-8: XMP packets may be in UTF-8, UTF-16 or
/// UTF-32 (XMP specification part 1, section 7.1; XML 1.0, appendix F).
struct UnicodePieces {
  private var form: Form?
  /// The bytes of a character that is not complete yet.
  private var rest: [UInt8] = []

  private struct Form {
    /// The number of bytes of a code unit: 1, 2 or 4.
    let width: Int
    let isBigEndian: Bool
    /// The length of the byte-order mark.
    let mark: Int
  }

  /// Converts the next piece; an incomplete character at its end is kept for the next one.
  mutating func utf8(_ piece: ArraySlice<UInt8>) -> [UInt8] {
    if let form, form.width == 1 { return Array(piece) }
    var bytes = rest + piece
    rest = []
    if form == nil {
      // The encoding is known from the first four bytes.
      guard bytes.count >= 4 else {
        rest = bytes
        return []
      }
      let found = Self.form(of: bytes.prefix(4))
      form = found
      bytes.removeFirst(found.mark)
    }
    guard let form, form.width > 1 else { return bytes }
    return decoded(bytes, form)
  }

  /// Returns the bytes left over at the end: a text of less than four bytes.
  mutating func finish() -> [UInt8] {
    defer { rest = [] }
    return form == nil ? rest : []
  }

  private static func form(of start: ArraySlice<UInt8>) -> Form {
    switch Array(start) {
    case [0xFF, 0xFE, 0, 0]: Form(width: 4, isBigEndian: false, mark: 4)
    case [0, 0, 0xFE, 0xFF]: Form(width: 4, isBigEndian: true, mark: 4)
    case [0x3C, 0, 0, 0]: Form(width: 4, isBigEndian: false, mark: 0)
    case [0, 0, 0, 0x3C]: Form(width: 4, isBigEndian: true, mark: 0)
    case let bytes where bytes.starts(with: [0xFF, 0xFE]):
      Form(width: 2, isBigEndian: false, mark: 2)
    case let bytes where bytes.starts(with: [0xFE, 0xFF]):
      Form(width: 2, isBigEndian: true, mark: 2)
    // `<` without a mark.
    case let bytes where bytes.starts(with: [0x3C, 0]):
      Form(width: 2, isBigEndian: false, mark: 0)
    case let bytes where bytes.starts(with: [0, 0x3C]):
      Form(width: 2, isBigEndian: true, mark: 0)
    case let bytes where bytes.starts(with: [0xEF, 0xBB, 0xBF]):
      Form(width: 1, isBigEndian: false, mark: 3)
    default: Form(width: 1, isBigEndian: false, mark: 0)
    }
  }

  private mutating func decoded(_ bytes: [UInt8], _ form: Form) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var place = 0
    while place + form.width <= bytes.count {
      var scalar = unit(at: place, of: bytes, form)
      var length = form.width
      if form.width == 2, 0xD800..<0xDC00 ~= scalar {
        guard place + 4 <= bytes.count else { break }
        let low = unit(at: place + 2, of: bytes, form)
        if 0xDC00..<0xE000 ~= low {
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
          length = 4
        }
      }
      // A lone surrogate, or a number that is none, becomes U+FFFD.
      let character = Unicode.Scalar(scalar) ?? "\u{FFFD}"
      text.append(contentsOf: String(character).utf8)
      place += length
    }
    rest = Array(bytes[place...])
    return text
  }

  private func unit(at place: Int, of bytes: [UInt8], _ form: Form) -> UInt32 {
    let unit = bytes[place..<place + form.width]
    return form.isBigEndian
      ? unit.reduce(0) { $0 << 8 | UInt32($1) } : unit.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
