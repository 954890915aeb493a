/// Sequences of JSON texts: those of RFC 7464, and those with one object a line.
enum JSONTexts {
  /// The byte before each text of a sequence (RFC 7464, section 2.2).
  static let recordSeparator: UInt8 = 0x1E

  /// Returns the ranges of the texts in a sequence; `nil` where the file is a single text.
  static func ranges(_ text: [UInt8]) -> [Range<Int>]? {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let start = text.firstIndex(where: { !isSpace($0) }) else { return nil }
    let isSeparated = text[start] == recordSeparator
    let parts = text.split(separator: isSeparated ? recordSeparator : 0x0A)
      .filter { !$0.allSatisfy(isSpace) }
    // A line of a single text is not an object of its own.
    let isSequence =
      isSeparated
      || parts.count > 1
        && parts.prefix(2).allSatisfy { part in
          part.first { !isSpace($0) } == UInt8(ascii: "{")
            && part.last { !isSpace($0) } == UInt8(ascii: "}")
        }
    return isSequence ? parts.map(\.indices) : nil
  }
}
