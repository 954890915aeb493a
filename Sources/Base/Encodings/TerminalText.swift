/// Functions that make text safe to print on a terminal.
///
/// File names, feeds and other foreign text may contain control sequences that a terminal would
/// execute.
package enum TerminalText {
  /// Returns bytes as part of a line: line feeds, tabs and carriage returns as `\n`, `\t` and `\r`;
  /// other control characters, invisible characters and bytes that are not UTF-8 as bytes such as
  /// `\x1b`.
  package static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    escape(Array(bytes), into: &text, keeping: { _ in false }) { bytes, text in
      for byte in bytes { text += escape(byte).utf8 }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns lines that are safe to print: escaped like ``escaped(_:)``, but with line feeds and
  /// tabs kept.
  package static func printable(_ bytes: [UInt8]) -> [UInt8] {
    guard !isPlain(bytes) else { return bytes }
    var text: [UInt8] = []
    escape(bytes, into: &text, keeping: isLayout) { bytes, text in
      for byte in bytes { text += escape(byte).utf8 }
    }
    return text
  }

  /// Returns an equivalent JSON document that is safe to print.
  ///
  /// The characters that ``printable(_:)`` would escape, which can occur only in strings, are
  /// written as `\u001b`. Bytes that are not UTF-8 are replaced by U+FFFD.
  package static func printableJSON(_ bytes: [UInt8]) -> [UInt8] {
    guard !isPlain(bytes) else { return bytes }
    var text: [UInt8] = []
    escape(bytes, into: &text, keeping: isLayout) { bytes, text in
      for unit in String(decoding: bytes, as: UTF8.self).utf16 {
        let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
        text += ("\\u" + Hexadecimal.text(bytes)).utf8
      }
    }
    return text
  }

  private static func isLayout(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x09 }

  /// Whether the bytes are only visible ASCII characters, line feeds and tabs, the common case.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { (0x20...0x7E).contains($0) || isLayout($0) }
  }

  private static func escape(
    _ bytes: [UInt8], into text: inout [UInt8], keeping isKept: (UInt8) -> Bool,
    _ escape: (ArraySlice<UInt8>, inout [UInt8]) -> Void
  ) {
    var rest = bytes[...]
    var previous: Unicode.Scalar?
    while let byte = rest.first {
      let length = min(byte.utf8SequenceLength, rest.count)
      let head = rest.prefix(length)
      if (0x20...0x7E).contains(byte) || isKept(byte) {
        text.append(byte)
        previous = nil
        rest = rest.dropFirst()
      } else if let scalar = String(validating: head, as: UTF8.self)?.unicodeScalars.first {
        let isEscaped = isUnsafe(scalar) && !isJoiner(scalar, after: previous)
        if isEscaped { escape(head, &text) } else { text += head }
        previous = isEscaped ? nil : scalar
        rest = rest.dropFirst(length)
      } else {
        escape(rest.prefix(1), &text)
        previous = nil
        rest = rest.dropFirst()
      }
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A: return "\\n"
    case 0x09: return "\\t"
    case 0x0D: return "\\r"
    default:
      return "\\x" + Hexadecimal.text([byte])
    }
  }

  /// Returns whether a scalar is a joiner (ZWJ) or a non-joiner (ZWNJ) where it changes the shape
  /// of the text, as in Persian, in the scripts of India and in emoji: after a letter, mark or sign
  /// that is not ASCII (The Unicode Standard, section 23.2). One joiner after another is invisible.
  package static func isJoiner(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
    guard scalar == "\u{200D}" || scalar == "\u{200C}", let previous, previous.value > 0x7F else {
      return false
    }
    return previous.properties.isAlphabetic || previous.properties.isEmoji
      || [.nonspacingMark, .spacingMark, .enclosingMark]
        .contains(previous.properties.generalCategory)
  }

  /// Whether a character is a control, is invisible, or changes the direction of the surrounding
  /// text.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      true
    default: false
    }
  }
}
