import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite(.timeLimit(.minutes(30))) struct WatchSessionTests {
  private let folder = TemporaryFolder()

  private func session(
    _ notifier: RecordingNotifier, spots: [PhotoSpot] = [spot("a")], isLive: Bool = false,
    clock: TestClock = TestClock(), change: (inout WatcherSettings) -> Void = { _ in }
  ) throws -> WatchSession {
    var settings = WatcherSettings.withoutRules
    change(&settings)
    return try WatchSession(
      stateFolder: folder.root, spots: SpotIndex(spots: spots), settings: settings,
      localClock: .fixed(utcOffsetMinutes: 0), isLive: isLive, notifiers: [notifier],
      clock: clock)
  }

  private func fix(_ seconds: Double?, north: Double, device: String? = nil) -> LocationFix {
    let position = Coordinate.tower.offset(north: north, east: 0)
    return LocationFix(
      time: seconds.map { noon.advanced(bySeconds: $0) }, latitude: position.latitude,
      longitude: position.longitude, device: device)
  }

  private func kinds(_ decisions: [WatcherDecision]) -> [WatcherDecision.Kind] {
    decisions.map(\.kind)
  }

  @Test func `a walk past a spot fires once, even if the next session repeats it`() async throws {
    let walk = stride(from: -400.0, through: 400, by: 25).enumerated().map {
      fix(Double($0.offset) * 20, north: $0.element)
    }
    let notifier = RecordingNotifier()
    for _ in 0..<2 {
      let session = try session(notifier)
      session.start()
      for fix in walk { try session.process(fix) }
      await session.drain()
      await session.stop()
    }
    #expect(notifier.ids.count == 1)
    let history = try WatchSession.history(in: folder.root)
    #expect(history.map(\.kind) == [.notified])
    #expect(history[0].spotID == "a")
    #expect(history[0].deliveries.map(\.notifier) == ["hook"])
  }

  @Test(arguments: [true, false])
  func `ground walked on three days is silent after a restart, but not without its record`(
    isRecorded: Bool
  ) async throws {
    func walk(_ session: WatchSession, day: Double) throws -> [WatcherDecision.Kind] {
      try stride(from: 0.0, through: 800, by: 10).flatMap { seconds in
        kinds(
          try session.process(fix(day * 86_400 + seconds, north: seconds * 1.2 - 480)))
      }
    }
    let before = try session(RecordingNotifier()) {
      $0 = WatcherSettings()
      $0.areNotificationsEnabled = false
    }
    for day in [0.0, 1, 2] { #expect(try walk(before, day: day).contains(.disabled)) }
    await before.stop()
    if !isRecorded { folder.remove(folder.path(Journal.fileName)) }
    let after = try session(RecordingNotifier()) { $0 = WatcherSettings() }
    let decisions = try walk(after, day: 3)
    #expect(decisions.contains(.familiar) == isRecorded)
    #expect(decisions.contains(.notify) == !isRecorded)
    await after.stop()
  }

  @Test func `suppressed visits do not grow the journal beyond its limit`() async throws {
    var settings = WatcherSettings.withoutRules
    settings.areNotificationsEnabled = false
    let session = try WatchSession(
      stateFolder: folder.root,
      journalLimits: JournalLimits(compactionBytes: 2000, maximumBytes: 50_000),
      spots: SpotIndex(spots: [spot("a")]), pasts: SpotPasts(), settings: settings,
      localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [],
      schedule: RetrySchedule(), clock: TestClock(), report: { _ in })
    var silences = 0
    for step in 0..<3000 {
      let decisions = try session.process(
        fix(Double(step) * 60, north: step % 3 == 0 ? 50 : 400 + Double(step % 3) * 20))
      silences += decisions.count { $0.kind == .disabled }
      #expect(readFile(folder.root.appending(Journal.fileName)).count <= 50_000)
    }
    #expect(silences == 1000)
    await session.stop()
    let history = try WatchSession.history(in: folder.root)
    #expect(history.count > 20 && history.count < 1000)
    #expect(history.last?.time == noon.advanced(bySeconds: 2997 * 60))
  }

  @Test func `without a state folder each session starts fresh and shares no journal`() async throws
  {
    let watching = try session(RecordingNotifier())
    try watching.process(fix(0, north: 50))
    let before = readFile(folder.root.appending(Journal.fileName))
    for _ in 0..<2 {
      let notifier = RecordingNotifier(answers: [.failed("exit status 1")])
      let session = try WatchSession(
        stateFolder: nil, spots: SpotIndex(spots: [spot("a")]), settings: .withoutRules,
        localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [notifier],
        clock: TestClock { $0 == 60 })
      session.start()
      #expect(kinds(try session.process(fix(0, north: 50))) == [.notify])
      await session.settle(withinSeconds: 60)
      #expect(await session.stop().isEmpty)
      #expect(notifier.ids.count == 2)
    }
    #expect(readFile(folder.root.appending(Journal.fileName)) == before)
  }

  @Test func `a crash at any byte of a record loses nothing and repeats nothing`() async throws {
    let file = folder.root.appending(Journal.fileName)
    do {
      // The process ends after recording and before a delivery.
      let session = try session(RecordingNotifier())
      try session.process(fix(0, north: 50))
    }
    let whole = readFile(file)
    let header = whole.firstIndex(of: 0x0A)! + 1
    for length in stride(from: header, through: whole.count, by: 1) {
      try writeFile(file, whole[..<length])
      let notifier = RecordingNotifier()
      let session = try session(notifier)
      session.start()
      await session.drain()
      let isRecorded = length == whole.count
      // A complete record is delivered now; an incomplete one is ignored.
      #expect(notifier.ids.count == (isRecorded ? 1 : 0), "\(length) bytes")
      let decisions = kinds(try session.process(fix(0, north: 50)))
      #expect(decisions == [isRecorded ? .inside : .notify], "\(length) bytes")
      await session.drain()
      #expect(notifier.ids.count == 1, "\(length) bytes")
      await session.stop()
    }
  }

  @Test func `a device that stays at a spot does not fire again after a restart`() async throws {
    let notifier = RecordingNotifier()
    for restart in 0..<5 {
      let session = try session(notifier) { $0.cooldownSeconds = 0 }
      session.start()
      for step in 0..<3 {
        try session.process(
          fix(Double(restart * 3 + step) * 600, north: 40 + Double(step) * 15))
      }
      await session.drain()
      await session.stop()
    }
    #expect(notifier.ids.count == 1)
    // It fires again after the device has left.
    let session = try session(notifier) { $0.cooldownSeconds = 0 }
    session.start()
    for (step, north) in [500.0, 550, 50].enumerated() {
      try session.process(fix(20_000 + Double(step) * 600, north: north))
    }
    await session.drain()
    await session.stop()
    #expect(notifier.ids.count == 2)
  }

  @Test func `a cooldown applies after a restart even if the spot has another id`() async throws {
    let notifier = RecordingNotifier()
    do {
      let session = try session(notifier)
      try session.process(fix(0, north: 50))
      try session.process(fix(60, north: 500))
      try session.process(fix(120, north: 550))
    }
    let moved = spot("z", at: Coordinate.tower.offset(north: 10, east: 0))
    let session = try session(notifier, spots: [moved])
    #expect(kinds(try session.process(fix(180, north: 550))) == [.clear])
    #expect(kinds(try session.process(fix(600, north: 50))) == [.cooldown])
  }

  @Test func `an alert shared by another device counts as fired after a restart`() throws {
    func session() throws -> WatchSession {
      try self.session(RecordingNotifier()) { $0 = .with(.devices) }
    }
    do {
      let session = try session()
      try session.process(fix(0, north: -500, device: "watch"))
      #expect(kinds(try session.process(fix(300, north: -50, device: "phone"))) == [.notify])
    }
    do {
      let session = try session()
      #expect(kinds(try session.process(fix(310, north: -45, device: "watch"))) == [.shared])
    }
    // The cooldown was shared too, and the visit continues.
    do {
      let session = try session()
      #expect(kinds(try session.process(fix(900, north: 500, device: "watch"))) == [.leaving])
      #expect(kinds(try session.process(fix(960, north: 600, device: "watch"))) == [.exit])
    }
    let last = try session()
    #expect(kinds(try last.process(fix(3990, north: 700, device: "watch"))) == [.clear])
    #expect(kinds(try last.process(fix(4050, north: 50, device: "watch"))) == [.cooldown])
  }

  @Test func `a shared alert is kept when the journal is compacted`() throws {
    let center = Coordinate.tower
    let shared = JournalRecord(
      recorded: noon,
      event: .held(
        JournalEvent.PlaceEvent(device: "watch", spotID: "a", center: center, time: noon),
        by: .shared))
    var contents = JournalContents()
    contents.apply(shared)
    var limits = JournalLimits()
    // Leaves no room for explanations.
    limits.maximumBytes = 1000
    #expect(limits.silentBytes < shared.line.count)
    let bytes = contents.compacted(now: noon, clusterRadiusMeters: 75, limits: limits)
    #expect(try JournalContents(bytes, path: "journal").records == [shared])
  }

  @Test func `the minimum interval applies across a restart`() async throws {
    let other = spot("b", at: Coordinate.tower.offset(north: 400, east: 0))
    do {
      let session = try session(RecordingNotifier(), spots: [spot("a"), other])
      try session.process(fix(0, north: 50))
    }
    let session = try session(RecordingNotifier(), spots: [spot("a"), other])
    #expect(kinds(try session.process(fix(120, north: 350))) == [.paced])
    #expect(kinds(try session.process(fix(180, north: 800))) == [.exit])
    #expect(kinds(try session.process(fix(240, north: 850))) == [.lapsed])
    let history = try WatchSession.history(in: folder.root)
    #expect(history.map(\.kind) == [.notified, .lapsed])
    #expect(history[1].spotID == "b")
  }

  @Test func `a live fix without a time gets its time of arrival`() async throws {
    let session = try session(RecordingNotifier(), isLive: true)
    #expect(kinds(try session.process(fix(nil, north: 50))) == [.notify])
    let replay = try Self.init().session(RecordingNotifier())
    #expect(kinds(try replay.process(fix(nil, north: 50))) == [.invalid])
  }

  @Test func `a visit that began late fires when no more of its burst follows`() async throws {
    let clock = TestClock()
    let session = try session(RecordingNotifier(), isLive: true, clock: clock) {
      $0.rulesOff.remove(.bursts)
    }
    clock.advance(bySeconds: 120)
    #expect(kinds(try session.process(fix(0, north: 50))) == [.burst])
    clock.advance(bySeconds: 9)
    #expect(try session.tick().isEmpty)
    clock.advance(bySeconds: 1)
    #expect(kinds(try session.tick()) == [.notify])
    #expect(try WatchSession.history(in: folder.root).count == 1)
  }

  @Test func `a fix that cannot be recorded has no effect, and can be repeated`() throws {
    let journal = FailingJournal()
    let spots = SpotIndex(spots: [spot("a"), spot("b", at: .tower.offset(north: 0, east: 25))])
    var settings = WatcherSettings.withoutRules
    settings.cooldownSeconds = 600
    let session = try WatchSession(
      over: WatchStore(WholeLibrary(spots, SpotPasts()), journal), settings: settings,
      localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [RecordingNotifier()])
    try session.process(fix(0, north: -500, device: "phone"))
    for _ in 0..<2 {
      #expect(throws: AlertStateError.self) {
        try session.process(fix(300, north: -50, device: "phone"))
      }
    }
    journal.fail(false)
    let decisions = try session.process(fix(300, north: -50, device: "phone"))
    #expect(kinds(decisions) == [.notify, .alsoNear])
    try session.process(fix(400, north: 500, device: "phone"))
    journal.fail(true)
    #expect(throws: AlertStateError.self) {
      try session.process(fix(500, north: 600, device: "phone"))
    }
    journal.fail(false)
    let left = try session.process(fix(500, north: 600, device: "phone"))
    #expect(kinds(left) == [.exit, .exit])
    #expect(journal.recordCount == 3)
  }

  @Test func `after a fix that cannot be recorded the others of its run are not tried`() throws {
    let journal = FailingJournal()
    let session = try WatchSession(
      over: WatchStore(WholeLibrary(SpotIndex(spots: [spot("a")]), SpotPasts()), journal),
      settings: .withoutRules, localClock: .fixed(utcOffsetMinutes: 0), isLive: false,
      notifiers: [])
    let run = [500.0, 50, 40, 30].enumerated().map {
      fix(Double($0.offset) * 300, north: $0.element, device: "phone")
    }
    let outcomes = session.process(run, inLane: 0).map { outcome in
      switch outcome {
      case .decided: "decided"
      case .failed: "failed"
      case .notTried: "not tried"
      }
    }
    #expect(outcomes == ["decided", "failed", "not tried", "not tried"])
  }

  @Test func `a second session with the same state folder is refused`() throws {
    let first = try session(RecordingNotifier())
    #expect(throws: AlertStateError.self) { try session(RecordingNotifier()) }
    _ = first
  }
}

