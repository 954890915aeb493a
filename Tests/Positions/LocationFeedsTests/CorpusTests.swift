import CivilTime
import Encodings
import LocationFeeds
import SystemPackage
import TestSupport
import Testing

/// Recorded feeds of every format, with the positions that other programs find in them.
///
/// The tests are skipped if there is no corpus.
@Suite(.enabled(if: corpus != nil, Comment(rawValue: Corpus.skipMessage)))
struct CorpusTests {
  @Test(arguments: recordings)
  func `reports exactly the expected fixes of every recording, in order`(name: String) throws {
    let feed = try Corpus.contents(of: feedPath(name))
    let expected = try Expectation(Corpus.contents(of: expectationPath(name)))
    let reported = fixes(in: feed, isRecorded: isOwnTracks(name))
    let differences = expected.differences(from: reported)
    if let reason = knownDifferences[name] {
      #expect(differences == reason.differences(expected), "\(reason.why)")
    } else {
      #expect(differences == [])
    }
  }

  /// Returns whether a recording has OwnTracks messages, whose transitions are positions only in
  /// live feeds.
  private func isOwnTracks(_ name: String) -> Bool { name.hasPrefix("owntracks/") }

  @Test(arguments: reportRecordings)
  func `speeds, accuracies and devices match the expected values`(name: String) throws {
    guard knownDifferences[name] == nil else { return }
    let expected = try Expectation(Corpus.contents(of: expectationPath(name)))
    let reported = fixes(
      in: try Corpus.contents(of: feedPath(name)), isRecorded: isOwnTracks(name))
    let timed = reported.filter { $0.time != nil }
    let expectedTimed = expected.fixes.filter { $0.time != nil }
    try #require(timed.count == expectedTimed.count)
    for (fix, expectedFix) in zip(timed, expectedTimed) {
      let found = Expectation.Fix(fix)
      #expect(isNear(found.speed, expectedFix.speed), "speed at \(expectedFix.text)")
      // Accuracies estimated from a dilution of precision are not in the expectation.
      if !estimatedAccuracies.contains(name) || expectedFix.accuracy != nil {
        #expect(isNear(found.accuracy, expectedFix.accuracy), "accuracy at \(expectedFix.text)")
      }
      if let device = expectedFix.device { #expect(found.device == device) }
    }
  }

  private func isNear(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= 1e-5 * max(1, abs(other))
  }

  /// The beginning of a recording, or for a thorough test all of it.
  private func beginning(of name: String) throws -> [UInt8] {
    Array(try Corpus.contents(of: feedPath(name)).prefix(Effort.isThorough ? .max : 16_384))
  }

  @Test(arguments: recordings)
  func `chunk boundaries make no difference`(name: String) throws {
    let feed = try beginning(of: name)
    let whole = read(feed, chunkSize: max(feed.count, 1))
    for chunkSize in Effort.inputs([1, 2, 3, 7, 61, 1024, 4093], quick: [61]) {
      let cut = read(feed, chunkSize: chunkSize)
      #expect(cut.fixes == whole.fixes, "chunks of \(chunkSize)")
      #expect(cut.statistics == whole.statistics, "chunks of \(chunkSize)")
    }
  }

  @Test(arguments: recordings.filter { $0.hasPrefix("nmea") || $0.hasPrefix("gpsd") })
  func `a flush after every line repeats no epoch`(name: String) throws {
    let feed = try beginning(of: name)
    var reader = FeedReader()
    var flushed: [LocationFix] = []
    for line in feed.split(separator: 0x0A, omittingEmptySubsequences: false) {
      flushed += reader.consume(line + [0x0A]) + reader.flush()
    }
    flushed += reader.finish()
    for fixes in Dictionary(grouping: flushed, by: \.device).values {
      for (one, next) in zip(fixes, fixes.dropFirst()) where one.time != nil {
        #expect(one.time != next.time)
      }
    }
  }

  @Test func `the corpus has recordings of every format`() throws {
    let folders = Set(recordings.map { String($0.prefix { $0 != "/" }) })
    #expect(
      folders == [
        "csv", "geojson", "google", "gpsd", "gpx", "kml", "nmea", "nmea-derived", "overland",
        "owntracks",
      ])
    #expect(recordings.count == 111)
  }
}

private let corpus = Corpus.folder?.appending("feeds")

/// The paths of the recordings, for example `nmea/amod.nmea`.
private let recordings: [String] = {
  guard let corpus else { return [] }
  return Corpus.paths(under: corpus).map { String($0.string.dropFirst(corpus.string.count + 1)) }
    .filter { $0.contains("/") && !$0.hasPrefix("expected/") }.sorted()
}()

/// The recordings with reports other than NMEA, whose expected values have the same source.
private let reportRecordings = recordings.filter { !$0.hasPrefix("nmea") }

/// The recordings with estimated accuracies.
private let estimatedAccuracies: Set = [
  "gpx/gpslogger-2025-05-31.gpx", "gpx/gpx1.0_with_all_fields.gpx",
]

private func feedPath(_ name: String) throws -> FilePath {
  try #require(corpus).appending(name)
}

private func expectationPath(_ name: String) throws -> FilePath {
  try #require(corpus).appending("expected").appending(
    name.split(separator: "/").joined(separator: "__") + ".json")
}

/// A recording with expected fixes that this reader does not report, with the reason.
private struct KnownDifference {
  var why: String
  var differences: @Sendable (Expectation) -> [String]

