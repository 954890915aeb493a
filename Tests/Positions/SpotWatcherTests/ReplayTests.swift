import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

@Suite struct ReplayTests {
  private func replay(
    _ fixes: [(seconds: Double, north: Double)], at spots: [PhotoSpot] = [spot("a")],
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0), device: String? = nil,
    change: (inout WatcherSettings) -> Void = { _ in }
  ) -> Replay {
    var settings = WatcherSettings.withoutRules
    change(&settings)
    var replay = Replay(
      spots: SpotIndex(spots: spots), settings: settings, localClock: localClock)
    for (seconds, north) in fixes {
      let position = Coordinate.tower.offset(north: north, east: 0)
      replay.process(
        LocationFix(
          time: noon.advanced(bySeconds: seconds), latitude: position.latitude,
          longitude: position.longitude, device: device))
    }
    return replay
  }

  @Test func `a replay lists visits by day, whether or not they fired`() {
    let days = replay(
      [
        (0, 500), (60, 50), (120, 500), (180, 520), (240, 50),  // enters, leaves, returns
        (20 * 3600, 400), (21 * 3600, 450), (26 * 3600, 50),
      ], device: "phone"
    ).days
    #expect(days.map(\.date.day) == [20, 21])
    #expect(days.map(\.fixCount) == [5, 3])
    #expect(days[0].visits.map(\.decision.kind) == [.notify, .cooldown])
    #expect(days[0].visits.map(\.didFire) == [true, false])
    #expect(days[1].visits.map(\.decision.kind) == [.notify])
    #expect(days[1].visits.first?.device == "phone")
    #expect(abs(days[0].meters - 1390) < 0.01)
  }

  @Test func `days follow the local clock`() {
    let night: [(seconds: Double, north: Double)] = [(11.5 * 3600, 900), (12.5 * 3600, 50)]
    let west = replay(night, localClock: .fixed(utcOffsetMinutes: -120)).days
    #expect(west.map(\.date.day) == [20])
    let utc = replay(night).days
    #expect(utc.map(\.date.day) == [20, 21])
    #expect(utc.map(\.visits.count) == [0, 1])
  }

  @Test func `nothing is covered between two days or two recordings`() {
    let trip: [(seconds: Double, north: Double)] = [
      (0, 0), (1800, 700), (5400, 1000),  // an hour later, the longest gap
      (9001, 800_000), (9060, 800_100),  // a second recording of the day
      (43_140, 800_200), (43_200, 900_000), (43_260, 900_050),  // midnight passes
    ]
    let days = replay(trip).days
    #expect(days.map(\.fixCount) == [6, 2])
    #expect(abs(days[0].meters - 1100) < 0.01)
    #expect(abs(days[1].meters - 50) < 0.01)
  }

  @Test func `a device that reports that it has not moved has no gap`() {
    let days = replay([(0, 0), (60, 500), (3600, 510), (7000, 490), (9000, 900)]) {
      $0.distanceFilterMeters = 100
    }.days
    #expect(abs(days[0].meters - 900) < 0.01)
  }

  @Test func `a visit's decision is its last one, after dwell, pacing or exit`() {
    let short = replay([(0, 500), (60, 50), (90, 500), (120, 520)]) { $0.dwellSeconds = 60 }
    #expect(short.days[0].visits.map(\.decision.kind) == [.dwelling])
    let long = replay([(0, 500), (60, 50), (180, 30)]) { $0.dwellSeconds = 60 }
    #expect(long.days[0].visits.map(\.decision.kind) == [.notify])
    #expect(long.days[0].visits[0].entered == noon.advanced(bySeconds: 60))

    let spots = [spot("a"), spot("b", at: Coordinate.tower.offset(north: 300, east: 0))]
    let left = replay([(0, 0), (60, 300), (120, 900), (150, 950)], at: spots)
    #expect(left.days[0].visits.map(\.decision.kind) == [.notify, .paced])
    let stayed = replay([(0, 0), (60, 300), (400, 310)], at: spots)
    #expect(stayed.days[0].visits.map(\.decision.kind) == [.notify, .notify])
  }

  @Test func `rejected fixes and fixes without a time are counted`() {
    var replay = replay([(0, 500), (60, 50_000), (90, 480), (80, 470)]) {
      $0.rulesOff.remove(.jumps)
    }
    replay.process(LocationFix(time: nil, latitude: 48, longitude: 2))
    #expect(replay.days[0].passedOver == [.jump: 1, .late: 1])
    #expect(replay.untimedCount == 1)
    #expect(abs(replay.days[0].meters - 20) < 0.01)
  }

  @Test func `each rule that can suppress every spot can be relaxed`() throws {
    var settings = WatcherSettings.withoutRules
    #expect(settings.relaxing(.tooRecent) != nil)
    #expect(settings.relaxing(.quiet) == nil && settings.relaxing(.cooldown) == nil)
    settings.dwellSeconds = 3600
    settings.quietHours = QuietHours("00:00-23:59")
    settings.maximumSpeedKilometersPerHour = 1
    settings.isFavoritesOnly = true
    settings.areNotificationsEnabled = false
    settings.recreationIntervalSeconds = 1e9
    settings.recreatedSpots = ["a": noon]
    settings.minimumPhotoAgeSeconds = 1e9
    settings.mutedSpots = [MutedSpot(spotID: "a", center: .tower, until: nil)]
    for kind in WatcherSettings.relaxableKinds {
      settings = try #require(settings.relaxing(kind), "\(kind)")
    }
    #expect(replay([(0, 50)]) { $0 = settings }.days[0].visits.map(\.decision.kind) == [.notify])
  }

  @Test func `a replay fires the same spots as a watcher`() {
    var generator = SeededGenerator(seed: 3)
    let spots = (0..<40).map { index in
      spot(
        "s\(index)",
        at: Coordinate.tower.offset(
          north: .random(in: -2000...2000, using: &generator),
          east: .random(in: -2000...2000, using: &generator)))
    }
    var watcher = LocationWatcher(
      spots: SpotIndex(spots: spots), settings: WatcherSettings.withoutRules)
    var replay = Replay(spots: SpotIndex(spots: spots), settings: WatcherSettings.withoutRules)
    var notified: [String] = []
    var (north, east) = (0.0, 0.0)
    for step in 0..<3000 {
      north += .random(in: -60...62, using: &generator)
      east += .random(in: -60...60, using: &generator)
      let position = Coordinate.tower.offset(north: north, east: east)
      let time = noon.advanced(bySeconds: Double(step) * 45)
      let fix = LocationFix(
        time: time, latitude: position.latitude, longitude: position.longitude)
      for decision in watcher.evaluate(fix, now: time, isLive: false) where decision.kind == .notify
      {
        notified.append(decision.spotID ?? "")
      }
      replay.process(fix)
    }
    let fired = replay.days.flatMap(\.visits).filter { $0.decision.kind == .notify }
    #expect(!notified.isEmpty)
    #expect(
      fired.sorted { $0.decision.time < $1.decision.time }.map(\.spot.id) == notified)
  }
}
