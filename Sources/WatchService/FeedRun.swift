import CivilTime
import FeedServer
import FeedSources
public import LocationFeeds
import SpotAlerts
public import SystemPackage

#if MQTT
  import MQTTBroker
#endif

/// Feeds, open, and read to their ends.
///
/// Recorded files are read one after the other, live feeds at once.
public struct FeedRun {
  /// Whether positions come as they happen. Else the feeds are recorded files.
  public let isLive: Bool

  /// What a feed brought.
  public struct Reading: Sendable {
    /// The fixes, in the order of the feed.
    public var fixes: [LocationFix] = []
    /// The format that they are in.
    public var format: FeedFormat?
    /// Whether the sender sends them again where they are not taken.
    public var isSentAgain = false
  }

  /// Takes what feeds bring as it comes, and an empty reading when live feeds are idle; false where
  /// it could not be kept and is to be sent again.
  public typealias Handling = (Reading) throws -> Bool

  private let feeds: [OpenFeed]
  /// What feeds need to know that others send to; taken as it is when they are read.
  public var access: FeedAccess
  private let report: @Sendable (FeedRunEvent) -> Void

  /// Opens feeds.
  ///
  /// - Parameters:
  ///   - feeds: The feeds, at least one.
  ///   - access: What feeds need to know that others send to.
  ///   - report: Takes what happens to the feeds; called from any thread.
  /// - Throws: ``FeedRunError/mixed(recorded:)``, or the `FeedSourceError` of one that cannot be
  ///   opened.
  public init(
    _ feeds: [Feed], access: FeedAccess, report: @escaping @Sendable (FeedRunEvent) -> Void
  ) throws {
    self.access = access
    self.report = report
    self.feeds = try feeds.map { OpenFeed($0, try $0.open(), isOnly: feeds.count == 1) }
    isLive = self.feeds.contains(where: \.isLive)
    if isLive, let recorded = self.feeds.first(where: { !$0.isLive }) {
      throw FeedRunError.mixed(recorded: recorded.feed.label)
    }
  }

  /// Reads the feeds to their ends, or until it is interrupted; blocks the thread, which must be
  /// none that asynchronous work runs on.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when the reading is to end.
  ///   - commit: Writes down what was handled, before senders are told that it is kept; false where
  ///     that fails.
  ///   - handle: Takes what the feeds bring.
  /// - Returns: Whether the feeds ended by themselves; false where the reading was interrupted.
  /// - Throws: Once all are over, why the only feed cannot be read, or
  ///   ``FeedRunError/someFailed``; what `handle` throws.
  @discardableResult
  public func read(
    orUntil interruption: FileDescriptor, commit: () -> Bool = { true }, handle: Handling
  ) throws -> Bool {
    let inbox = try FeedInbox()
    var servers: [FeedServer] = []
    var inlets: [FeedInlet] = []
    // First those who wait for an answer, so that none waits for long.
    defer {
      inbox.stop()
      for inlet in inlets { inlet.connect(to: nil) }
      for server in servers { waitFor { await server.stop() } }
    }
    for number in isLive ? feeds.indices : 0..<1 {
      switch feeds[number].feed.origin {
      case .address(.http(let place)): servers.append(try serve(at: place, number, inbox))
      case .address(.mqtt(let address)): try subscribe(to: address, number, inbox)
      case .inlet(let inlet):
        inlet.connect { await inbox.deliver($0, as: number) }
        inlets.append(inlet)
      default: feeds[number].start(number, inbox)
      }
    }
    let isAtEnd = try read(inbox, orUntil: interruption, commit, handle)
    if let failure = feeds.compactMap(\.failure).first {
      throw feeds.count > 1 ? FeedRunError.someFailed : failure
    }
    return isAtEnd
  }

  private func read(
    _ inbox: FeedInbox, orUntil interruption: FileDescriptor, _ commit: () -> Bool,
    _ handle: Handling
  ) throws -> Bool {
    var isInterrupted = false
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
        isInterrupted = true
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
    return !isInterrupted
  }

