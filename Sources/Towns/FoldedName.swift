/// Names without accents, case and signs, as people type them.
enum FoldedName {
  /// The name in lower-case letters and digits of ASCII, with single spaces: `Arezzo`, `sao paulo`.
  /// Letters of other scripts stay as they are.
  static func bytes(of name: some StringProtocol, _ data: TownData) -> [UInt8] {
    var folded: [UInt8] = []
    for scalar in name.unicodeScalars { append(scalar, to: &folded, data) }
    while folded.last == space { folded.removeLast() }
    return folded
  }

  static let space = UInt8(ascii: " ")

  /// Appends a scalar, folded; a space only behind another character.
  static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8], _ data: TownData) {
    switch scalar {
    case "A"..."Z": folded.append(UInt8(truncatingIfNeeded: scalar.value) | 0x20)
    case "a"..."z", "0"..."9": folded.append(UInt8(truncatingIfNeeded: scalar.value))
    case " ", "-", "–", "/", "\t":
      if let last = folded.last, last != space { folded.append(space) }
    case "\0"..."\u{BF}", "\u{2B0}"..."\u{36F}", "\u{2010}"..."\u{2027}": break
    default: folded += data.foldedLetters(scalar) ?? Array(String(scalar).utf8)
    }
  }
}
