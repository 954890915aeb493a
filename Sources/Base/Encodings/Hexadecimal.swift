/// The hexadecimal encoding of bytes (RFC 4648, section 8).
package enum Hexadecimal {
  private static let lowercase = Array("0123456789abcdef".utf8)
  private static let uppercase = Array("0123456789ABCDEF".utf8)

  /// Returns two hexadecimal digits per byte, in lower case unless `isUppercase` is `true`.
  package static func text(_ bytes: some Sequence<UInt8>, isUppercase: Bool = false) -> String {
    let digits = isUppercase ? uppercase : lowercase
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Returns the value of an ASCII digit in either case; `nil` if the character is not a digit.
  @inlinable @inline(__always)
  package static func value(ofDigit character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x41 + 10
    case 0x61...0x66: character - 0x61 + 10
    default: nil
    }
  }

  /// Returns the value of a two-digit byte; `nil` if there are not exactly two hexadecimal digits.
  package static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, let high = value(ofDigit: digits[digits.startIndex]),
      let low = value(ofDigit: digits[digits.startIndex + 1])
    else { return nil }
    return high << 4 | low
  }
}
