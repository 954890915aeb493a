/// A reversible encoding of arguments that are not UTF-8, for an argument parser that accepts only
/// text.
///
/// File names are bytes. A byte that is not part of a valid UTF-8 sequence is represented by the
/// character ``firstCharacter`` plus the byte's value, in the last private-use block of Unicode.
/// The bytes of a character that is itself in this range are encoded in the same way, so every
/// argument can be restored exactly.
package enum CommandLineBytes {
  /// The first code point of the range that represents bytes; the code points for 0x80 to 0xFF are
  /// used.
  private static let firstCharacter: UInt32 = 0x10FF00

  /// Returns the text that represents the bytes of an argument. Valid UTF-8 is unchanged.
  package static func text(of bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while let byte = rest.first {
      let length = (1...4).first { length in
        length <= rest.count && String(validating: rest.prefix(length), as: UTF8.self) != nil
      }
      if let length,
        let scalar = String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first,
        self.byte(of: scalar) == nil
      {
        text.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        if let scalar = Unicode.Scalar(firstCharacter + UInt32(byte)) { text.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// Returns the bytes of an argument from its encoded text.
  package static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(scalar.utf8) }
  }

  private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    let range = (firstCharacter + 0x80)...(firstCharacter + 0xFF)
    return range.contains(scalar.value) ? UInt8(scalar.value - firstCharacter) : nil
  }

  /// The arguments of the process without its name, as encoded text.
  package static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      // Not through a FilePath, which collapses repeated slashes.
      CommandLine.unsafeArgv[index].map { argument in
        var bytes: [UInt8] = []
        while argument[bytes.count] != 0 {
          bytes.append(UInt8(bitPattern: argument[bytes.count]))
        }
        return text(of: bytes)
      }
    }
  }
}
