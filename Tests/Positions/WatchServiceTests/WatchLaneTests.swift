import CLibrary
import CivilTime
import FeedServer
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotWatcher
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SpotAlerts
@testable import WatchService

/// An in-memory journal that simulates writes of other processes and outages.
private final class SharedJournal: AlertJournal {
  struct State {
    var isGone = false
    /// Whether requests wait.
    var isHeld = false
    /// The number of requests that wait or have waited.
    var heldCount = 0
    /// The number of following batches that are answered as overtaken by another process.
    var overtakingCount = 0
    var records: [JournalRecord] = []
  }

  let state = Mutex(State())

  var isShared: Bool { true }

  private func checked<Value: Sendable>(
    _ body: (inout State) -> Value
  ) throws(AlertStateError) -> Value {
    if state.withLock({ state in
      if state.isHeld { state.heldCount += 1 }
      return state.isHeld
    }) {
      while state.withLock({ $0.isHeld }) { usleep(1000) }
    }
    let value = state.withLock { state in state.isGone ? nil : body(&state) }
    guard let value else { throw .unavailable("gone") }
    return value
  }

  func records(
    of subject: JournalSubject, since start: Instant?
  ) throws(AlertStateError) -> [JournalRecord] { try checked { _ in [] } }

  func ownerAlerts(
    since start: Instant, after version: Int64?
  ) throws(AlertStateError) -> OwnerAlerts { OwnerAlerts() }

  func append(together batches: [JournalBatch]) -> [Result<JournalAnswer, AlertStateError>] {
    batches.map { batch in
      Result { () throws(AlertStateError) in try answer(to: batch) }
    }
  }

  private func answer(to batch: JournalBatch) throws(AlertStateError) -> JournalAnswer {
    let event = JournalEvent.left(
      JournalEvent.PlaceEvent(
        device: "a", spotID: "elsewhere",
        center: .elsewhere,
        time: Instant(millisecondsSince1970: 0)))
    return try checked { state in
      if batch.isDurable, state.overtakingCount > 0 {
        state.overtakingCount -= 1
        return .overtaken(
          records: [JournalRecord(recorded: Instant(millisecondsSince1970: 0), event: event)])
      }
      state.records += batch.records
      return .recorded()
    }
  }

  func note(_ records: [JournalRecord]) {}
  func flush() {}
  func compactIfGrown(now: Instant) throws(AlertStateError) {}
  func takeOver(
    for notifiers: [String], holding held: [PendingDelivery], now: Instant
  ) throws(AlertStateError) -> [PendingDelivery] { try checked { _ in [] } }
  func history() throws(AlertStateError) -> [HistoryEntry] { [] }
  func close() {}
}

extension Coordinate {
  fileprivate static let elsewhere = Coordinate(latitude: 1, longitude: 1)!
}

