import LocationFeeds
import SystemPackage

/// Reads a whole feed in one piece.
func fixes(in feed: [UInt8], format: FeedFormat? = nil) -> [LocationFix] {
  var reader = FeedReader(format: format)
  return reader.consume(feed) + reader.finish()
}

/// Reads a feed of text in one piece.
func fixes(in feed: String, format: FeedFormat? = nil) -> [LocationFix] {
  fixes(in: Array(feed.utf8), format: format)
}

/// Reads a feed in chunks of a size, and says what the reader counted too.
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

/// Writes an NMEA sentence around a text: `$`, the text, and its checksum.
func sentence(_ text: String) -> String {
  let sum = text.utf8.reduce(0, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(text)*\(digits.utf8.count == 1 ? "0" : "")\(digits)\r\n"
}

/// Reads a file to its end.
func contents(of path: FilePath) throws -> [UInt8] {
  var source = try FeedSource(file: path)
  var bytes: [UInt8] = []
  while case .bytes(let chunk) = try source.read(upTo: .seconds(10)) { bytes += chunk }
  return bytes
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood, 2014): the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
