import LocationFeeds
import TestSupport
import Testing

/// The result of reading a feed, including its bad lines and their numbers, does not depend on how
/// its bytes are split into chunks.
@Suite struct CutTests {
  /// Feeds of every format: complete, truncated, with junk before and between, and feeds that once
  /// failed with some splits only.
  private static let feeds: [(name: String, bytes: [UInt8], format: FeedFormat?)] = {
    var feeds: [(String, [UInt8], FeedFormat?)] = []
    for sample in FeedSample.every {
      let name = sample.description
      let half = Array(sample.bytes.prefix(sample.bytes.count * 2 / 3))
      feeds.append((name, sample.bytes, sample.format))
      feeds.append(("\(name), unknown", sample.bytes, nil))
      feeds.append(("\(name), cut off", half, nil))
      feeds.append(("\(name), cut off, of a known format", half, sample.format))
      feeds.append(("\(name), cut off and begun again", half + [0x0A] + sample.bytes, nil))
      feeds.append(("\(name), behind junk", Array("=\n<a\n".utf8) + sample.bytes, nil))
      feeds.append(
        (
          "\(name), behind junk, of a known format", Array("=\r\n".utf8) + sample.bytes,
          sample.format
        ))
    }
    for text in [
      "=\n<gpx\n  \n>\n", "=\r\n<gpx\r\n>\r\n", "<gpx><!", "<gpx><!-- ", "<gpx><!-",
      "<gpx><![CDATA",
      "<gpx><![CDATB[", "<gpx><trk><trkseg><trkpt lat=\"1\" lon='2\"/>", "<gpx><trkpt lat='1'<a/>",
      "<gpx></kml>", "<kml><LineString><coordinates>1,2 3,4 5,", "<gpx a='&amp'/>", "<gpx>&am",
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":}]}\n{", "[1,{\"_type\":1}]\n[",
      "{\"locations\":[{}{}]}\n{\"locations\":[", "<?xml version='1.0'", "\u{FEFF}<gpx\n>x</gpx>y",
    ] {
      for format in [nil] + FeedFormat.allCases.filter(\.isDocument) {
        feeds.append(("\(text) as \(format?.rawValue ?? "anything")", Array(text.utf8), format))
      }
    }
    return feeds
  }()

  @Test(arguments: feeds.indices)
  func `a feed split at any byte gives the same result as the whole`(index: Int) {
    let (name, bytes, format) = Self.feeds[index]
    let whole = read(bytes, chunkSize: max(bytes.count, 1), format: format)
    for cut in stride(from: 0, through: bytes.count, by: Effort.isThorough ? 1 : 7) {
      var reader = FeedReader(format: format)
      let found =
        reader.consume(Array(bytes[..<cut])) + reader.consume(Array(bytes[cut...]))
        + reader.finish()
      #expect(found == whole.fixes, "\(name), cut at \(cut)")
      #expect(reader.statistics == whole.statistics, "\(name), cut at \(cut)")
    }
  }

  @Test(arguments: feeds.indices)
  func `a feed in chunks of one size gives the same result as the whole`(index: Int) {
    let (name, bytes, format) = Self.feeds[index]
    let whole = read(bytes, chunkSize: max(bytes.count, 1), format: format)
    for chunkSize in Effort.inputs([1, 2, 3, 5, 7, 11, 64], quick: [1, 11]) {
      let cut = read(bytes, chunkSize: chunkSize, format: format)
      #expect(cut.fixes == whole.fixes, "\(name), pieces of \(chunkSize)")
      #expect(cut.statistics == whole.statistics, "\(name), pieces of \(chunkSize)")
    }
  }

  @Test(arguments: Effort.seeds(20))
  func `a damaged feed in chunks gives the same result as the whole`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for sample in FeedSample.every where sample.format.isDocument {
      for _ in 0..<20 {
        let feed = Damage.apply(to: sample.bytes, using: &generator)
        let format = [nil, sample.format].randomElement(using: &generator) ?? nil
        let whole = read(feed, chunkSize: max(feed.count, 1), format: format)
        for chunkSize in [1, Int.random(in: 2...40, using: &generator)] {
          let cut = read(feed, chunkSize: chunkSize, format: format)
          #expect(cut.fixes == whole.fixes, "\(sample), seed \(seed)")
          #expect(cut.statistics == whole.statistics, "\(sample), seed \(seed)")
        }
      }
    }
  }
}
