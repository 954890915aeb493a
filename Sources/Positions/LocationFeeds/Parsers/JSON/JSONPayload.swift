/// Finds the JSON in a line that begins with other text: a logger's time stamp, or the topic of a
/// message.
enum JSONPayload {
  /// The greatest length of the text before the JSON, in bytes.
  private static let longestPrefix = 256

  /// Returns the range from the first bracket to the end of the line, and the trimmed text before
  /// it; `nil` where the line holds no JSON, or where the text before it contains `$`, `!` or `"`,
  /// as a raw sentence without a line end does.
  static func find(
    in bytes: [UInt8], line: Range<Int>
  ) -> (prefix: ArraySlice<UInt8>, json: Range<Int>)? {
    for index in line.prefix(longestPrefix) {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        return (bytes[line.lowerBound..<index].trimmed, index..<line.upperBound)
      case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "\""): return nil
      default: break
      }
    }
    return nil
  }
}
