/// The result of one read from a source.
public enum FeedChunk: Hashable, Sendable {
  /// The next bytes, at least one.
  case bytes([UInt8])
  /// One or several lines sent by one sender, which is identified by its number.
  case datagram([UInt8], from: String)
  /// The fixes of a whole message, its format (`nil` if unknown) and its counts. The sender may
  /// send the message again.
  case reports([LocationFix], FeedFormat?, FeedStatistics)
  /// Nothing arrived within the time limit; fixes held back by a reader may be flushed.
  case idle
  /// The followed file was replaced or truncated, or a connection broke. The bytes that follow do
  /// not continue the earlier ones.
  case restarted
  /// An event of the source that may interest its user.
  case event(FeedEvent)
  /// The interruption was signalled; nothing was read.
  case interrupted
  /// The end of the source; every later read returns the same.
  case end
}
