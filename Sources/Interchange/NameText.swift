/// Names of files as text. Names are bytes, mostly UTF-8, and text gives the exact bytes back.
///
/// Valid UTF-8 is kept. Every other byte *b* becomes the private-use character U+EF00 + *b*, as in
/// MirBSD's OPTU-8 encoding. The bytes of some valid characters are replaced in the same way:
/// U+EF00 to U+EFFF themselves, and U+FFFE and U+FFFF, which XML cannot hold. So different names
/// have different texts. Strict readers of JSON, XML and CSV accept these texts; many of them
/// refuse lone surrogates, which Python uses (PEP 383).
package enum NameText {
  /// Returns the text of a name.
  ///
  /// - Parameters:
  ///   - name: The name, or a path, as the system's bytes.
  ///   - isEscaped: Whether a byte of ASCII is written as its private-use character too, because
  ///     the format cannot hold it or means something else by it.
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

  /// Returns the name that a text is of.
  ///
  /// - Parameter text: The text, as UTF-8.
  /// - Returns: The name's bytes.
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
  /// Writes a file's name or path as ``NameText``.
  package mutating func string(name: some Collection<UInt8>) {
    string(NameText.text(of: name))
  }

  /// Writes a member that is a file's name or path, as ``NameText``.
  package mutating func member(_ key: String, name: some Collection<UInt8>) {
    self.key(key)
    string(name: name)
  }
}

extension JSONReader {
  /// Reads a string that is a file's name or path, as ``JSONWriter/string(name:)`` writes it, or
  /// ``JSONWriter/string(bytes:)``.
  package mutating func nameBytes() throws(JSONError) -> [UInt8] {
    NameText.name(of: try stringBytes())
  }
}
