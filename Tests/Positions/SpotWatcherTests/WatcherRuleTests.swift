import CivilTime
import Encodings
import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

/// The decisions of each rule against excessive alerts.
@Suite struct WatcherRuleTests {
  private func scene(
    _ rule: WatcherRule, _ spots: [PhotoSpot] = [spot("a")],
    change: (inout WatcherSettings) -> Void = { _ in }
  ) -> Scene {
    Scene(spots) {
      $0 = .with(rule)
      change(&$0)
    }
  }

  private func spot2(_ id: String, north: Double, east: Double = 0) -> PhotoSpot {
    spot(id, at: Coordinate.tower.offset(north: north, east: east))
  }

  // MARK: - Vehicles

  /// Rides to 80 m before the spot, at 72 km/h.
  private func ride(change: (inout WatcherSettings) -> Void = { _ in }) -> Scene {
    var scene = scene(.vehicles, change: change)
    for second in stride(from: 0.0, to: 60, by: 5) {
      _ = scene.fix(second, north: second * 20 - 1280, speed: 20)
    }
    #expect(scene.fix(60, north: -80, speed: 20) == ["tooFast a"])
    return scene
  }

  @Test func `a spot entered in a vehicle fires once the device has stood for a while`() throws {
    var scene = ride()
    #expect(scene.last[0].figure.map { abs($0 - 72) < 5 } == true && scene.last[0].limit == 25)
    var fired: Double?
    for second in stride(from: 65.0, through: 400, by: 5) where fired == nil {
      let decisions = scene.fix(
        second, north: -30 + second.truncatingRemainder(dividingBy: 2), speed: 0.3)
      if decisions.contains("notify a") { fired = second }
    }
    #expect(try (80...240).contains(#require(fired)))
  }

