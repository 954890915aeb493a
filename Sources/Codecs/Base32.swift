/// Numbers as text of 32 characters: lower-case letters and 2 to 7, the alphabet of RFC 4648,
/// section 6.
package enum Base32 {
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// Returns the thirteen digits of a number, the lowest first.
  package static func text(_ number: UInt64) -> String {
    String(
      decoding: (0..<13).map { alphabet[Int(number >> UInt64(5 * $0) & 31)] }, as: UTF8.self)
  }
}
