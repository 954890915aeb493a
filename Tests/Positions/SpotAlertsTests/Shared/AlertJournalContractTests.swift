import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

/// The contract of every ``AlertJournal``.
@Suite(.timeLimit(.minutes(30))) struct AlertJournalContractTests {
  private func fired(_ seconds: Double, spotID: String = "a") -> JournalRecord {
    JournalRecord(
      recorded: noon.advanced(bySeconds: seconds),
      event: .fired(notification(seconds, spotID: spotID), notifiers: ["hook", "mail"]))
  }

  private func left(_ seconds: Double, spotID: String = "a") -> JournalRecord {
    let place = JournalEvent.PlaceEvent(
      device: "phone", spotID: spotID, center: .tower, time: noon.advanced(bySeconds: seconds))
    return JournalRecord(recorded: noon.advanced(bySeconds: seconds), event: .left(place))
  }

  private func append(
    _ records: [JournalRecord], to journal: any AlertJournal
  ) throws -> JournalAnswer {
    try journal.append(
      JournalBatch(subject: .device("phone"), records: records, isDurable: true))
  }

  private func fix(_ seconds: Double, north: Double, device: String? = "phone") -> LocationFix {
    let here = Coordinate.tower.offset(north: north, east: 0)
    return LocationFix(
      time: noon.advanced(bySeconds: seconds), latitude: here.latitude,
      longitude: here.longitude, device: device)
  }

  @Test(arguments: JournalKind.tested)
  func `a new journal is empty`(kind: JournalKind) throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    let journal = try home.open()
    #expect(try journal.history().isEmpty)
    #expect(try journal.records(of: .device("phone"), since: nil).isEmpty)
    #expect(try journal.records(of: .digests, since: nil).isEmpty)
    #expect(try journal.takeOver(for: ["hook"], holding: [], now: noon).isEmpty)
  }

  @Test(arguments: JournalKind.tested)
  func `records keep their order after the journal is closed and opened again`(
    kind: JournalKind
  ) throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    let spots = ["a", "b", "c", "d", "e"]
    do {
      let journal = try home.open()
      for (number, spot) in spots.enumerated() {
        let seconds = Double(number) * 600
        let records = [fired(seconds, spotID: spot), left(seconds + 300, spotID: spot)]
        #expect(try append(records, to: journal) == .recorded())
      }
      journal.close()
    }
    let journal = try home.open()
    let history = try journal.history()
    #expect(history.map(\.spotID) == spots)
    #expect(history.map(\.time) == (0..<5).map { noon.advanced(bySeconds: Double($0) * 600) })
    #expect(history.allSatisfy { $0.deliveries.map(\.notifier) == ["hook", "mail"] })
  }

  @Test(arguments: JournalKind.tested)
  func `explanations are in the history in order once they are flushed`(
    kind: JournalKind
  ) throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    let journal = try home.open()
    let place = JournalEvent.PlaceEvent(
      device: "phone", spotID: "b", center: .tower, time: noon.advanced(bySeconds: 5))
    _ = try append([fired(0)], to: journal)
    journal.note([
      JournalRecord(
        recorded: noon.advanced(bySeconds: 5), event: .held(place, by: .cooldown, .init(figure: 5)))
    ])
    #expect(try append([fired(600, spotID: "c")], to: journal) == .recorded())
    journal.flush()
    #expect(try journal.history().map(\.spotID) == ["a", "b", "c"])
    // Flushed explanations do not conflict with later batches.
    #expect(try append([fired(1200, spotID: "d")], to: journal) == .recorded())
  }

  @Test(arguments: JournalKind.tested)
  func `the history has the outcome and tries of each delivery`(kind: JournalKind) throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    let journal = try home.open()
    _ = try append([fired(0), fired(600, spotID: "b")], to: journal)
    func add(_ seconds: Double, _ event: JournalEvent) throws {
      let record = JournalRecord(recorded: noon.advanced(bySeconds: seconds), event: event)
      let answer = try journal.append(
        JournalBatch(subject: .deliveries, records: [record], isDurable: true))
      #expect(answer == .recorded())
    }
    let ids = [notification(0).id, notification(600, spotID: "b").id]
    func delivery(
      _ id: String, to notifier: String = "hook", tries: Int, _ failure: String? = nil
    ) -> JournalEvent.DeliveryEvent {
      JournalEvent.DeliveryEvent(
        notification: id, notifier: notifier, tries: tries, failure: failure)
    }
    let next = noon.advanced(bySeconds: 9)
    try add(1, .begun(delivery(ids[0], tries: 1)))
    try add(2, .attempt(delivery(ids[0], tries: 1, "exit\nstatus \u{0} 1"), next: next))
    try add(9, .begun(delivery(ids[0], tries: 2)))
    try add(10, .delivered(delivery(ids[0], tries: 2)))
    try add(11, .expired(delivery(ids[0], to: "mail", tries: 1, "refused")))
    try add(12, .attempt(delivery(ids[1], tries: 3, "refused"), next: next))
    try add(13, .setAside(delivery(ids[1], to: "mail", tries: 2, "the program ended")))
    let outcomes = try journal.history().map { $0.deliveries.map(\.outcome) }
    func time(_ seconds: Double) -> Instant { noon.advanced(bySeconds: seconds) }
    #expect(
      outcomes == [
        [.delivered(time(10)), .expired(time(11))], [.pending(next: next), .setAside(time(13))],
      ])
    #expect(try journal.history().map { $0.deliveries.map(\.tries) } == [[2, 1], [3, 2]])
  }

  @Test(arguments: JournalKind.tested)
  func `batches of several devices are recorded together, but for those that were overtaken`(
    kind: JournalKind
  ) throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    let devices = ["a", "b", "c"]
    func batch(_ device: String, _ seconds: Double) -> JournalBatch {
      let place = JournalEvent.PlaceEvent(
        device: device, spotID: "spot of \(device)", center: .tower,
        time: noon.advanced(bySeconds: seconds))
      let record = JournalRecord(
        recorded: noon.advanced(bySeconds: seconds),
        event: .lapsed(place, by: .settling, .init(figure: 1)))
      return JournalBatch(subject: .device(device), records: [record], isDurable: false)
    }
    let journal = try home.open(knowing: devices)
    let first = journal.append(together: devices.map { batch($0, 0) })
    #expect(first == devices.map { _ in .success(.recorded()) })
    var expected = 6
    if journal.isShared {
      let rival = try home.open(knowing: devices)
      #expect(try rival.append(batch("b", 10)) == .recorded())
      expected += 1
    }
    let second = journal.append(together: devices.reversed().map { batch($0, 20) })
    if journal.isShared {
      #expect(second[0] == .success(.recorded()) && second[2] == .success(.recorded()))
      guard case .success(.overtaken(let records, nil)) = second[1] else {
        Issue.record("the batch of b is overtaken: \(second[1])")
        return
      }
      #expect(records.map(\.recorded) == [noon.advanced(bySeconds: 10)])
      #expect(journal.append(together: [batch("b", 20)]) == [.success(.recorded())])
    }
    #expect(try journal.history().count == expected)
  }

  @Test(arguments: JournalKind.tested)
  func `alerts of several devices are recorded together, or none if the owner was overtaken`(
    kind: JournalKind
  ) throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    let journal = try home.open(knowing: ["a", "b"])
    func batches(_ seconds: Double, after version: Int64) -> [JournalBatch] {
      ["a", "b"].map { device in
        let time = noon.advanced(bySeconds: seconds)
        let record = JournalRecord(
          recorded: time,
          event: .fired(
            SpotNotification(
              entering: spot("a"), alsoNear: [], fix: fix(seconds, north: 0, device: device),
              position: .tower, time: time),
            notifiers: ["hook"]))
        var batch = JournalBatch(subject: .device(device), records: [record], isDurable: true)
        if journal.isShared { batch.ownerVersion = version }
        batch.minimumIntervalSeconds = 60
        return batch
      }
    }
    let start = try journal.ownerAlerts(since: noon.advanced(bySeconds: -60), after: nil).version
    let answers = journal.append(together: batches(0, after: start))
    guard journal.isShared else {
      #expect(answers == [.success(.recorded()), .success(.recorded())])
      return
    }
    #expect(
      answers == [
        .success(.recorded(ownerVersion: start + 1)), .success(.recorded(ownerVersion: start + 2)),
      ])
    #expect(try journal.ownerAlerts(since: noon, after: start).notifications.count == 2)
    // Another process that does not know of these alerts.
    let rival = try home.open(knowing: ["a", "b"])
    for answer in rival.append(together: batches(600, after: start)) {
      guard case .success(.overtaken(let records, let owner?)) = answer else {
        Issue.record("nothing is recorded: \(answer)")
        return
      }
      #expect(records.isEmpty && owner.version == start + 2 && owner.notifications.count == 2)
    }
    // Too close to the last notification.
    for answer in rival.append(together: batches(30, after: start + 2)) {
      guard case .success(.overtaken) = answer else {
        Issue.record("nothing is recorded: \(answer)")
        return
      }
    }
    #expect(try journal.history().count == 2)
    #expect(
      rival.append(together: batches(600, after: start + 2)) == [
        .success(.recorded(ownerVersion: start + 3)), .success(.recorded(ownerVersion: start + 4)),
      ])
    #expect(try journal.takeOver(for: ["hook"], holding: [], now: noon).isEmpty)
    #expect(try journal.history().allSatisfy { $0.deliveries.count == 1 })
  }

  @Test(arguments: JournalKind.tested)
  func `a record that cannot be read is passed over, and the rest goes on`(
    kind: JournalKind
  ) throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    do {
      let journal = try home.open()
      _ = try append(
        [fired(0), fired(600, spotID: "b"), fired(1200, spotID: "c")], to: journal)
      journal.close()
    }
    try home.damage()
    let journal = try home.open()
    #expect(try journal.history().map(\.spotID) == ["a", "c"])
    #expect(try append([fired(1800, spotID: "d")], to: journal) == .recorded())
    #expect(try journal.history().map(\.spotID) == ["a", "c", "d"])
  }

  @Test(arguments: JournalKind.tested)
  func `a cooldown is recorded with its notification and applies to the next watch`(
    kind: JournalKind
  ) async throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    let notifier = RecordingNotifier()
    for day in 0..<3 {
      let start = Double(day) * 3 * 3600
      let clock = TestClock(noon.advanced(bySeconds: start))
      let session = try home.session(notifier, clock: clock)
      session.start()
      for (number, north) in [300.0, 50, 40, 300].enumerated() {
        try session.process(fix(start + Double(number) * 60, north: north))
        clock.advance(bySeconds: 60)
      }
      await session.drain()
      await session.stop()
    }
    #expect(notifier.ids.count == 1)
    #expect(try home.open().history().count { $0.kind == .notified } == 1)
  }

  @Test(arguments: JournalKind.tested)
  func `a crash between record and delivery leads to one delivery with the same id`(
    kind: JournalKind
  ) async throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    var decided: [String] = []
    do {
      // The process ends after recording and before a delivery.
      let session = try home.session(RecordingNotifier(), clock: TestClock())
      decided = try session.process(fix(0, north: 50)).compactMap(\.notification?.id)
    }
    #expect(decided.count == 1)
    let notifier = RecordingNotifier()
    // The lease of the first session has expired.
    let clock = TestClock(noon.advanced(bySeconds: 61))
    let session = try home.session(notifier, clock: clock)
    session.start()
    try session.tick()
    await session.drain()
    #expect(notifier.ids == decided)
    #expect(try session.process(fix(62, north: 50)).compactMap(\.notification).isEmpty)
    clock.advance(bySeconds: 120)
    try session.tick()
    await session.drain()
    await session.stop()
    #expect(notifier.ids == decided)
  }

  @Test(arguments: JournalKind.tested)
  func `of two watches over the same devices only one notifies`(kind: JournalKind) async throws {
    let home = try JournalHome(kind)
    defer { withExtendedLifetime(home) {} }
    let notifiers = [RecordingNotifier(), RecordingNotifier()]
    let clock = TestClock()
    let first = try home.session(notifiers[0], spots: [spot("a"), far], clock: clock)
    guard kind == .store else {
      #expect(throws: AlertStateError.self) {
        try home.session(notifiers[1], spots: [spot("a"), far], clock: clock)
      }
      return
    }
    let second = try home.session(notifiers[1], spots: [spot("a"), far], clock: clock)
    for session in [first, second] { session.start() }
    var ids: [String] = []
    for (number, (north, order)) in [
      (1000.0, [first, second]), (50, [first, second]), (1000, [second, first]),
      (5050, [second, first]), (5040, [first, second]),
    ].enumerated() {
      for session in order {
        let decisions = try session.process(fix(Double(number) * 600, north: north))
        ids += decisions.compactMap(\.notification?.id)
      }
      clock.advance(bySeconds: 600)
    }
    for session in [first, second] { await session.stop() }
    #expect(ids.count == 2 && Set(ids).count == 2)
    #expect(Set(notifiers.flatMap(\.ids)).isSubset(of: ids))
    let history = try home.open().history()
    #expect(history.filter { $0.kind == .notified }.map(\.spotID) == ["a", "far"])
  }

  private var far: PhotoSpot { spot("far", at: Coordinate.tower.offset(north: 5000, east: 0)) }
}
