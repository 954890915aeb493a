/// Normalises names for searching: without accents, case and punctuation.
enum FoldedName {
  /// Returns a name in lower-case ASCII letters and digits with single spaces, such as `arezzo` or
  /// `sao paulo`; letters of other scripts are in lower case.
  static func bytes(of name: some StringProtocol, _ data: TownData) -> [UInt8] {
    var folded: [UInt8] = []
    for scalar in name.unicodeScalars { append(scalar, to: &folded, data) }
    while folded.last == space { folded.removeLast() }
    return folded
  }

  static let space = UInt8(ascii: " ")

  /// Appends the folded form of a character. A separator becomes a space, unless the text is empty
  /// or already ends with a space.
  static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8], _ data: TownData) {
    switch scalar {
    case "A"..."Z": folded.append(UInt8(truncatingIfNeeded: scalar.value) | 0x20)
    case "a"..."z", "0"..."9": folded.append(UInt8(truncatingIfNeeded: scalar.value))
    case " ", "-", "–", "/", "\t":
      if let last = folded.last, last != space { folded.append(space) }
    case "\0"..."\u{BF}", "\u{2B0}"..."\u{36F}", "\u{2010}"..."\u{2027}": break
    // The form of a sigma at the end of a word has no capital of its own.
    case "ς": folded += "σ".utf8
    default: folded += data.foldedLetters(scalar) ?? Array(scalar.properties.lowercaseMapping.utf8)
    }
  }
}
