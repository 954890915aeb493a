#if Postgres
  import CLibrary
  import CivilTime
  import LocationFeeds
  import PhotoLibrary
  import PostgresStore
  import Spatial
  import Synchronization
  import TestSupport
  import Testing
  import WatchScenes

  @testable import SpotAlerts
  @testable import SpotWatcher

  /// A watch whose journal is in PostgreSQL.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(30)))
  struct StoreWatchTests {
    private static func fix(_ here: Coordinate, _ time: Instant, _ device: String) -> LocationFix {
      LocationFix(
        time: time, latitude: here.latitude, longitude: here.longitude, device: device)
    }

    private func batch(
      _ device: String, _ seconds: Double, interval: Double = 0, owner: Int64? = nil
    ) -> JournalBatch {
      let fired = notification(seconds, device: device)
      var batch = JournalBatch(
        subject: .device(device),
        records: [
          JournalRecord(
            recorded: noon.advanced(bySeconds: seconds), event: .fired(fired, notifiers: ["hook"]))
        ], isDurable: true)
      batch.minimumIntervalSeconds = interval
      batch.ownerVersion = owner
      return batch
    }

    @Test(arguments: [1, 4])
    func `lanes make the same decisions as one watcher over the whole index`(laneCount: Int)
      async throws
    {
      var generator = SeededGenerator(seed: UInt64(laneCount))
      let spots = (0..<400).map { number in
        spot(
          "s\(number)",
          at: .tower.offset(
            north: .random(in: -1200...1200, using: &generator),
            east: .random(in: -1200...1200, using: &generator)))
      }
      func change(_ settings: inout WatcherSettings) {
        settings.distanceFilterMeters = 0
        settings.minimumIntervalSeconds = 60
        settings.cooldownSeconds = 900
        settings.maximumAlertsPerMinute = 3
        settings.rulesOff.remove(.devices)
        settings.sharedIntervalSeconds = 600
      }
      var settings = WatcherSettings.withoutRules
      change(&settings)
      let whole = try WatchSession(
        stateFolder: nil, spots: SpotIndex(spots: spots), settings: settings,
        localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [], clock: TestClock())
      let home = try JournalHome(.store)
      defer { withExtendedLifetime(home) {} }
      let lanes = try home.session(
        RecordingNotifier(), spots: spots, laneCount: laneCount, isLive: false,
        clock: TestClock(), change: change)
      #expect(lanes.laneCount == laneCount)
      var wanderers = (0..<6).map { Wanderer(around: .tower, seed: 100 + UInt64($0)) }
      var kinds: [WatcherDecision.Kind: Int] = [:]
      for number in 0..<1200 {
        let fix = wanderers[number % 6].next(device: "d\(number % 6)")
        let decisions = try lanes.process(fix)
        #expect(decisions == (try whole.process(fix)), "fix \(number)")
        for decision in decisions { kinds[decision.kind, default: 0] += 1 }
      }
      #expect(kinds[.notify, default: 0] > 10, "\(kinds)")
      await lanes.stop()
    }

    @Test func `two notifications of a device are never recorded within the minimum interval`()
      throws
    {
      let home = try JournalHome(.store)
      defer { withExtendedLifetime(home) {} }
      let journal = try home.open()
      #expect(try journal.append(batch("phone", 0, interval: 300)) == .recorded())
      for seconds in [0.0, 1, 299.999, -299] {
        // No other process recorded anything.
        #expect(
          try journal.append(batch("phone", seconds, interval: 300)) == .overtaken(records: []))
      }
      #expect(try journal.append(batch("phone", 300, interval: 300)) == .recorded())
      #expect(try journal.append(batch("phone", -300, interval: 300)) == .recorded())
      #expect(try journal.history().count == 3)
    }

    @Test func `a batch based on outdated alerts of other devices is refused and gets them`()
      throws
    {
      let home = try JournalHome(.store)
      defer { withExtendedLifetime(home) {} }
      let journals = try (0..<2).map { _ in try home.open(knowing: ["a", "b"]) }
      for journal in journals {
        #expect(try journal.ownerAlerts(since: noon, after: nil) == OwnerAlerts())
      }
      #expect(try journals[0].append(batch("a", 0, owner: 0)) == .recorded(ownerVersion: 1))
      let known = OwnerAlerts(notifications: [notification(0, device: "a")], version: 1)
      #expect(
        try journals[1].append(batch("b", 1, owner: 0)) == .overtaken(records: [], owner: known))
      #expect(try journals[1].append(batch("b", 1, owner: 1)) == .recorded(ownerVersion: 2))
      #expect(try journals[0].history().map(\.device) == ["a", "b"])
    }

    @Test func `a delivery of a process that ended is taken over by exactly one other`()
      async throws
    {
      let home = try JournalHome(.store)
      defer { withExtendedLifetime(home) {} }
      do {
        let session = try home.session(RecordingNotifier(), clock: TestClock())
        for device in ["a", "b", "c"] {
          try session.process(
            Self.fix(.tower.offset(north: 20, east: 0), noon, device))
        }
      }
      let notifiers = (0..<3).map { _ in RecordingNotifier() }
      let clock = TestClock(noon.advanced(bySeconds: 59))
      let sessions = try notifiers.map { try home.session($0, clock: clock) }
      for session in sessions {
        session.start()
        try session.tick()
      }
      #expect(notifiers.flatMap(\.ids).isEmpty)
      clock.advance(bySeconds: 20)
      try await withThrowingTaskGroup { group in
        for session in sessions { group.addTask { try session.tick() } }
        try await group.waitForAll()
      }
      for session in sessions { await session.drain() }
      #expect(notifiers.flatMap(\.ids).count == 3)
      #expect(Set(notifiers.flatMap(\.ids)).count == 3)
      for session in sessions { await session.stop() }
      let outcomes = try home.open().history().flatMap(\.deliveries).map(\.outcome)
      #expect(outcomes.allSatisfy { if case .delivered = $0 { true } else { false } })
    }

    /// A separate server, and watches whose connections to it use a test clock.
    private final class Outage: Sendable {
      let server: PostgresServer
      let database: PostgresServer.Database
      let clock = TestClock()
      private let owner: OwnerID

      init() throws {
        server = try PostgresServer()
        database = try server.database()
        let connection = try PostgresConnection(StoreAddress(database.address))
        _ = try StoreSchema.migrate(connection)
        owner = try StoreOwner.named("anna", orNewWithClusterRadius: 15, connection).owner.id
      }

      func session(
        _ notifier: any Notifier, _ spots: [PhotoSpot], laneCount: Int = 1
      ) throws -> WatchSession {
        var settings = WatcherSettings.withoutRules
        settings.maximumAlertsPerMinute = nil
        settings.minimumIntervalSeconds = 0
        let index = SpotIndex(spots: spots)
        let holder = PostgresJournal.Holder()
        let lanes = try (0...laneCount).map { _ in
          let link = StoreLink(
            try StoreAddress(database.address), owner: owner,
            deadlines: .init(connectSeconds: 5), clock: clock)
          return WatchStore.Lane(journal: PostgresJournal(link, holder: holder)) { fetch in
            try index.region(of: fetch, clusterRadius: 15)
          }
        }
        return try WatchSession(
          over: WatchStore(lanes: Array(lanes.dropLast()), sessionLane: lanes[laneCount]) { _ in
            nil
          },
          settings: settings, localClock: .fixed(utcOffsetMinutes: 0), isLive: true,
          notifiers: [notifier], clock: clock)
      }
    }

    @Test func `nothing is sent during a database outage, and the watch resumes after it`()
      async throws
    {
      let outage = try Outage()
      let notifier = RecordingNotifier()
      let session = try outage.session(notifier, [spot("a")])
      session.start()
      func fix(_ north: Double) -> LocationFix {
        Self.fix(.tower.offset(north: north, east: 0), outage.clock.now(), "phone")
      }
      try session.process(fix(1000))
      try outage.server.crash()
      outage.clock.advance(bySeconds: 60)
      for _ in 0..<3 {
        #expect {
          try session.process(fix(20))
        } throws: {
          guard case .unavailable(let reason) = $0 as? AlertStateError else { return false }
          return reason.contains("the store cannot be reached")
        }
        outage.clock.advance(bySeconds: 10)
      }
      await session.drain()
      #expect(notifier.ids.isEmpty)
      try outage.server.start()
      outage.clock.advance(bySeconds: 10)
      let decisions = try session.process(fix(20))
      #expect(decisions.count { $0.notification != nil } == 1)
      await session.drain()
      #expect(notifier.ids == decisions.compactMap(\.notification?.id))
      await session.stop()
    }

    @Test func `database crashes lose no confirmed alert`() async throws {
      let rounds = Int(getenv("PHOTOSPOTS_STORE_CRASHES").map { String(cString: $0) } ?? "") ?? 2
      let outage = try Outage()
      let spots = (0..<2000).map { number in
        spot(
          "s\(number)",
          at: .tower.offset(north: Double(number % 50) * 1000, east: Double(number / 50) * 1000))
      }
      let session = try outage.session(RecordingNotifier(), spots, laneCount: 4)
      let confirmed = Mutex<[String]>([])
      var first = 0
      for round in 0..<rounds {
        let next = Atomic(first)
        let isOver = Atomic(false)
        let threads = try (0..<4).map { _ in
          JoinedThread(
            try BackgroundThread { [clock = outage.clock] in
              while !isOver.load(ordering: .relaxed) {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < spots.count else { return }
                let here = spots[number].coordinate.offset(north: 10, east: 0)
                let decisions = try? session.process(
                  Self.fix(here, clock.now(), "d\(number)"))
                let ids = decisions?.compactMap(\.notification?.id) ?? []
                confirmed.withLock { $0 += ids }
              }
            })
        }
        let goal = confirmed.withLock(\.count) + 40 + 13 * round
        while confirmed.withLock(\.count) < goal { sched_yield() }
        try outage.server.crash()
        isOver.store(true, ordering: .relaxed)
        for thread in threads { thread.join() }
        first = next.load(ordering: .relaxed)
        try outage.server.start()
        outage.clock.advance(bySeconds: 10)
      }
      let recorded = try await afterOutage(session, outage)
      #expect(Set(confirmed.withLock { $0 }).subtracting(recorded).isEmpty)
      #expect(Set(recorded).count == recorded.count)
    }

    private func afterOutage(_ session: WatchSession, _ outage: Outage) async throws -> [String] {
      // The first query detects the broken connection.
      _ = try? session.store.sessionLane.journal?.history()
      let history = try session.store.sessionLane.journal?.history() ?? []
      await session.stop()
      return history.compactMap(\.notification?.id)
    }
  }

  /// A thread that can be an element of an array.
  private final class JoinedThread {
    private var thread: BackgroundThread?
    init(_ thread: consuming BackgroundThread) { self.thread = consume thread }
    func join() {
      if let thread = thread.take() { thread.join() }
    }
  }
#endif
