import ArgumentParser
import LocationFeeds
import SystemPackage

/// The arguments of every command that reads a feed, and the reading of it.
struct FeedArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The feed: - for standard input, a file, or gpsd://host:port.", valueName: "source"),
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
    if let address = try address() {
      if follow {
        throw ValidationError("--follow goes with a file; \(address) is followed anyway")
      }
      if let feedFormat, let format = address.format, feedFormat != format {
        throw ValidationError(
          "\(address) is in the format \(format.rawValue); leave --feed-format out")
      }
    }
    if follow, let feedFormat, feedFormat.isDocument {
      throw ValidationError(Self.cannotFollow(feedFormat))
    }
  }

  /// The address of the feed; `nil` where it is a file or standard input.
  private func address() throws -> FeedAddress? {
    do throws(FeedAddressError) { return try FeedAddress(source) } catch {
      throw ValidationError("'\(source)': \(error)")
    }
  }

  private static let knownFormats = FeedFormat.allCases.map(\.rawValue).joined(separator: ", ")

  private static func format(_ name: String) throws -> FeedFormat {
    guard let format = FeedFormat(rawValue: name) else {
      throw ValidationError("'\(name)' is none of the formats \(knownFormats)")
    }
    return format
  }

  private static func cannotFollow(_ format: FeedFormat) -> String {
    """
    --follow does not go with \(format.rawValue), which is read as a whole document; leave --follow out \
    and read the file when it is complete
    """
  }

  /// Opens the feed.
  func open() throws -> FeedSource {
    if source == "-" { return try FeedSource.standardInput() }
    if let address = try address() { return FeedSource(connectingTo: address) }
    return follow
      ? try FeedSource(following: Places.absolute(source))
      : try FeedSource(file: Places.absolute(source))
  }

  /// Reads the feed to its end, or until the process is asked to stop.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when the reading is to end.
  ///   - handle: Takes fixes as they come, and the format that they are in; also called, without any,
  ///     when a live feed is idle.
  /// - Throws: Why the feed cannot be read; what `handle` throws.
  func read(
    orUntil interruption: FileDescriptor, handle: ([LocationFix], FeedFormat?) throws -> Void
  ) throws {
    var source = try open()
    try read(&source, orUntil: interruption, handle: handle)
  }

  /// Reads an open feed; see ``read(orUntil:handle:)``.
  func read(
    _ source: inout FeedSource, orUntil interruption: FileDescriptor,
    handle: ([LocationFix], FeedFormat?) throws -> Void
  ) throws {
    var reader = FeedReader(format: try feedFormat ?? address()?.format)
    var complaints = FeedComplaints()
    var isAtEnd = false
    while !isAtEnd {
      let fixes: [LocationFix]
      switch try source.read(upTo: FeedReader.flushDelay, orUntil: interruption) {
      case .bytes(let bytes): fixes = reader.consume(bytes)
      case .idle: fixes = source.isLive ? reader.flush() : []
      case .restarted: fixes = reader.finish()
      case .event(let event):
        StandardError.writeLine("photospots: \(self.source.escaped): \(event)")
        continue
      case .interrupted, .end:
        fixes = reader.finish()
        isAtEnd = true
      }
      if follow, let format = reader.format, format.isDocument {
        throw Failure(Self.cannotFollow(format))
      }
      try handle(fixes, reader.format)
      complaints.tell(reader.statistics, in: reader.format, isAtEnd: isAtEnd)
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

  mutating func tell(_ statistics: FeedStatistics, in format: FeedFormat?, isAtEnd: Bool) {
    let bad = statistics.badLines
    guard bad > told else { return }
    let now = ContinuousClock.now
    if let latest, !isAtEnd, now - latest < .seconds(60) { return }
    let reason = statistics.latestBadLine.map { ", the last: \($0)" } ?? ""
    let count =
      format?.isDocument == true
      ? "\(bad) faults in the \(statistics.lines) records of the feed"
      : "\(bad) of \(statistics.lines) lines of the feed cannot be read"
    StandardError.writeLine("photospots: \(count)\(reason)")
    told = bad
    latest = now
  }
}
