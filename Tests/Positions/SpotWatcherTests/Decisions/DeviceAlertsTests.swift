import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

@Suite struct DeviceAlertsTests {
  private static let day = 86_400.0

  /// A device, and the alerts that it got: the spot's number and the seconds after noon.
  private struct Watch {
    private var watcher: LocationWatcher
    private(set) var decisions: [WatcherDecision] = []

    /// Creates a watch over spots some metres east and 20 m north of the tower.
    init(
      _ spots: [(east: Double, photoCount: Int)] = [(0, 5)],
      change: (inout WatcherSettings) -> Void = { _ in }
    ) {
      var settings = WatcherSettings()
      change(&settings)
      watcher = LocationWatcher(
        spots: SpotIndex(
          spots: spots.enumerated().map { number, place in
            spot(
              "\(number)", at: Coordinate.tower.offset(north: 20, east: place.east),
              photos: place.photoCount)
          }), settings: settings)
    }

    /// Returns the alerts of some fixes, which arrive some seconds late.
    mutating func follow(
      _ fixes: [MotionFix], delay: Double = 0
    ) -> [(spot: Int, seconds: Double)] {
      var alerts: [(spot: Int, seconds: Double)] = []
      for fix in fixes {
        let found = watcher.evaluate(
          LocationFix(
            time: fix.time, latitude: fix.coordinate.latitude,
            longitude: fix.coordinate.longitude, horizontalAccuracyMeters: fix.accuracyMeters,
            speedMetersPerSecond: fix.speedMetersPerSecond, courseDegrees: fix.courseDegrees),
          now: fix.time.advanced(bySeconds: delay), isLive: delay > 0)
        decisions += found
        for alert in found.lazy.compactMap(\.notification) {
          alerts.append((Int(alert.spot.id) ?? -1, fix.time.seconds(since: noon)))
        }
      }
      return alerts
    }

    /// Replaces the settings.
    mutating func change(_ body: (inout WatcherSettings) -> Void) {
      var settings = watcher.settings
      body(&settings)
      watcher.replace(settings: settings)
    }
  }

  private func walk(past east: Double = 0) -> FixPath {
    var journey = FixPath(east: east - 600)
    journey.move(to: east + 600, speed: 1.4)
    return journey
  }

  @Test func `a walk past a spot alerts once, within the radius`() throws {
    var watch = Watch()
    let alerts = watch.follow(walk().fixes)
    #expect(alerts.count == 1)
    #expect(try abs(#require(alerts.first).seconds * 1.4 - 600) <= 100)
  }

  @Test func `reading a feed again alerts no more`() {
    var watch = Watch()
    let fixes = walk().fixes
    #expect(watch.follow(fixes).count == 1)
    #expect(watch.follow(fixes).isEmpty)
  }

  @Test(arguments: [8, 14, 33], [true, false])
  func `a vehicle that passes does not alert`(speed: Double, hasSpeed: Bool) {
    var (watch, journey) = (Watch(), FixPath(east: -4000))
    journey.hasSpeed = hasSpeed
    journey.stepSeconds = 3
    journey.move(to: 4000, speed: speed)
    #expect(watch.follow(journey.fixes).isEmpty)
  }

  @Test func `zero for an unknown speed neither stops a car nor silences a walk`() {
    var (watch, drive) = (Watch(), FixPath(east: -4000))
    drive.writesZero = true
    drive.move(to: 4000, speed: 14)
    #expect(watch.follow(drive.fixes).isEmpty)
    var (other, walk) = (Watch(), FixPath(east: -600))
    walk.writesZero = true
    walk.move(to: 600, speed: 1.4)
    #expect(other.follow(walk.fixes).count == 1)
  }

  @Test func `a start from a parking place without speeds does not alert along the road`() {
    var watch = Watch((1...10).map { (Double($0) * 300, 3) })
    var journey = FixPath(east: 0)
    journey.hasSpeed = false
    journey.accuracyMeters = nil
    journey.stepSeconds = 1
    journey.stay(300)
    journey.move(to: 3600, speed: 16.7)
    #expect(watch.follow(journey.fixes).isEmpty)
  }