/// A journal of one process whose disk may be full.
private final class FailingJournal: AlertJournal {
  private let state = Mutex((isFailing: true, records: [JournalRecord]()))

  var isShared: Bool { false }
  var recordCount: Int { state.withLock { $0.records.count } }

  func fail(_ isFailing: Bool) { state.withLock { $0.isFailing = isFailing } }

  func append(together batches: [JournalBatch]) -> [Result<JournalAnswer, AlertStateError>] {
    state.withLock { state in
      guard !state.isFailing else {
        return batches.map { _ in .failure(.cannotWrite("journal", .noSpace)) }
      }
      state.records += batches.flatMap(\.records)
      return batches.map { _ in .success(.recorded()) }
    }
  }

  func records(
    of subject: JournalSubject, since start: Instant?
  ) throws(AlertStateError) -> [JournalRecord] { [] }
  func ownerAlerts(
    since start: Instant, after version: Int64?
  ) throws(AlertStateError) -> OwnerAlerts { OwnerAlerts() }
  func note(_ records: [JournalRecord]) {}
  func flush() {}
  func compactIfGrown(now: Instant) throws(AlertStateError) {}
  func takeOver(
    for notifiers: [String], holding held: [PendingDelivery], now: Instant
  ) throws(AlertStateError) -> [PendingDelivery] { [] }
  func history() throws(AlertStateError) -> [HistoryEntry] { [] }
  func close() {}
}
