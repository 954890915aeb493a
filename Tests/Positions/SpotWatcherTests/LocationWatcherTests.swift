import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

/// The movements of a device during a day, and the decisions about them.
@Suite struct LocationWatcherTests {
  @Test func `approaching a spot fires once, and standing still never repeats it`() {
    var scene = Scene([spot("a")]) { $0.cooldownSeconds = 0 }
    #expect(scene.fix(0, north: 500) == ["clear"])
    #expect(scene.fix(60, north: 200) == ["clear"])
    #expect(scene.fix(120, north: 95) == ["notify a"])
    #expect(scene.fix(180, north: 60) == ["inside a"])
    for minute in 4..<3000 {
      #expect(scene.fix(Double(minute) * 60, north: 60) == ["unmoved"])
    }
    #expect(scene.notifications.count == 1)
  }

  @Test func `the radius is inclusive, and the first fix can enter`() {
    let here = Coordinate.tower.offset(north: 100, east: 0)
    let distance = here.distance(to: .tower)
    var edge = Scene([spot("a")]) { $0.proximityRadiusMeters = distance }
    #expect(edge.fix(0, at: here) == ["notify a"])
    var beyond = Scene([spot("a")]) { $0.proximityRadiusMeters = distance.nextDown }
    #expect(beyond.fix(0, at: here) == ["clear"])
  }

  @Test func `moving across the radius within the exit distance neither exits nor enters again`() {
    var scene = Scene([spot("a")]) { $0.cooldownSeconds = 0 }
    #expect(scene.fix(0, north: 90) == ["notify a"])
    for step in 1...50 {
      let north = step.isMultiple(of: 2) ? 88.0 : 139.0
      let place = step.isMultiple(of: 2) ? "inside" : "leaving"
      #expect(scene.fix(Double(step) * 30, north: north) == ["\(place) a"])
    }
  }

  @Test func `two consecutive fixes beyond the exit distance are an exit, one is not`() {
    var scene = Scene([spot("a")]) {
      $0.cooldownSeconds = 0
      $0.minimumIntervalSeconds = 0
    }
    #expect(scene.fix(0, north: 0) == ["notify a"])
    #expect(scene.fix(60, north: 145) == ["leaving a"])
    #expect(scene.fix(120, north: 130) == ["leaving a"])
    #expect(scene.fix(180, north: 145) == ["leaving a"])
    #expect(scene.fix(240, north: 160) == ["exit a"])
    #expect(scene.fix(300, north: 99) == ["notify a"])
  }

  @Test func `position jitter of a device at rest causes no decision`() {
    var scene = Scene([spot("a")]) { $0.cooldownSeconds = 0 }
    var generator = SeededGenerator(seed: 5)
    #expect(scene.fix(0, north: 50) == ["notify a"])
    for second in 1...500 {
      let decisions = scene.fix(
        Double(second) * 10, north: 50 + .random(in: -6...6, using: &generator),
        east: .random(in: -6...6, using: &generator))
      #expect(decisions == ["unmoved"])
    }
  }

  @Test func `a spot passed in a gap of 110 s and 3 km does not fire`() {
    var scene = Scene([spot("a")])
    #expect(scene.fix(0, north: -1500) == ["clear"])
    #expect(scene.fix(110, north: 1500) == ["clear"])
  }

  @Test func `a spot beyond the antimeridian is entered`() {
    var direct = Scene([spot("a", at: Coordinate(latitude: 0, longitude: -180)!)])
    #expect(direct.fix(0, at: Coordinate(latitude: 0, longitude: 179.9995)!) == ["notify a"])
  }