  @Test func `a red light does not alert, and parking does`() {
    var (watch, journey) = (Watch(), FixPath(east: -3000))
    journey.move(to: 0, speed: 14)
    journey.stay(40)
    journey.move(to: 3000, speed: 14)
    #expect(watch.follow(journey.fixes).isEmpty)
    var parked = FixPath(east: -3000)
    parked.move(to: 0, speed: 14)
    parked.stay(300)
    var other = Watch()
    #expect(other.follow(parked.fixes).count == 1)
  }

  @Test func `a train that stands for three minutes does not alert`() {
    var (watch, journey) = (Watch(), FixPath(east: -9000))
    journey.move(to: -600, speed: 33)
    journey.move(to: -150, speed: 16)
    journey.move(to: 0, speed: 7)
    journey.stay(180)
    journey.move(to: 500, speed: 8)
    journey.move(to: 5000, speed: 33)
    #expect(watch.follow(journey.fixes).isEmpty)
  }

  @Test func `getting off a bus alerts`() {
    var (watch, journey) = (Watch([(60, 4)]), FixPath(east: -2000))
    for stop in stride(from: -1600.0, through: 0, by: 400) {
      journey.move(to: stop, speed: 9)
      journey.stay(25)
    }
    journey.move(to: 60, speed: 1.3)
    journey.stay(300)
    #expect(watch.follow(journey.fixes).count == 1)
  }

  @Test func `driving past is no presence, so a visit days later alerts`() {
    var (watch, journey) = (Watch(), FixPath(east: -3000))
    for _ in 0..<5 {
      journey.move(to: 3000, speed: 14)
      journey.move(to: -3000, speed: 14)
      journey.wait(Self.day)
    }
    journey.jump(to: -600)
    journey.move(to: 600, speed: 1.4)
    #expect(watch.follow(journey.fixes).count == 1)
  }

  @Test func `a red light each morning is no presence, so a visit days later alerts`() {
    var (watch, journey) = (Watch(), FixPath(east: -3000))
    for seconds in [15.0, 30, 40, 30, 25] {
      journey.move(to: 0, speed: 14)
      journey.stay(seconds)
      journey.move(to: 3000, speed: 14)
      journey.wait(Self.day)
      journey.jump(to: -3000)
    }
    #expect(watch.follow(journey.fixes).isEmpty)
    var walk = journey
    walk.jump(to: -600)
    walk.move(to: 600, speed: 1.4)
    #expect(watch.follow(Array(walk.fixes[journey.fixes.count...])).count == 1)
  }

  @Test func `ground that is walked daily without an alert becomes a habit`() {
    var (watch, journey) = (Watch(), FixPath(east: -600))
    watch.change { $0.areNotificationsEnabled = false }
    for _ in 0..<4 {
      journey.move(to: 600, speed: 1.4)
      journey.wait(43_000)
      journey.move(to: -600, speed: 1.4)
      journey.wait(43_000)
    }
    #expect(watch.follow(journey.fixes).isEmpty)
    watch.change { $0.areNotificationsEnabled = true }
    journey.move(to: 600, speed: 1.4)
    let last = journey.fixes.suffix(170)
    #expect(watch.follow(Array(last)).isEmpty)
    #expect(watch.decisions.contains { $0.kind == .familiar && ($0.days ?? 0) >= 3 })
  }

  @Test func `a spot alerts again two days after a visit, and not the next morning`() {
    var (watch, journey) = (Watch(), walk())
    journey.wait(0.8 * Self.day)
    journey.move(to: -600, speed: 1.4)
    #expect(watch.follow(journey.fixes).count == 1)
    var later = Watch()
    var second = walk()
    second.wait(2 * Self.day)
    second.move(to: -600, speed: 1.4)
    #expect(later.follow(second.fixes).count == 2)
  }

