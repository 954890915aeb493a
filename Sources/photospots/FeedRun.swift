import ArgumentParser
import CivilTime
import FeedServer
import FeedSources
import LocationFeeds
import SystemPackage

#if MQTT
  import MQTTBroker
#endif

/// The feeds of a command, open, and read to their ends.
struct FeedRun {
  /// Whether positions come as they happen. Else the feeds are recorded files, read one after the
  /// other.
  let isLive: Bool

  /// What a feed brought.
  struct Reading {
    var fixes: [LocationFix] = []
    /// The format that they are in.
    var format: FeedFormat?
    /// Whether the sender sends them again where they are not taken.
    var isSentAgain = false
  }

  /// Takes what feeds bring as it comes, and an empty reading when live feeds are idle; false where
  /// it could not be kept and is to be sent again.
  typealias Handling = (Reading) throws -> Bool

  /// The feeds as they were named, `gpsd://localhost, udp://:5000`.
  var names: String {
    feeds.map { feed in
      if case .standardInput = feed.argument.place { return "standard input" }
      return feed.argument.text.escaped
    }.joined(separator: ", ")
  }

  private let feeds: [Feed]
  private let follow: Bool
  private let settings: Settings

  /// Opens feeds.
  ///
  /// - Throws: Why one cannot be opened, or that recorded files and live feeds are mixed.
  init(
    _ arguments: [FeedArgument], follow: Bool, format: FeedFormat?, settings: Settings
  ) throws {
    self.follow = follow
    self.settings = settings
    feeds = try arguments.map { argument in
      Feed(
        argument, try argument.open(follow: follow), format: format, isOnly: arguments.count == 1)
    }
    isLive = feeds.contains(where: \.isLive)
    if isLive, let recorded = feeds.first(where: { !$0.isLive }) {
      throw Failure(
        """
        \(recorded.argument.text.escaped) is a recorded file, and others of the feeds are live; read it \
        by itself, or --follow it
        """)
    }
  }

  /// Reads the feeds to their ends, or until the process is asked to stop.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when the reading is to end.
  ///   - commit: Writes down what was handled, before senders are told that it is kept; false where
  ///     that fails.
  ///   - handle: Takes what the feeds bring.
  /// - Throws: Why a feed cannot be read, once all are over; what `handle` throws.
  func read(
    orUntil interruption: FileDescriptor, commit: () -> Bool = { true }, handle: Handling
  ) throws {
    let inbox = try FeedInbox()
    var servers: [FeedServer] = []
    // First those who wait for an answer, so that none waits for long.
    defer {
      inbox.stop()
      for server in servers { waitFor { await server.stop() } }
    }
    for number in isLive ? feeds.indices : 0..<1 {
      switch feeds[number].argument.place {
      case .address(.http(let place)): servers.append(try serve(at: place, number, inbox))
      case .address(.mqtt(let address)): try subscribe(to: address, number, inbox)
      default: feeds[number].start(number, inbox)
      }
    }
    try read(inbox, orUntil: interruption, commit, handle)
    if let failure = feeds.compactMap(\.failure).first {
      throw feeds.count > 1 ? ExitCode.failure : failure
    }
  }

  private func read(
    _ inbox: FeedInbox, orUntil interruption: FileDescriptor, _ commit: () -> Bool,
    _ handle: Handling
  ) throws {
    // Answered together where they came together: to write something down takes its time.
    var unanswered: [(item: FeedInbox.Item, isTaken: Bool)] = []
    func answer() {
      guard !unanswered.isEmpty else { return }
      let isKept = commit()
      for (item, isTaken) in unanswered { item.finish(isTaken: isTaken && isKept) }
      unanswered = []
    }
    while feeds.contains(where: { !$0.isOver }) {
      let timeout = unanswered.isEmpty ? FeedReader.flushDelay : .zero
      switch try inbox.take(upTo: timeout, orUntil: interruption) {
      case .idle where unanswered.isEmpty: _ = try handle(Reading())
      case .idle: answer()
      case .interrupted:
        answer()
        for feed in feeds where !feed.isOver { _ = try take(.interrupted, of: feed, handle) }
      case .item(let item):
        if !item.awaitsAnswer { answer() }
        let feed = feeds[item.source]
        switch item.chunk {
        case .success(let chunk):
          let isTaken = try take(chunk, of: feed, isSentAgain: item.awaitsAnswer, handle)
          if item.awaitsAnswer { unanswered.append((item, isTaken)) }
        case .failure(let error):
          _ = try take(.end, of: feed, handle)
          fail(feed, error)
        }
        let next = item.source + 1
        if feed.isOver, !isLive, next < feeds.count { feeds[next].start(next, inbox) }
      }
    }
    answer()
  }

