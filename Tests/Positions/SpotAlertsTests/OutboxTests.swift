import CivilTime
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct RetryScheduleTests {
  @Test func `retries after 1, 5, 30 and then every 120 seconds, for a quarter of an hour`() {
    let schedule = RetrySchedule()
    var now = noon
    var waits: [Double] = []
    var tries = 1
    while let next = schedule.next(afterTries: tries, queued: noon, at: now) {
      waits.append(next.seconds(since: now))
      now = next
      tries += 1
    }
    #expect(waits == [1, 5, 30] + Array(repeating: 120, count: 7))
    #expect(!schedule.isExpired(queued: noon, at: noon.advanced(bySeconds: 900)))
    #expect(schedule.isExpired(queued: noon, at: noon.advanced(bySeconds: 900.001)))
  }

  @Test(arguments: [(-5.0, 1.0), (0.5, 1), (20, 20), (300, 300), (86_400, 300), (.infinity, 300)])
  func `a pause requested by a receiver is granted up to five minutes`(
    asked: Double, granted: Double
  ) {
    let next = RetrySchedule().next(afterTries: 1, queued: noon, at: noon, pauseSeconds: asked)
    #expect(next == noon.advanced(bySeconds: granted))
  }
}

@Suite(.timeLimit(.minutes(30))) struct OutboxTests {
  private let folder = TemporaryFolder()

  private func open() throws -> (journal: Journal, contents: JournalContents) {
    let (journal, contents, _) = try Journal.open(
      in: folder.root, clusterRadiusMeters: 15, now: noon)
    return (journal, contents)
  }

  private func outbox(
    _ notifiers: [any Notifier], clock: TestClock, journal: Journal,
    pending: [PendingDelivery] = [], alerts: AlertSettings = AlertSettings(),
    events: Events = Events()
  ) -> Outbox {
    Outbox(
      journal: journal, notifiers: notifiers, schedule: RetrySchedule(), clock: clock,
      pending: pending, alerts: alerts, report: { events.add($0) })
  }

  private final class Events: Sendable {
    private let list = Mutex<[AlertEvent]>([])
    var all: [AlertEvent] { list.withLock { $0 } }
    func add(_ event: AlertEvent) { list.withLock { $0.append(event) } }
  }

  private func send(
    _ notification: SpotNotification, _ outbox: Outbox, _ journal: Journal, at time: Instant = noon
  ) throws {
    let event = JournalEvent.fired(notification, notifiers: outbox.notifierNames)
    try journal.append([JournalRecord(recorded: time, event: event)], isDurable: true)
    outbox.enqueue(.spot(notification), queued: time)
  }

  private func history() throws -> [HistoryEntry] { try WatchSession.history(in: folder.root) }

  /// Waits until no delivery is pending.
  private func finish(_ outbox: Outbox) async throws {
    while try history().contains(where: { entry in
      entry.deliveries.contains { if case .pending = $0.outcome { true } else { false } }
    }) {
      await outbox.drain()
      await Task.yield()
    }
  }

  @Test func `delivers to each notifier in order and records each delivery`() async throws {
    let journal = try open().journal
    let (hook, stdout) = (RecordingNotifier("hook"), RecordingNotifier("stdout"))
    let outbox = outbox([hook, stdout], clock: TestClock(), journal: journal)
    outbox.start()
    let sent = (0..<20).map { notification(Double($0)) }
    for notification in sent { try send(notification, outbox, journal) }
    await outbox.drain()
    #expect(hook.ids == sent.map(\.id))
    #expect(stdout.ids == sent.map(\.id))
    let deliveries = try history().flatMap(\.deliveries)
    #expect(deliveries.count == 40)
    #expect(deliveries.allSatisfy { $0.outcome == .delivered(noon) && $0.tries == 1 })
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `retries of an alert have the same links, and new alerts those of current settings`()
    async throws
  {
    let journal = try open().journal
    let key = try #require(AlertActionKey(Array("0123456789abcdef".utf8)))
    let hook = RecordingNotifier(answers: [.failed("exit status 1")])
    let outbox = outbox(
      [hook], clock: TestClock(), journal: journal,
      alerts: AlertSettings(links: AlertLinks(page: "https://a.example", key: key)))
    outbox.start()
    try send(notification(), outbox, journal)
    try await finish(outbox)
    #expect(hook.alerts.count == 2 && hook.alerts[0].links == hook.alerts[1].links)
    #expect(hook.alerts[0].links.map(\.purpose) == AlertLink.Purpose.allCases)
    outbox.replace(alerts: AlertSettings())
    try send(notification(60), outbox, journal)
    try await finish(outbox)
    #expect(hook.alerts.last?.links == [])
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `a failed delivery is retried with the same id until it succeeds`()
    async throws
  {
    let journal = try open().journal
    let clock = TestClock()
    let hook = RecordingNotifier(answers: Array(repeating: .failed("exit status 1"), count: 5))
    let outbox = outbox([hook], clock: clock, journal: journal)
    try send(notification(), outbox, journal)
    outbox.start()
    try await finish(outbox)
    #expect(hook.ids == Array(repeating: notification().id, count: 6))
    #expect(clock.slept == [1, 5, 30, 120, 120])
    let delivery = try history()[0].deliveries[0]
    #expect(delivery.tries == 6)
    #expect(delivery.outcome == .delivered(noon.advanced(bySeconds: 276)))
    #expect(delivery.failure == nil)
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `a delivery that fails for a quarter of an hour is recorded as expired`() async throws
  {
    let journal = try open().journal
    let events = Events()
    let hook = RecordingNotifier(answers: Array(repeating: .failed("exit status 1"), count: 99))
    let outbox = outbox([hook], clock: TestClock(), journal: journal, events: events)
    outbox.start()
    try send(notification(), outbox, journal)
    try await finish(outbox)
    let delivery = try history()[0].deliveries[0]
    #expect(delivery.tries == 11)
    #expect(delivery.failure == "exit status 1")
    // An event is reported after it is recorded.
    await outbox.stop(graceSeconds: 10)
    #expect(
      events.all.last
        == .expired(notifier: "hook", notification: notification().id, reason: "exit status 1"))
  }

  @Test func `a delivery that waits for its retry does not delay later ones`() async throws {
    let journal = try open().journal
    let hook = RecordingNotifier(answers: [.failed("exit status 1")])
    let outbox = outbox([hook], clock: TestClock(isFrozen: true), journal: journal)
    outbox.start()
    try send(notification(0), outbox, journal)
    await outbox.drain()
    try send(notification(1), outbox, journal)
    await outbox.drain()
    #expect(hook.ids == [notification(0).id, notification(1).id])
    #expect(try history().map(\.deliveries[0].tries) == [1, 1])
    await outbox.stop(graceSeconds: 0)
  }

  @Test func `a refused delivery is recorded as expired at once, with its reason`() async throws {
    let journal = try open().journal
    let events = Events()
    let web = RecordingNotifier("webhook", answers: [.refused("answered with status 404")])
    let outbox = outbox([web], clock: TestClock(), journal: journal, events: events)
    outbox.start()
    try send(notification(0), outbox, journal)
    try send(notification(1), outbox, journal)
    try await finish(outbox)
    #expect(web.ids == [notification(0).id, notification(1).id])
    let deliveries = try history().flatMap(\.deliveries)
    #expect(deliveries.map(\.outcome) == [.expired(noon), .delivered(noon)])
    #expect(deliveries.map(\.tries) == [1, 1])
    #expect(deliveries[0].failure == "answered with status 404")
    #expect(
      events.all == [
        .expired(
          notifier: "webhook", notification: notification(0).id,
          reason: "answered with status 404")
      ])
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `a requested pause applies to all deliveries of the notifier, but not of others`()
    async throws
  {
    let journal = try open().journal
    let clock = TestClock()
    let web = RecordingNotifier(
      "webhook", answers: [.postponed("busy", seconds: 40), .delivered, .failed("down")])
    let hook = RecordingNotifier()
    let outbox = outbox([web, hook], clock: clock, journal: journal)
    try send(notification(0), outbox, journal)
    try send(notification(1), outbox, journal)
    outbox.start()
    try await finish(outbox)
    let ids = [notification(0).id, notification(1).id]
    #expect(web.ids == [ids[0], ids[0], ids[1], ids[1]])
    #expect(hook.ids == ids)
    #expect(clock.slept == [40, 1])
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `a closed receiver is reported once, and its deliveries stay pending`() async throws {
    let journal = try open().journal
    let events = Events()
    let stdout = RecordingNotifier("stdout", answers: [.closed])
    let outbox = outbox([stdout], clock: TestClock(), journal: journal, events: events)
    outbox.start()
    try send(notification(0), outbox, journal)
    try send(notification(1), outbox, journal)
    await outbox.drain()
    #expect(stdout.ids.count == 1)
    #expect(events.all == [.receiverClosed(notifier: "stdout")])
    #expect(try Journal.contents(in: folder.root).pending.count == 2)
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `pending deliveries are sent at the next start, unless they have expired`()
    async throws
  {
    do {
      let journal = try open().journal
      for (seconds, notifier) in [(0.0, "hook"), (600, "hook"), (0.5, "gone"), (601, "gone")] {
        let event = JournalEvent.fired(notification(seconds), notifiers: [notifier])
        try journal.append(
          [JournalRecord(recorded: noon.advanced(bySeconds: seconds), event: event)],
          isDurable: true)
      }
    }
    let (journal, contents) = try open()
    let hook = RecordingNotifier()
    let clock = TestClock(noon.advanced(bySeconds: 901))
    let outbox = outbox([hook], clock: clock, journal: journal, pending: contents.pending)
    outbox.start()
    await outbox.drain()
    #expect(hook.ids == [notification(600).id])
    let outcomes = try history().map(\.deliveries[0].outcome)
    let later = noon.advanced(bySeconds: 901)
    #expect(outcomes == [.expired(later), .delivered(later), .expired(later), .pending(next: nil)])
    await outbox.stop(graceSeconds: 10)
  }

  // MARK: - Tries that end the program

  /// Records a notification, and the beginning of tries to deliver it without their ends.
  private func leave(_ seconds: Double, unendedTries: [Double], notifier: String = "hook") throws {
    let journal = try open().journal
    let fired = JournalEvent.fired(notification(seconds), notifiers: [notifier])
    var records = [JournalRecord(recorded: noon.advanced(bySeconds: seconds), event: fired)]
    for (number, time) in unendedTries.enumerated() {
      let delivery = JournalEvent.DeliveryEvent(
        notification: notification(seconds).id, notifier: notifier, tries: number + 1)
      records.append(
        JournalRecord(recorded: noon.advanced(bySeconds: time), event: .begun(delivery)))
    }
    try journal.append(records, isDurable: false)
  }

  @Test func `a try is recorded before the notifier is called`() async throws {
    let journal = try open().journal
    let gate = Gate()
    let outbox = outbox([gate], clock: TestClock(isFrozen: true), journal: journal)
    outbox.start()
    try send(notification(), outbox, journal)
    await gate.waitUntilEntered()
    #expect(try history()[0].deliveries[0].unended == .init(count: 1, latest: noon))
    gate.open()
    await outbox.drain()
    #expect(try history()[0].deliveries[0].unended == nil)
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `a try that ended the program is repeated after a pause and after all others`()
    async throws
  {
    try leave(0, unendedTries: [0])
    try leave(2, unendedTries: [])
    try leave(3, unendedTries: [])
    let (journal, contents) = try open()
    let (hook, clock) = (RecordingNotifier(), TestClock(noon.advanced(bySeconds: 0.5)))
    let outbox = outbox([hook], clock: clock, journal: journal, pending: contents.pending)
    outbox.start()
    try await finish(outbox)
    #expect(hook.ids == [notification(2).id, notification(3).id, notification(0).id])
    #expect(clock.slept == [0.5])
    #expect(try history().map(\.deliveries[0].tries) == [2, 1, 1])
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `after two tries that ended the program a delivery is set aside and reported once`()
    async throws
  {
    try leave(0, unendedTries: [0, 1])
    try leave(2, unendedTries: [])
    let events = Events()
    let hook = RecordingNotifier()
    for _ in 0..<2 {
      let (journal, contents) = try open()
      let outbox = outbox(
        [hook], clock: TestClock(noon.advanced(bySeconds: 5)), journal: journal,
        pending: contents.pending, events: events)
      outbox.start()
      try await finish(outbox)
      await outbox.stop(graceSeconds: 10)
    }
    #expect(hook.ids == [notification(2).id])
    #expect(events.all == [.setAside(notifier: "hook", notification: notification(0).id)])
    let delivery = try history()[0].deliveries[0]
    #expect(delivery.outcome == .setAside(noon.advanced(bySeconds: 5)))
    #expect(delivery.tries == 2)
  }

  @Test func `a try interrupted by a normal stop does not count as one that ended the program`()
    async throws
  {
    for _ in 0..<3 {
      let (journal, contents) = try open()
      let gate = Gate()
      let outbox = outbox([gate], clock: TestClock(), journal: journal, pending: contents.pending)
      if contents.records.isEmpty { try send(notification(), outbox, journal) }
      outbox.start()
      await gate.waitUntilEntered()
      await outbox.stop(graceSeconds: 10)
      #expect(try history()[0].deliveries[0].unended == nil)
      #expect(try history()[0].deliveries[0].tries == 0)
    }
  }

  // MARK: - Changing notifiers

  @Test
  func `replaced notifiers get further alerts, and a removed one's waiting alerts are given up`()
    async throws
  {
    let journal = try open().journal
    let (kept, added) = (
      RecordingNotifier("kept", answers: [.failed("1")]), RecordingNotifier("added")
    )
    let removed = RecordingNotifier("removed", answers: [.failed("status 503")])
    let events = Events()
    let outbox = outbox(
      [kept, removed], clock: TestClock(isFrozen: true), journal: journal, events: events)
    outbox.start()
    try send(notification(0), outbox, journal)
    await outbox.drain()
    outbox.replace(notifiers: [added, kept])
    #expect(outbox.notifierNames == ["added", "kept"])
    try send(notification(1), outbox, journal)
    await outbox.drain()
    #expect(removed.ids == [notification(0).id])
    #expect(added.ids == [notification(1).id])
    #expect(kept.ids == [notification(0).id, notification(1).id])
    let first = try history()[0].deliveries
    #expect(first.map(\.notifier) == ["kept", "removed"])
    if case .pending = first[0].outcome {} else { Issue.record("\(first[0].outcome)") }
    #expect(first[1].outcome == .expired(noon) && first[1].failure == "status 503")
    #expect(outbox.tallies.map(\.waitingCount) == [0, 1])
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `a notifier that replaces one of the same name waits for its running attempt`()
    async throws
  {
    let journal = try open().journal
    let (gate, next) = (Gate(), RecordingNotifier("gate"))
    let outbox = outbox([gate], clock: TestClock(isFrozen: true), journal: journal)
    outbox.start()
    for seconds in 0..<3 { try send(notification(Double(seconds)), outbox, journal) }
    await gate.waitUntilEntered()
    outbox.replace(notifiers: [next])
    outbox.replace(notifiers: [next])
    let drain = Task { await outbox.drain() }
    await Task.yield()
    #expect(next.ids.isEmpty)
    gate.open()
    await drain.value
    #expect(next.ids == [notification(1).id, notification(2).id])
    #expect(try history().flatMap(\.deliveries).allSatisfy { $0.outcome == .delivered(noon) })
    await outbox.stop(graceSeconds: 10)
  }

  @Test func `an alert recorded for a notifier that was removed meanwhile is given up`()
    async throws
  {
    let journal = try open().journal
    let (hook, other) = (RecordingNotifier("hook"), RecordingNotifier("other"))
    let outbox = outbox([hook], clock: TestClock(isFrozen: true), journal: journal)
    outbox.start()
    let event = JournalEvent.fired(notification(), notifiers: ["hook"])
    try journal.append([JournalRecord(recorded: noon, event: event)], isDurable: true)
    outbox.replace(notifiers: [other])
    outbox.enqueue(.spot(notification()), queued: noon, for: ["hook"])
    await outbox.drain()
    #expect(hook.ids.isEmpty && other.ids.isEmpty)
    #expect(try history()[0].deliveries.map(\.outcome) == [.expired(noon)])
    await outbox.stop(graceSeconds: 10)
  }

  // MARK: - Stopping

  @Test func `undelivered notifications are counted per notifier with a reason`() async throws {
    let failing = RecordingNotifier(
      "hook", answers: [.failed("exit status 1"), .refused("status 404"), .delivered])
    let gone = RecordingNotifier("stdout", answers: [.closed])
    let lost = RecordingNotifier("broken", answers: [.lost("it is closed")])
    // No journal is needed for the counts.
    let outbox = Outbox(
      journal: nil, notifiers: [failing, gone, lost], schedule: RetrySchedule(),
      clock: TestClock(isFrozen: true), pending: [], report: { _ in })
    outbox.start()
    for seconds in 0..<3 { outbox.enqueue(.spot(notification(Double(seconds))), queued: noon) }
    await outbox.drain()
    await outbox.stop(graceSeconds: 0)
    #expect(
      outbox.undelivered == [
        UndeliveredNotifications(
          notifier: "hook", waitingCount: 1, givenUpCount: 1, failure: "status 404"),
        UndeliveredNotifications(
          notifier: "broken", waitingCount: 3, givenUpCount: 0, failure: "it is closed"),
      ])
  }

  @Test func `settling waits for retries`() async throws {
    let hook = RecordingNotifier(answers: Array(repeating: .failed("exit status 1"), count: 3))
    let clock = TestClock { $0 == 60 }
    let outbox = Outbox(
      journal: nil, notifiers: [hook], schedule: RetrySchedule(), clock: clock, pending: [],
      report: { _ in })
    outbox.start()
    outbox.enqueue(.spot(notification()), queued: noon)
    await outbox.settle(withinSeconds: 60)
    #expect(hook.ids.count == 4)
    #expect(outbox.undelivered.isEmpty)
    await outbox.stop(graceSeconds: 0)
  }

  @Test func `settling ends when its time is over`() async throws {
    let hook = RecordingNotifier(answers: Array(repeating: .failed("exit status 1"), count: 99))
    let clock = TestClock { $0 != 60 }
    let outbox = Outbox(
      journal: nil, notifiers: [hook], schedule: RetrySchedule(), clock: clock, pending: [],
      report: { _ in })
    outbox.start()
    outbox.enqueue(.spot(notification()), queued: noon)
    await outbox.drain()
    await outbox.settle(withinSeconds: 60)
    #expect(hook.ids.count == 1)
    #expect(outbox.undelivered.map(\.waitingCount) == [1])
    await outbox.stop(graceSeconds: 0)
  }

  @Test func `stopping waits for the running delivery and keeps the rest pending`() async throws {
    let journal = try open().journal
    let gate = Gate()
    let outbox = outbox([gate], clock: TestClock(isFrozen: true), journal: journal)
    outbox.start()
    try send(notification(0), outbox, journal)
    try send(notification(1), outbox, journal)
    await gate.waitUntilEntered()
    let stop = Task { await outbox.stop(graceSeconds: 10) }
    gate.open()
    // The second delivery may begin before the stop.
    gate.open()
    await stop.value
    #expect(try history()[0].deliveries[0].outcome == .delivered(noon))
    #expect(try history()[1].deliveries[0].tries <= 1)
  }

  @Test func `stopping cancels a slow delivery after the grace period without counting a try`()
    async throws
  {
    let journal = try open().journal
    let gate = Gate()
    let outbox = outbox([gate], clock: TestClock(), journal: journal)
    outbox.start()
    try send(notification(0), outbox, journal)
    await gate.waitUntilEntered()
    await outbox.stop(graceSeconds: 10)
    #expect(try history()[0].deliveries[0].outcome == .pending(next: nil))
    #expect(try history()[0].deliveries[0].tries == 0)
  }
}

/// A notifier that delivers when it is opened and fails when it is cancelled.
private final class Gate: Notifier {
  let name = "gate"
  private let entered = AsyncStream.makeStream(of: Void.self)
  private let opened = AsyncStream.makeStream(of: Void.self)

  func waitUntilEntered() async { _ = await entered.stream.first { _ in true } }

  func open() { opened.continuation.yield() }

  func deliver(_ alert: Alert) async -> DeliveryResult {
    entered.continuation.yield()
    let isOpen: Void? = await opened.stream.first { _ in true }
    return isOpen == nil ? .failed("cancelled") : .delivered
  }
}