  /// Begins to listen for a feed, and says where.
  private func serve(
    at place: HostAndPort, _ number: Int, _ inbox: FeedInbox
  ) throws -> FeedServer {
    let server = try waitForResult { [access, report] in
      try await FeedServer(
        at: place, tokens: access.tokens, report: { report(.listener(.http(place), $0)) },
        metrics: access.metrics, reply: access.reply
      ) { await inbox.deliver($0, as: number) }
    }
    report(.listening(.http(server.place)))
    return server
  }

  private func subscribe(to address: MQTTAddress, _ number: Int, _ inbox: FeedInbox) throws {
    #if MQTT
      MQTTFeed.start(address, password: access.mqttPassword, into: inbox, as: number)
    #else
      throw FeedRunError.builtWithoutMQTT
    #endif
  }

  /// Returns whether what the chunk brought was taken.
  private func take(
    _ chunk: FeedChunk, of feed: OpenFeed, isSentAgain: Bool = false, _ handle: Handling
  ) throws -> Bool {
    if case .event(let event) = chunk { report(.source(feed.feed.label, event)) }
    if chunk == .end || chunk == .interrupted { feed.isOver = true }
    feed.reader.times = FeedReader.earliestTime...SystemClock().now().advanced(bySeconds: 86_400)
    let reading = feed.reader.read(chunk)
    if case .followedFile = feed.feed.origin, let format = feed.reader.format, format.isDocument {
      throw FeedRunError.cannotFollow(format)
    }
    let isTaken = try handle(
      Reading(fixes: reading.fixes, format: reading.format, isSentAgain: isSentAgain))
    if !isTaken { feed.reader.forget(reading.fixes) }
    if let lines = feed.newBadLines() { report(.badLines(lines)) }
    if feed.isOver, feed.reader.format == nil, feed.reader.statistics.lines > 0 {
      fail(feed, FeedRunError.unknownFormat)
    }
    return isTaken
  }

  /// Where there are several feeds the others go on, so why one does not is told now.
  private func fail(_ feed: OpenFeed, _ failure: any Error) {
    feed.failure = failure
    if feeds.count > 1 { report(.failed(feed.feed.label, failure)) }
  }
}

/// A feed while it is read.
private final class OpenFeed {
  let feed: Feed
  let isLive: Bool
  var reader: SourceReader
  var isOver = false
  /// Why it cannot be read any further, or could not be from its start.
  var failure: (any Error)?
  /// Until it is read from.
  private var source: FeedSource?
  private let isOnly: Bool
  /// How many bad lines were reported, and when.
  private var reported = 0
  private var lastReport: ContinuousClock.Instant?

  init(_ feed: Feed, _ source: consuming FeedSource?, isOnly: Bool) {
    self.feed = feed
    self.isOnly = isOnly
    let isLive: Bool
    switch source {
    case .some(let source): isLive = source.isLive
    case .none: isLive = true
    }
    self.isLive = isLive
    reader = SourceReader(
      format: feed.knownFormat, name: isOnly ? nil : feed.deviceName, isLive: isLive)
    self.source = consume source
  }

  func start(_ number: Int, _ inbox: FeedInbox) {
    if let source = source.take() { inbox.start(source, as: number) }
  }

  /// What is to be reported of lines that cannot be read; `nil` where there is nothing new, or it
  /// was reported within a minute and more may come.
  func newBadLines() -> FeedRunEvent.BadLines? {
    let statistics = reader.statistics
    guard statistics.badLines > reported else { return nil }
    let now = ContinuousClock.now
    if let lastReport, !isOver, now - lastReport < .seconds(60) { return nil }
    reported = statistics.badLines
    lastReport = now
    return FeedRunEvent.BadLines(
      label: isOnly ? nil : feed.label, statistics: statistics,
      isDocument: reader.format?.isDocument == true)
  }
}

extension FeedInbox {
  /// Hands in a message that somebody sent, who waits for the answer.
  fileprivate func deliver(_ message: FeedServer.Message, as number: Int) async -> Bool {
    await deliver(.reports(message.fixes, message.format, message.statistics), as: number)
  }
}
