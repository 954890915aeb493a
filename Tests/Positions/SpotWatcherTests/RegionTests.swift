import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

/// A watcher over one index, and one that is given only the spots around each device.
private struct RegionTwins {
  private(set) var whole: LocationWatcher
  private(set) var watcher: LocationWatcher
  private(set) var kinds: [WatcherDecision.Kind: Int] = [:]
  private(set) var fetchCount = 0
  /// The number of fixes that were undone and decided again.
  private(set) var undoneCount = 0
  private var index: SpotIndex
  private let places: [OwnPlace]

  init(_ index: SpotIndex, places: [OwnPlace] = [], _ settings: WatcherSettings) {
    self.index = index
    self.places = places
    whole = LocationWatcher(spots: index, settings: settings)
    watcher = LocationWatcher(
      allSpots: nil, settings: settings, state: WatcherState(keepsEvicted: false))
  }

  /// The spots of a query, and no others.
  private func spots(_ fetch: RegionFetch) -> FetchedRegion {
    let asked = JoinedSpots(
      index.withoutPlaces, with: places, clusterRadius: whole.settings.clusterRadiusMeters)
    return try! asked.region(of: fetch, clusterRadius: whole.settings.clusterRadiusMeters)
  }

  mutating func evaluate(_ fix: LocationFix, isLive: Bool, now: Instant, _ comment: Comment) {
    while let fetch = watcher.requiredFetch(for: fix, now: now) {
      fetchCount += 1
      watcher.setRegion(
        spots(fetch), of: fetch, for: fix.device, now: now,
        ownRadiusMeters: places.alertRadiusMeters(near: fetch.center))
    }
    let alerts = SharedAlerts(continuing: whole.state)
    watcher.setSharedAlerts(alerts)
    let decisions = watcher.evaluate(fix, now: now, isLive: isLive)
    let backups = watcher.takeBackups()
    if !backups.isEmpty {
      // As if the decisions could not be recorded.
      undoneCount += 1
      for before in backups { watcher.restore(before) }
      watcher.setSharedAlerts(alerts)
      #expect(watcher.evaluate(fix, now: now, isLive: isLive) == decisions, comment)
    }
    #expect(!backups.isEmpty || !decisions.contains { $0.kind.isAboutSpot }, comment)
    #expect(decisions == whole.evaluate(fix, now: now, isLive: isLive), comment)
    for decision in decisions { kinds[decision.kind, default: 0] += 1 }
  }

  mutating func tick(_ now: Instant, _ comment: Comment) {
    let before = (watcher.state.sharedFirings, watcher.state.alerts)
    let decisions = watcher.tick(now: now)
    for device in watcher.takeBackups() { watcher.restore(device) }
    (watcher.state.sharedFirings, watcher.state.alerts) = before
    #expect(watcher.tick(now: now) == decisions, comment)
    #expect(decisions == whole.tick(now: now), comment)
  }

  mutating func replace(_ settings: WatcherSettings) {
    watcher.replace(settings: settings)
    whole.replace(settings: settings)
  }
}

@Suite struct RegionTests {
  private static let origins = [
    Coordinate.tower, Coordinate(latitude: -16.8, longitude: 179.9995)!,
    Coordinate(latitude: 89.9985, longitude: 12)!, Coordinate(latitude: -90, longitude: 0)!,
  ]

  @Test(
    arguments: [1, 2, 3, 4] as [UInt64],
    Effort.inputs([10, 45, 100, 600] as [Double], quick: [100]))
  func `decisions with only the spots around each device equal those with all spots`(
    seed: UInt64, radius: Double
  ) {
    var settings = WatcherSettings.withoutRules
    settings.proximityRadiusMeters = radius
    settings.distanceFilterMeters = seed % 2 == 0 ? 0 : 10
    settings.dwellSeconds = seed == 3 ? 20 : 0
    settings.cooldownSeconds = seed == 1 ? 0 : 600
    settings.minimumIntervalSeconds = seed == 4 ? 0 : 30
    if seed == 2 { settings = WatcherSettings() }
    if seed == 3 { settings.rulesOff.remove(.jumps) }
    let origin = Self.origins[Int(seed) - 1]
    // With a small radius more of them, so that the devices come near some.
    let spotCount = radius < 45 ? 3000 : radius < 500 ? 300 : 100
    var twins = RegionTwins(
      SpotIndex(spots: scatteredSpots(spotCount, around: origin, reach: 1500, seed: seed)),
      settings)
    var wanderers = (0..<3).map { Wanderer(around: origin, seed: seed + 10 * $0) }
    var isLive = false
    let fixCount = Effort.isThorough ? 1500 : 1000
    for count in 0..<fixCount {
      let who = count / 7 % 3
      let fix = wanderers[who].next(device: "\(who)")
      let comment: Comment = "seed \(seed), radius \(radius), fix \(count)"
      if count % 500 == 499 { isLive.toggle() }
      let late = isLive ? (count % 100 == 50 ? 2000.0 : count == 700 ? -50 : 1) : 0
      let now = fix.time!.advanced(bySeconds: late)
      twins.evaluate(fix, isLive: isLive, now: now, comment)
      if count % 50 == 20 { twins.tick(now.advanced(bySeconds: 10), comment) }
      if count == 800 {
        settings.proximityRadiusMeters = min(2 * radius, 800)
        twins.replace(settings)
      }
    }
    #expect(twins.kinds[.notify, default: 0] > 0)
    #expect(twins.kinds[.exit, default: 0] + twins.kinds[.lapsed, default: 0] > 4)
    // Most fixes need no fetch, and many no copy of the device's state.
    #expect(twins.fetchCount < fixCount)
    #expect((10..<fixCount).contains(twins.undoneCount))
  }

