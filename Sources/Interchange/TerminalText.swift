import Codecs

/// Text without anything that could do more to a terminal than show a character.
///
/// Names in files and feeds, and whatever else was written by others, may hold codes that a
/// terminal obeys.
package enum TerminalText {
  /// Returns bytes as a part of a line: control characters as `\n` or `\x1b`, characters that
  /// cannot be seen and bytes that are not UTF-8 as `\xff`.
  package static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    escape(Array(bytes), into: &text, keeping: { _ in false }) { bytes, text in
      for byte in bytes { text += escape(byte).utf8 }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns lines that may be written to a terminal: as ``escaped(_:)``, but with their line feeds
  /// and tabs.
  package static func printable(_ bytes: [UInt8]) -> [UInt8] {
    guard !isPlain(bytes) else { return bytes }
    var text: [UInt8] = []
    escape(bytes, into: &text, keeping: isLayout) { bytes, text in
      for byte in bytes { text += escape(byte).utf8 }
    }
    return text
  }

  /// Returns a JSON text that may be written to a terminal, and means the same: what would be
  /// escaped by ``printable(_:)``, which can only be in strings, is written as `\u001b`. Bytes that
  /// are not UTF-8 are replaced.
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

  /// Whether there is nothing but visible ASCII characters, line feeds and tabs, as mostly.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { (0x20...0x7E).contains($0) || isLayout($0) }
  }

  private static func escape(
    _ bytes: [UInt8], into text: inout [UInt8], keeping isKept: (UInt8) -> Bool,
    _ escape: (ArraySlice<UInt8>, inout [UInt8]) -> Void
  ) {
    var rest = bytes[...]
    while let byte = rest.first {
      let length = min(byte.utf8SequenceLength, rest.count)
      let head = rest.prefix(length)
      if (0x20...0x7E).contains(byte) || isKept(byte) {
        text.append(byte)
        rest = rest.dropFirst()
      } else if let scalar = String(validating: head, as: UTF8.self)?.unicodeScalars.first {
        if isUnsafe(scalar) { escape(head, &text) } else { text += head }
        rest = rest.dropFirst(length)
      } else {
        escape(rest.prefix(1), &text)
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

  /// Controls, and characters that turn the direction of the text around them.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      true
    default: false
    }
  }
}
