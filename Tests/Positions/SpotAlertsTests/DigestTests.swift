import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

private func instant(_ text: String) throws -> Instant {
  try #require(Instant(iso8601: text))
}

@Suite struct DigestScheduleTests {
  @Test(
    arguments: [
      ("daily 21:00", "2026-11-20T12:00:00Z", "2026-11-18T21:00:00Z", "2026-11-19T21:00:00Z"),
      ("daily 21:00", "2026-11-20T21:00:00Z", "2026-11-19T21:00:00Z", "2026-11-20T21:00:00Z"),
      ("daily 00:00", "2026-11-20T00:00:00Z", "2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z"),
      // 20 November 2026 is a Friday.
      ("friday 12:00", "2026-11-20T12:00:00Z", "2026-11-13T12:00:00Z", "2026-11-20T12:00:00Z"),
      ("friday 12:01", "2026-11-20T12:00:00Z", "2026-11-06T12:01:00Z", "2026-11-13T12:01:00Z"),
      ("sunday 18:00", "2026-11-20T12:00:00Z", "2026-11-08T18:00:00Z", "2026-11-15T18:00:00Z"),
    ])
  func `the last period is the most recently ended one`(
    text: String, now: String, start: String, end: String
  ) throws {
    let schedule = try #require(DigestSchedule(text))
    let period = schedule.lastPeriod(at: try instant(now), .fixed(utcOffsetMinutes: 0))
    #expect(period.start.iso8601.prefix(19) == start.prefix(19))
    #expect(period.end.iso8601.prefix(19) == end.prefix(19))
    #expect(schedule.description == text)
  }

  @Test func `across daylight-saving changes a daily period never exceeds 25 hours`() throws {
    let schedule = try #require(DigestSchedule("daily 02:30"))
    let clock = LocalClock.zone(try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")))
    // On 29 March 2026 there is no 02:30, on 25 October it occurs twice.
    var now = try instant("2026-03-27T12:00:00Z")
    for _ in 0..<300 {
      let next = schedule.nextEnd(after: now, clock)
      #expect(schedule.lastPeriod(at: next, clock).end == next)
      let hours = next.seconds(since: now) / 3600
      #expect(hours > 0 && hours <= 25)
      let before = schedule.lastPeriod(at: next.advanced(bySeconds: -1), clock)
      #expect(before.end < next)
      now = next
    }
    #expect(clock.minuteOfDay(at: now) == 150)
  }
}

@Suite struct DigestTimerTests {
  private let clock = LocalClock.fixed(utcOffsetMinutes: 0)

  private func timer(_ ends: [String] = [], now: String) throws -> DigestTimer {
    DigestTimer(
      schedule: DigestSchedule("daily 21:00"), clock: clock, ends: try ends.map(instant),
      now: try instant(now))
  }

  @Test func `a period is due once, and every minute until it is recorded`() throws {
    var timer = try timer(["2026-11-19T21:00:00Z"], now: "2026-11-20T12:00:00Z")
    #expect(timer.due(at: try instant("2026-11-20T20:59:59Z")) == nil)
    let now = try instant("2026-11-20T21:00:01Z")
    let due = timer.due(at: now)
    let period = try #require(due)
    #expect(timer.due(at: now.advanced(bySeconds: 59)) == nil)
    #expect(timer.due(at: now.advanced(bySeconds: 60)) == period)
    timer.finish(period, now: now)
    #expect(timer.due(at: now.advanced(bySeconds: 120)) == nil)
    #expect(timer.due(at: now.advanced(bySeconds: 86_398)) == nil)
    #expect(timer.due(at: now.advanced(bySeconds: 86_399)) != nil)
  }

  @Test func `after several missed periods only the last is due`() throws {
    var timer = try timer(["2026-11-10T21:00:00Z"], now: "2026-11-20T12:00:00Z")
    let period = timer.due(at: try instant("2026-11-20T12:00:00Z"))
    #expect(period?.end == (try instant("2026-11-19T21:00:00Z")))
  }