  @Test(arguments: Effort.seeds(3))
  func `places alert within their own radius when spots are fetched by region`(
    seed: UInt64
  ) {
    var settings = WatcherSettings.withoutRules
    settings.distanceFilterMeters = 0
    settings.cooldownSeconds = 600
    var generator = SeededGenerator(seed: seed)
    let spots = scatteredSpots(200, around: .tower, reach: 1500, seed: seed)
    let places = (0..<40).map { number in
      let pinned = number % 3 == 0 ? spots[number] : nil
      let letters = Array("abcdefghjkmnpqrstvwxyz")
      return OwnPlace(
        id: String((0..<16).map { _ in letters.randomElement(using: &generator)! }),
        name: "place \(number)",
        coordinate: pinned?.coordinate
          ?? Coordinate.tower.offset(
            north: .random(in: -2500...2500, using: &generator),
            east: .random(in: -2500...2500, using: &generator)),
        alertRadiusMeters: number % 2 == 0
          ? .random(in: 10...(number < 4 ? 1500 : 300), using: &generator) : nil,
        pinnedSpotID: pinned?.id ?? (number % 7 == 1 ? "gone" : nil))
    }
    let index = SpotIndex(spots: spots).joined(
      with: places, clusterRadius: settings.clusterRadiusMeters)
    var twins = RegionTwins(index, places: places, settings)
    var wanderer = Wanderer(around: .tower, seed: seed)
    for count in 0..<1500 {
      let fix = wanderer.next(device: "phone")
      twins.evaluate(fix, isLive: false, now: fix.time!, "seed \(seed), fix \(count)")
    }
    #expect(twins.kinds[.notify, default: 0] > 10)
  }

  @Test func `the number of spots held for all devices is limited`() {
    // Denser than any cluster radius allows.
    var spots: [PhotoSpot] = []
    for number in 0..<4000 {
      let (north, east) = (Double(number % 63 - 31) * 10, Double(number / 63 - 31) * 10)
      spots.append(spot("s\(number)", at: Coordinate.tower.offset(north: north, east: east)))
    }
    let index = SpotIndex(spots: spots)
    var settings = WatcherSettings.withoutRules
    settings.proximityRadiusMeters = 10
    var watcher = LocationWatcher(
      allSpots: nil, settings: settings, state: WatcherState(keepsEvicted: false))
    var greatest = 0
    // The spots found at each of the 20 positions.
    var found: [Int: SpotIndex] = [:]
    for number in 0..<1600 {
      let here = Coordinate.tower.offset(north: Double(number % 5), east: Double(number % 4))
      let fix = LocationFix(
        time: noon, latitude: here.latitude, longitude: here.longitude, device: "d\(number)")
      guard let fetch = watcher.requiredFetch(for: fix, now: noon) else { continue }
      let held =
        found[number % 20]
        ?? SpotIndex(spots: index.spots(within: fetch.radiusMeters, of: here).map(\.spot))
      found[number % 20] = held
      watcher.setRegion(
        FetchedRegion(spots: held, reachMeters: fetch.radiusMeters), of: fetch, for: fix.device,
        now: noon)
      _ = watcher.evaluate(fix, now: noon, isLive: true)
      greatest = max(greatest, watcher.heldSpotCount)
      guard number % 100 == 99 else { continue }
      #expect(watcher.heldSpotCount == watcher.regions.reduce(0) { $0 + $1.spotCount })
    }
    #expect(greatest <= LocationWatcher.maximumHeldSpotCount)
    #expect(greatest > LocationWatcher.maximumHeldSpotCount / 2)
    // The number of such dense spots within the needed radius and the least slack, 117 m.
    let needed = watcher.regions.map(\.spotCount).max() ?? 0
    #expect(needed <= 440)
  }

  @Test func `spots are fetched again after ten minutes, although the held ones can still be used`()
  {
    var watcher = LocationWatcher(
      allSpots: nil, settings: .withoutRules, state: WatcherState(keepsEvicted: false))
    func fix(_ seconds: Double) -> LocationFix {
      LocationFix(
        time: noon.advanced(bySeconds: seconds), latitude: Coordinate.tower.latitude,
        longitude: Coordinate.tower.longitude, device: "phone")
    }
    let first = watcher.requiredFetch(for: fix(0), now: noon)
    #expect(first?.isNeeded == true)
    watcher.setRegion(
      FetchedRegion(spots: SpotIndex(spots: []), reachMeters: first!.radiusMeters), of: first!,
      for: "phone", now: noon)
    #expect(watcher.requiredFetch(for: fix(1), now: noon.advanced(bySeconds: 599)) == nil)
    let again = watcher.requiredFetch(for: fix(2), now: noon.advanced(bySeconds: 600))
    #expect(again?.isNeeded == false)
    // A new spot takes effect immediately.
    watcher.setRegion(
      FetchedRegion(spots: SpotIndex(spots: [spot("new")]), reachMeters: again!.radiusMeters),
      of: again!, for: "phone",
      now: noon.advanced(bySeconds: 600))
    let decisions = watcher.evaluate(
      fix(600), now: noon.advanced(bySeconds: 600), isLive: true)
    #expect(decisions.compactMap(\.notification?.spot.id) == ["new"])
  }
}