/// A watch over a store, with lanes that decide in parallel to the thread that reads feeds.
@Suite(.timeLimit(.minutes(30))) struct WatchLaneTests {
  private final class Recorder: Sendable {
    private let decisions = Mutex<[WatcherDecision]>([])
    private let events = Mutex<(failures: Int, recoveries: Int)>((0, 0))

    func take(_ new: [WatcherDecision]) { decisions.withLock { $0 += new } }
    func take(_ event: WatchEvent) {
      events.withLock { events in
        switch event {
        case .notWritten: events.failures += 1
        case .recovered: events.recoveries += 1
        default: break
        }
      }
    }

    var alerts: [String?] {
      decisions.withLock { $0.compactMap { decision in decision.notification.map(\.device) } }
    }
    var devices: [String?] { decisions.withLock { $0.map(\.fix.device) } }
    var failures: Int { events.withLock { $0.failures } }
    var recoveries: Int { events.withLock { $0.recoveries } }
  }

  private let folder = TemporaryFolder()
  private let journal = SharedJournal()
  private let recorder = Recorder()

  private func watch(laneCount: Int) throws -> Watch {
    let here = try #require(Coordinate(latitude: 43.46, longitude: 11.88))
    let place = OwnPlace(id: "p", name: "Old oak", coordinate: here)
    let lanes = (0...laneCount).map { _ in
      WatchStore.Lane(journal: journal) { fetch in
        try SpotIndex(spots: []).joined(with: [place], clusterRadius: 15)
          .region(of: fetch, clusterRadius: 15)
      }
    }
    var settings = WatcherSettings()
    settings.rulesOff = Set(WatcherRule.allCases)
    settings.maximumAlertsPerMinute = nil
    let sources = try WatchSources(
      cache: nil, muteList: MuteList(in: folder.root), refusesLaterPhotos: true
    ) { [settings] in settings }
    return try Watch(
      sources,
      over: WatchStore(lanes: Array(lanes.dropLast()), sessionLane: lanes[laneCount]) { _ in nil },
      devices: Watch.Devices(folder: folder.root), notifiers: [], report: recorder.take)
  }

  /// Creates a FIFO as a feed, and opens it for writing.
  private func fifo() throws -> (feed: Feed, writer: FileDescriptor) {
    let path = folder.path("feed")
    try #require(mkfifo(path.string, 0o600) == 0)
    let writer = try FileDescriptor.open(path, .readWrite)
    return (Feed(origin: .file(path), label: "feed", deviceName: "feed"), writer)
  }

  private func line(_ device: String) -> [UInt8] {
    Array("{\"latitude\":43.46,\"longitude\":11.88,\"device\":\"\(device)\"}\n".utf8)
  }

  private func message(_ device: String, _ time: Instant? = nil) -> FeedServer.Message {
    FeedServer.Message(
      fixes: [LocationFix(time: time, latitude: 43.46, longitude: 11.88, device: device)],
      format: .ndjson, statistics: FeedStatistics())
  }

  @Test(arguments: [false, true])
  func `a fix sent again while it is being decided gets the answer of the first report`(
    isGone: Bool
  ) async throws {
    let watch = try watch(laneCount: 1)
    let inlet = FeedInlet()
    let phones = Feed(origin: .inlet(inlet), label: "phones", deviceName: "phones")
    try watch.start([phones], access: FeedAccess(), decided: recorder.take)
    #expect(await inlet.isReady())
    let message = message("phone", SystemClock().now())
    journal.state.withLock { $0.isHeld = true }
    async let first = inlet.take(message)
    while journal.state.withLock({ $0.heldCount }) == 0 { await Task.yield() }
    let answered = Mutex(false)
    async let second = {
      defer { answered.withLock { $0 = true } }
      return await inlet.take(message)
    }()
    // The answer to a message without fixes does not wait, and comes after the second was read.
    let empty = FeedServer.Message(fixes: [], format: .ndjson, statistics: FeedStatistics())
    for _ in 0..<10 {
      try await Task.sleep(for: .milliseconds(10))
      #expect(await inlet.take(empty))
    }
    #expect(answered.withLock { !$0 }, "nothing is stored yet")
    journal.state.withLock { ($0.isGone, $0.isHeld) = (isGone, false) }
    #expect(await first == !isGone)
    #expect(await second == !isGone)
    journal.state.withLock { $0.isGone = false }
    #expect(await inlet.take(message), "sent again after the answer")
    await watch.stop()
    #expect(recorder.alerts == ["phone"])
  }

  @Test func `during a store outage a pipe's fixes wait and messages of the same lane are refused`()
    async throws
  {
    let watch = try watch(laneCount: 1)
    let (feed, writer) = try fifo()
    defer { try? writer.close() }
    let inlet = FeedInlet()
    let phones = Feed(origin: .inlet(inlet), label: "phones", deviceName: "phones")
    journal.state.withLock { $0.isGone = true }
    try watch.start([feed, phones], access: FeedAccess(), decided: recorder.take)
    for number in 0..<40 { try writer.writeAll(line("pipe\(number)")) }
    await until { recorder.failures > 0 }
    for _ in 0..<3 { #expect(await inlet.take(message("phone")) == false) }
    #expect(recorder.alerts.isEmpty, "no unrecorded alert is sent")
    journal.state.withLock { $0.isGone = false }
    #expect(await inlet.take(message("phone")))
    await until { recorder.alerts.count >= 41 }
    await watch.stop()
    let expected = (0..<40).map { "pipe\($0)" }
    #expect(
      recorder.alerts.compactMap(\.self).filter { $0 != "phone" } == expected, "in order")
    #expect(
      recorder.failures == 1 && recorder.recoveries == 1, "an outage and its end are reported once")
    #expect(journal.state.withLock { $0.records.count } >= 41)
    #expect(try DeviceLog.reports(in: folder.root).count == 41)
  }

  @Test func `a fix from a pipe is decided even if other watches overtake it twenty times`()
    async throws
  {
    let watch = try watch(laneCount: 2)
    let (feed, writer) = try fifo()
    defer { try? writer.close() }
    journal.state.withLock { $0.overtakingCount = 20 }
    try watch.start([feed], access: FeedAccess(), decided: recorder.take)
    try writer.writeAll(line("a"))
    await until { !recorder.alerts.isEmpty }
    await watch.stop()
    #expect(recorder.alerts == ["a"])
    #expect(journal.state.withLock { $0.overtakingCount } == 0)
  }

  @Test func `a watch can be stopped while its store is unavailable and fixes are waiting`()
    async throws
  {
    let watch = try watch(laneCount: 2)
    let (feed, writer) = try fifo()
    defer { try? writer.close() }
    journal.state.withLock { $0.isGone = true }
    try watch.start([feed], access: FeedAccess(), decided: recorder.take)
    try writer.writeAll(line("a"))
    await until { recorder.failures > 0 }
    await watch.stop()
    #expect(recorder.alerts.isEmpty)
  }

  @Test func `a second watch with the same device folder fails until the first one is stopped`()
    async throws
  {
    let first = try watch(laneCount: 1)
    #expect(throws: AlertStateError.self) { try watch(laneCount: 1) }
    await first.stop()
    await (try watch(laneCount: 1)).stop()
  }

  @Test func `a lane decides in order of arrival and skips a postponed fix until its retry time`() {
    func job(_ device: String, isSentAgain: Bool) -> LaneQueue.Job {
      LaneQueue.Job(
        LocationFix(time: nil, latitude: 0, longitude: 0, device: device), reading: 1,
        isSentAgain: isSentAgain)
    }
    var queue = LaneQueue()
    var now = ContinuousClock.now
    func next() -> String {
      switch queue.next(at: now) {
      case .decide(let jobs): jobs.map { $0.fix.device ?? "" }.joined()
      case .wait: "wait"
      case .rest: "rest"
      }
    }
    #expect(next() == "rest")
    for (device, isSentAgain) in [("a", true), ("b", false), ("c", true), ("d", false)] {
      queue.add(job(device, isSentAgain: isSentAgain))
    }
    guard case .decide(let jobs) = queue.next(at: now) else {
      Issue.record("there are fixes to decide")
      return
    }
    #expect(jobs.map(\.fix.device) == ["a", "b", "c", "d"])
    queue.putBack(Array(jobs.dropFirst()))
    queue.postponeLasting(at: now)
    #expect([next(), next()] == ["c", "wait"])
    queue.add(job("e", isSentAgain: true))
    queue.add(job("f", isSentAgain: false))
    #expect([next(), next()] == ["e", "wait"])
    now += .seconds(1)
    #expect([next(), next()] == ["bdf", "rest"], "what was put back comes first")
    queue.putBack(Array(jobs.suffix(1)))
    queue.postponeLasting(at: now)
    #expect(queue.dropLasting().map(\.fix.device) == ["d"])
    #expect(next() == "rest")
    for number in 0..<300 { queue.add(job("\(number % 10)", isSentAgain: number % 2 == 0)) }
    #expect([next().count, next().count] == [256, 44], "no run is endless")
  }
}
