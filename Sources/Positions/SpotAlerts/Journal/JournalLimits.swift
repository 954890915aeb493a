/// The size limits of a journal.
struct JournalLimits: Hashable, Sendable {
  /// The size in bytes below which a journal is not compacted.
  var compactionBytes = 1 << 20
  /// The size in bytes above which a journal is always compacted; it has room for more than a day
  /// with the maximum number of notifications every minute.
  var maximumBytes = 1 << 26

  /// The number of bytes read of a larger journal. One append or a full disk may exceed the limit,
  /// and earlier program versions had none.
  var readableBytes: Int { 2 * maximumBytes }

  /// Returns the size at which a journal of the given size is compacted next.
  func next(after size: Int) -> Int { min(max(compactionBytes, 2 * size), maximumBytes) }

  /// The maximum size after a compaction, below the limit so that the next compaction is not
  /// immediate.
  var compactedBytes: Int { maximumBytes / 4 * 3 }

  /// The part of that for suppressed visits. Anyone who passes by spots causes these, so they must
  /// not displace records of notifications.
  var silentBytes: Int { maximumBytes / 8 }
}
