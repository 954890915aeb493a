/// Recovers the name of the original from the name of a copy, by removing the marks that file
/// managers and browsers add.
///
/// The marks are `NAME (1).jpg`, `NAME copy.jpg`, `NAME copy 2.jpg`, `NAME - Copy.jpg`, `NAME -
/// Copy (2).jpg`, with the word also in other languages, and `Copy of NAME.jpg`. `NAME(1).jpg`,
/// without a space, is not a mark: Google Takeout names a different photo of the same name so.
///
/// Whether files of one folder are copies, their contents decide (``ShotNames/areRelated(_:_:)``).
enum CopyName {
  /// The words that Windows and macOS use in the supported languages, in lower case.
  private static let words = [
    "copy", "kopie", "copie", "copia", "cópia", "kopia", "kopi", "копия",
  ].map { Array($0.utf8) }

  /// Returns the name in a range without the marks of a copy, with ASCII letters in lower case.
  static func original(of name: Range<Int>, in names: [UInt8]) -> [UInt8] {
    let dot = names.last(UInt8(ascii: "."), in: name) ?? name.upperBound
    var stem = name.lowerBound..<dot
    stem = withoutNumber(stem, names)
    stem = withoutWord(stem, names)
    let prefix = "copy of ".utf8.count
    if stem.count > prefix, names.holds("copy of ", in: stem.prefix(prefix)) {
      stem = stem.dropFirst(prefix)
    }
    return names[stem].map(\.lowercased) + names[dot..<name.upperBound].map(\.lowercased)
  }

  /// Removes ` (2)`.
  private static func withoutNumber(_ stem: Range<Int>, _ names: [UInt8]) -> Range<Int> {
    guard let last = stem.last, names[last] == UInt8(ascii: ")"),
      let open = names.last(UInt8(ascii: "("), in: stem), names.areDigits(open + 1..<last),
      open - 1 > stem.lowerBound, names[open - 1] == UInt8(ascii: " ")
    else { return stem }
    return stem.lowerBound..<open - 1
  }

  /// Removes ` copy`, ` copy 2` or ` - Copy`.
  private static func withoutWord(_ stem: Range<Int>, _ names: [UInt8]) -> Range<Int> {
    var rest = stem
    if let space = names.last(UInt8(ascii: " "), in: rest),
      names.areDigits(space + 1..<rest.upperBound)
    {
      rest = rest.lowerBound..<space
    }
    guard let word = words.first(where: { names.hasSuffix($0, in: rest) }) else { return stem }
    rest = rest.dropLast(word.count)
    guard names.hasSuffix(" ", in: rest) else { return stem }
    rest = names.hasSuffix(" - ", in: rest) ? rest.dropLast(3) : rest.dropLast()
    return rest.isEmpty ? stem : rest
  }
}

extension ShotNames {
  /// Returns whether one of two names of a folder is made of the other, so that files of equal
  /// content are copies: one name has all words and numbers of the other, and marks of any program
  /// and language before or behind them, or both have the marks of ``CopyName``.
  ///
  /// `IMG_1(1).jpg`, `Kopie von IMG_1.jpg` and `IMG_1.sync-conflict-1.jpg` are made of `IMG_1.jpg`,
  /// `IMG_2.jpg` and `beach.jpg` are not.
  func areRelated(_ one: FileID, _ other: FileID) -> Bool {
    let (one, other) = (range(of: one), range(of: other))
    if let (own, others, _) = NameTokens(one, in: bytes).compare(NameTokens(other, in: bytes)),
      own.isEmpty || others.isEmpty
    {
      return true
    }
    return CopyName.original(of: one, in: bytes) == CopyName.original(of: other, in: bytes)
  }
}
