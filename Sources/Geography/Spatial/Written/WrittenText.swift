/// The text of a written position with each character replaced by the one that it stands for.
///
/// Characters are recognised by their class in Unicode where there is one: decimal digits of any
/// script, dashes, spaces, and the marks that Unicode calls default-ignorable, which mean nothing.
enum WrittenText {
  static let degree: Character = "°"
  static let minute: Character = "′"
  static let second: Character = "″"

  /// Returns the text with ASCII digits, signs, points, commas and spaces, and with one sign each
  /// for degrees, minutes and seconds.
  static func plain(_ text: some StringProtocol) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard let sign = sign(scalar) else { continue }
      if sign == "′", plain.last == "′" {
        // Two marks of minutes are one of seconds.
        plain.removeLast()
        plain.append("″")
      } else {
        plain.append(sign)
      }
    }
    return String(plain)
  }

  /// Returns the character that a character stands for; `nil` if it means nothing.
  private static func sign(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "\u{21}"..."\u{7E}" where !"'\"`*&".unicodeScalars.contains(scalar):
      return scalar
    case "°", "º", "˚", "⁰", "ᵒ", "∘", "◦", "⚬", "ﾟ", "゜", "*", "\u{30A}": return "°"
    case "'", "′", "’", "‘", "‛", "‚", "´", "`", "ʹ", "ʼ", "ʻ", "ʽ", "ˈ", "ˊ", "ˋ", "‵", "՚", "׳",
      "ꞌ", "\u{301}", "\u{300}", "\u{374}", "\u{384}", "\u{1FFD}", "\u{1FEF}", "❛", "❜", "＇", "｀":
      return "′"
    case "\"", "″", "”", "“", "‟", "„", "ʺ", "˝", "ˮ", "‶", "״", "〃", "〝", "〞", "〟", "❝", "❞", "＂":
      return "″"
    case "，", "、", "،", "﹐", "︐", "､": return ","
    case "；", "؛", "﹔": return ";"
    case "：", "﹕", "∶": return ":"
    case "．", "٫", "﹒", "·": return "."
    case "•", "・": return ";"
    case "&": return " "
    case "−", "⁻", "₋", "➖": return "-"
    case "﹢", "⁺", "➕": return "+"
    default: break
    }
    // Full-width forms of ASCII.
    if ("\u{FF01}"..."\u{FF5E}").contains(scalar) {
      return sign(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar)
    }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return nil }
    if properties.isWhitespace { return " " }
    switch properties.generalCategory {
    case .format, .control: return nil
    // Pictures, as of a pin.
    case .otherSymbol: return " "
    case .dashPunctuation: return "-"
    case .decimalNumber:
      let digit = properties.numericValue.map { UInt32(saturating: $0) } ?? 0
      return Unicode.Scalar(0x30 + min(digit, 9)) ?? scalar
    default: return scalar
    }
  }
}
