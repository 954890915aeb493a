/// An escaper of text for XML 1.0.
public enum XMLText {
  /// Returns text escaped for element content and attribute values.
  ///
  /// The five characters of markup become entities, line breaks and tabs become character
  /// references, and characters that XML does not allow become U+FFFD (section 2.2, Char).
  public static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      // An unescaped line break in an attribute's value would be normalised to a space.
      case "\n", "\r", "\t": result += "&#\(scalar.value);"
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