  @Test func `time alone ends no ride`() {
    var scene = ride()
    scene.isLive = true
    _ = scene.fix(65, north: -30, speed: 1)
    for second in stride(from: 70.0, through: 395, by: 5) { #expect(scene.tick(second) == []) }
    _ = scene.fix(400, north: 3600, speed: 1)
    _ = scene.fix(430, north: 3610, speed: 1)
    #expect(scene.notifications.isEmpty)
  }

  @Test func `passing a spot in a vehicle does not fire, even with a stop at a red light`() {
    var scene = ride()
    for second in stride(from: 65.0, through: 100, by: 5) {
      _ = scene.fix(second, north: -30, speed: 0.1)
    }
    for second in stride(from: 105.0, through: 150, by: 5) {
      _ = scene.fix(second, north: (second - 103) * 15 - 30, speed: 15)
    }
    #expect(scene.notifications.isEmpty)
    #expect(scene.last.first?.kind == .clear)
  }

  @Test func `an unreported speed is estimated from the positions`() {
    var fast = scene(.vehicles)
    var decisions: [String] = []
    for second in stride(from: 0.0, through: 300, by: 10) {
      decisions += fast.fix(second, north: second * 15 - 3000)
    }
    #expect(decisions.contains("tooFast a"))
    #expect(fast.notifications.isEmpty)
    var slow = scene(.vehicles)
    for second in stride(from: 0.0, through: 300, by: 10) {
      _ = slow.fix(second, north: second * 1.4 - 300)
    }
    #expect(slow.notifications.count == 1)
  }

  @Test func `identical fixes after a ride do not count as slow`() {
    var scene = ride()
    for second in stride(from: 65.0, to: 600, by: 5) {
      #expect(scene.fix(second, north: -80, speed: 0) == ["unmoved"])
    }
    // The fixes change again: the device has arrived.
    for second in stride(from: 600.0, to: 900, by: 5) {
      _ = scene.fix(second, north: -60 + second.truncatingRemainder(dividingBy: 2), speed: 0.5)
    }
    #expect(scene.notifications.count == 1)
  }

  // MARK: - Routine

  @Test func `the silence starts at the last presence and grows with the days there`() {
    var scene = scene(.routine)
    /// Arrives at an hour and stays for two hours.
    func visit(_ hours: Double) -> [String] {
      _ = scene.fix(hours * 3600 - 120, north: 600)
      _ = scene.fix(hours * 3600 - 60, north: 500)
      let decisions = scene.fix(hours * 3600, north: 10)
      _ = scene.fix((hours + 2) * 3600, north: 20)
      _ = scene.fix((hours + 2) * 3600 + 60, north: 400)
      _ = scene.fix((hours + 2) * 3600 + 120, north: 600)
      return decisions
    }
    #expect(visit(0) == ["notify a"])
    #expect(visit(25) == ["familiar a"])
    // Visited on two days, until 27 h: silent for four days.
    #expect(visit(50) == ["familiar a"])
    // Visited on three days, until 52 h: silent for nine days.
    var early = scene
    #expect(early.fix((52 + 215) * 3600, north: 10) == ["familiar a"])
    #expect(early.last.first?.limit == 777_600 && early.last.first?.days == 3)
    #expect(visit(52 + 217) == ["notify a"])
  }

  @Test func `a second visit two days later fires`() {
    var scene = scene(.routine)
    #expect(scene.fix(0) == ["notify a"])
    _ = scene.fix(3600, north: 500)
    _ = scene.fix(3660, north: 600)
    #expect(scene.fix(2 * 86_400) == ["notify a"])
  }

  // MARK: - Towns, siblings

  @Test func `alerts within a town are 15 min apart, elsewhere 5 min`() {
    var scene = scene(.towns, [spot("a"), spot2("b", north: 400), spot2("c", north: 1100)])
    #expect(scene.fix(0) == ["notify a"])
    #expect(scene.fix(200, north: 390) == ["paced b"])
    #expect(scene.last[0].limit == 900)
    _ = scene.fix(301, north: 380)
    #expect(scene.notifications.count == 1, "b is in the town of a")
    #expect(scene.fix(320, north: 1090).contains("notify c"))
    // Who stops there waits five minutes, not fifteen.
    var staying = self.scene(.towns, [spot("a"), spot2("b", north: 400)])
    #expect(staying.fix(0) == ["notify a"])
    #expect(staying.fix(200, north: 390) == ["paced b"])
    #expect(staying.fix(290, north: 391) == ["unmoved", "exit a"])
    #expect(staying.fix(330, north: 391) == ["unmoved", "notify b"])
    var walking = self.scene(.towns, [spot("a"), spot2("b", north: 400)])
    #expect(walking.fix(0) == ["notify a"])
    #expect(walking.fix(200, north: 330) == ["paced b"])
    _ = walking.fix(310, north: 390)
    _ = walking.fix(420, north: 450)
    #expect(walking.notifications.count == 1)
  }

  @Test func `an alert of a clock that was ahead holds back others only within its pause`() {
    let spots = [spot("a"), spot2("b", north: 400), spot2("c", north: 1100)]
    var scene = scene(.towns, spots)
    scene.isLive = true
    #expect(scene.fix(4 * 365 * 86_400) == ["notify a"])
    #expect(scene.fix(0, north: 390).contains("notify b"))
    // The pauses between alerts of the right clock hold as ever.
    #expect(scene.fix(200, north: 1090).contains("paced c"))
    #expect(scene.last.last?.figure == 200)
    #expect(scene.fix(320, north: 1092).contains("notify c"))
    var short = self.scene(.towns, spots)
    short.isLive = true
    #expect(short.fix(240) == ["notify a"])
    #expect(short.fix(0, north: 1090).contains("paced c"))
    #expect(short.last.last?.figure == -240)
  }

  @Test func `an alert silences spots within 100 m`() {
    var scene = scene(.siblings, [spot("a"), spot2("b", north: 95), spot2("c", north: -105)]) {
      $0.minimumIntervalSeconds = 0
      $0.proximityRadiusMeters = 50
    }
    #expect(scene.fix(0) == ["notify a"])
    #expect(scene.fix(60, north: 90) == ["sibling b"])
    #expect(scene.fix(120, north: -100).contains("notify c"))
  }

  // MARK: - Jumps, cold starts, bursts

  @Test
  func `an impossible jump is rejected for ten minutes, even if further fixes confirm it`() {
    var scene = scene(.jumps, [spot2("a", north: 50_000)])
    for second in stride(from: 0.0, to: 30, by: 5) {
      #expect(scene.fix(second).last != "jump")
    }
    for second in stride(from: 30.0, to: 630, by: 30) {
      #expect(scene.fix(second, north: 50_000 + second / 100) == ["jump"])
    }
    #expect(scene.fix(630, north: 50_000).contains("notify a"))
  }

  @Test func `after a first fix a spot fires only once positions have agreed for half a minute`() {
    var scene = scene(.coldStart)
    #expect(scene.fix(0, north: 50) == ["settling a"])
    #expect(scene.last.first?.limit == 30)
    #expect(scene.fix(20, north: 51) == ["unmoved"])
    #expect(scene.fix(30, north: 51) == ["unmoved", "notify a"])
  }

  @Test func `a waiting visit fires only within the radius`() {
    var scene = scene(.coldStart)
    #expect(scene.fix(0, north: 50) == ["settling a"])
    #expect(scene.fix(15, north: 130) == ["leaving a"])
    #expect(scene.fix(45, north: 131) == ["unmoved"])
    #expect(scene.fix(60, north: 90) == ["notify a"])
  }

  @Test func `a burst of late fixes is decided by its newest fix`() {
    func burst(_ end: [(seconds: Double, north: Double)]) -> Scene {
      var scene = scene(.bursts)
      scene.isLive = true
      _ = scene.fix(0, north: -600)
      // After ten minutes offline all fixes arrive at once.
      for (seconds, north) in [(300.0, -90.0), (360, 0)] + end {
        scene.clockSkew = 700 - seconds
        _ = scene.fix(seconds, north: north)
      }
      #expect(scene.notifications.isEmpty)
      #expect(scene.tick(709.9) == [])
      _ = scene.tick(710)
      return scene
    }
    #expect(burst([(420, 200), (480, 300), (540, 400)]).notifications.isEmpty)
    #expect(burst([(420, 20), (600, 10)]).notifications.count == 1)
  }

  @Test func `an entry by a stale fix fires with the next fresh one`() {
    var scene = Scene([spot("a")])
    scene.isLive = true
    _ = scene.fix(0, north: 500)
    scene.clockSkew = 1500
    #expect(scene.fix(60, north: 50) == ["stale"])
    scene.clockSkew = 1
    #expect(scene.fix(1560, north: 51) == ["unmoved", "notify a"])
  }

  @Test func `five late fixes in order reset the clock of a recorded feed`() {
    var scene = Scene([spot("a")])
    _ = scene.fix(0, north: 900)
    #expect(scene.fix(2 * 86_400, north: 880) == ["clear"])
    for second in [30.0, 60, 90, 120] { #expect(scene.fix(second, north: 800) == ["late"]) }
    #expect(scene.fix(150, north: 700) == ["clear"])
    #expect(scene.fix(180, north: 90) == ["notify a"])
    // Late fixes in descending order are a queue sent backwards.
    var queue = Scene([spot("a")])
    _ = queue.fix(3600, north: 900)
    for second in stride(from: 2600.0, to: 0, by: -60) {
      #expect(queue.fix(second, north: 10) == ["late"])
    }
    // A phone that sends what it stored while it was offline is not believed either.
    var live = Scene([spot("a")])
    live.isLive = true
    _ = live.fix(7200, north: 900)
    for second in stride(from: 0.0, to: 600, by: 60) {
      live.clockSkew = 7300 - second
      #expect(live.fix(second, north: 10) == ["late"])
    }
  }

  // MARK: - Devices

  @Test func `an alert on another device nearby counts as fired on this one`() {
    var scene = scene(.devices)
    _ = scene.fix(0, north: -500, device: "phone")
    _ = scene.fix(0, north: -500, device: "watch")
    #expect(scene.fix(300, north: -50, device: "phone") == ["notify a"])
    #expect(scene.fix(310, north: -45, device: "watch") == ["shared a"])
    // The cooldown is shared too.
    _ = scene.fix(900, north: 500, device: "watch")
    _ = scene.fix(960, north: 600, device: "watch")
    #expect(scene.fix(4000, north: 50, device: "watch") == ["cooldown a"])
  }

  @Test func `two devices apart each fire`() {
    var scene = scene(.devices)
    _ = scene.fix(0, north: -50, device: "anna")
    #expect(scene.notifications.count == 1)
    _ = scene.fix(700, north: 900, device: "anna")
    #expect(scene.fix(710, north: -50, device: "ben") == ["notify a"])
    var later = self.scene(.devices)
    _ = later.fix(0, north: -50, device: "anna")
    #expect(later.fix(1800, north: -50, device: "ben") == ["notify a"])
  }

  // MARK: - Words

  @Test func `a device between the radius and the exit distance is leaving, not inside`() {
    var scene = Scene([spot("a")])
    _ = scene.fix(0, north: 50)
    #expect(scene.fix(30, north: 99) == ["inside a"])
    #expect(scene.fix(60, north: 120) == ["leaving a"])
    #expect(scene.last[0].limit == 140)
    #expect(scene.fix(90, north: 139) == ["leaving a"])
    #expect(scene.fix(120, north: 80) == ["inside a"])
    #expect(scene.fix(150, north: 141) == ["leaving a"])
    #expect(scene.fix(180, north: 170) == ["exit a"])
  }

  @Test func `a fix without a decision names the waiting visit and its rule`() {
    var scene = scene(.coldStart)
    #expect(scene.fix(0, north: 50) == ["settling a"])
    #expect(scene.fix(10, north: 51) == ["unmoved"])
    let waiting = scene.last[0].waiting
    #expect(waiting?.spotID == "a" && waiting?.kind == .settling && waiting?.since == noon)
    #expect(scene.fix(20, north: 70) == ["inside a"])
    #expect(scene.last[0].waiting == waiting)
    #expect(scene.fix(25, north: 120) == ["leaving a"])
    #expect(scene.last[0].waiting == waiting)
    var writer = JSONWriter()
    scene.last[0].write(to: &writer)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self).contains(
        #""waiting":{"spot":"a","for":"settling","since":"2026-11-20T12:00:00.000Z"}"#))
    #expect(scene.fix(90, north: 60) == ["notify a"])
    #expect(scene.fix(100, north: 62) == ["unmoved"])
    #expect(scene.last[0].waiting == nil)
  }

  // MARK: - All

  @Test func `every rule can be turned off by its name`() {
    #expect(
      WatcherRule.allCases.map(\.rawValue) == [
        "jumps", "routine", "siblings", "devices", "bursts", "vehicles", "coldStart", "towns",
      ])
    var scene = Scene([spot("a")])
    for second in [0.0, 20, 40] { _ = scene.fix(second, north: second * 20 - 1300, speed: 20) }
    #expect(scene.fix(60, north: -80, speed: 20) == ["notify a"])
  }

  @Test func `the documentation lists the rules in the order of evaluation`() throws {
    let asked = WatcherRules.visitRules.compactMap(\.name)
    #expect(asked == [.devices, .bursts])
    #expect(asked == WatcherRule.allCases.filter(asked.contains))
    let package = Repository.folder
    let text = String(
      decoding: try Corpus.contents(of: package.appending("docs/alerts.md")), as: UTF8.self)
    let table = try #require(text.firstRange(of: "| Rule | Effect |"))
    let rows = text[table.upperBound...].split(separator: "\n").dropFirst()
      .prefix { $0.hasPrefix("|") }
    let names = rows.map { String($0.split(separator: "`")[1]) }
    #expect(names == WatcherRule.allCases.map(\.rawValue))
  }

  @Test func `stops can use the whole daily budget`() {
    let spots = (0..<12).map { spot2("s\($0)", north: Double($0) * 1000) }
    var scene = Scene(spots) { $0.dailyBudget = 10 }
    for number in 0..<12 {
      _ = scene.fix(Double(number) * 1000, north: Double(number) * 1000)
      _ = scene.fix(Double(number) * 1000 + 130, north: Double(number) * 1000 + 10)
      _ = scene.fix(Double(number) * 1000 + 400, north: Double(number) * 1000 + 500)
      _ = scene.fix(Double(number) * 1000 + 430, north: Double(number) * 1000 + 520)
    }
    #expect(scene.notifications.count == 10)
  }

  @Test func `replaying a feed with the state of its first run fires nothing`() {
    var state = WatcherState()
    let spots = [spot("a"), spot2("b", north: 700), spot2("c", north: 760)]
    func play() -> Int {
      var scene = Scene(spots, state: state) {
        $0 = WatcherSettings()
      }
      // Six walks there and back, two days apart.
      for day in 0..<6 {
        for step in 0..<200 {
          let north = step < 100 ? Double(step) * 15 - 300 : 1200 - Double(step - 100) * 15
          _ = scene.fix(Double(day) * 86_400 * 2 + Double(step) * 12, north: north, speed: 1.3)
        }
      }
      state = scene.watcher.state
      for device in state.devices.indices { state.devices[device].estimate.restart() }
      return scene.notifications.count
    }
    #expect(play() > 3)
    #expect(play() == 0)
  }
}
