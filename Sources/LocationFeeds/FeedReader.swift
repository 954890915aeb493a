/// Turns the bytes of a feed into fixes, in a format that is given or recognised from the content.
///
/// ```swift
/// var reader = FeedReader()
/// fixes += reader.consume(bytes)  // as often as bytes arrive, cut anywhere
/// fixes += reader.flush()         // when a live feed has been idle for `flushDelay`
/// fixes += reader.finish()        // at the end
/// ```
///
/// How the bytes are cut into chunks makes no difference. Text may be UTF-8, or UTF-16 with a byte-order
/// mark; lines end in LF, CR LF or CR. A line that cannot be read is counted and skipped, one longer
/// than 64 KiB too: no input makes the reader hold more than a line and a chunk.
public struct FeedReader: Sendable {
  /// How long a live feed is idle before ``flush()`` is due.
  ///
  /// Longer than a sentence takes at 4800 baud, 82 characters in 171 ms, so that the report of a slow
  /// receiver is not cut in two; shorter than the second that most receivers rest for.
  public static let flushDelay = Duration.milliseconds(250)

  /// The format; `nil` as long as none is given or recognised.
  public private(set) var format: FeedFormat?
  /// What the feed has brought so far.
  public private(set) var statistics = FeedStatistics()

  private var parser: (any LineParser)?
  private var splitter = LineSplitter()
  private var lineNumber = 0

  /// Creates a reader at the start of a feed.
  ///
  /// - Parameter format: The format of the feed; `nil` takes that of the first line which tells it. Lines
  ///   before that one are counted as bad, except comments (`#`).
  public init(format: FeedFormat? = nil) {
    self.format = format
    parser = format?.makeParser()
  }

  /// Reads the next bytes and returns the fixes that are complete with them, in the order of the feed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public mutating func consume(_ bytes: [UInt8]) -> [LocationFix] {
    var fixes: [LocationFix] = []
    splitter.append(bytes)
    while let line = splitter.nextLine() { read(line, into: &fixes) }
    return counted(fixes)
  }

  /// Returns the fix that was held back because more of its report might follow, if there is one.
  ///
  /// What follows of that report is passed over: it makes no second fix. A line that has only partly
  /// arrived stays and waits for its rest.
  public mutating func flush() -> [LocationFix] {
    var fixes: [LocationFix] = []
    parser?.flush(into: &fixes)
    return counted(fixes)
  }

  /// Ends a file of the feed and returns what it still held: the last line may lack its line end.
  ///
  /// Bytes that are consumed afterwards begin another file of the same feed, as when a log is rotated:
  /// the format, the statistics and the date that the feed has told go on.
  public mutating func finish() -> [LocationFix] {
    var fixes: [LocationFix] = []
    splitter.finish()
    while let line = splitter.nextLine() { read(line, into: &fixes) }
    parser?.flush(into: &fixes)
    splitter = LineSplitter()
    return counted(fixes)
  }

  private mutating func read(_ line: LineSplitter.Line, into fixes: inout [LocationFix]) {
    lineNumber += 1
    switch line {
    case .tooLong:
      statistics.lines += 1
      statistics.count(.tooLong, inLine: lineNumber)
    case .text(let bytes, let range):
      guard bytes[range].contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      statistics.lines += 1
      if let fault = parse(bytes, line: range, into: &fixes) {
        statistics.count(fault, inLine: lineNumber)
      }
    }
  }

  private mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    if parser == nil {
      guard let format = FeedFormat.recognized(in: bytes, line: line) else {
        return bytes[line.lowerBound] == UInt8(ascii: "#") ? nil : .unrecognized
      }
      self.format = format
      parser = format.makeParser()
    }
    return parser?.parse(bytes, line: line, into: &fixes)
  }

  private mutating func counted(_ fixes: [LocationFix]) -> [LocationFix] {
    statistics.fixes += fixes.count
    for fix in fixes where fix.time == nil { statistics.untimedFixes += 1 }
    return fixes
  }
}
