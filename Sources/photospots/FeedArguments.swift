import ArgumentParser
import LocationFeeds
import SystemPackage

/// The arguments of every command that reads a feed, and the reading of it.
struct FeedArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The feed: - for standard input, or a file.", valueName: "source"),
    completion: .file())
  var source: String

  @Flag(help: "Follow a file as it grows, as 'tail -F' does.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "The format of the feed, \(knownFormats); recognised from its content otherwise.",
      valueName: "format"),
    transform: Self.format)
  var feedFormat: FeedFormat?

  func validate() throws {
    if follow, source == "-" {
      throw ValidationError("--follow goes with a file; standard input is followed anyway")
    }
  }

  private static let knownFormats = FeedFormat.allCases.map(\.rawValue).joined(separator: ", ")

  private static func format(_ name: String) throws -> FeedFormat {
    guard let format = FeedFormat(rawValue: name) else {
      throw ValidationError("'\(name)' is none of the formats \(knownFormats)")
    }
    return format
  }

  /// Opens the feed.
  func open() throws -> FeedSource {
    if source == "-" { return try FeedSource.standardInput() }
    return follow
      ? try FeedSource(following: Places.absolute(source))
      : try FeedSource(file: Places.absolute(source))
  }

  /// Reads the feed to its end, or until the process is asked to stop.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when the reading is to end.
  ///   - handle: Takes fixes as they come; also called, without any, when a live feed is idle.
  /// - Throws: Why the feed cannot be read; what `handle` throws.
  func read(
    orUntil interruption: FileDescriptor, handle: ([LocationFix]) throws -> Void
  ) throws {
    var source = try open()
    try read(&source, orUntil: interruption, handle: handle)
  }

  /// Reads an open feed; see ``read(orUntil:handle:)``.
  func read(
    _ source: inout FeedSource, orUntil interruption: FileDescriptor,
    handle: ([LocationFix]) throws -> Void
  ) throws {
    var reader = FeedReader(format: feedFormat)
    var complaints = FeedComplaints()
    var isAtEnd = false
    while !isAtEnd {
      switch try source.read(upTo: FeedReader.flushDelay, orUntil: interruption) {
      case .bytes(let bytes): try handle(reader.consume(bytes))
      case .idle: try handle(source.isLive ? reader.flush() : [])
      case .restarted: try handle(reader.finish())
      case .interrupted, .end:
        try handle(reader.finish())
        isAtEnd = true
      }
      complaints.tell(reader.statistics, isAtEnd: isAtEnd)
    }
    if reader.format == nil, reader.statistics.lines > 0 {
      throw Failure(
        """
        no line of the feed is in a known format (\(Self.knownFormats)). Is it a GPS feed?
        """)
    }
  }
}

/// Tells of lines that cannot be read, at most once a minute.
private struct FeedComplaints {
  private var told = 0
  private var latest: ContinuousClock.Instant?

  mutating func tell(_ statistics: FeedStatistics, isAtEnd: Bool) {
    let bad = statistics.badLines
    guard bad > told else { return }
    let now = ContinuousClock.now
    if let latest, !isAtEnd, now - latest < .seconds(60) { return }
    let reason = statistics.latestBadLine.map { ", the last: \($0)" } ?? ""
    StandardError.writeLine(
      "photospots: \(bad) of \(statistics.lines) lines of the feed cannot be read\(reason)")
    told = bad
    latest = now
  }
}