  @Test func `a jump of five kilometres that is held for eight minutes does not alert`() {
    var (watch, journey) = (Watch(), FixPath(east: -5000))
    journey.hasSpeed = false
    journey.stepSeconds = 20
    journey.stay(3600)
    journey.jump(to: 0)
    journey.stay(480)
    journey.jump(to: -5000)
    journey.stay(3600)
    #expect(watch.follow(journey.fixes).isEmpty)
  }

  @Test(arguments: [1000.0, 2200, 4000])
  func `a jump held for eight minutes does not alert with a fix a minute`(meters: Double) {
    var (watch, journey) = (Watch(), FixPath(east: -meters))
    journey.hasSpeed = false
    journey.stepSeconds = 60
    journey.stay(3600)
    journey.jump(to: 0)
    journey.stay(480)
    journey.jump(to: -meters)
    journey.stay(3600)
    #expect(watch.follow(journey.fixes).isEmpty)
  }

  @Test func `a stop of nine minutes on a motorway alerts`() {
    var (watch, journey) = (Watch(), FixPath(east: -20_000))
    journey.move(to: -400, speed: 33)
    journey.move(to: 0, speed: 8)
    journey.stay(540)
    journey.move(to: 20_000, speed: 33)
    #expect(watch.follow(journey.fixes).count == 1)
  }

  @Test func `the alert speaks for the viewpoint and shows its best spot`() throws {
    var watch = Watch([(-22, 1), (0, 34), (8, 11)])
    let alerts = watch.follow(walk().fixes)
    #expect(alerts.map(\.spot) == [1])
    let alert = try #require(watch.decisions.lazy.compactMap(\.notification).first)
    #expect(alert.spots.map(\.id) == ["1", "2", "0"])
  }

  @Test func `a wide radius alerts as far away as it says`() throws {
    var watch = Watch { $0.proximityRadiusMeters = 400 }
    let alerts = watch.follow(walk().fixes)
    #expect(alerts.count == 1)
    let meters = try 600 - #require(alerts.first).seconds * 1.4
    #expect(meters > 340 && meters <= 400)
  }

  @Test func `the rules follow a watcher's settings`() {
    var settings = WatcherSettings()
    settings.cooldownSeconds = 3600
    settings.dailyBudget = 9
    settings.maximumSpeedKilometersPerHour = nil
    settings.rulesOff = [.towns, .routine]
    let rules = AlertRules(settings)
    #expect(rules.cooldownSeconds == 3600 && rules.memoryDays == 0)
    #expect(rules.budget == 9 && rules.passBudget == 2)
    #expect(rules.passPauseSeconds == rules.pauseSeconds && rules.calmStops == .infinity)
    #expect(!rules.estimatesMode && rules.estimatesPosition && rules.awaitsAgreement)
    settings.maximumSpeedKilometersPerHour = 18
    #expect(MotionModel(settings).slowMetersPerSecond == 5)
  }

  @Test func `a stop soon after a spot that was walked past alerts`() {
    var (watch, journey) = (Watch([(0, 2), (350, 9)]), FixPath(east: -600))
    journey.move(to: 350, speed: 1.3)
    journey.stay(600)
    #expect(watch.follow(journey.fixes).map(\.spot) == [0, 1])
  }

  @Test func `one fix of a phone that reports each five minutes is enough`() {
    var (watch, journey) = (Watch(), FixPath(east: -1500))
    journey.hasSpeed = false
    journey.accuracyMeters = 40
    journey.stepSeconds = 300
    journey.move(to: -20, speed: 1.3)
    journey.stay(300)
    #expect(watch.follow(journey.fixes).count == 1)
  }

  @Test func `a fix that is too old to alert still counts as presence`() {
    var watch = Watch()
    var journey = FixPath(east: -600)
    for _ in 0..<3 {
      journey.move(to: 600, speed: 1.4)
      journey.jump(to: -600)
      journey.wait(Self.day)
    }
    #expect(watch.follow(journey.fixes, delay: 1000).isEmpty)
    let first = journey.fixes.count
    journey.move(to: 600, speed: 1.4)
    #expect(watch.follow(Array(journey.fixes[first...]), delay: 1).isEmpty)
    #expect(watch.decisions.contains { $0.kind == .familiar })
  }
}
