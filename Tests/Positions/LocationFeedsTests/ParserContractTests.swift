import CivilTime
import LocationFeeds
import TestSupport
import Testing

/// The contract of the parsers of all formats, for any input.
@Suite struct ParserContractTests {
  @Test func `every format has a sample`() {
    #expect(Set(FeedSample.every.map(\.format)) == Set(FeedFormat.allCases))
  }

  @Test(arguments: FeedSample.every)
  func `the format is recognised, and each fix is read once`(sample: FeedSample) {
    var reader = FeedReader()
    let found = reader.consume(sample.bytes) + reader.finish()
    #expect(reader.format == sample.format)
    #expect(found.map { $0.time?.iso8601 } == sample.times)
    #expect(reader.statistics.badLines == 0)
    for fix in found {
      #expect(abs(fix.latitude - 48.85841) < 0.001 && abs(fix.longitude - 2.29451) < 0.001)
    }
    // A given line-based format implies lines.
    guard sample.name != "document" else { return }
    #expect(fixes(in: sample.bytes, format: sample.format) == found)
  }

  @Test(arguments: FeedSample.every)
  func `chunk boundaries make no difference`(sample: FeedSample) {
    let whole = read(sample.bytes, chunkSize: sample.bytes.count)
    for chunkSize in Effort.inputs(Array(1...120), quick: [1, 2, 3, 5, 8, 13, 40, 64, 119]) {
      let cut = read(sample.bytes, chunkSize: chunkSize)
      #expect(cut.fixes == whole.fixes, "chunks of \(chunkSize)")
      #expect(cut.statistics == whole.statistics, "chunks of \(chunkSize)")
    }
  }

