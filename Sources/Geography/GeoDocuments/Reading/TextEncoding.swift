import Encodings

/// Converts the text of files to UTF-8.
///
/// The encoding is the one that the file declares, by a byte-order mark or in its XML declaration,
/// or that its format fixes: JSON is UTF-8 (RFC 8259, section 8.1). Only that of a file that
/// declares none and is not UTF-8 is guessed, and the guess is named.
struct TextEncoding {
  /// The text in UTF-8 without a byte-order mark. Each byte that is not part of a character is
  /// U+FFFD.
  private(set) var text: [UInt8] = []
  /// The number of such bytes.
  private(set) var badByteCount = 0
  /// The name of a guessed encoding; `nil` where nothing was guessed.
  private(set) var guess: String?

  /// The encoding of files that declare none and are not UTF-8.
  private static let usualEncoding = "Windows-1252"

  /// Converts a text.
  ///
  /// UTF-16 and UTF-32 are recognised by their byte-order marks (The Unicode Standard, section
  /// 23.8), UTF-16 also by the zero bytes of its first characters. A declaration that its own
  /// encoding could not have written, such as one of UTF-16 in single bytes, counts as none.
  ///
  /// - Parameters:
  ///   - bytes: The content of a file.
  ///   - asked: The name of its encoding as given by the user, which prevails.
  /// - Throws: ``PlaceFileError/encoding(_:)`` where an encoding is not known.
  init(_ bytes: [UInt8], asked: String? = nil) throws(PlaceFileError) {
    try take(bytes, asked: asked)
  }

  private mutating func take(_ bytes: [UInt8], asked: String?) throws(PlaceFileError) {
    if let asked { return try convert(bytes[...], from: asked) }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return takeUTF8(bytes[3...]) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return try convert(bytes[4...], from: "UTF-32LE") }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return try convert(bytes[4...], from: "UTF-32BE") }
    if bytes.starts(with: [0xFF, 0xFE]) { return takeUTF16(bytes[2...], isBigEndian: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return takeUTF16(bytes[2...], isBigEndian: true) }
    if bytes.count >= 4, bytes[0] != 0, bytes[2] != 0, bytes[1] == 0, bytes[3] == 0 {
      return takeUTF16(bytes[...], isBigEndian: false)
    }
    if bytes.count >= 4, bytes[0] == 0, bytes[2] == 0, bytes[1] != 0, bytes[3] != 0 {
      return takeUTF16(bytes[...], isBigEndian: true)
    }
    if let declared = Self.declared(bytes) {
      if CharacterDecoder.name(declared) == "UTF-8" { return takeUTF8(bytes[...]) }
      try convert(bytes[...], from: declared)
      if text.starts(with: Self.declarationStart) { return }
      (text, badByteCount) = ([], 0)
    }
    takeUndeclared(bytes)
  }

  private mutating func takeUndeclared(_ bytes: [UInt8]) {
    guard String(validating: bytes, as: UTF8.self) == nil else {
      text = bytes
      return
    }
    let marked = Self.marked(bytes[...])
    let first = bytes.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    let isJSON = first.map { [0x7B, 0x5B, 0x1E].contains($0) } ?? false
    // Text in another encoding hardly ever has longer sequences of UTF-8.
    if !isJSON, marked.sequenceCount < marked.badByteCount,
      let guessed = try? CharacterDecoder.text(bytes, encoding: Self.usualEncoding)
    {
      (text, badByteCount, guess) = (guessed.bytes, guessed.badByteCount, Self.usualEncoding)
    } else {
      (text, badByteCount) = (marked.text, marked.badByteCount)
    }
  }

  private mutating func convert(
    _ bytes: ArraySlice<UInt8>, from name: String
  ) throws(PlaceFileError) {
    do throws(CharacterDecoder.Failure) {
      let converted = try CharacterDecoder.text(bytes, encoding: name)
      (text, badByteCount) = (converted.bytes, converted.badByteCount)
    } catch {
      switch error {
      case .unknown: throw .encoding(PlaceText.line(name, limit: 60))
      case .tooLong: throw .tooLarge
      }
    }
  }

  private mutating func takeUTF8(_ bytes: ArraySlice<UInt8>) {
    guard String(validating: bytes, as: UTF8.self) == nil else {
      text = Array(bytes)
      return
    }
    let marked = Self.marked(bytes)
    (text, badByteCount) = (marked.text, marked.badByteCount)
  }

  /// Returns UTF-8 with each byte that is not part of a character replaced, the number of such
  /// bytes, and that of characters of several bytes.
  private static func marked(
    _ bytes: ArraySlice<UInt8>
  ) -> (text: [UInt8], badByteCount: Int, sequenceCount: Int) {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var (badByteCount, sequenceCount) = (0, 0)
    var rest = bytes
    while let byte = rest.first {
      let head = rest.prefix(byte.utf8SequenceLength)
      if byte < 0x80 {
        text.append(byte)
        rest = rest.dropFirst()
      } else if String(validating: head, as: UTF8.self) != nil {
        text += head
        sequenceCount += 1
        rest = rest.dropFirst(head.count)
      } else {
        text += [0xEF, 0xBF, 0xBD]
        badByteCount += 1
        rest = rest.dropFirst()
      }
    }
    return (text, badByteCount, sequenceCount)
  }

  private mutating func takeUTF16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
    text.reserveCapacity(bytes.count / 2 + 2)
    let places = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
    var units = places.lazy.map { place -> UInt16 in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }.makeIterator()
    var decoder = UTF16()
    while true {
      switch decoder.decode(&units) {
      case .scalarValue(let scalar): text.append(contentsOf: Unicode.UTF8.encode(scalar) ?? .init())
      case .error:
        // An unpaired surrogate.
        text.append(contentsOf: [0xEF, 0xBF, 0xBD])
        badByteCount += 2
      case .emptyInput:
        if bytes.count % 2 == 1 { badByteCount += 1 }
        return
      }
    }
  }

  private static let declarationStart = Array("<?xml".utf8)

  /// Returns the encoding that an XML declaration names (XML 1.0, production 80); `nil` where there
  /// is none.
  private static func declared(_ bytes: [UInt8]) -> String? {
    guard bytes.starts(with: declarationStart) else { return nil }
    let head = String(decoding: bytes.prefix(400).prefix { $0 != 0x3E }, as: UTF8.self)
    guard let name = head.firstRange(of: "encoding") else { return nil }
    let rest = head[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return String(rest.dropFirst().prefix { $0 != quote })
  }
}
