/// Carries arguments that are not UTF-8 through an argument parser that knows only text.
///
/// Names of files are bytes. A byte that is no part of a UTF-8 sequence stands as the character at
/// ``firstCharacter`` plus its value, in the last private-use block of Unicode; the bytes of a
/// character that is itself from there are carried in the same way, so every argument comes back as
/// it was.
enum CommandLineBytes {
  /// Where the characters that stand for bytes begin; those for 0x80 to 0xFF are used.
  private static let firstCharacter: UInt32 = 0x10FF00

  /// The text that stands for the bytes of an argument; UTF-8 stands for itself.
  static func text(of bytes: [UInt8]) -> String {
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

  /// The bytes of an argument from the text that stands for them.
  static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(scalar.utf8) }
  }

  private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    let range = (firstCharacter + 0x80)...(firstCharacter + 0xFF)
    return range.contains(scalar.value) ? UInt8(scalar.value - firstCharacter) : nil
  }

  /// The arguments of the process after its name, as text.
  static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      // Not through a FilePath, which makes one slash of two.
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
