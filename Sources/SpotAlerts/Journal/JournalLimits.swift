/// How large a journal may be.
struct JournalLimits: Hashable, Sendable {
  /// A smaller journal is never compacted.
  var compactionBytes = 1 << 20
  /// A larger one is always compacted: room for more than the notifications of a day of which each
  /// minute has as many as it may.
  var maximumBytes = 1 << 26

  /// So much of a larger one is read: one append or a full disk may bring it beyond its bound, an
  /// earlier program brought it anywhere.
  var readableBytes: Int { 2 * maximumBytes }

  /// At this size a journal that is now as large as `size` is compacted next.
  func next(after size: Int) -> Int { min(max(compactionBytes, 2 * size), maximumBytes) }

  /// What is left by a compaction at most, so that the next one does not come at once.
  var compactedBytes: Int { maximumBytes / 4 * 3 }

  /// The part of that for what kept silent, which anyone causes who passes by: it displaces nothing
  /// that fired.
  var silentBytes: Int { maximumBytes / 8 }
}
