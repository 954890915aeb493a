import Glibc
import Interchange
import LocationFeeds
import SystemPackage
import Testing

/// Recorded NMEA logs with the positions that other readers find in them.
///
/// The environment variable `PHOTOSPOTS_CORPUS` names the folder; without it these tests are skipped.
@Suite(.enabled(if: corpus != nil, "PHOTOSPOTS_CORPUS does not name the folder of recorded feeds"))
struct CorpusTests {
  @Test(arguments: recordings)
  func `every expected fix is reported in order, and nothing else`(name: String) throws {
    let feed = try contents(of: feedPath(name))
    let expected = try Expectation(contents(of: expectationPath(name)))
    let reported = fixes(in: feed)
    let differences = expected.differences(from: reported)
    if let reason = knownDifferences[name] {
      #expect(differences == reason.differences, "\(reason.why)")
    } else {
      #expect(differences == [])
    }
  }

  @Test(arguments: recordings)
  func `chunk boundaries make no difference`(name: String) throws {
    let feed = try contents(of: feedPath(name))
    let whole = read(feed, chunkSize: max(feed.count, 1))
    for chunkSize in [1, 2, 3, 7, 61, 1024, 4093] {
      let cut = read(feed, chunkSize: chunkSize)
      #expect(cut.fixes == whole.fixes, "chunks of \(chunkSize)")
      #expect(cut.statistics == whole.statistics, "chunks of \(chunkSize)")
    }
  }

  @Test(arguments: recordings)
  func `a flush after every line makes no epoch twice`(name: String) throws {
    let feed = try contents(of: feedPath(name))
    var reader = FeedReader()
    var flushed: [LocationFix] = []
    for line in feed.split(separator: 0x0A, omittingEmptySubsequences: false) {
      flushed += reader.consume(line + [0x0A]) + reader.flush()
    }
    flushed += reader.finish()
    for (one, next) in zip(flushed, flushed.dropFirst()) where one.time != nil {
      #expect(one.time != next.time)
    }
  }
}

private let corpus: FilePath? = getenv("PHOTOSPOTS_CORPUS").map {
  FilePath(String(cString: $0)).appending("feeds")
}

/// The recordings' folders and names: `nmea/amod.nmea`.
private let recordings: [String] = ["nmea", "nmea-derived"].flatMap { folder -> [String] in
  guard let corpus, let stream = opendir(corpus.appending(folder).string) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !name.hasPrefix(".") { names.append("\(folder)/\(name)") }
  }
  return names.sorted()
}

private func feedPath(_ name: String) throws -> FilePath {
  try #require(corpus).appending(name)
}

private func expectationPath(_ name: String) throws -> FilePath {
  try #require(corpus).appending("expected").appending(
    name.split(separator: "/").joined(separator: "__") + ".json")
}

/// A recording whose expected fixes this reader does not report, with the reason.
private struct KnownDifference {
  var why: String
  var differences: [String]
}

private let knownDifferences: [String: KnownDifference] = [:]

/// What an expected file says about a recording.
private struct Expectation {
  struct Fix {
    var time: Instant?
    var latitude = 0.0
    var longitude = 0.0
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
        default: try reader.skipValue()
        }
      }
      fixes.append(fix)
    }
    return fixes
  }

  /// What is missing and what is too many: `fixes` are needed in order, `optional` may come anywhere,
  /// `untimed` positions may come without a time.
  func differences(from reported: [LocationFix]) -> [String] {
    var differences: [String] = []
    var next = 0
    for fix in reported {
      if fix.time == nil {
        if !untimed.contains(where: { isNear($0, fix) }) { differences.append("untimed, not expected") }
      } else if let found = fixes[next...].firstIndex(where: { matches($0, fix) }) {
        differences += fixes[next..<found].map { "missing \($0.time?.iso8601 ?? "")" }
        next = found + 1
      } else if !optional.contains(where: { matches($0, fix) }) {
        differences.append("not expected \(fix.time?.iso8601 ?? "")")
      }
    }
    return differences + fixes[next...].map { "missing \($0.time?.iso8601 ?? "")" }
  }

  private func matches(_ expected: Fix, _ fix: LocationFix) -> Bool {
    guard let expectedTime = expected.time, let time = fix.time else { return false }
    return abs(expectedTime.millisecondsSince1970 - time.millisecondsSince1970) <= 1
      && isNear(expected, fix)
  }

  private func isNear(_ expected: Fix, _ fix: LocationFix) -> Bool {
    abs(expected.latitude - fix.latitude) <= tolerance
      && abs(expected.longitude - fix.longitude) <= tolerance
  }
}
