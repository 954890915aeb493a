import CivilTime
import FeedServer
import FeedSources
public import LocationFeeds
import SpotAlerts
public import SystemPackage

#if MQTT
  import MQTTBroker
#endif

/// Open feeds, to be read to their ends.
///
/// Recorded files are read one after the other, live feeds concurrently.
public struct FeedRun {
  /// Whether positions arrive in real time; otherwise the feeds are recorded files.
  public let isLive: Bool

  /// Handles each reading as it arrives, and an empty one when live feeds are idle. Returns false
  /// if the reading could not be stored and should be sent again.
  public typealias Handling = (SourceReader.Reading) throws -> Bool

  /// The result of handling a reading.
  enum Handled {
    /// It was stored.
    case taken
    /// It could not be stored and should be sent again.
    case refused
    /// It is being decided; the lanes return the result.
    case later
  }

  /// Handles each reading with its number.
  typealias NumberedHandling = (SourceReader.Reading, Int) throws -> Handled

  private let feeds: [OpenFeed]
  /// The access settings, which may be changed until the feeds are read.
  public var access: FeedAccess
  private let report: @Sendable (FeedRunEvent) -> Void

  /// Opens feeds.
  ///
  /// - Parameters:
  ///   - feeds: The feeds, at least one.
  ///   - access: The access settings of feeds that receive messages.
  ///   - report: Called with events of the feeds, from any thread.
  /// - Throws: ``FeedRunError/mixed(recorded:)``, ``FeedRunError/cannotFollow(_:)`` or
  ///   ``FeedRunError/cannotFollowCompressed``, or the `FeedSourceError` of a feed that cannot be
  ///   opened.
  public init(
    _ feeds: [Feed], access: FeedAccess, report: @escaping @Sendable (FeedRunEvent) -> Void
  ) throws {
    self.access = access
    self.report = report
    for feed in feeds { try feed.checkFollowed() }
    self.feeds = try feeds.map { OpenFeed($0, try $0.open(), isOnly: feeds.count == 1) }
    isLive = self.feeds.contains(where: \.isLive)
    if isLive, let recorded = self.feeds.first(where: { !$0.isLive }) {
      throw FeedRunError.mixed(recorded: recorded.feed.label)
    }
  }

  /// Reads the feeds until they end or the reading is interrupted. It blocks the calling thread,
  /// which must not be one that asynchronous work runs on.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when the reading should end.
  ///   - commit: Writes the handled fixes to the disk, before senders get a positive response;
  ///     returns false if that fails.
  ///   - handle: Handles the readings.
  /// - Returns: Whether the feeds ended by themselves; false if the reading was interrupted.
  /// - Throws: After all feeds have ended, the error of the only feed, or
  ///   ``FeedRunError/someFailed``; ``FeedRunError/incomplete`` if the only failures are of
  ///   recorded files that could not be read to their ends, for example because they are cut off.
  ///   Also the errors of `handle`.
  @discardableResult
  public func read(
    orUntil interruption: FileDescriptor, commit: () -> Bool = { true }, handle: Handling
  ) throws -> Bool {
    try read(orUntil: interruption, commit: commit) { reading, _ in
      try handle(reading) ? .taken : .refused
    }
  }

