/// Writes text for XML 1.0.
public enum XMLText {
  /// Returns text as it may stand between tags and in attribute values: the five characters of
  /// markup as entities, and characters that XML cannot hold at all as U+FFFD (section 2.2, Char).
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
      // A line break in an attribute's value would be read as a space.
      case "\n", "\r", "\t": result += "&#\(scalar.value);"
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