  /// Begins to listen for a feed, and says where.
  private func serve(
    at place: HostAndPort, _ number: Int, _ inbox: FeedInbox
  ) throws -> FeedServer {
    let tokens = try settings.listenTokens
    let server = try waitForResult {
      try await FeedServer(
        at: place, tokens: tokens,
        report: { StandardError.writeLine("photospots: \(FeedAddress.http(place)): \($0)") }
      ) { message in
        await inbox.deliver(
          .reports(message.fixes, message.format, message.statistics), as: number)
      }
    }
    StandardError.note("listening at \(FeedAddress.http(server.place))")
    return server
  }

  private func subscribe(to address: MQTTAddress, _ number: Int, _ inbox: FeedInbox) throws {
    #if MQTT
      MQTTFeed.start(address, password: try settings.mqttPassword, into: inbox, as: number)
    #else
      throw Failure(
        "this photospots was built without MQTT; build it with 'make install TRAITS=MQTT'")
    #endif
  }

  /// Returns whether what the chunk brought was taken.
  private func take(
    _ chunk: FeedChunk, of feed: Feed, isSentAgain: Bool = false, _ handle: Handling
  ) throws -> Bool {
    if case .event(let event) = chunk {
      StandardError.writeLine("photospots: \(feed.argument.text.escaped): \(event)")
    }
    if chunk == .end || chunk == .interrupted { feed.isOver = true }
    feed.reader.times = FeedReader.earliestTime...Instant.now.advanced(bySeconds: 86_400)
    let reading = feed.reader.read(chunk)
    if follow, feed.argument.isFile, let format = feed.reader.format, format.isDocument {
      throw Failure(format.cannotFollow)
    }
    let isTaken = try handle(
      Reading(fixes: reading.fixes, format: reading.format, isSentAgain: isSentAgain))
    if !isTaken { feed.reader.forget(reading.fixes) }
    feed.complaints.tell(feed.reader, isAtEnd: feed.isOver)
    if feed.isOver, feed.reader.format == nil, feed.reader.statistics.lines > 0 {
      fail(
        feed,
        Failure(
          "no line of the feed is in a known format (\(FeedFormat.names)). Is it a GPS feed?"))
    }
    return isTaken
  }

  /// Where there are several feeds the others go on, so why one does not is told now.
  private func fail(_ feed: Feed, _ failure: any Error) {
    feed.failure = failure
    if feeds.count > 1 {
      StandardError.writeLine("photospots: \(feed.argument.text.escaped): \(failure)")
    }
  }

  /// A feed while it is read.
  private final class Feed {
    let argument: FeedArgument
    let isLive: Bool
    var reader: SourceReader
    var complaints: FeedComplaints
    var isOver = false
    /// Why it cannot be read any further, or could not be from its start.
    var failure: (any Error)?
    /// Until it is read from.
    private var source: FeedSource?

    init(
      _ argument: FeedArgument, _ source: consuming FeedSource?, format: FeedFormat?, isOnly: Bool
    ) {
      self.argument = argument
      let isLive: Bool
      switch source {
      case .some(let source): isLive = source.isLive
      case .none: isLive = true
      }
      self.isLive = isLive
      var format = format
      if case .address(let address) = argument.place { format = address.format ?? format }
      reader = SourceReader(
        format: format, name: isOnly ? nil : argument.name, isLive: isLive)
      complaints = FeedComplaints(name: isOnly ? "the feed" : argument.text.escaped)
      self.source = consume source
    }

    func start(_ number: Int, _ inbox: FeedInbox) {
      if let source = source.take() { inbox.start(source, as: number) }
    }
  }
}

/// Tells of lines that cannot be read, at most once a minute.
private struct FeedComplaints {
  let name: String
  private var told = 0
  private var latest: ContinuousClock.Instant?

  init(name: String) {
    self.name = name
  }

  mutating func tell(_ reader: SourceReader, isAtEnd: Bool) {
    let statistics = reader.statistics
    let bad = statistics.badLines
    guard bad > told else { return }
    let now = ContinuousClock.now
    if let latest, !isAtEnd, now - latest < .seconds(60) { return }
    let reason = statistics.latestBadLine.map { ", the last: \($0)" } ?? ""
    let records = "\(statistics.lines) \(statistics.lines == 1 ? "record" : "records")"
    let lines = statistics.lines + statistics.blankLines
    let count =
      reader.format?.isDocument == true
      ? "\(bad) \(bad == 1 ? "fault" : "faults") in the \(records) of \(name)"
      : "\(bad) of \(lines) \(lines == 1 ? "line" : "lines") of \(name) cannot be read"
    StandardError.writeLine("photospots: \(count)\(reason)")
    told = bad
    latest = now
  }
}
