/// An encoder of integers as base32 text, with the alphabet of RFC 4648, section 6, in lower case.
package enum Base32 {
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// Returns a number as thirteen digits, the least significant digit first.
  package static func text(_ number: UInt64) -> String {
    String(
      decoding: (0..<13).map { alphabet[Int(number >> UInt64(5 * $0) & 31)] }, as: UTF8.self)
  }
}
