import CLibrary
import CivilTime
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct JournalTests {
  private let folder = TemporaryFolder()
  private var state: FilePath { folder.root.appending("state") }
  private var file: FilePath { state.appending(Journal.fileName) }

  private func open(
    compactionBytes: Int = 1 << 20, maximumBytes: Int = 1 << 26, now: Instant = noon
  ) throws -> (journal: Journal, contents: JournalContents, damage: JournalDamage?) {
    try Journal.open(
      in: state, clusterRadiusMeters: 15,
      limits: JournalLimits(compactionBytes: compactionBytes, maximumBytes: maximumBytes),
      now: now)
  }

  private func fired(
    _ seconds: Double, spotID: String = "a", also: [String] = []
  ) -> JournalRecord {
    JournalRecord(
      recorded: noon.advanced(bySeconds: seconds),
      event: .fired(notification(seconds, spotID: spotID, also: also), notifiers: ["hook"]))
  }

  private func delivery(
    _ seconds: Double, tries: Int = 1, failure: String? = nil
  ) -> JournalEvent.DeliveryEvent {
    JournalEvent.DeliveryEvent(
      notification: notification(seconds).id, notifier: "hook", tries: tries, failure: failure)
  }

  private func record(_ event: JournalEvent, _ seconds: Double = 0) -> JournalRecord {
    JournalRecord(recorded: noon.advanced(bySeconds: seconds), event: event)
  }

  private func presence(_ seconds: Double, day: Int) -> Presence {
    Presence(coordinate: .tower, time: noon.advanced(bySeconds: seconds), day: day)
  }

  @Test func `compaction keeps presence for 32 days`() throws {
    let records = [-40.0, -31, 0].map { days in
      record(.present(device: "phone", [presence(days * 86_400, day: 20_777)]), days * 86_400)
    }
    let (journal, _, _) = try open()
    try journal.append(records, isDurable: true)
    let contents = try Journal.contents(in: state)
    let bytes = contents.compacted(
      now: noon, clusterRadiusMeters: 15, limits: JournalLimits())
    #expect(try JournalContents(bytes, path: file).records == Array(records.dropFirst()))
  }

  @Test func `every kind of record can be written and read`() throws {
    let place = JournalEvent.PlaceEvent(
      device: nil, spotID: "a", center: .tower, time: noon)
    let records = [
      fired(0, also: ["b", "c"]), record(.left(place)), record(.lapsed(place)),
      record(.suppressed(place, by: .quiet)), record(.suppressed(place, by: .overBudget)),
      record(.attempt(delivery(0, failure: "exit status 1"), next: noon)),
      record(.begun(delivery(0, tries: 2))), record(.delivered(delivery(0, tries: 2))),
      record(.setAside(delivery(0, tries: 2))),
      record(.held(place, by: .familiar, .init(figure: 9, limit: 90, meters: 4, days: 3))),
      record(.present(device: "phone", [presence(0, day: 20_777), presence(60, day: 20_777)])),
      record(.expired(delivery(0, tries: 9, failure: "a\nb"))),
    ]
    do {
      let (journal, _, _) = try open()
      try journal.append(records, isDurable: true)
    }
    #expect(try open().contents.records == records)
    #expect(try Journal.contents(in: state).records == records)
  }

  @Test func `the state folder and its files are accessible only to their owner`() throws {
    let nested = state.appending("deep")
    _ = try Journal.open(in: nested, clusterRadiusMeters: 15, now: noon)
    #expect(permissions(of: state) == 0o700)
    #expect(permissions(of: nested) == 0o700)
    #expect(permissions(of: nested.appending(Journal.fileName)) == 0o600)
    #expect(permissions(of: nested.appending(FolderLock.fileName)) == 0o600)
  }

  @Test func `a journal truncated at any byte opens with every complete record`() throws {
    do {
      let (journal, _, _) = try open()
      try journal.append([fired(0)], isDurable: true)
      try journal.append([fired(60, spotID: "b", also: ["c"])], isDurable: true)
    }
    let whole = readFile(file)
    let ends = whole.indices.filter { whole[$0] == 0x0A }.map { $0 + 1 }
    // At every byte of the header and of the last record.
    let lengths = Array(0...ends[0] + 2) + Array(ends[1] - 2...whole.count)
    for length in lengths where Effort.isThorough || length % 7 == 0 {
      try writeFile(file, whole[..<length])
      #expect(try Journal.contents(in: state).damagedLines.isEmpty)
      let expected = max(0, ends.count { $0 <= length } - 1)
      do {
        let (journal, contents, damage) = try open()
        #expect(contents.records.count == expected, "\(length) bytes")
        #expect(damage == nil)
        try journal.append([fired(120, spotID: "d")], isDurable: false)
      }
      let contents = try Journal.contents(in: state)
      #expect(contents.records.count == expected + 1, "\(length) bytes")
      #expect(contents.damagedLines.isEmpty, "\(length) bytes")
    }
  }

  @Test func `damaged lines are copied to another file and removed from the journal`() throws {
    do {
      let (journal, _, _) = try open()
      try journal.append([fired(0), fired(60, spotID: "b")], isDurable: true)
    }
    let good = readFile(file)
    let end = good.firstIndex(of: 0x0A)! + 1
    let bad = good[..<end] + Array("{\"event\":\"fired\"}\nrubbish\u{0}\n".utf8) + good[end...]
    try writeFile(file, bad)
    let (_, contents, damage) = try open()
    #expect(contents.records.count == 2)
    #expect(damage?.lines == [2, 3])
    #expect(readFile(damage!.copy) == Array(bad))
    #expect(readFile(file) == good)
  }

  @Test func `a journal of zero bytes, left by a power failure, is kept aside and begins anew`()
    throws
  {
    let zeros = [UInt8](repeating: 0, count: 600)
    try Disk.createFolder(state)
    try writeFile(file, zeros)
    let (journal, contents, damage) = try open()
    #expect(contents.history.isEmpty && damage?.lines == [1])
    #expect(damage.map { readFile($0.copy) } == zeros)
    try journal.append([fired(0)], isDurable: true)
    journal.close()
    #expect(try open().contents.history.count == 1)
  }

  @Test func `a journal of a newer version, or another file, is refused and left unchanged`() throws
  {
    try Disk.createFolder(state)
    try writeFile(file, "{\"format\":\"photospots-journal\",\"version\":2}\n".utf8)
    let newer = AlertStateError.newerVersion(file, found: 2, supported: 1)
    #expect(throws: newer) { try open() }
    #expect(throws: newer) { try WatchSession.history(in: state) }
    #expect(newer.description.contains("version 2") && newer.description.contains("version 1"))
    // A file without a line feed has no complete line, but must not be replaced either.
    for text in [
      "hello\n", "hello", "{\"format\":\"other\",\"version\":1}\n", "{\"format\":\"other\"", "\n",
    ] {
      try writeFile(file, text.utf8)
      #expect(throws: AlertStateError.notAJournal(file)) { try open() }
      #expect(readFile(file) == Array(text.utf8))
    }
  }

  @Test func `a second writer is refused until the first one closes`() throws {
    var first: Journal? = try open().journal
    #expect(first != nil)
    #expect(throws: AlertStateError.inUse(state, processID: Int(getpid()))) { try open() }
    // Readers need no lock.
    #expect(try WatchSession.history(in: state).isEmpty)
    first = nil
    #expect(throws: Never.self) { try open() }
  }

  @Test func `a state folder that cannot be created is an error that names it`() throws {
    try Disk.createFolder(folder.root)
    try writeFile(state, "a file".utf8)
    let error = #expect(throws: AlertStateError.self) { try open() }
    #expect(error?.description.hasPrefix("\(state): ") == true)
  }

  @Test func `the history without a journal is empty`() throws {
    #expect(try WatchSession.history(in: state).isEmpty)
  }

  @Test func `the history has the outcome of each delivery`() throws {
    let (journal, _, _) = try open()
    let next = noon.advanced(bySeconds: 7)
    try journal.append(
      [
        fired(0), fired(1), fired(2), fired(3),
        record(.attempt(delivery(0, failure: "exit status 1"), next: next)),
        record(.delivered(delivery(1, tries: 2)), 5),
        record(.expired(delivery(2, tries: 9, failure: "exit status 1")), 6),
      ], isDurable: true)
    let history = try WatchSession.history(in: state)
    #expect(
      history.map(\.deliveries[0].outcome) == [
        .pending(next: next), .delivered(noon.advanced(bySeconds: 5)),
        .expired(noon.advanced(bySeconds: 6)), .pending(next: nil),
      ])
    #expect(history.map(\.deliveries[0].tries) == [1, 2, 9, 0])
    #expect(history[2].deliveries[0].failure == "exit status 1")
    #expect(try Journal.contents(in: state).pending.map(\.tries) == [1, 0])
  }

  @Test func `compaction drops old history and superseded tries, and keeps current state`() throws {
    let day = 86_400.0
    let place = JournalEvent.PlaceEvent(
      device: "phone", spotID: "a", center: .tower, time: noon.advanced(bySeconds: day))
    var records = [fired(0), record(.delivered(delivery(0))), record(.left(place), day)]
    // A visit without an exit, a year and a half old.
    let elsewhere = Coordinate.tower.offset(north: 500, east: 0)
    let stayed = SpotNotification(
      entering: spot("stay", at: elsewhere), alsoNear: [], fix: notification().fix,
      position: elsewhere, time: noon)
    records.append(record(.fired(stayed, notifiers: [])))
    let late = 550 * day
    records.append(fired(late))
    for tries in 1...20 {
      let event = delivery(late, tries: tries, failure: "exit status 1")
      records.append(record(.begun(event), late))
      records.append(record(.attempt(event, next: noon.advanced(bySeconds: late)), late))
    }
    let now = noon.advanced(bySeconds: late + 100)
    let begun = [22, 22].map { record(.begun(delivery(late, tries: $0)), late + 60) }
    do {
      let (journal, _, _) = try open(compactionBytes: 2000)
      try journal.append(records, isDurable: true)
      let before = readFile(file).count
      try journal.compactIfGrown(now: now)
      #expect(readFile(file).count < before / 2)
      // Later records are appended to the new file.
      try journal.append(
        [record(.delivered(delivery(late, tries: 21)), late + 50)] + begun, isDurable: true)
    }
    // Tries without a recorded end are kept.
    let compacted = try Journal.contents(in: self.state).compacted(
      now: now, clusterRadiusMeters: 15, limits: JournalLimits())
    #expect(try JournalContents(compacted, path: file).records.suffix(2) == begun[...])
    let contents = try Journal.contents(in: state)
    #expect(contents.history.map(\.spotID) == ["stay", "a"])
    #expect(contents.history.last?.deliveries.first?.tries == 21)
    let state = contents.watcherState(clusterRadiusMeters: 15)
    #expect(Set(state.devices[0].visits.all.map(\.id)) == ["stay", "a"])
    #expect(permissions(of: file) == 0o600)
  }

  /// Returns records of suppressed visits, a minute apart.
  private func silences(_ numbers: Range<Int>) -> [JournalRecord] {
    numbers.map { number in
      let place = JournalEvent.PlaceEvent(
        device: "x\(number)", spotID: "b", center: .tower,
        time: noon.advanced(bySeconds: Double(60 * number)))
      return record(.suppressed(place, by: .overBudget), Double(60 * number))
    }
  }

  @Test func `suppressed visits never displace alerts in a journal of limited size`() throws {
    do {
      let (journal, _, _) = try open(compactionBytes: 2000, maximumBytes: 100_000)
      try journal.append([fired(0), fired(1, spotID: "c")], isDurable: true)
      for start in 0..<200 {
        try journal.append(silences(100 * start..<100 * start + 100), isDurable: false)
        try journal.compactIfGrown(now: noon.advanced(bySeconds: Double(6000 * start)))
        #expect(readFile(file).count < 100_000 + 20_000)
      }
    }
    let history = try open(compactionBytes: 2000, maximumBytes: 100_000).contents.history
    #expect(readFile(file).count <= 75_000)
    #expect(history.prefix(2).map(\.spotID) == ["a", "c"])
    // The latest are kept.
    #expect(history.count > 20 && history.last?.device == "x19999")
  }

  @Test func `a full journal keeps the latest alerts and undelivered ones`() throws {
    let waiting = fired(0)
    var records = [waiting]
    for number in 1...150 {
      let seconds = Double(number)
      records += [fired(seconds, spotID: "s\(number)")]
      let id = notification(seconds, spotID: "s\(number)").id
      let event = JournalEvent.DeliveryEvent(notification: id, notifier: "hook", tries: 1)
      records.append(record(.delivered(event), seconds))
    }
    do {
      let (journal, _, _) = try open(compactionBytes: 2000, maximumBytes: 100_000)
      try journal.append(records, isDurable: true)
      try journal.compactIfGrown(now: noon.advanced(bySeconds: 1000))
    }
    #expect(readFile(file).count <= 75_000)
    let contents = try Journal.contents(in: state)
    #expect(contents.history.first?.notification?.id == notification(0).id)
    #expect(contents.pending.count == 1)
    #expect(contents.history.last?.spotID == "s150" && contents.history.count > 20)
    #expect(contents.history.last?.deliveries.first?.outcome != .pending(next: nil))
  }

  @Test func `an oversized journal is compacted when opened, and can be read without that`()
    throws
  {
    let waits = silences(0..<3000).map { silence in
      guard case .suppressed(let place, _, _) = silence.event else { return silence }
      return JournalRecord(recorded: silence.recorded, event: .held(place, by: .dwelling))
    }
    let records = [fired(0)] + silences(0..<3000) + waits + [fired(200_000, spotID: "c")]
    do { try open().journal.append(records, isDurable: true) }
    let length = readFile(file).count
    #expect(length > 300_000)
    // A line longer than any record, and one without an end.
    let rubbish = [UInt8](repeating: 0x78, count: 3 << 20)
    try writeFile(
      file, readFile(file) + rubbish + [0x0A] + fired(200_001, spotID: "d").line + rubbish)
    #expect(try JournalFile.read(file, maximumBytes: 10_000).bytes.count <= 10_000 + 100)
    let (journal, contents, _) = try open(compactionBytes: 2000, maximumBytes: 100_000)
    #expect(contents.history.map(\.spotID) == ["a", "c", "d"])
    #expect(readFile(file).count < 10_000)
    try journal.append([fired(200_100, spotID: "e")], isDurable: true)
    #expect(try Journal.contents(in: state).history.map(\.spotID) == ["a", "c", "d", "e"])
  }
}
