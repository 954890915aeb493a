import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

/// A watcher that keeps the spots around a device, and one that queries the index at every fix.
private struct Twins {
  private(set) var watcher: LocationWatcher
  private(set) var twin: LocationWatcher
  private(set) var decisionCounts: [WatcherDecision.Kind: Int] = [:]
  private var fixCount = 0

  init(_ spots: [PhotoSpot], _ settings: WatcherSettings) {
    watcher = LocationWatcher(spots: SpotIndex(spots: spots), settings: settings)
    twin = watcher
    twin.rules.slackMeters = 0
  }

  mutating func evaluate(_ fix: LocationFix, isLive: Bool, now: Instant, _ comment: Comment) {
    let decisions = watcher.evaluate(fix, now: now, isLive: isLive)
    #expect(decisions == twin.evaluate(fix, now: now, isLive: isLive), comment)
    for decision in decisions { decisionCounts[decision.kind, default: 0] += 1 }
    // A difference between the states lasts, and comparing them takes longer than a decision.
    if Effort.isThorough || fixCount % 10 == 0 { #expect(watcher.state == twin.state, comment) }
    fixCount += 1
  }

  mutating func tick(_ now: Instant, _ comment: Comment) {
    #expect(watcher.tick(now: now) == twin.tick(now: now), comment)
  }

  mutating func replace(_ spots: [PhotoSpot]) {
    watcher.replace(spots: SpotIndex(spots: spots))
    twin.replace(spots: SpotIndex(spots: spots))
  }

  mutating func replace(_ settings: WatcherSettings) {
    watcher.replace(settings: settings)
    twin.replace(settings: settings)
  }

  /// Replaces both watchers by new ones with the state of the twin.
  mutating func restore() {
    let rules = watcher.rules
    watcher = LocationWatcher(spots: rules.spots, settings: rules.settings, state: twin.state)
    twin = watcher
    twin.rules.slackMeters = 0
  }

  func count(_ kind: WatcherDecision.Kind) -> Int { decisionCounts[kind] ?? 0 }
}

@Suite struct SurroundingsTests {
  private static let origins = [
    Coordinate.tower, Coordinate(latitude: -16.8, longitude: 179.9995)!,
    Coordinate(latitude: 89.9985, longitude: 12)!, Coordinate(latitude: -90, longitude: 0)!,
  ]

  @Test(
    arguments: [1, 2, 3, 4] as [UInt64],
    Effort.inputs([10, 45, 100, 600] as [Double], quick: [100]))
  func `keeping the spots around a device changes no decision`(seed: UInt64, radius: Double) {
    var settings = WatcherSettings.withoutRules
    if seed != 2 { settings.rulesOff.remove(.jumps) }
    settings.proximityRadiusMeters = radius
    settings.distanceFilterMeters = seed % 2 == 0 ? 0 : 10
    settings.dwellSeconds = seed == 3 ? 20 : 0
    settings.cooldownSeconds = seed == 1 ? 0 : 600
    settings.minimumIntervalSeconds = seed == 4 ? 0 : 30
    let origin = Self.origins[Int(seed) - 1]
    // With a small radius more of them, so that the devices come near some.
    let spotCount = radius < 45 ? 3000 : 300
    var twins = Twins(scatteredSpots(spotCount, around: origin, reach: 1200, seed: seed), settings)
    var wanderers = [
      Wanderer(around: origin, seed: seed), Wanderer(around: origin, seed: seed + 10),
    ]
    var isLive = false
    for count in 0..<(Effort.isThorough ? 3000 : 2000) {
      let who = count / 7 % 2
      let fix = wanderers[who].next(device: "\(who)")
      let comment: Comment = "seed \(seed), radius \(radius), fix \(count)"
      if count % 500 == 499 { isLive.toggle() }
      // In live mode every hundredth fix is stale, and the clock is set back once.
      let late = isLive ? (count % 100 == 50 ? 2000.0 : count == 700 ? -50 : 1) : 0
      let now = fix.time!.advanced(bySeconds: late)
      twins.evaluate(fix, isLive: isLive, now: now, comment)
      if count % 50 == 20 { twins.tick(now.advanced(bySeconds: 10), comment) }
      if count % 800 == 799 {
        twins.replace(
          scatteredSpots(
            spotCount - count / 40, around: origin, reach: 1200, seed: seed + UInt64(count)))
      }
      if count % 700 == 350 { twins.restore() }
      if count == 1600 {
        settings.proximityRadiusMeters = min(2 * radius, 800)
        twins.replace(settings)
      }
    }
    #expect(twins.count(.exit) + twins.count(.lapsed) > 20)
    #expect(twins.count(.notify) > 0)
    #expect(seed == 2 || twins.count(.jump) > 5)
  }

  @Test func `devices that share a cache slot decide as if each were alone`() {
    var settings = WatcherSettings.withoutRules
    settings.distanceFilterMeters = 0
    var twins = Twins(scatteredSpots(300, around: .tower, reach: 1200, seed: 5), settings)
    let far = Coordinate(latitude: -16.8, longitude: 179.9995)!
    // The 1st and the 65th device share a slot.
    for count in 0..<65 {
      let fix = LocationFix(
        time: noon, latitude: far.latitude, longitude: far.longitude, device: "\(count)")
      twins.evaluate(fix, isLive: false, now: noon, "device \(count)")
    }
    var (near, away) = (Wanderer(around: .tower, seed: 5), Wanderer(around: far, seed: 6))
    for count in 0..<400 {
      let isNear = count % 2 == 0
      let fix = isNear ? near.next(device: "0") : away.next(device: "64")
      twins.evaluate(fix, isLive: false, now: fix.time!, "fix \(count)")
    }
    #expect(twins.count(.notify) > 0)
  }

  @Test func `an area with more spots than can be kept is queried at every fix`() {
    var settings = WatcherSettings.withoutRules
    settings.proximityRadiusMeters = 400
    settings.distanceFilterMeters = 0
    let spots = (0..<Surroundings.maximumCount + 100).map { number in
      spot(
        "s\(number)",
        at: Coordinate.tower.offset(north: Double(number % 70) * 10, east: Double(number / 70) * 10)
      )
    }
    var twins = Twins(spots, settings)
    for count in 0..<40 {
      let here = Coordinate.tower.offset(north: 350, east: Double(count) * 10)
      let time = noon.advanced(bySeconds: Double(count))
      let fix = LocationFix(time: time, latitude: here.latitude, longitude: here.longitude)
      twins.evaluate(fix, isLive: false, now: time, "fix \(count)")
    }
    #expect(twins.count(.paced) > 1000)
  }

  @Test func `a visit forgotten after the clock is set back does not fire again`() {
    var settings = WatcherSettings.withoutRules
    settings.cooldownSeconds = 0
    settings.distanceFilterMeters = 0
    var twins = Twins([spot("a")], settings)
    let day = 86_400.0
    let steps: [(Double, Double)] = [(0, 0), (2 * day, 1), (1.5 * day, 2), (1.5 * day + 1, 3)]
    for (seconds, north) in steps {
      let here = Coordinate.tower.offset(north: north, east: 0)
      let now = noon.advanced(bySeconds: seconds)
      let fix = LocationFix(time: now, latitude: here.latitude, longitude: here.longitude)
      twins.evaluate(fix, isLive: true, now: now, "\(seconds) s")
    }
    #expect(twins.count(.notify) == 1)
  }
}