  @Test func `a digest is neither repeated nor lost if the clock is set back or was ahead`() throws
  {
    var timer = try timer(["2026-11-20T21:00:00Z"], now: "2026-11-20T21:00:01Z")
    #expect(timer.due(at: try instant("2026-11-20T20:59:59Z")) == nil)
    // A machine whose clock was wrong at first, in the year 2031.
    timer = try self.timer(["2031-01-01T21:00:00Z"], now: "2026-11-20T21:00:01Z")
    #expect(timer.due(at: try instant("2026-11-20T21:00:01Z")) != nil)
    let ahead = try instant("2031-01-01T21:00:00Z")
    timer = try self.timer(now: "2031-01-01T21:00:00Z")
    let due = timer.due(at: ahead)
    timer.finish(try #require(due), now: ahead)
    #expect(timer.due(at: try instant("2026-11-20T21:00:01Z")) != nil)
  }

  @Test func `changing the schedule does not repeat a reported day`() throws {
    let now = try instant("2026-11-20T21:10:00Z")
    var timer = try timer(["2026-11-20T21:00:00Z"], now: "2026-11-20T21:10:00Z")
    for text in ["daily 20:00", "daily 21:05", "friday 21:05"] {
      timer.schedule = DigestSchedule(text)
      #expect(timer.due(at: now) == nil, "\(text)")
    }
    timer.schedule = nil
    #expect(timer.due(at: now.advanced(bySeconds: 10 * 86_400)) == nil)
  }
}

/// The delivery of a daily or weekly digest as a separate alert.
@Suite(.timeLimit(.minutes(30))) struct DigestDeliveryTests {
  private let folder = TemporaryFolder()

  private func session(
    _ notifier: RecordingNotifier, _ clock: TestClock, digest: String? = "daily 21:00",
    language: AlertLanguage = .english, isLive: Bool = true, isRemembered: Bool = true,
    zone: TimeZoneRules? = nil
  ) throws -> WatchSession {
    var settings = WatcherSettings.withoutRules
    settings.quietHoursZone = zone
    return try WatchSession(
      stateFolder: isRemembered ? folder.root : nil, spots: SpotIndex(spots: [spot("a")]),
      settings: settings,
      alerts: AlertSettings(language: language, digest: digest.flatMap { DigestSchedule($0) }),
      localClock: .fixed(utcOffsetMinutes: 0), isLive: isLive, notifiers: [notifier],
      clock: clock)
  }

  /// Moves a device to the spot, at the clock's time.
  private func visit(_ session: WatchSession, _ clock: TestClock) throws {
    let position = Coordinate.tower.offset(north: 50, east: 0)
    let decisions = try session.process(
      LocationFix(
        time: clock.now(), latitude: position.latitude, longitude: position.longitude))
    #expect(decisions.map(\.kind) == [.notify])
  }

  private func digests(_ notifier: RecordingNotifier) -> [Alert] {
    notifier.alerts.filter { $0.notification == nil }
  }

  private let tillEvening = 9.0 * 3600

  @Test func `a digest is sent once at its time, not again after a restart, and not if empty`()
    async throws
  {
    let (notifier, clock) = (RecordingNotifier(), TestClock())
    var session = try session(notifier, clock)
    session.start()
    try visit(session, clock)
    clock.advance(bySeconds: tillEvening - 1)
    try session.tick()
    await session.drain()
    #expect(digests(notifier).isEmpty)
    clock.advance(bySeconds: 1)
    for _ in 0..<3 { try session.tick() }
    await session.drain()
    await session.stop()
    let digest = try #require(digests(notifier).first)
    #expect(digest.title == "Your spots, 20 November")
    #expect(digest.text == "1 fired: Paris")
    session = try self.session(notifier, clock)
    session.start()
    try session.tick()
    clock.advance(bySeconds: 3600)
    try session.tick()
    await session.drain()
    await session.stop()
    #expect(digests(notifier).count == 1)
    // The next day was empty: nothing is sent.
    clock.advance(bySeconds: 86_400)
    session = try self.session(notifier, clock)
    session.start()
    try session.tick()
    await session.drain()
    await session.stop()
    #expect(digests(notifier).count == 1)
  }

  @Test func `a missed digest is sent at the next start if its period is still the last`()
    async throws
  {
    let (notifier, clock) = (RecordingNotifier(), TestClock())
    var session = try session(notifier, clock)
    session.start()
    try visit(session, clock)
    await session.drain()
    await session.stop()
    clock.advance(bySeconds: tillEvening + 3 * 3600)
    session = try self.session(notifier, clock)
    session.start()
    try session.tick()
    await session.drain()
    await session.stop()
    #expect(digests(notifier).count == 1)
    // Two days later, the day of the visit is no longer the last period.
    let (other, later) = (RecordingNotifier(), TestClock(noon.advanced(bySeconds: 2 * 86_400)))
    session = try self.session(other, later, digest: "daily 13:00")
    session.start()
    try session.tick()
    await session.drain()
    await session.stop()
    #expect(digests(other).isEmpty)
  }

  @Test func `an undelivered digest is sent by the next watch with the same id`()
    async throws
  {
    let clock = TestClock(isFrozen: true)
    let failing = RecordingNotifier(answers: [.delivered, .failed("no network")])
    var session = try session(failing, clock)
    session.start()
    try visit(session, clock)
    await session.drain()
    clock.advance(bySeconds: tillEvening)
    try session.tick()
    await session.drain()
    #expect(await session.stop(graceSeconds: 0).map(\.waitingCount) == [1])
    let notifier = RecordingNotifier()
    clock.advance(bySeconds: 10)
    session = try self.session(notifier, clock)
    session.start()
    await session.drain()
    await session.stop()
    #expect(notifier.ids == failing.ids.suffix(1))
    #expect(notifier.alerts.map(\.text) == failing.alerts.suffix(1).map(\.text))
  }

  @Test func `no digest is sent without the setting, in a replay, or without a state folder`()
    async throws
  {
    for (digest, isLive, isRemembered) in [
      (nil, true, true), ("daily 21:00", false, true), ("daily 21:00", true, false),
    ] as [(String?, Bool, Bool)] {
      let (notifier, clock) = (RecordingNotifier(), TestClock())
      let session = try session(
        notifier, clock, digest: digest, isLive: isLive, isRemembered: isRemembered)
      session.start()
      try visit(session, clock)
      clock.advance(bySeconds: tillEvening + 60)
      try session.tick()
      await session.drain()
      await session.stop()
      #expect(digests(notifier).isEmpty)
      folder.remove(folder.path(Journal.fileName))
    }
  }

  @Test func `a digest's time is in the quiet hours' zone and can change while a watch runs`()
    async throws
  {
    let (notifier, clock) = (RecordingNotifier(), TestClock())
    let zone = try #require(TimeZoneRules(posix: "XXX-8"))
    let session = try session(notifier, clock, zone: zone)
    session.start()
    try visit(session, clock)
    clock.advance(bySeconds: 3600)
    try session.tick()
    await session.drain()
    #expect(digests(notifier).count == 1, "13:00 UTC is 21:00 there")
    session.replace(
      alerts: AlertSettings(language: .spanish, digest: DigestSchedule("daily 09:30")))
    clock.advance(bySeconds: 12.5 * 3600)
    try session.tick()
    await session.drain()
    await session.stop()
    #expect(notifier.alerts.last?.title.hasPrefix("Tus lugares, ") == true)
    #expect(notifier.alerts.last?.title.hasSuffix("21 de noviembre") == true)
  }

  @Test func `a digest is sent later if the disk was full`() async throws {
    let (notifier, clock) = (RecordingNotifier(), TestClock())
    let session = try session(notifier, clock)
    session.start()
    try visit(session, clock)
    await session.drain()
    clock.advance(bySeconds: tillEvening)
    try FaultyDisk(after: 0, .noSpace, staysFaulty: false).run { _ = try session.tick() }
    await session.drain()
    #expect(digests(notifier).isEmpty)
    clock.advance(bySeconds: 60)
    try session.tick()
    await session.drain()
    await session.stop()
    #expect(digests(notifier).count == 1)
  }

  // MARK: - Words

  private static let digest = AlertDigest(
    start: noon.advanced(bySeconds: -86_400), end: noon, utcOffsetMinutes: 60, firedCount: 4,
    fired: [.init(name: "Arezzo", count: 2), .init(name: "Siena\nx", count: 1)],
    keptBack: [.init(kind: .tooFast, count: 3), .init(kind: .quiet, count: 1)], passedByCount: 7,
    passedBy: [.init(name: "Roma", kind: .arriving)])

  @Test func `a digest lists spots that fired, were suppressed, or were passed once`() {
    let english = Alert(.digest(Self.digest))
    #expect(
      english.text == """
        4 fired: Arezzo ×2, Sienax, 1 more
        4 suppressed: 3 in a vehicle, 1 in quiet hours
        7 passed once without an alert: Roma (in a vehicle), 6 more
        """)
    #expect(
      Alert(.digest(Self.digest), in: .spanish).text == """
        4 avisos: Arezzo ×2, Sienax, 1 más
        4 omitidos: 3 en un vehículo, 1 en horas de silencio
        7 vistos de paso sin aviso: Roma (en un vehículo), 6 más
        """)
    #expect(!english.line.contains("\n") && english.line.hasPrefix("Your spots, 20 November: 4"))
    let week = AlertDigest(
      start: noon.advanced(bySeconds: -7 * 86_400), end: noon, utcOffsetMinutes: 0, firedCount: 0,
      fired: [], keptBack: [], passedByCount: 1, passedBy: [.init(name: "Roma", kind: .paced)])
    #expect(week.title(in: .english) == "Your spots, 13–20 November")
    #expect(week.title(in: .spanish) == "Tus lugares, 13–20 de noviembre")
  }