  @Test(arguments: FeedSample.all)
  func `CR LF, a byte-order mark and UTF-16 make no difference`(sample: FeedSample) {
    let whole = fixes(in: sample.bytes)
    let text = sample.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }.joined(separator: "\r\n")
    #expect(fixes(in: text) == whole)
    #expect(fixes(in: "\u{FEFF}" + text) == whole)
    for mark in ["\u{FEFF}", ""] {
      let units = Array("\(mark)\(sample.text)".utf16)
      #expect(
        fixes(in: units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }) == whole)
      #expect(
        fixes(in: units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }) == whole)
    }
  }

  @Test(arguments: FeedSample.every)
  func `a feed truncated at any byte gives the fixes before it and no others`(
    sample: FeedSample
  ) {
    let whole = fixes(in: sample.bytes)
    for length in stride(from: 0, to: sample.bytes.count, by: Effort.isThorough ? 1 : 3) {
      let found = fixes(in: Array(sample.bytes[..<length]))
      #expect(found.count <= whole.count, "at \(length)")
      // The last report may have been truncated after its position, and have fewer other values.
      for (fix, wholeFix) in zip(sample.hasOpenValues ? found.dropLast() : found[...], whole) {
        #expect(fix.time == wholeFix.time, "at \(length)")
        #expect(
          fix.latitude == wholeFix.latitude && fix.longitude == wholeFix.longitude, "at \(length)")
      }
      #expect(found.dropLast().elementsEqual(whole.prefix(max(found.count - 1, 0))))
    }
  }

  @Test(arguments: FeedSample.all.filter(\.format.isDocument))
  func `a truncated document is reported`(sample: FeedSample) {
    let length = sample.bytes.count - 12
    var reader = FeedReader(format: sample.format)
    let found = reader.consume(Array(sample.bytes[..<length])) + reader.finish()
    #expect(reader.statistics.badLines == 1)
    #expect(reader.statistics.latestBadLine?.isRecord == true)
    #expect(found.count >= 1)
  }

  @Test(arguments: FeedSample.all.filter { $0.format != .nmea })
  func `a second feed is read like the first`(sample: FeedSample) {
    var reader = FeedReader()
    let first = reader.consume(sample.bytes) + reader.finish()
    // 1795262400 is a day after 1795176000.
    let later = sample.text.replacing("2026-11-20", with: "2026-11-21")
      .replacing("201126", with: "211126").replacing("17951760", with: "17952624")
    let second = reader.consume(Array(later.utf8)) + reader.finish()
    #expect(second.count == first.count)
    #expect(reader.statistics.badLines == 0)
    for (one, other) in zip(first, second) {
      #expect(one.time.map { $0.advanced(bySeconds: 86_400) } == other.time)
    }
  }

  // A FIT file is not text, so a blank one is none.
  @Test(arguments: FeedFormat.allCases.filter { $0 != .fit })
  func `an empty or blank feed has no fixes and no bad lines`(format: FeedFormat) {
    for text in ["", "\n", " \t\r\n \n\n", "\u{FEFF}"] {
      for given in [nil, format] {
        var reader = FeedReader(format: given)
        #expect(reader.consume(Array(text.utf8)) + reader.finish() == [])
        #expect(reader.statistics.badLines == 0)
      }
    }
  }

  @Test(arguments: FeedSample.all.filter { !$0.format.isDocument && $0.name != "document" })
  func `junk between lines is counted, and the other lines are read`(sample: FeedSample) {
    let whole = fixes(in: sample.bytes)
    let junk: [UInt8] = Array("}{\u{0}\u{1}<html> é".utf8) + [0xFF, 0x80, 0x0A]
    var feed: [UInt8] = []
    for line in sample.bytes.split(separator: 0x0A) { feed += line + [0x0A] + junk }
    var reader = FeedReader()
    #expect(reader.consume(feed) + reader.finish() == whole)
    // gpsd's raw sentences can be anything.
    #expect(sample.format == .gpsd || reader.statistics.badLines > 1)
  }

  @Test(arguments: FeedSample.all.filter(\.format.isDocument))
  func `junk before a document is counted, and the document is read`(sample: FeedSample) {
    let whole = fixes(in: sample.bytes)
    for junk in ["hello", "[1,2]", "{}", "<html>", "$HOME,1", "{\"a\":1", "<a", "a,b"] {
      var reader = FeedReader()
      let found = reader.consume(Array("\(junk)\n".utf8) + sample.bytes) + reader.finish()
      #expect(found == whole, "after \(junk)")
      #expect(reader.statistics.badLines == 1)
    }
  }

  @Test(arguments: FeedSample.all)
  func `a 1 MB line gives no fix and is reported`(sample: FeedSample) {
    let start = Array(sample.bytes.filter { $0 != 0x0A && $0 != 0x0D }.prefix(70))
    let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    var reader = FeedReader(format: sample.format)
    var found = reader.consume(start)
    found += reader.consume(filler)
    found += reader.finish()
    #expect(found == [])
    #expect(reader.statistics.badLines == 1)
  }

  @Test(arguments: [
    "", "x", "{", "[", "<", "{\"", "<gpx>", "<kml><coordinates>", "$GPRMC,", "lat,lon,",
  ])
  func `endless lines give no fixes, whatever their start`(start: String) {
    for (number, filler) in ["x", "[", "\"", "<a>", ",", "9", " "].enumerated() {
      let line = Array((start + String(repeating: filler, count: 70_000 / filler.utf8.count)).utf8)
      let formats = FeedFormat.allCases
      let one = formats[(number + start.utf8.count) % formats.count]
      for format in Effort.inputs([nil] + formats, quick: [nil, one]) {
        let (found, _) = read(line, chunkSize: 10_000, format: format)
        #expect(found == [], "\(start) \(filler)")
      }
    }
  }

  @Test(arguments: Array(zip(FeedSample.every, 1...)))
  func `damaged feeds do not trap, nor give non-finite numbers`(
    sample: FeedSample, seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<Effort.scaled(600) {
      let feed = Damage.apply(to: sample.bytes, using: &generator)
      let format = [nil, sample.format].randomElement(using: &generator) ?? nil
      let whole = read(feed, chunkSize: max(feed.count, 1), format: format)
      let cut = read(feed, chunkSize: Int.random(in: 1...50, using: &generator), format: format)
      #expect(cut.fixes == whole.fixes, "seed \(seed), round \(round)")
      #expect(cut.statistics == whole.statistics, "seed \(seed), round \(round)")
      #expect(!whole.fixes.contains { !$0.isFinite }, "seed \(seed), round \(round)")
    }
  }

  @Test(arguments: FeedSample.every)
  func `a whole message is read at once, with the transport's device as default`(
    sample: FeedSample
  ) {
    let read = FeedReader.fixes(in: sample.bytes, device: "transport")
    #expect(read.format == sample.format)
    #expect(read.fixes.map { $0.time?.iso8601 } == sample.times)
    #expect(read.fixes.allSatisfy { $0.device != nil })
    // Names that the report gives itself are better.
    let names = Set(read.fixes.compactMap(\.device))
    #expect(names.isSubset(of: ["transport", "Vélo", "vélo", "vélo/phone", "/dev/a"]))
    let given = FeedReader.fixes(in: sample.bytes, format: sample.format, device: "transport")
    #expect(given.fixes == read.fixes)
  }
}

extension LocationFix {
  /// Whether all numbers of the fix are finite.
  var isFinite: Bool {
    [
      latitude, longitude, altitudeMeters, horizontalAccuracyMeters, speedMetersPerSecond,
      courseDegrees, battery,
    ].allSatisfy { $0?.isFinite ?? true }
  }
}
