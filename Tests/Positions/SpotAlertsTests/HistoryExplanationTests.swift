import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

/// The journal's records of visits without a notification, and their explanations.
@Suite struct HistoryExplanationTests {
  /// A fix: seconds, metres north of the tower, speed in m/s.
  private typealias Step = (seconds: Double, north: Double, speed: Double)

  private func history(
    _ steps: [Step], _ spots: [PhotoSpot] = [spot("a")],
    change: (inout WatcherSettings) -> Void = { _ in }
  ) -> [HistoryEntry] {
    var settings = WatcherSettings()
    change(&settings)
    var feed = FeedHistory(spots: SpotIndex(spots: spots), asking: spots, settings: settings)
    for step in steps {
      let position = Coordinate.tower.offset(north: step.north, east: 0)
      feed.process(
        LocationFix(
          time: noon.advanced(bySeconds: step.seconds), latitude: position.latitude,
          longitude: position.longitude, speedMetersPerSecond: step.speed))
    }
    return feed.history
  }

  private static let ride = (0...20).map { (step: Int) -> Step in
    (Double(step) * 20, Double(step) * 170 - 1740, 8.6)
  }

  /// Returns a walk past the spot, which begins early enough for the cold-start period.
  private static func walk(_ start: Double = 0, from: Double = -500, to: Double = 500) -> [Step] {
    stride(from: from, through: to, by: 40).map { north in
      (start + (north - from) / 1.4, north, 1.4)
    }
  }

