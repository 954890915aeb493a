#if Postgres
  import CivilTime
  import Dispatch
  import LocationFeeds
  import SpotAlerts
  import SpotWatcher
  import Synchronization
  import WatchService

  /// A session over a store with the lanes that decide about its fixes, as a watch has them.
  final class LaneRun {
    let session: WatchSession
    private let lanes: WatchLanes
    private let results = DispatchSemaphore(value: 0)
    private var readingCount = 0
    private var openCount = 0

    /// The number of notifications so far.
    private(set) var alertCount = 0
    /// Takes all decisions; called by the thread that adds fixes.
    var take: ([WatcherDecision]) -> Void = { _ in }

    /// As in a watch, what waits for decisions is limited.
    private static let maximumOpenCount = 400
    /// The number of fixes that one message has.
    private static let fixesPerReading = 10

    init(_ session: WatchSession) {
      self.session = session
      lanes = WatchLanes(
        of: session,
        StoreOutage { event in
          fail("store-watch-bench: the store failed: \(event)", status: 66)
        })
      let results = results
      lanes.wake { results.signal() }
    }

    /// Adds fixes to the queues of their lanes, and waits while these are full.
    func add(_ fixes: [LocationFix]) {
      for start in stride(from: 0, to: fixes.count, by: Self.fixesPerReading) {
        while openCount >= Self.maximumOpenCount { takeResults() }
        readingCount += 1
        openCount += 1
        lanes.add(
          Array(fixes[start..<min(start + Self.fixesPerReading, fixes.count)]),
          reading: readingCount, isSentAgain: false)
      }
    }

    /// Lets time pass in all lanes.
    func tick() { lanes.tick() }

    /// Waits until all fixes are decided and recorded.
    func wait() { while openCount > 0 { takeResults() } }

    /// Waits until all fixes are decided and recorded, then lets time pass.
    func finish() {
      wait()
      lanes.tick()
      lanes.join()
      collect()
    }

    private func takeResults() {
      results.wait()
      collect()
    }

    private func collect() {
      let results = lanes.takeResults()
      openCount -= results.finished.count
      for decided in results.decided {
        take(decided.decisions)
        alertCount += decided.decisions.count { $0.notification != nil }
      }
    }
  }

  /// A clock that shows the time of the modelled fixes.
  final class ModelClock: DeliveryClock {
    private let time: Mutex<Instant>

    init(_ start: Instant) { time = Mutex(start) }

    func set(_ now: Instant) { time.withLock { $0 = now } }

    func now() -> Instant { time.withLock { $0 } }

    func sleep(seconds: Double) async throws {
      try await Task.sleep(for: .seconds(seconds))
    }
  }

  /// A receiver that takes every alert at once.
  struct InstantNotifier: Notifier {
    let name = "hook"

    func deliver(_ alert: Alert) async -> DeliveryResult { .delivered }
  }
#endif