  /// Reads the feeds, whose readings may be decided by lanes beside this thread.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when the reading should end.
  ///   - lanes: The lanes, whose results are passed on; `nil` for none.
  ///   - commit: Writes the handled fixes to the disk, before senders get a positive response.
  ///   - decided: Handles the decisions of lanes.
  ///   - handle: Handles the readings.
  /// - Returns: Whether the feeds ended by themselves.
  /// - Throws: As the public method, and the errors of `decided`.
  func read(
    orUntil interruption: FileDescriptor, lanes: WatchLanes? = nil, commit: () -> Bool,
    decided: (WatchLanes.Results) throws -> Void = { _ in }, handle: NumberedHandling
  ) throws -> Bool {
    let inbox = try FeedInbox()
    lanes?.wake { inbox.wake() }
    defer { lanes?.wake(by: nil) }
    var servers: [FeedServer] = []
    var inlets: [FeedInlet] = []
    // First the senders that wait for a response, so that none waits for long.
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
        inlet.connect { await inbox.submit($0, as: number) }
        inlets.append(inlet)
      default: feeds[number].start(number, inbox)
      }
    }
    let isAtEnd = try read(inbox, orUntil: interruption, lanes, commit, decided, handle)
    if let failure = feeds.compactMap(\.failure).first {
      if feeds.allSatisfy({ $0.failure == nil || $0.isIncomplete }) {
        throw FeedRunError.incomplete
      }
      throw feeds.count > 1 ? FeedRunError.someFailed : failure
    }
    return isAtEnd
  }

  /// The state of a loop that reads an inbox.
  private struct Loop {
    /// The items to answer. Items that arrive together are committed and answered together, since a
    /// commit takes long.
    var unanswered: [(item: FeedInbox.Item, isTaken: Bool)] = []
    /// The readings that lanes decide about.
    var undecided = UndecidedReadings()
    var number = 0
    var isInterrupted = false

    mutating func answer(_ commit: () -> Bool) {
      guard !unanswered.isEmpty else { return }
      let isStored = commit()
      for (item, isTaken) in unanswered { item.finish(isTaken: isTaken && isStored) }
      unanswered = []
    }

    /// Queues the answers to the readings that lanes have finished.
    mutating func take(_ finished: [(reading: Int, isTaken: Bool)]) {
      for (number, isTaken) in finished {
        unanswered += undecided.finish(number, isTaken: isTaken)
      }
    }
  }

  /// Handles the items of an inbox until all feeds are over, or the reading is interrupted.
  ///
  /// - Returns: Whether the feeds ended by themselves.
  private func read(
    _ inbox: FeedInbox, orUntil interruption: FileDescriptor, _ lanes: WatchLanes?,
    _ commit: () -> Bool, _ decided: (WatchLanes.Results) throws -> Void,
    _ handle: NumberedHandling
  ) throws -> Bool {
    var loop = Loop()
    while feeds.contains(where: { !$0.isOver }) || !loop.undecided.isEmpty {
      if let results = lanes?.takeResults(), !results.isEmpty {
        try decided(results)
        loop.take(results.finished)
      }
      let timeout = loop.unanswered.isEmpty ? FeedReader.flushDelay : .zero
      switch try inbox.take(upTo: timeout, orUntil: loop.isInterrupted ? nil : interruption) {
      case .idle where loop.unanswered.isEmpty: _ = try handle(SourceReader.Reading(), 0)
      case .idle: loop.answer(commit)
      case .interrupted:
        loop.isInterrupted = true
        loop.answer(commit)
        for feed in feeds where !feed.isOver {
          _ = try take(.interrupted, of: feed, nil, &loop, handle)
        }
        lanes?.stopWaiting()
      case .item(let item) where !loop.isInterrupted:
        if !item.awaitsAnswer { loop.answer(commit) }
        try take(item, &loop, handle)
        let (feed, next) = (feeds[item.source], item.source + 1)
        if feed.isOver, !isLive, next < feeds.count { feeds[next].start(next, inbox) }
      // The senders of later messages send them again.
      case .item(let item): item.finish(isTaken: false)
      }
    }
    if let results = lanes?.takeResults() { try decided(results) }
    loop.answer(commit)
    return !loop.isInterrupted
  }

  private func take(
    _ item: FeedInbox.Item, _ loop: inout Loop, _ handle: NumberedHandling
  ) throws {
    let feed = feeds[item.source]
    switch item.chunk {
    case .success(let chunk):
      let isTaken = try take(chunk, of: feed, item, &loop, handle)
      if item.awaitsAnswer, let isTaken { loop.unanswered.append((item, isTaken)) }
    case .failure(let error):
      _ = try take(.end, of: feed, nil, &loop, handle)
      fail(feed, error)
    }
  }

  /// Begins to listen for a feed, and reports the address.
  private func serve(
    at place: HostAndPort, _ number: Int, _ inbox: FeedInbox
  ) throws -> FeedServer {
    let server = try waitForResult { [access, report] in
      try await FeedServer(
        at: place, tokens: access.tokens, phones: access.phones,
        report: { report(.listener(.http(place), $0)) }, metrics: access.metrics,
        reply: access.reply
      ) { await inbox.submit($0, as: number) }
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

  /// Returns whether the fixes of a chunk were accepted; `nil` if lanes decide about them.
  private func take(
    _ chunk: FeedChunk, of feed: OpenFeed, _ item: FeedInbox.Item?, _ loop: inout Loop,
    _ handle: NumberedHandling
  ) throws -> Bool? {
    if case .event(let event) = chunk { report(.source(feed.feed.label, event)) }
    if chunk == .end || chunk == .interrupted { feed.isOver = true }
    feed.reader.times = FeedReader.times(by: SystemClock().now())
    var reading = feed.reader.read(chunk)
    reading.isSentAgain = item?.awaitsAnswer ?? false
    if case .followedFile = feed.feed.origin, let format = feed.reader.format, format.isDocument {
      throw FeedRunError.cannotFollow(format)
    }
    loop.number += 1
    let handled = try handle(reading, loop.number)
    var isUndecided = false
    switch handled {
    case .refused: feed.reader.forget(reading.fixes)
    case .taken, .later:
      isUndecided = loop.undecided.add(
        loop.number, item, of: feed, reading, isDecided: handled == .taken)
    }
    if let lines = feed.newBadLines() { report(.badLines(lines)) }
    if feed.isOver, feed.reader.format == nil, feed.reader.statistics.lines > 0 {
      fail(feed, feed.reader.foreign.map(FeedRunError.foreign) ?? .unknownFormat)
    }
    return isUndecided ? nil : handled == .taken
  }

  /// With several feeds the others continue, so the failure of one is reported immediately.
  private func fail(_ feed: OpenFeed, _ failure: any Error) {
    feed.failure = failure
    if feeds.count > 1 || feed.isIncomplete { report(.failed(feed.feed.label, failure)) }
  }
}

/// A feed that is being read.
final class OpenFeed {
  let feed: Feed
  let isLive: Bool
  var reader: SourceReader
  var isOver = false
  /// The reason why the feed cannot be read, or not any further.
  var failure: (any Error)?
  /// The source; `nil` once it is being read.
  private var source: FeedSource?
  /// Whether it is a recorded file whose reading failed before its end.
  var isIncomplete: Bool { !isLive && failure is FeedSourceError }
  private let isOnly: Bool
  /// The number of bad lines that were reported, and the time of the report.
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

  /// Returns the bad lines to report; `nil` if there are no new ones, or if the feed goes on and
  /// the last report is less than a minute old.
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
  /// Delivers a message whose sender waits for the response.
  fileprivate func submit(_ message: FeedServer.Message, as number: Int) async -> Bool {
    await submit(.reports(message.fixes, message.format, message.statistics), as: number)
  }
}