  @Test func `a digest round-trips through the journal and is JSON with its text for receivers`()
    throws
  {
    var writer = JSONWriter()
    Self.digest.write(to: &writer)
    var reader = JSONReader(writer.takeBytes())
    #expect(try AlertDigest(from: &reader) == Self.digest)
    let text = String(decoding: Alert(.digest(Self.digest)).ndjson, as: UTF8.self)
    for part in [#""type":"digest""#, #""title":"Your spots"#, #""fired":{"count":4,"#] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `a hook gets the digest in environment variables`() {
    let variables = HookEnvironment.variables(of: Alert(.digest(Self.digest)), inherited: [])
      .map { String(decoding: $0.dropLast(), as: UTF8.self) }
    #expect(variables.contains("PHOTOSPOTS_TYPE=digest"))
    #expect(variables.contains("PHOTOSPOTS_TITLE=Your spots, 20 November"))
    #expect(variables.contains { $0.hasPrefix("PHOTOSPOTS_TEXT=4 fired: ") })
    #expect(!variables.contains { $0.hasPrefix("PHOTOSPOTS_SPOT_") })
  }

  @Test func `compaction keeps the last digest and undelivered ones in the journal`()
    throws
  {
    func record(_ days: Double, _ event: (AlertDigest) -> JournalEvent) -> JournalRecord {
      let end = noon.advanced(bySeconds: days * 86_400)
      let digest = AlertDigest(
        start: end.advanced(bySeconds: -86_400), end: end, utcOffsetMinutes: 0, firedCount: 1,
        fired: [.init(name: "Arezzo", count: 1)], keptBack: [], passedByCount: 0, passedBy: [])
      return JournalRecord(recorded: end, event: event(digest))
    }
    func made(_ digest: AlertDigest) -> JournalEvent { .digested(digest, notifiers: ["hook"]) }
    func done(_ digest: AlertDigest) -> JournalEvent {
      .delivered(.init(notification: digest.id, notifier: "hook", tries: 1, failure: nil))
    }
    var contents = JournalContents()
    for day in 0..<9 {
      contents.apply(record(Double(day), made))
      if day != 3 { contents.apply(record(Double(day), done)) }
    }
    #expect(contents.pending.map(\.queued) == [noon.advanced(bySeconds: 3 * 86_400)])
    let bytes = contents.compacted(
      now: noon.advanced(bySeconds: 9 * 86_400), clusterRadiusMeters: 15, limits: JournalLimits())
    let again = try JournalContents(bytes, path: "journal")
    #expect(again.damagedLines.isEmpty)
    #expect(again.digests.map(\.digest.end.secondsFromNoon) == [3 * 86_400, 8 * 86_400])
    #expect(again.pending == contents.pending)
    #expect(again.history.isEmpty)
  }
}

extension Instant {
  fileprivate var secondsFromNoon: Double { seconds(since: noon) }
}

/// The texts of alerts in each language.
@Suite struct AlertWordsTests {
  private func notification(
    meters: Double = 95, place: String? = "Arezzo", anniversary: Int? = 7, also: Int = 0
  ) -> SpotNotification {
    var sent = SpotNotification(
      id: "x", time: noon, device: nil, distanceMeters: meters, bearingDegrees: 135,
      spot: NotifiedSpot(spot("a", photos: 3, first: "2019-05-01T10:00:00Z"), distanceMeters: 95),
      alsoNear: (0..<also).map { NotifiedSpot(spot("s\($0)"), distanceMeters: 95) },
      fix: LocationFix(time: noon, latitude: 0, longitude: 0, horizontalAccuracyMeters: 6))
    sent.memory = SpotMemory(
      sinceLatest: .init(years: 2, days: 10),
      anniversary: anniversary.map { .init(years: $0, daysAway: 2) }, yearCount: 3,
      headingDegrees: 315,
      focalLength: FocalLength(millimeters: 4.2, millimetersOn35mmFilm: 26), place: place)
    return sent
  }