  init(why: String, differences: [String]) {
    self.init(why: why) { _ in differences }
  }

  init(why: String, differences: @escaping @Sendable (Expectation) -> [String]) {
    self.why = why
    self.differences = differences
  }
}

private let knownDifferences: [String: KnownDifference] = [
  "nmea/hp58534a.log": KnownDifference(
    why: """
      No sentence has a checksum. The readers that the expectation comes from pass over such \
      sentences; here they are read.
      """,
    differences: [
      "not expected 2010-10-25T22:24:49.000Z", "not expected 2010-10-25T22:24:50.000Z",
    ]),
  "nmea/nmeadatetime.nmea": KnownDifference(
    why: """
      Three times of day cannot be read: 222515.x, 222523.0x and .1. The expectation has them at \
      midnight; here no time is made up, and the sentences are bad.
      """,
    differences: Array(repeating: "missing 2019-10-23T00:00:00.000Z", count: 3)),
  "nmea-derived/no-checksum.log": KnownDifference(
    why: """
      The last epoch has GGA and GLL but no RMC. Of the two readers one gives such an epoch no fix and \
      the other takes no sentence without a checksum; here it is a fix, with the date carried forward.
      """,
    differences: ["not expected 2026-08-05T05:52:46.000Z"]),
  "nmea-derived/replayed-twice.log": KnownDifference(
    why: """
      The same epoch, at the end of the first of two passes. The expectation has it in the second; here \
      it is a fix in both.
      """,
    differences: ["not expected 2026-08-05T05:52:46.000Z"]),
  "gpx/Mojstrovka.gpx": KnownDifference(
    why: """
      All its points have one time of 1901, which is the least that a number of 32 bits can say: none of them \
      is a time of a fix.
      """
  ) { expected in
    expected.fixes.map { "missing \($0.text)" }
      + Array(repeating: "not expected without time", count: 184)
  },
  "kml/skydrop.kml": KnownDifference(
    why: """
      A line whose 1329 positions have no times, only a beginning and an end for the whole. The reader that \
      the expectation comes from spreads the time between them; here no time is made up.
      """
  ) { expected in
    expected.fixes.map { "missing \($0.text)" }
      + Array(repeating: "not expected without time", count: 1329)
  },
]

/// The expected fixes of a recording.
private struct Expectation {
  struct Fix {
    var time: Instant?
    var latitude = 0.0
    var longitude = 0.0
    var speed: Double?
    var accuracy: Double?
    var device: String?

    init() {}

    init(_ fix: LocationFix) {
      (time, latitude, longitude) = (fix.time, fix.latitude, fix.longitude)
      (speed, accuracy) = (fix.speedMetersPerSecond, fix.horizontalAccuracyMeters)
      device = fix.device
    }

    var text: String { time?.iso8601 ?? "without time" }
  }

  private(set) var fixes: [Fix] = []
  private(set) var optional: [Fix] = []
  private(set) var untimed: [Fix] = []
  private var tolerance = 0.0

  init(_ bytes: [UInt8]) throws {
    var reader = JSONReader(bytes)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "fixes": fixes = try Self.fixes(&reader)
      case "optional": optional = try Self.fixes(&reader)
      case "untimed": untimed = try Self.fixes(&reader)
      case "tolerance_deg": tolerance = try reader.double()
      default: try reader.skipValue()
      }
    }
  }

  private static func fixes(_ reader: inout JSONReader) throws -> [Fix] {
    var fixes: [Fix] = []
    try reader.beginArray()
    while try reader.nextElement() {
      var fix = Fix()
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "time":
          if try !reader.skipNull() { fix.time = Instant(iso8601: try reader.stringBytes()) }
        case "lat": fix.latitude = try reader.double()
        case "lon": fix.longitude = try reader.double()
        case "speed": fix.speed = try reader.skipNull() ? nil : reader.double()
        case "hacc": fix.accuracy = try reader.skipNull() ? nil : reader.double()
        case "device": fix.device = try reader.string()
        default: try reader.skipValue()
        }
      }
      fixes.append(fix)
    }
    return fixes
  }

  /// Returns the missing and the unexpected fixes. `fixes` must appear in order, `optional` ones
  /// may appear anywhere, and `untimed` positions may appear without a time.
  func differences(from reported: [LocationFix]) -> [String] {
    let changes = reported.map(Fix.init).difference(from: fixes, by: isSame)
    let missing = changes.removals.map { "missing \($0.fix.text)" }
    let extra = changes.insertions.map(\.fix).filter { extra in
      !optional.contains { isSame($0, extra) } && !untimed.contains { isSame($0, extra) }
    }
    return missing + extra.map { "not expected \($0.text)" }
  }

  private func isSame(_ one: Fix, _ other: Fix) -> Bool {
    switch (one.time, other.time) {
    case (nil, nil): isNear(one, other)
    case (let oneTime?, let otherTime?):
      abs(oneTime.millisecondsSince1970 - otherTime.millisecondsSince1970) <= 1
        && isNear(one, other)
    default: false
    }
  }

  private func isNear(_ one: Fix, _ other: Fix) -> Bool {
    abs(one.latitude - other.latitude) <= tolerance
      && abs(one.longitude - other.longitude) <= tolerance
  }
}

extension CollectionDifference.Change where ChangeElement == Expectation.Fix {
  fileprivate var fix: Expectation.Fix {
    switch self {
    case .insert(_, let fix, _), .remove(_, let fix, _): fix
    }
  }
}
