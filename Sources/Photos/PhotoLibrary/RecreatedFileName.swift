/// Recognises the file names of pictures that were taken again: `2026-11-22 10.15.03 Arezzo
/// (2008).jpg`.
///
/// The names are given by the module Recreations, whose tests hold both to each other. A picture of
/// an undated old photo has no year in its name, and is not recognised.
package enum RecreatedFileName {
  private static let stamp = Array("0000-00-00 00.00.00 ".utf8)
  private static let year = Array(" (0000)".utf8)

  /// Returns whether a name, as bytes, is that of a recreation.
  package static func matches(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard matches(name.prefix(stamp.count), stamp),
      name.suffix(4).elementsEqual(".jpg".utf8)
    else { return false }
    var rest = Array(name.dropFirst(stamp.count - 1).dropLast(4))
    // A number distinguishes pictures of the same second.
    if rest.last != UInt8(ascii: ")"), let space = rest.lastIndex(of: UInt8(ascii: " ")),
      rest[space...].dropFirst().allSatisfy(\.isDigit), space + 1 < rest.count
    {
      rest.removeSubrange(space...)
    }
    return rest.count > year.count && matches(rest.suffix(year.count), year)
  }

  /// Returns whether bytes equal a pattern, in which `0` stands for any digit.
  private static func matches(_ bytes: some Collection<UInt8>, _ pattern: [UInt8]) -> Bool {
    bytes.count == pattern.count
      && zip(bytes, pattern).allSatisfy { byte, expected in
        expected == UInt8(ascii: "0") ? byte.isDigit : byte == expected
      }
  }
}