  @Test func `spots of one viewpoint share a notification, and the best is shown`() {
    let others = [
      spot("b", at: Coordinate.tower.offset(north: 28, east: 0), photos: 30),
      spot("c", at: Coordinate.tower.offset(north: -32, east: 0), photos: 99),
    ]
    var scene = Scene([spot("a")] + others) { $0.minimumIntervalSeconds = 0 }
    _ = scene.fix(0, north: -500)
    #expect(scene.fix(60, north: 10, east: 40) == ["notify b", "alsoNear a"])
    #expect(scene.notifications[0].alsoNear.map(\.id) == ["a"])
    // Both are in their cooldown, and the third was left before its turn came.
    _ = scene.fix(600, north: 36, east: -500)
    _ = scene.fix(660, north: 36, east: -520)
    #expect(scene.fix(720, north: 0, east: -50) == ["notify c", "cooldown a", "cooldown b"])
  }

  @Test func `a muted spot of a viewpoint is not named`() {
    let other = spot("b", at: Coordinate.tower.offset(north: 20, east: 0), photos: 30)
    var scene = Scene([spot("a"), other]) {
      $0.mutedSpots = [MutedSpot(spotID: "b", center: other.coordinate, until: nil)]
    }
    #expect(scene.fix(0) == ["notify a"])
    #expect(scene.notifications[0].alsoNear.isEmpty)
  }

  @Test func `the nearest spot fires first, and spots with equal photos are ordered by id`() {
    var scene = Scene([
      spot("a", at: Coordinate.tower.offset(north: 20, east: 0), photos: 5),
      spot("b", at: Coordinate.tower.offset(north: -20, east: 5), photos: 5),
      spot("c", at: Coordinate.tower.offset(north: 12, east: 0), photos: 5),
      spot("d", at: Coordinate.tower.offset(north: 0, east: -91), photos: 99),
    ])
    #expect(scene.fix(0) == ["notify a", "alsoNear c"])
    #expect(scene.fix(10, north: 12) == ["paced b", "paced d"])
  }

  @Test func `fixes older than the last one change nothing`() {
    var scene = Scene([spot("a")])
    #expect(scene.fix(600, north: 2000) == ["clear"])
    for second in stride(from: 0.0, through: 600, by: 60) {
      #expect(scene.fix(second, north: 10) == ["late"])
    }
    #expect(scene.fix(660, north: 1500) == ["clear"])
  }

  @Test func `an old live fix enters or leaves without firing, and the next fresh fix fires`() {
    var scene = Scene([spot("a")])
    scene.isLive = true
    scene.clockSkew = 901
    #expect(scene.fix(0, north: 50) == ["stale"])
    scene.clockSkew = 5
    #expect(scene.fix(1000, north: 70) == ["notify a"])
    scene.clockSkew = 900
    #expect(scene.fix(2000, north: 500) == ["leaving a"])
    #expect(scene.fix(2060, north: 550) == ["exit a"])
    scene.clockSkew = 901
    #expect(scene.fix(90_000, north: 90) == ["stale"])
    #expect(scene.fix(90_060, north: 500) == ["stale"])
    #expect(scene.fix(90_120, north: 550) == ["stale", "exit a"])
  }

  @Test func `a fix without a valid position or time is invalid`() {
    var scene = Scene([spot("a")])
    func decide(_ fix: LocationFix, now: Instant = noon) -> [WatcherDecision.Kind] {
      scene.watcher.evaluate(fix, now: now, isLive: true).map(\.kind)
    }
    #expect(decide(LocationFix(time: noon, latitude: 0, longitude: 0)) == [.invalid])
    #expect(decide(LocationFix(time: noon, latitude: 91, longitude: 0)) == [.invalid])
    #expect(decide(LocationFix(time: noon, latitude: .nan, longitude: 0)) == [.invalid])
    #expect(decide(LocationFix(time: nil, latitude: 48.8584, longitude: 2.2945)) == [.invalid])
    let ahead = LocationFix(
      time: noon.advanced(bySeconds: 60.001), latitude: 48.8584, longitude: 2.2945)
    #expect(decide(ahead) == [.invalid])
    #expect(decide(ahead, now: noon.advanced(bySeconds: 0.001)) == [.notify])
  }

  @Test func `a fix above the accuracy limit is rejected, one of unknown accuracy is accepted`() {
    var scene = Scene([spot("a")])
    #expect(scene.fix(0, accuracy: 101) == ["inaccurate"])
    #expect(scene.fix(1, accuracy: 100) == ["notify a"])
    var unknown = Scene([spot("a")])
    #expect(unknown.fix(0) == ["notify a"])
  }

