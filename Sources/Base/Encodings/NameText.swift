/// A lossless mapping between file names, which are bytes and usually UTF-8, and valid text.
///
/// Valid UTF-8 is kept. Every other byte *b* becomes the private-use character U+EF00 + *b*, as in
/// MirBSD's OPTU-8 encoding. The bytes of some valid characters are replaced in the same way:
/// U+EF00 to U+EFFF themselves, and U+FFFE and U+FFFF, which XML does not allow. So different names
/// have different texts. Strict parsers of JSON, XML and CSV accept these texts; many of them
/// reject lone surrogates, which Python uses (PEP 383).
package enum NameText {
  /// Returns the text of a name.
  ///
  /// - Parameters:
  ///   - name: The bytes of a name or path.
  ///   - isEscaped: Whether an ASCII byte is replaced too, because the format does not allow it or
  ///     gives it a special meaning.
  /// - Returns: The text.
  package static func text(
    of name: some Collection<UInt8>, escaping isEscaped: (UInt8) -> Bool = { _ in false }
  ) -> String {
    var text = ""
    var rest = Array(name)[...]
    while let first = rest.first {
      let sequence = rest.prefix(first.utf8SequenceLength)
      if let character = String(validating: sequence, as: UTF8.self),
        let scalar = character.unicodeScalars.first, !isReserved(scalar),
        sequence.count > 1 || !isEscaped(first)
      {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(sequence.count)
      } else {
        text.unicodeScalars.append(Unicode.Scalar(0xEF00 | UInt16(first)) ?? "\u{FFFD}")
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// Returns the name that a text represents.
  ///
  /// - Parameter text: The text, as UTF-8.
  /// - Returns: The bytes of the name.
  package static func name(of text: some Collection<UInt8>) -> [UInt8] {
    var name: [UInt8] = []
    var rest = Array(text)[...]
    while let first = rest.popFirst() {
      // U+EF00–U+EFFF are EE BC 80 – EE BF BF.
      if first == 0xEE, let second = rest.first, (0xBC...0xBF).contains(second),
        let third = rest.dropFirst().first, (0x80...0xBF).contains(third)
      {
        name.append((second & 0x03) << 6 | third & 0x3F)
        rest = rest.dropFirst(2)
      } else {
        name.append(first)
      }
    }
    return name
  }

  private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{EF00}"..."\u{EFFF}", "\u{FFFE}", "\u{FFFF}": true
    default: false
    }
  }
}

extension JSONWriter {
  /// Writes a file name or path as ``NameText``.
  package mutating func string(name: some Collection<UInt8>) {
    string(NameText.text(of: name))
  }

  /// Writes a member whose value is a file name or path, as ``NameText``.
  package mutating func member(_ key: String, name: some Collection<UInt8>) {
    self.key(key)
    string(name: name)
  }
}

extension JSONReader {
  /// Reads a file name or path written by ``JSONWriter/string(name:)`` or
  /// ``JSONWriter/string(bytes:)``.
  package mutating func nameBytes() throws(JSONError) -> [UInt8] {
    NameText.name(of: try stringBytes())
  }
}