  @Test func `an alert is written in Spanish`() {
    let alert = Alert(.spot(notification()), in: .spanish)
    #expect(
      alert.text == "Arezzo, 95 m al sureste: 3 fotos, 2019–2024, esta semana hace 7 años. "
        + "Mira al noroeste, 26 mm.")
    #expect(alert.title == "Esta semana hace 7 años")
    #expect(alert.line.hasSuffix(" [a] (posición buena, 6 m)"))
    let plain = Alert(.spot(notification(meters: 1249, place: nil, anniversary: nil)), in: .spanish)
    #expect(plain.text.hasPrefix("1,2 km al sureste: 3 fotos, 2019–2024, la última hace 2 años."))
    #expect(plain.title == "Aquí hiciste una foto")
    let here = Alert(.spot(notification(meters: 2, place: nil, also: 2)), in: .spanish)
    #expect(here.text.hasPrefix("Aquí mismo: 3 fotos, ") && here.text.contains("2 lugares más"))
  }

  @Test(arguments: AlertLanguage.allCases)
  func `no text exceeds the maximum length`(language: AlertLanguage) {
    for meters in [0.0, 95, 123_456] {
      for length in [0, 10, 64] {
        let text = notification(
          meters: meters, place: String(repeating: "W", count: length), also: 12
        ).text(in: language)
        #expect(text.unicodeScalars.count <= SpotNotification.maximumTextLength, "\(text)")
      }
    }
  }