  @Test func `the cooldown starts when a spot fires, and suppressed visits do not extend it`() {
    var scene = Scene([spot("a")])
    func visit(_ hours: Double) -> [String] {
      _ = scene.fix(hours * 3600 - 120, north: 600)
      _ = scene.fix(hours * 3600 - 60, north: 500)
      return scene.fix(hours * 3600, north: 10)
    }
    #expect(visit(1) == ["notify a"])
    #expect(visit(13) == ["cooldown a"])
    #expect(visit(24.9) == ["cooldown a"])
    #expect(visit(25) == ["notify a"])
    #expect(visit(26) == ["cooldown a"])
  }

  @Test func `an entry within the minimum interval fires when the interval is over`() {
    var scene = Scene([spot("a"), spot("b", at: Coordinate.tower.offset(north: 400, east: 0))])
    #expect(scene.fix(0) == ["notify a"])
    #expect(scene.fix(120, north: 350) == ["paced b"])
    #expect(scene.fix(180, north: 370) == ["exit a"])
    #expect(scene.fix(240, north: 385) == ["inside b"])
    #expect(scene.fix(299.9, north: 386) == ["unmoved"])
    // The spots around are looked up again five seconds later.
    #expect(scene.fix(300, north: 386) == ["unmoved"])
    #expect(scene.fix(304.9, north: 386) == ["unmoved", "notify b"])
    #expect(scene.fix(400, north: 395) == ["inside b"])
  }

  @Test func `a waiting entry lapses when the device leaves, without a cooldown`() {
    var scene = Scene([spot("a"), spot("b", at: Coordinate.tower.offset(north: 400, east: 0))])
    #expect(scene.fix(0) == ["notify a"])
    #expect(scene.fix(120, north: 350) == ["paced b"])
    #expect(scene.fix(180, north: 700) == ["exit a"])
    #expect(scene.fix(400, north: 750) == ["lapsed b"])
    // The entry did not fire, so the spot has no cooldown.
    #expect(scene.fix(500, north: 450) == ["notify b"])
  }

  @Test func `time alone fires nothing`() {
    var scene = Scene([spot("a"), spot("b", at: Coordinate.tower.offset(north: 400, east: 0))])
    scene.isLive = true
    #expect(scene.fix(0) == ["notify a"])
    #expect(scene.fix(120, north: 350) == ["paced b"])
    #expect(!scene.watcher.hasTimers)
    #expect(scene.tick(400) == [])
    #expect(scene.fix(1100, north: 361) == ["exit a", "notify b"])
  }

  @Test func `with a dwell time an entry fires only after staying that long`() {
    var scene = Scene([spot("a")]) { $0.dwellSeconds = 120 }
    #expect(scene.fix(0, north: 90) == ["dwelling a"])
    #expect(scene.fix(60, north: 60) == ["inside a"])
    #expect(scene.fix(119, north: 61) == ["unmoved"])
    #expect(scene.fix(124, north: 61) == ["unmoved", "notify a"])
    var passing = Scene([spot("a")]) { $0.dwellSeconds = 120 }
    #expect(passing.fix(0, north: 90) == ["dwelling a"])
    #expect(passing.fix(100, north: 200) == ["leaving a"])
    #expect(passing.fix(200, north: 300) == ["lapsed a"])
  }

  @Test(arguments: [
    ("2026-11-20T21:59:59.999Z", "notify a"), ("2026-11-20T22:00:00Z", "quiet a"),
    ("2026-11-21T00:00:00Z", "quiet a"), ("2026-11-21T06:59:59.999Z", "quiet a"),
    ("2026-11-21T07:00:00Z", "notify a"),
  ])
  func `quiet hours span midnight in local time`(time: String, decision: String) {
    for offset in [0, 60, -300, 765] {
      var scene = Scene([spot("a")], localClock: .fixed(utcOffsetMinutes: offset)) {
        $0.quietHours = QuietHours("22:00-07:00")
      }
      scene.start = Instant(iso8601: time)!.advanced(bySeconds: Double(-offset * 60))
      #expect(scene.fix(0) == [decision], "offset \(offset)")
    }
  }

