/// Converts the text of files to UTF-8.
enum TextEncoding {
  /// Returns a text as UTF-8 without a byte-order mark.
  ///
  /// UTF-16 is recognised by its byte-order mark (The Unicode Standard, section 23.8), or by the
  /// zero bytes of its first characters. Other text is decoded as Windows-1252 if an XML
  /// declaration names it or ISO 8859, or if it is not valid UTF-8.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes[3...]) }
    if bytes.starts(with: [0xFF, 0xFE]) { return fromUTF16(bytes[2...], isBigEndian: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return fromUTF16(bytes[2...], isBigEndian: true) }
    if bytes.count >= 4, bytes[0] != 0, bytes[2] != 0, bytes[1] == 0, bytes[3] == 0 {
      return fromUTF16(bytes[...], isBigEndian: false)
    }
    if bytes.count >= 4, bytes[0] == 0, bytes[2] == 0, bytes[1] != 0, bytes[3] != 0 {
      return fromUTF16(bytes[...], isBigEndian: true)
    }
    if declaresOneByte(bytes) || String(validating: bytes, as: UTF8.self) == nil {
      return fromWindows1252(bytes)
    }
    return bytes
  }

  private static func fromUTF16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 2 + 2)
    let places = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
    var units = places.lazy.map { place -> UInt16 in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }.makeIterator()
    // Unpaired surrogates become U+FFFD.
    var decoder = UTF16()
    while true {
      switch decoder.decode(&units) {
      case .scalarValue(let scalar): text.append(contentsOf: Unicode.UTF8.encode(scalar) ?? .init())
      case .error: text.append(contentsOf: [0xEF, 0xBF, 0xBD])
      case .emptyInput: return text
      }
    }
  }

  /// Returns whether the text begins with an XML declaration that names ISO 8859-1, ISO 8859-15 or
  /// Windows-1252.
  private static func declaresOneByte(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: Array("<?xml".utf8)) else { return false }
    let head = String(decoding: bytes.prefix(200).prefix { $0 != 0x3E }, as: UTF8.self).lowercased()
    return ["iso-8859-1", "iso-8859-15", "windows-1252", "latin1"].contains {
      head.contains("\"\($0)\"") || head.contains("'\($0)'")
    }
  }

  /// The characters of the bytes 0x80 to 0x9F in Windows-1252 (encoding.spec.whatwg.org,
  /// index-windows-1252).
  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  private static func fromWindows1252(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      guard byte >= 0x80 else {
        text.append(byte)
        continue
      }
      let scalar = byte < 0xA0 ? windows1252[Int(byte - 0x80)] : Unicode.Scalar(byte)
      text.append(contentsOf: Unicode.UTF8.encode(scalar) ?? .init())
    }
    return text
  }
}
