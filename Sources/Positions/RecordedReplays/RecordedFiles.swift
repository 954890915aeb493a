import CivilTime
import Encodings
import FeedSources
package import LocationFeeds
import PhotoLibrary
package import ProcessControl
package import SystemPackage

/// Recorded feeds in files, read in the order of their first fixes.
package struct RecordedFiles {
  private let paths: [FilePath]
  private let format: FeedFormat?
  private let interruption: Interruption
  private let log: MessageLog

  /// Creates a reading of files; none is opened yet.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - format: The format of all files; `nil` to detect it.
  ///   - interruption: Ends the reading early.
  ///   - log: Receives the number of lines that cannot be read, and the files that end early.
  package init(
    _ paths: [FilePath], format: FeedFormat?, orUntil interruption: Interruption, log: MessageLog
  ) {
    (self.paths, self.format) = (paths, format)
    (self.interruption, self.log) = (interruption, log)
  }

  /// Passes every fix to a closure, until an interruption. Of a file that cannot be read to its
  /// end, such as a compressed one that is cut off, the fixes before that are passed.
  ///
  /// - Parameter handle: Receives the fixes.
  /// - Returns: Whether every file could be read to its end.
  /// - Throws: A `MessageError` if a file cannot be opened or has no known format.
  package func read(_ handle: (LocationFix) -> Void) throws -> Bool {
    var areWhole = true
    for path in try inOrderOfTime() where !interruption.isRequested {
      let isWhole = try read(path, log) { fixes in
        fixes.forEach(handle)
        return true
      }
      if !isWhole { areWhole = false }
    }
    return areWhole
  }

  /// Returns the files in order of time, which the order of an archive's file names seldom is.
  private func inOrderOfTime() throws -> [FilePath] {
    guard paths.count > 1 else { return paths }
    return try paths.map { path in
      var first: Instant?
      _ = try read(path, .none) { fixes in
        first = fixes.lazy.compactMap(\.time).first
        return first == nil
      }
      return (path, first ?? Instant(millisecondsSince1970: .max))
    }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Reads a file until its end, or until `handle` returns `false`.
  ///
  /// - Returns: False if reading failed before the end.
  private func read(
    _ path: FilePath, _ log: MessageLog, _ handle: ([LocationFix]) -> Bool
  ) throws -> Bool {
    let opened: FeedSource
    do throws(FeedSourceError) { opened = try FeedSource(file: path) } catch {
      // A recorded file is never followed, as the error's advice has it.
      guard case .missing = error else { throw MessageError(error.description) }
      throw MessageError("\(path.escaped): no such file; check the path")
    }
    var source = consume opened
    var reader = FeedReader(format: format, isRecorded: true)
    reader.times = FeedReader.times(by: .now)
    var failure: FeedSourceError?
    var isAtEnd = false
    while !isAtEnd {
      let chunk: FeedChunk
      do throws(FeedSourceError) {
        chunk = try source.read(upTo: .seconds(3600), orUntil: interruption.descriptor)
      } catch {
        (failure, chunk) = (error, .end)
      }
      let fixes: [LocationFix]
      switch chunk {
      case .bytes(let bytes): fixes = reader.consume(bytes)
      case .end:
        fixes = reader.finish()
        isAtEnd = true
      case .interrupted: return true
      default: fixes = []
      }
      guard handle(fixes) else { return true }
    }
    let statistics = reader.statistics
    if let failure {
      log.problem("\(path.escaped): \(failure)")
    } else if reader.format == nil, statistics.lines > 0 {
      let question = reader.foreign.map { ": \($0.advice)" } ?? ". Is it a GPS feed?"
      throw MessageError("\(path.escaped): no line is in a known format\(question)")
    }
    if statistics.badLines > 0 {
      let unit = reader.format?.isDocument == true ? "record" : "line"
      let count = statistics.lines + statistics.blankLines
      log.problem(
        """
        \(path.escaped): \(statistics.badLines) of \(count) \(unit)\(count == 1 ? "" : "s") \
        cannot be read
        """)
    }
    return failure == nil
  }
}
