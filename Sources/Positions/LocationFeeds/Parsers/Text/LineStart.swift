/// The marks that other programs write before a line.
enum LineStart {
  /// The greatest length of a logger's mark in bytes.
  private static let maximumLength = 64

  /// Returns the range of a line without the separator of a JSON text sequence (RFC 7464) and
  /// without a logger's mark in brackets, such as `[2026-11-20 12:00:00.123] $GPRMC,…`.
  static func content(of bytes: [UInt8], line: Range<Int>) -> Range<Int> {
    var start = line.lowerBound
    while start < line.upperBound, bytes[start] == 0x1E { start += 1 }
    guard start < line.upperBound, bytes[start] == UInt8(ascii: "[") else {
      return start..<line.upperBound
    }
    // An array of JSON is followed by nothing else in its line.
    let head = bytes[start..<line.upperBound].prefix(maximumLength)
    guard let close = head.firstIndex(of: UInt8(ascii: "]")),
      !head[..<close].contains(where: { [0x22, 0x7B].contains($0) }),
      let next = bytes[(close + 1)..<line.upperBound].firstIndex(where: { !$0.isSpace }),
      ["$", "!", "{"].contains(Unicode.Scalar(bytes[next]))
    else { return start..<line.upperBound }
    return next..<line.upperBound
  }
}