  @Test func `quiet hours can be in a named time zone with daylight-saving time`() throws {
    let paris = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
    for (time, decision) in [
      ("2026-07-01T04:59:59Z", "quiet a"), ("2026-07-01T05:00:00Z", "notify a"),
      ("2026-12-01T05:59:59Z", "quiet a"), ("2026-12-01T06:00:00Z", "notify a"),
    ] {
      // The watcher's local clock, of another zone, has no effect.
      var scene = Scene([spot("a")], localClock: .fixed(utcOffsetMinutes: 600)) {
        $0.quietHours = QuietHours("22:00-07:00")
        $0.quietHoursZone = paris
      }
      scene.start = try #require(Instant(iso8601: time))
      #expect(scene.fix(0) == [decision], "\(time)")
    }
  }

  @Test func `quiet hours are parsed as hours and minutes only`() {
    #expect(QuietHours("22:00-07:00")?.description == "22:00-07:00")
    #expect(QuietHours("9:05-17:30")?.contains(minute: 545) == true)
    for text in [
      "", "22-7", "22:00", "24:00-07:00", "22:60-07:00", "1:00-1:00", "-1:00-2:00", "+1:00-2:00",
    ] {
      #expect(QuietHours(text) == nil, "\(text)")
    }
  }

  @Test func `nothing fires in a muted zone`() {
    var scene = Scene([spot("a")]) {
      $0.mutedZones = [
        MutedZone(center: Coordinate.tower.offset(north: 150, east: 0), radiusMeters: 80)
      ]
    }
    #expect(scene.fix(0, north: 80) == ["muted a"])
    // The zone that decided is known, not only that there is one.
    #expect(scene.last[0].mutedZone == Coordinate.tower.offset(north: 150, east: 0))
    #expect(
      scene.last[0].reason { _ in "home" } == "the muted zone of 80 m around home applies there")
    var outside = Scene([spot("a")]) {
      $0.mutedZones = [
        MutedZone(center: Coordinate.tower.offset(north: 150, east: 0), radiusMeters: 60)
      ]
    }
    #expect(outside.fix(0, north: 80) == ["notify a"])
  }

  @Test
  func `a mute suppresses its spot until it ends, also if the spot's id changes`() {
    let muted = MutedSpot(
      spotID: "a", center: Coordinate.tower.offset(north: 25, east: 0),
      until: noon.advanced(bySeconds: 3600))
    var scene = Scene([spot("a")]) {
      $0.mutedSpots = [muted]
      $0.minimumIntervalSeconds = 0
    }
    #expect(scene.fix(0, north: 50) == ["muted a"])
    #expect(scene.last[0].reason == "it is muted")
    _ = scene.fix(60, north: 400)
    #expect(scene.fix(120, north: 420) == ["exit a"])
    // A new spot 25 m from the muted centre is not muted, one within 15 m is.
    scene.watcher.replace(spots: SpotIndex(spots: [spot("b")]))
    #expect(scene.fix(180, north: 50) == ["notify b"])
    _ = scene.fix(240, north: 400)
    _ = scene.fix(300, north: 420)
    scene.watcher.replace(
      spots: SpotIndex(spots: [spot("c", at: Coordinate.tower.offset(north: 38, east: 0))]))
    #expect(scene.fix(360, north: 50) == ["muted c"])
    _ = scene.fix(3500, north: 400)
    _ = scene.fix(3560, north: 420)
    #expect(scene.fix(3600, north: 50) == ["notify c"])
  }

  @Test func `a quarter of a daily budget is for what is walked past, all of it for stops`() {
    let spots = (0..<7).map { number in
      spot("s\(number)", at: Coordinate.tower.offset(north: Double(number) * 2000, east: 0))
    }
    var scene = Scene(spots, localClock: .fixed(utcOffsetMinutes: 600)) {
      $0.dailyBudget = 8
    }
    // A spot every quarter of an hour from 22:00 local time on; the last one after midnight.
    var kinds: [String] = []
    for index in spots.indices {
      let seconds = Double(index) * 900 + (index == 6 ? 3600 : 0)
      // From the fourth on, the device stays for a while.
      for wait in index >= 3 ? [0.0, 60, 130] : [0] {
        kinds += scene.fix(seconds + wait, north: Double(index) * 2000 + wait / 10)
          .filter { $0.hasPrefix("notify") || $0.hasPrefix("over") }
      }
      _ = scene.fix(seconds + 400, north: Double(index) * 2000 + 500)
      _ = scene.fix(seconds + 430, north: Double(index) * 2000 + 520)
    }
    #expect(
      kinds == [
        "notify s0", "notify s1", "overBudget s2",
        "overBudget s3", "notify s3", "overBudget s4", "notify s4", "overBudget s5", "notify s5",
        "notify s6",
      ])
  }

  @Test func `new spots are found by the next fix, although the device has not moved`() {
    var scene = Scene([])
    #expect(scene.fix(0, north: 50) == ["clear"])
    #expect(scene.fix(1, north: 51) == ["unmoved"])
    scene.watcher.replace(spots: SpotIndex(spots: [spot("a")]))
    #expect(scene.fix(2, north: 51) == ["unmoved", "notify a"])
  }

  @Test func `replaced settings apply from the next fix on`() {
    var scene = Scene([spot("a")]) { $0.areNotificationsEnabled = false }
    #expect(scene.fix(0, north: 50) == ["disabled a"])
    _ = scene.fix(60, north: 400)
    _ = scene.fix(120, north: 420)
    scene.watcher.replace(settings: .withoutRules)
    #expect(scene.fix(180, north: 50) == ["notify a"])
  }

  @Test func `a spot fires only if a photo is undated or old enough`() {
    let yesterday = "2026-11-19T12:00:00.001Z"
    var young = Scene([spot("a", first: yesterday, last: yesterday)])
    #expect(young.fix(0) == ["tooRecent a"])
    var old = Scene([spot("a", first: "2026-11-19T12:00:00Z", last: yesterday)])
    #expect(old.fix(0) == ["notify a"])
    var undated = Scene([spot("a", undated: 1, first: yesterday, last: yesterday)])
    #expect(undated.fix(0) == ["notify a"])
    var anyAge = Scene([spot("a", first: "2026-11-20T20:00:00Z")]) { $0.minimumPhotoAgeSeconds = 0 }
    #expect(anyAge.fix(0) == ["notify a"])
  }

  @Test func `photos taken after the fix are too recent, unless later photos are allowed`() throws {
    let later = "2029-11-20T12:00:00Z"
    var asOfThen = Scene([spot("a", first: later, last: later)])
    #expect(asOfThen.fix(0) == ["tooRecent a"])
    #expect(asOfThen.last[0].reason == "its photos were taken later")
    var asOfNow = Scene([spot("a", first: later, last: later)]) { $0.refusesLaterPhotos = false }
    #expect(asOfNow.fix(0) == ["notify a"])
    let yesterday = "2026-11-19T12:00:00.001Z"
    var young = Scene([spot("a", first: yesterday, last: later)]) { $0.refusesLaterPhotos = false }
    #expect(young.fix(0) == ["tooRecent a"])
  }

  @Test func `restoring a device's state undoes the last fix`() {
    var watcher = LocationWatcher(
      allSpots: SpotIndex(spots: [spot("a")]), settings: .withoutRules, state: WatcherState())
    let fix = LocationFix(
      time: noon, latitude: Coordinate.tower.latitude, longitude: Coordinate.tower.longitude)
    let decisions = watcher.evaluate(fix, now: noon, isLive: true)
    #expect(decisions.map(\.kind) == [.notify])
    let before = watcher.takeBackups()
    #expect(watcher.evaluate(fix, now: noon, isLive: true).map(\.kind) == [.late])
    for device in before { watcher.restore(device) }
    #expect(watcher.evaluate(fix, now: noon, isLive: true) == decisions)
  }

  @Test func `a favourites-only setting filters spots, and notifications can be disabled`() {
    var plain = Scene([spot("a")]) { $0.isFavoritesOnly = true }
    #expect(plain.fix(0) == ["filtered a"])
    var favorite = Scene([spot("a", favorites: 1)]) { $0.isFavoritesOnly = true }
    #expect(favorite.fix(0) == ["notify a"])
    var off = Scene([spot("a", favorites: 1)]) { $0.areNotificationsEnabled = false }
    #expect(off.fix(0) == ["disabled a"])
  }

  @Test func `a recently recreated spot is silent for the recreation interval`() {
    for (seconds, expected) in [
      (-99.0, "recreated a"), (0, "recreated a"), (60, "recreated a"), (61, "notify a"),
      (-100, "notify a"),
    ] {
      var scene = Scene([spot("a")]) {
        $0.recreationIntervalSeconds = 100
        $0.recreatedSpots = ["a": noon.advanced(bySeconds: seconds)]
      }
      #expect(scene.fix(0) == [expected], "\(seconds)")
    }
    var other = Scene([spot("a")]) {
      $0.recreationIntervalSeconds = 100
      $0.recreatedSpots = ["b": noon]
    }
    #expect(other.fix(0) == ["notify a"])
    var off = Scene([spot("a")]) {
      $0.recreationIntervalSeconds = 0
      $0.recreatedSpots = ["a": noon]
    }
    #expect(off.fix(0) == ["notify a"])
    let year = 365.25 * 86_400
    for (age, expected) in [(year - 1, "recreated a"), (year + 1, "notify a")] {
      var ordinary = Scene([spot("a")]) {
        $0.recreatedSpots = ["a": noon.advanced(bySeconds: -age)]
      }
      #expect(ordinary.fix(0) == [expected], "a year by default")
    }
  }

  @Test func `each device has its own visits and cooldowns`() {
    var scene = Scene([spot("a")])
    #expect(scene.fix(0, north: 50, device: "phone") == ["notify a"])
    #expect(scene.fix(0, north: 5000, device: "watch") == ["clear"])
    #expect(scene.fix(1, north: 55, device: "phone") == ["unmoved"])
    #expect(scene.fix(130, north: 40, device: "watch") == ["notify a"])
    #expect(scene.fix(131, north: 40) == ["notify a"])
    #expect(Set(scene.notifications.map(\.id)).count == 3)
  }

  @Test func `the number of remembered devices is limited`() {
    var scene = Scene([spot("a")])
    for number in 0..<(WatcherState.maximumDeviceCount + 100) {
      _ = scene.fix(Double(number), north: 500, device: "device \(number)")
    }
    #expect(scene.watcher.state.devices.count == WatcherState.maximumDeviceCount)
    // The oldest were forgotten, the latest were not.
    #expect(scene.fix(9000, north: 510, device: "device 99") == ["clear"])
    #expect(scene.fix(9000, north: 510, device: "device 4000") == ["unmoved"])
  }

  @Test func `many new devices do not reset the visit or cooldown of an evicted one`() {
    var scene = Scene([spot("a")])
    #expect(scene.fix(0, north: 50, device: "phone") == ["notify a"])
    for number in 0..<(2 * WatcherState.maximumDeviceCount) {
      _ = scene.fix(1 + Double(number) / 1000, north: 50_000, device: "x\(number)")
    }
    #expect(scene.watcher.state.slots.slot(of: "phone") == nil)
    // Still the same visit, and the next one is in the cooldown.
    #expect(scene.fix(20, north: 50, device: "phone") == ["inside a"])
    #expect(scene.fix(80, north: 300, device: "phone") == ["leaving a"])
    #expect(scene.fix(140, north: 500, device: "phone") == ["exit a"])
    #expect(scene.fix(200, north: 50, device: "phone") == ["cooldown a"])
  }

  @Test func `evicted devices are forgotten when their cooldowns are over`() {
    var scene = Scene([spot("a")]) {
      $0.maximumAlertsPerMinute = nil
      // Otherwise each alert is compared with a thousand of other devices.
      $0.sharedIntervalSeconds = 0
    }
    func visit(_ count: Int, of name: String, from seconds: Double) {
      for number in 0..<count {
        _ = scene.fix(seconds + Double(number), north: 50, device: "\(name)\(number)")
      }
    }
    visit(WatcherState.maximumDeviceCount + 3000, of: "x", from: 0)
    #expect(scene.watcher.state.evicted.count == 3000)
    visit(WatcherState.maximumDeviceCount + 3000, of: "y", from: 4 * 86_400)
    #expect(scene.watcher.state.evicted.count <= 4096 + 3000)
    #expect(scene.watcher.state.evicted["x0"] == nil)
  }

  @Test func `adding a device takes a constant number of steps`() {
    var scene = Scene([spot("a")])
    for number in 0..<WatcherState.maximumDeviceCount {
      _ = scene.fix(0, north: 500, device: "\(number)")
    }
    let before = scene.watcher.state.slots.stepCount
    for number in 0..<5000 { _ = scene.fix(1, north: 500, device: "x\(number)") }
    #expect(scene.watcher.state.slots.stepCount - before <= 5 * 5000)
  }

  @Test func `each evicted device is examined at most twice on average`() {
    var state = WatcherState()
    let count = 4000
    for number in 0..<WatcherState.maximumDeviceCount + count {
      // Further apart than the shared interval of devices carried together.
      let seconds = Double(number) * 100_000
      state.restoreFiring(of: notification(seconds, device: "\(number)"))
      state.dropEvicted(cooldownSeconds: 1e12, now: noon.advanced(bySeconds: seconds))
    }
    #expect(state.evicted.count == count)
    #expect(state.evictionStepCount > 0 && state.evictionStepCount <= 2 * count)
  }

  @Test func `the limit of alerts per minute applies to all devices together`() {
    var scene = Scene([spot("a")]) { $0.maximumAlertsPerMinute = 3 }
    let first = (0..<5).map { scene.fix(Double($0), north: 50, device: "x\($0)") }
    #expect(
      first == [["notify a"], ["notify a"], ["notify a"], ["overRate a"], ["overRate a"]])
    #expect(scene.last.first?.figure == 3 && scene.last.first?.limit == 3)
    #expect(scene.last.first?.reason.contains("3 alerts a minute") == true)
    #expect(scene.fix(59.9, north: 50, device: "y") == ["overRate a"])
    #expect(scene.fix(60, north: 50, device: "z") == ["notify a"])
    #expect(scene.fix(60.5, north: 50, device: "tablet") == ["overRate a"])
  }

  @Test func `alerts of another hour do not count towards the limit per minute`() {
    var scene = Scene([spot("a")]) { $0.maximumAlertsPerMinute = 2 }
    #expect(scene.fix(3600, north: 50, device: "x") == ["notify a"])
    #expect(scene.fix(0, north: 50, device: "late") == ["notify a"])
    #expect(scene.fix(3610, north: 50, device: "y") == ["notify a"])
    #expect(scene.fix(3620, north: 50, device: "z") == ["overRate a"])
  }

  @Test func `a single device can use at most half of the alerts per minute`() {
    let spots = (0..<4).map {
      spot("s\($0)", at: Coordinate.tower.offset(north: Double(400 * $0), east: 0))
    }
    var scene = Scene(spots) {
      $0.maximumAlertsPerMinute = 3
      ($0.minimumIntervalSeconds, $0.townIntervalSeconds) = (0, 0)
    }
    let busy = (0..<4).map { scene.fix(Double(10 * $0), north: Double(400 * $0), device: "busy") }
    #expect(busy.map(\.last) == ["notify s0", "notify s1", "overRate s2", "overRate s3"])
    #expect(scene.fix(30, north: 0, device: "quiet") == ["notify s0"])
  }

  @Test func `visits and cooldowns survive an index rebuilt with other spot ids`() {
    var scene = Scene([spot("a")])
    #expect(scene.fix(0, north: 50) == ["notify a"])
    let moved = Coordinate.tower.offset(north: 14, east: 0)
    scene.watcher.replace(spots: SpotIndex(spots: [spot("z", at: moved)]))
    #expect(scene.fix(400, north: 70) == ["inside z"])
    #expect(scene.fix(460, north: 300) == ["leaving z"])
    #expect(scene.fix(520, north: 400) == ["exit z"])
    #expect(scene.fix(580, north: 50) == ["cooldown z"])
    let elsewhere = Coordinate.tower.offset(north: 31, east: 0)
    scene.watcher.replace(spots: SpotIndex(spots: [spot("y", at: elsewhere)]))
    #expect(scene.fix(640, north: 65) == ["notify y"])
  }

  @Test func `a clock that jumps back neither blocks alerts for ever nor repeats them`() {
    var scene = Scene([spot("a"), spot("b", at: Coordinate.tower.offset(north: 1000, east: 0))])
    scene.isLive = true
    #expect(scene.fix(0, north: 50) == ["notify a"])
    // An hour back: the cooldown still applies.
    #expect(scene.fix(-3600, north: 300) == ["leaving a"])
    #expect(scene.fix(-3540, north: 500) == ["exit a"])
    #expect(scene.fix(-3480, north: 50) == ["cooldown a"])
    // Others are held back only by an alert within the interval.
    #expect(scene.fix(-3000, north: 950) == ["notify b"])
  }

  @Test(arguments: [0.0, 86_400]) func `a restart continues a recent visit, but not an old one`(
    cooldown: Double
  ) {
    var first = Scene([spot("a")]) { $0.cooldownSeconds = cooldown }
    #expect(first.fix(0) == ["notify a"])
    var state = WatcherState()
    for notification in first.notifications { state.restoreFiring(of: notification) }
    var soon = Scene([spot("a")], state: state) { $0.cooldownSeconds = cooldown }
    #expect(soon.fix(1800) == ["inside a"])
    var nextWeek = Scene([spot("a")], state: state) { $0.cooldownSeconds = cooldown }
    #expect(nextWeek.fix(7 * 86_400) == ["notify a"])
  }

  @Test func `the same feed gives the same decisions`() {
    func run() -> [WatcherDecision] {
      var generator = SeededGenerator(seed: 77)
      let spots = (0..<60).map { number in
        spot(
          "s\(number)",
          at: Coordinate.tower.offset(
            north: .random(in: -900...900, using: &generator),
            east: .random(in: -900...900, using: &generator)))
      }
      var scene = Scene(spots) { $0.cooldownSeconds = 600 }
      return (0..<2000).flatMap { step -> [WatcherDecision] in
        _ = scene.fix(
          Double(step) * 20, north: .random(in: -900...900, using: &generator),
          east: .random(in: -900...900, using: &generator))
        return scene.last
      }
    }
    let first = run()
    #expect(first == run())
    #expect(first.contains { $0.kind == .notify })
  }

  @Test func `a decision is written to JSON with its figures`() {
    var scene = Scene([spot("a")])
    _ = scene.fix(0, accuracy: 150, device: "phone")
    var writer = JSONWriter()
    scene.last[0].write(to: &writer)
    #expect(
      writer.text.hasPrefix(
        #"{"decision":"inaccurate","time":"2026-11-20T12:00:00.000Z","device":"phone","#
          + #""horizontalAccuracy":150,"maximumAccuracy":100,"accuracyClass":"poor","fix":{"time":"#
      ),
      "\(writer.text)")
  }

  @Test func `an accuracy in metres maps to its class`() {
    let classes = [0.1, 4.9, 5, 10, 14.9, 15, 20, 5000].map { AccuracyClass(meters: $0) }
    #expect(
      classes
        == [.excellent, .excellent, .good, .acceptable, .acceptable, .marginal, .poor, .poor])
    #expect(LocationFix(time: nil, latitude: 0, longitude: 0).accuracyClass == nil)
  }
}
