/// The words and numbers of a file's name without its extension, in lower case, by which two files
/// of one moment are recognised as files of one press of the shutter, whatever the marks of a
/// program are.
///
/// A word has only letters, of any script, and at least two bytes; everything else between
/// separators is a number. The separators are the ASCII characters other than letters and digits.
struct NameTokens {
  private let tokens: [ArraySlice<UInt8>]

  /// Splits a name.
  ///
  /// - Parameters:
  ///   - name: The range of the name.
  ///   - names: The bytes of many names.
  init(_ name: Range<Int>, in names: [UInt8]) {
    let stem = Self.stem(name, names)
    tokens = names[stem].map(\.lowercased).split { !$0.isPartOfToken }
  }

  private static func stem(_ name: Range<Int>, _ names: [UInt8]) -> Range<Int> {
    guard let dot = names.last(UInt8(ascii: "."), in: name), dot > name.lowerBound else {
      return name
    }
    return name.lowerBound..<dot
  }

  private static func isWord(_ token: ArraySlice<UInt8>) -> Bool {
    token.count > 1 && !token.contains { $0.isDigit }
  }

  /// The tokens of one of two names that the other does not have.
  struct Rest: Hashable {
    var words: [ArraySlice<UInt8>] = []
    var numbers: [ArraySlice<UInt8>] = []
    var isEmpty: Bool { words.isEmpty && numbers.isEmpty }

    init(_ tokens: ArraySlice<ArraySlice<UInt8>>) {
      words = tokens.filter(NameTokens.isWord)
      numbers = tokens.filter { !NameTokens.isWord($0) }
    }
  }

  /// Compares two names.
  ///
  /// - Returns: What each of the names has besides the tokens that both begin or end with, and
  ///   whether these include a number; `nil` if the names have nothing in common.
  func compare(_ other: NameTokens) -> (own: Rest, other: Rest, shareNumber: Bool)? {
    let count = min(tokens.count, other.tokens.count)
    var start = 0
    while start < count, tokens[start] == other.tokens[start] { start += 1 }
    var end = 0
    while end < count - start,
      tokens[tokens.count - 1 - end] == other.tokens[other.tokens.count - 1 - end]
    { end += 1 }
    guard start + end > 0 else { return nil }
    let common = tokens[..<start] + tokens[(tokens.count - end)...]
    return (
      Rest(tokens[start..<tokens.count - end]),
      Rest(other.tokens[start..<other.tokens.count - end]),
      common.contains { !Self.isWord($0) }
    )
  }

  // MARK: - Groups

  /// The bytes that names of one press have in common: the numbers of at least three digits, or, if
  /// there are none, the first token.
  static func key(_ name: Range<Int>, in names: [UInt8]) -> [UInt8] {
    var key: [UInt8] = []
    forEachByteOfKey(name, names) { key.append($0) }
    return key
  }

  /// Returns a hash of ``key(_:in:)``.
  static func hashOfKey(_ name: Range<Int>, in names: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    forEachByteOfKey(name, names) { hash = (hash ^ UInt64($0)) &* 0x100_0000_01B3 }
    return hash ^ hash >> 32
  }

  private static func forEachByteOfKey(
    _ name: Range<Int>, _ names: [UInt8], _ body: (UInt8) -> Void
  ) {
    let stem = stem(name, names)
    var hasNumber = false
    var place = stem.lowerBound
    while place < stem.upperBound {
      let start = place
      while place < stem.upperBound, names[place].isDigit { place += 1 }
      if place - start >= 3 {
        hasNumber = true
        for digit in names[start..<place] { body(digit) }
        body(UInt8(ascii: "/"))
      }
      if place == start { place += 1 }
    }
    guard !hasNumber else { return }
    let first = stem.drop { !names[$0].isPartOfToken }.prefix { names[$0].isPartOfToken }
    for place in first { body(names[place].lowercased) }
  }
}

extension UInt8 {
  /// Whether the byte belongs to a word or a number; those of other scripts do.
  fileprivate var isPartOfToken: Bool {
    isDigit || (0x61...0x7A).contains(lowercased) || self >= 0x80
  }
}
