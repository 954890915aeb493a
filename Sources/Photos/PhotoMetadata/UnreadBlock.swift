/// A block of metadata in a file that was not read, or not to its end.
///
/// Such a file may look as if it had no position, so programs show these blocks.
public struct UnreadBlock: Hashable, Sendable, CustomStringConvertible {
  /// The block, in words: `XMP packet`.
  public let block: String
  /// The reason.
  public let reason: String

  /// The block and the reason.
  public var description: String { "\(block): \(reason)" }
}