  /// Returns all texts of a table.
  private func texts(_ words: AlertWords) -> [String] {
    var texts = words.compassPoints + [words.rightHere, words.title]
    texts += (1...12).map { words.date("1", $0) }
    texts += AccuracyClass.allCases.map { words.accuracy($0) }
    for count in [1, 2] {
      texts += [
        words.photos(count), words.moreSpots(count), words.lastYearsAgo(count),
        words.lastDaysAgo(count), words.fired(count), words.keptBack(count),
        words.passedBy(count), words.more(count), words.anniversary(count, true),
        words.anniversary(count, false), words.alsoSpot("x", count - 1),
        words.alsoSpot("x", count),
      ]
    }
    texts += [words.face("x"), words.taken("x"), words.digestTitle("x"), words.lastDaysAgo(0)]
    return texts
  }

  @Test func `each language has its own text for everything`() {
    let (english, spanish) = (texts(.english), texts(.spanish))
    #expect(english.count == spanish.count)
    #expect(spanish.allSatisfy { !$0.isEmpty })
    for (one, other) in zip(english, spanish) { #expect(one != other) }
    for words in [AlertWords.english, .spanish] {
      #expect(words.compassPoints.count == 8 && Set(words.compassPoints).count == 8)
      #expect(Set((1...12).map { words.date("1", $0) }).count == 12)
    }
    for kind in WatcherDecision.Kind.allCases {
      let (one, other) = (AlertWords.english.reason(kind), AlertWords.spanish.reason(kind))
      #expect((one == nil) == (other == nil) && (one == nil || one != other), "\(kind)")
    }
  }
}
