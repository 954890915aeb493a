import LocationFeeds

/// Reads a whole feed in one piece.
func fixes(
  in feed: [UInt8], format: FeedFormat? = nil, isRecorded: Bool = false
) -> [LocationFix] {
  var reader = FeedReader(format: format, isRecorded: isRecorded)
  return reader.consume(feed) + reader.finish()
}

/// Reads a feed of text in one piece.
func fixes(in feed: String, format: FeedFormat? = nil) -> [LocationFix] {
  fixes(in: Array(feed.utf8), format: format)
}

/// Reads a feed in chunks of a size, and also returns the reader's statistics.
func read(
  _ feed: [UInt8], chunkSize: Int, format: FeedFormat? = nil
) -> (fixes: [LocationFix], statistics: FeedStatistics) {
  var reader = FeedReader(format: format)
  var fixes: [LocationFix] = []
  for start in stride(from: 0, to: feed.count, by: chunkSize) {
    fixes += reader.consume(Array(feed[start..<min(start + chunkSize, feed.count)]))
  }
  fixes += reader.finish()
  return (fixes, reader.statistics)
}
