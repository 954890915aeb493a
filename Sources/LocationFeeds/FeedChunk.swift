/// The result of one read from a source.
public enum FeedChunk: Hashable, Sendable {
  /// The next bytes, at least one.
  case bytes([UInt8])
  /// One or several lines that a sender sent by themselves; the sender is told by its number.
  case datagram([UInt8], from: String)
  /// The fixes of a whole message, its format (`nil` if unknown) and its counts. The sender may
  /// send the message again.
  case reports([LocationFix], FeedFormat?, FeedStatistics)
  /// Nothing came within the time: what a reader holds back is worth flushing.
  case idle
  /// The followed file was replaced or truncated, or a connection broke: the bytes that follow have
  /// nothing to do with those before.
  case restarted
  /// Something happened to the source that its user may want to know.
  case event(FeedEvent)
  /// The interruption was signalled; nothing was read.
  case interrupted
  /// The source is at its end, and every read from here on says so.
  case end
}
