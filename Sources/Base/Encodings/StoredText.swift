/// The form in which texts of people are stored, whichever way they come: typed, sent or read from
/// a file. Both functions return a stored text unchanged.
///
/// Controls, the byte-order mark U+FEFF, and the noncharacters that XML 1.0 does not allow (section
/// 2.2, Char) are removed. Joiners, marks of direction and runs of spaces are kept as they are.
package enum StoredText {
  /// Returns a text as a single line without white space at its ends. A line break or tab becomes
  /// one space, together with the spaces around it.
  package static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      return text.utf8.first == 0x20 || text.utf8.last == 0x20 ? trimmed(text) : text
    }
    var line = String.UnicodeScalarView()
    var isAfterBreak = false
    for scalar in text.unicodeScalars {
      if isBreak(scalar) || scalar == "\t" {
        while line.last?.properties.isWhitespace == true { line.removeLast() }
        isAfterBreak = true
      } else if isAfterBreak, scalar.properties.isWhitespace {
        continue
      } else if isText(scalar) {
        if isAfterBreak, !line.isEmpty { line.append(" ") }
        isAfterBreak = false
        line.append(scalar)
      }
    }
    return String(trimmed(line))
  }

  /// Returns a text of several lines, each of which ends with a line feed. Tabs and white space are
  /// kept.
  package static func lines(_ text: String) -> String {
    var lines = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      let isSecond = isAfterReturn && scalar == "\n"
      isAfterReturn = scalar == "\r"
      if isBreak(scalar) {
        if !isSecond { lines.append("\n") }
      } else if scalar == "\t" || isText(scalar) {
        lines.append(scalar)
      }
    }
    return String(lines)
  }

  /// Returns a text without white space at its ends.
  package static func trimmed(_ text: String) -> String { String(trimmed(text.unicodeScalars)) }

  private static func trimmed(_ text: String.UnicodeScalarView) -> Substring.UnicodeScalarView {
    var text = text[...]
    while text.first?.properties.isWhitespace == true { text.removeFirst() }
    while text.last?.properties.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Whether a character ends a line (The Unicode Standard, section 5.8).
  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  private static func isText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