  @Test func `a ride past a spot is explained with its distance and speed`() throws {
    let entries = history(Self.ride)
    #expect(entries.map(\.kind) == [.waited, .lapsed])
    #expect(entries[0].explanation.hasSuffix(" at 31 km/h; it waits until you are slow"))
    #expect(
      entries[1].explanation
        == "you came within 40 m at 31 km/h, and were gone before you were slow")
    #expect(entries[1].left != nil && entries[1].suppressedBy == .tooFast)
  }

  @Test func `a suppression by a rule is explained with its figures`() {
    let beside = [spot("a"), spot("b", at: Coordinate.tower.offset(north: 60, east: 0), photos: 1)]
    let siblings = history(Self.walk(), beside)
    #expect(siblings.last?.kind == .refused)
    #expect(
      siblings.last?.explanation.contains("but a nearby spot fired ") == true
        && siblings.last?.explanation.hasSuffix("which silences it for 24 h") == true)
    let twice = history(Self.walk() + Self.walk(7200))
    #expect(twice.map(\.kind) == [.notified, .refused])
    #expect(twice[1].explanation.contains("but it fired 2 h before"))
    #expect(twice[1].explanation.hasSuffix("and it stays silent for 24 h"))
  }

  @Test func `a suppression by a setting is explained with the setting`() {
    func sentence(_ change: (inout WatcherSettings) -> Void) -> String? {
      history(Self.walk(), change: change).last?.explanation
    }
    let quiet = sentence { $0.quietHours = QuietHours("06:00-22:00") }
    #expect(quiet?.hasSuffix(", but quiet hours last until 22:00") == true)
    let zone = MutedZone(center: .tower, radiusMeters: 300)
    let zoned = history(Self.walk()) { $0.mutedZones = [zone] }.last
    #expect(zoned?.explanation.hasSuffix("a muted zone of 300 m applies there") == true)
    #expect(zoned?.mutedZone == .tower)
    #expect(
      zoned?.explanation { "\($0.latitude), \($0.longitude)" }
        .hasSuffix("the muted zone of 300 m around 48.8584, 2.2945 applies there") == true)
    #expect(sentence { $0.isFavoritesOnly = true }?.contains("favourite") == true)
    let again = sentence {
      $0.recreationIntervalSeconds = 86_400 * 30
      $0.recreatedSpots = ["a": noon.advanced(bySeconds: -3 * 86_400)]
    }
    #expect(
      again?.hasSuffix(", but you had taken it again 3 d before, and it stays silent for 30 d")
        == true)
    #expect(sentence { $0.areNotificationsEnabled = false }?.contains("switched off") == true)
    let short = sentence { $0.dwellSeconds = 600 }
    #expect(short?.hasSuffix("before you had been there for 10 min") == true, "\(short ?? "")")
  }

  @Test
  func `every suppressing decision round-trips through the journal and has its own explanation`()
    throws
  {
    var journal = JournalContents()
    let place = JournalEvent.PlaceEvent(device: nil, spotID: "a", center: .tower, time: noon)
    let silent = WatcherDecision.Kind.allCases.filter { $0 != .notify && $0 != .alsoNear }
    for kind in silent {
      let figures = JournalEvent.Figures(figure: 30, limit: 90, meters: 40, left: nil)
      for event in [JournalEvent.held(place, by: kind, figures), .lapsed(place, by: kind, figures)]
      {
        let record = JournalRecord(recorded: noon, event: event)
        // The record can be written and read.
        let line = record.line
        #expect(try JournalRecord(line: line, range: 0..<(line.count - 1)) == record)
        journal.apply(record)
      }
    }
    for entry in journal.history {
      #expect(entry.explanation.hasPrefix("you came within 40 m"))
      #expect(!entry.explanation.contains("nil") && !entry.explanation.contains("Optional"))
    }
    let held = journal.history.filter { $0.kind == .waited || $0.kind == .refused }
    #expect(Set(held.map(\.explanation)).count == silent.count)
    let lapsed = journal.history.filter { $0.kind == .lapsed && $0.suppressedBy?.isWaiting == true }
    #expect(Set(lapsed.map(\.explanation)).count == silent.count(where: \.isWaiting))
    // The decisions that end a visit are explained by more than their names.
    let refusals: [WatcherDecision.Kind?] = [
      .cooldown, .sibling, .shared, .muted, .quiet, .tooRecent, .filtered, .recreated, .disabled,
      .overBudget, .reserved, .overRate,
    ]
    for entry in held where refusals.contains(entry.suppressedBy) {
      #expect(!entry.explanation.contains("it was suppressed"), "\(entry.explanation)")
    }
    let zoned = JournalRecord(
      recorded: noon,
      event: .suppressed(
        place, by: .muted, JournalEvent.Figures(figure: 30, limit: 90, mutedZone: .tower)))
    #expect(try JournalRecord(line: zoned.line, range: 0..<(zoned.line.count - 1)) == zoned)
    let ofOlder = JournalRecord(recorded: noon, event: .lapsed(place))
    journal.apply(ofOlder)
    #expect(
      journal.history.last?.explanation == "you came near and were gone before its turn came")
  }

  @Test func `the journal records a wait once for each rule and visit`() throws {
    let folder = TemporaryFolder()
    let clock = TestClock()
    func session() throws -> WatchSession {
      try WatchSession(
        stateFolder: folder.root, spots: SpotIndex(spots: [spot("a")]), settings: .init(),
        localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [], clock: clock)
    }
    var watch: WatchSession? = try session()
    // A ride with two red lights beside the spot.
    let steps: [Step] = [
      (0, -900, 15), (20, -600, 15), (40, -300, 15), (60, -80, 15), (80, -60, 0.2),
      (100, -40, 10), (120, -20, 0.2), (140, 20, 10), (160, 300, 15), (180, 600, 15),
    ]
    for step in steps {
      let position = Coordinate.tower.offset(north: step.north, east: 0)
      try watch?.process(
        LocationFix(
          time: noon.advanced(bySeconds: step.seconds), latitude: position.latitude,
          longitude: position.longitude, speedMetersPerSecond: step.speed))
    }
    watch = nil
    let entries = try WatchSession.wholeHistory(in: folder.root)
    #expect(entries.map(\.kind) == [.waited, .waited, .lapsed])
    #expect(entries.map(\.suppressedBy) == [.tooFast, .halted, .tooFast])
    #expect(try WatchSession.history(in: folder.root).map(\.kind) == [.lapsed])
    // A new watch can open the journal.
    _ = try session()
  }

  @Test func `a digest lists what fired, was suppressed and was passed once in its period`() throws
  {
    let spots = [
      spot("a"), spot("b", at: Coordinate.tower.offset(north: 60, east: 0), photos: 1),
      spot("c", at: Coordinate.tower.offset(north: 3000, east: 0)),
    ]
    let ride = (0...30).map { (step: Int) -> Step in
      let share = Double(step)
      return (8000 + share * 20, 1200 + share * 170, 8.6)
    }
    let entries = history(Self.walk() + ride, spots)
    let digest = HistoryDigest(of: entries, from: noon, until: noon.advanced(bySeconds: 86_400))
    #expect(digest.fired.map(\.spotID) == ["a"])
    #expect(
      digest.keptBack == [.init(kind: .sibling, count: 1), .init(kind: .tooFast, count: 1)])
    #expect(digest.passedBy.map(\.spotID) == ["c"])
    let later = noon.advanced(bySeconds: 86_400)
    #expect(
      HistoryDigest(of: entries, from: later, until: later.advanced(bySeconds: 1)).fired.isEmpty)
  }
}
