import CivilTime
import FeedSources
import LocationFeeds
import SystemPackage

/// Recorded feeds in files, read in the order of their first fixes.
struct RecordedFiles {
  let paths: [FilePath]
  /// The format of all files; `nil` to detect it.
  let format: FeedFormat?
  /// A descriptor that becomes readable when the process is asked to stop.
  let interruption: FileDescriptor

  /// Passes every fix to a closure, until the process is asked to stop.
  func read(_ handle: (LocationFix) -> Void) throws {
    for path in try inOrderOfTime() where !Interruption.isRequested {
      try read(path) { fixes in
        fixes.forEach(handle)
        return true
      }
    }
  }

  /// Returns the files in order of time, which the order of an archive's file names seldom is.
  private func inOrderOfTime() throws -> [FilePath] {
    guard paths.count > 1 else { return paths }
    return try paths.map { path in
      var first: Instant?
      try read(path) { fixes in
        first = fixes.lazy.compactMap(\.time).first
        return first == nil
      }
      return (path, first ?? Instant(millisecondsSince1970: .max))
    }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Reads a file until its end, or until `handle` returns `false`.
  private func read(_ path: FilePath, _ handle: ([LocationFix]) -> Bool) throws {
    let opened: FeedSource
    do throws(FeedSourceError) { opened = try FeedSource(file: path) } catch {
      throw Failure(error.description)
    }
    var source = consume opened
    var reader = FeedReader(format: format, isRecorded: true)
    reader.times = FeedReader.earliestTime...Instant.now.advanced(bySeconds: 86_400)
    var isAtEnd = false
    while !isAtEnd {
      let fixes: [LocationFix]
      switch try source.read(upTo: .seconds(3600), orUntil: interruption) {
      case .bytes(let bytes): fixes = reader.consume(bytes)
      case .end:
        fixes = reader.finish()
        isAtEnd = true
      case .interrupted: return
      default: fixes = []
      }
      guard handle(fixes) else { return }
    }
    let statistics = reader.statistics
    if reader.format == nil, statistics.lines > 0 {
      throw Failure("\(path.escaped): no line is in a known format. Is it a GPS feed?")
    }
    if statistics.badLines > 0 {
      let unit = reader.format?.isDocument == true ? "record" : "line"
      let count = statistics.lines + statistics.blankLines
      StandardError.writeLine(
        """
        photospots: \(path.escaped): \(statistics.badLines) of \(count) \(unit)\(count == 1 ? "" : "s") \
        cannot be read
        """)
    }
  }
}
