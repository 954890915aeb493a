import LocationFeeds

/// Returns the fixes of a feed, whose bytes arrive in pieces of any size and known format.
func fixes(in pieces: some Sequence<[UInt8]>) -> (fixes: [LocationFix], badLines: Int) {
  var reader = FeedReader()
  var fixes: [LocationFix] = []
  for piece in pieces { fixes += reader.consume(piece) }
  fixes += reader.finish()
  return (fixes, reader.statistics.badLines)
}
