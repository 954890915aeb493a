/// The percent-encoding of bytes (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Returns the percent-encoding of bytes; ASCII letters, digits and the characters in `kept` stay
  /// as they are.
  package static func text(
    _ bytes: some Sequence<UInt8>, keeping kept: StaticString
  ) -> String {
    var text = ""
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where kept.withUTF8Buffer({ $0.contains(byte) }):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + Hexadecimal.text(CollectionOfOne(byte), isUppercase: true)
      }
    }
    return text
  }

  /// Decodes a text; `nil` if a percent sign is not followed by two hexadecimal digits.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    decoded(text) { _ in nil }
  }

  /// Decodes a text, and leaves a percent sign that is not followed by two hexadecimal digits as it
  /// is.
  package static func plainBytes(_ text: some StringProtocol) -> [UInt8] {
    decoded(text) { $0 } ?? []
  }

  /// Decodes a text. For a percent sign that is not followed by two digits, `loneSign` returns the
  /// byte to use, or `nil` to reject the text.
  private static func decoded(
    _ text: some StringProtocol, loneSign: (UInt8) -> UInt8?
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let character = rest.popFirst() {
      guard character == UInt8(ascii: "%") else {
        bytes.append(character)
        continue
      }
      if let byte = Hexadecimal.byte(rest.prefix(2)) {
        bytes.append(byte)
        rest = rest.dropFirst(2)
      } else {
        guard let byte = loneSign(character) else { return nil }
        bytes.append(byte)
      }
    }
    return bytes
  }
}
