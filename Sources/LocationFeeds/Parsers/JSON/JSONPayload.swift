/// Finds the JSON in a line that has something before it: a time that a logger put there, or the
/// topic of a message.
enum JSONPayload {
  /// The longest text before the JSON.
  private static let longestPrefix = 256

  /// The first bracket of the JSON in a line, and what stands before it without spaces around it;
  /// `nil` where the line holds none, or where what is before it is a raw sentence that it was
  /// glued to.
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
