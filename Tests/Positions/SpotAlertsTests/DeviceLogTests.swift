import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct DeviceLogTests {
  private let folder = TemporaryFolder()

  private func log(keepsTrails: Bool = false) throws -> DeviceLog {
    try DeviceLog(
      in: folder.root, keepsTrails: keepsTrails, localClock: .fixed(utcOffsetMinutes: 0), now: noon)
  }

  private func fix(_ seconds: Double, north: Double, device: String?) -> LocationFix {
    let position = Coordinate.tower.offset(north: north, east: 0)
    return LocationFix(
      time: noon.advanced(bySeconds: seconds), latitude: position.latitude,
      longitude: position.longitude, horizontalAccuracyMeters: 7, device: device, battery: 0.81
    ).stored
  }

  private func note(_ fixes: [LocationFix], in log: inout DeviceLog) {
    var watcher = LocationWatcher(spots: SpotIndex(spots: []), settings: WatcherSettings())
    for fix in fixes { log.note(watcher.evaluate(fix, now: fix.time ?? noon, isLive: true)) }
  }

  @Test func `device reports are saved, loaded, and continued by the next watch`() throws {
    var first = try log()
    note(
      [
        fix(0, north: 0, device: "phone"), fix(60, north: 100, device: "phone"),
        fix(90, north: 103, device: "phone"),  // unmoved
        fix(100, north: 90_000, device: "phone"),  // a jump, which is rejected, but heard
        fix(30, north: 5, device: nil),
        fix(86_400, north: 0, device: "watch"), fix(2 * 86_400, north: 50, device: "watch"),
        fix(2 * 86_400 + 60, north: 80, device: "watch"),
      ], in: &first)
    try first.save()
    let reports = try DeviceLog.reports(in: folder.root)
    #expect(reports.map(\.device) == ["watch", "phone", nil])
    #expect(reports.map(\.fixCount) == [2, 2, 1])
    #expect(abs(reports[0].walkedMeters - 30) < 0.1)
    #expect(abs(reports[1].walkedMeters - 100) < 0.1)
    #expect(reports[1].heard == noon.advanced(bySeconds: 100))
    #expect(reports[1].counts.accepted == 3 && reports[1].counts.refused == [.jump: 1])
    #expect(reports[1].fix == fix(60, north: 100, device: "phone"))

    // The next watch continues from the saved state.
    var second = try log()
    note([fix(300, north: 200, device: "phone")], in: &second)
    try second.save()
    let later = try DeviceLog.reports(in: folder.root).first { $0.device == "phone" }
    #expect(abs((later?.walkedMeters ?? 0) - 200) < 0.1)
  }

  @Test func `nothing is walked between two days or over a gap of more than an hour`() throws {
    var first = try log()
    note(
      [
        fix(0, north: 0, device: "phone"), fix(1800, north: 700, device: "phone"),
        fix(9001, north: 3000, device: "phone"), fix(9060, north: 3050, device: "phone"),
      ], in: &first)
    try first.save()
    #expect(abs((try DeviceLog.reports(in: folder.root).first?.walkedMeters ?? 0) - 750) < 0.1)

    // The next watch continues the sum, but not over its pause.
    var second = try log()
    note(
      [
        fix(20_000, north: 9000, device: "phone"), fix(20_060, north: 9100, device: "phone"),
        fix(43_190, north: 9150, device: "phone"), fix(43_210, north: 9200, device: "phone"),
        fix(43_270, north: 9260, device: "phone"),
      ], in: &second)
    try second.save()
    let report = try DeviceLog.reports(in: folder.root).first
    #expect(report?.fixCount == 2 && abs((report?.walkedMeters ?? 0) - 60) < 0.1)
  }

  @Test func `a device is heard when its report arrives, and its refused reports are counted`()
    throws
  {
    var log = try log()
    var watcher = LocationWatcher(spots: SpotIndex(spots: []), settings: WatcherSettings())
    for number in 0..<6 {
      let now = noon.advanced(bySeconds: Double(number))
      let decisions = watcher.evaluate(
        fix(Double(number) + 7200, north: 0, device: "ahead"), now: now, isLive: true)
      log.note(decisions)
    }
    log.note(.withoutPosition, of: "beat", times: 3, at: noon)
    log.note(.refused(.repeated), of: "beat", at: noon)
    log.note("beat", clockShiftSeconds: 7200.5, speedFactor: 3.6, at: noon)
    log.note(.refused(.unreadable), of: nil, at: noon)
    try log.save()
    let reports = try DeviceLog.reports(in: folder.root)
    let ahead = try #require(reports.first { $0.device == "ahead" })
    #expect(ahead.fix == nil && ahead.heard == noon.advanced(bySeconds: 5))
    #expect(ahead.counts.refused == [.ahead: 6] && ahead.counts.received == 6)
    #expect(ahead.problem?.contains("6 refused (6 ahead of the clock)") == true)
    let beat = try #require(reports.first { $0.device == "beat" })
    #expect(beat.counts.withoutPosition == 3 && beat.counts.refused == [.repeated: 1])
    #expect(beat.clockShiftSeconds == 7200.5 && beat.speedFactor == 3.6)
    #expect(beat.corrections.count == 2 && beat.corrections[0].contains("2 h ahead"))
    #expect(reports.contains { $0.device == nil && $0.counts.received == 1 })
    // The next watch continues from the saved state.
    var next = try self.log()
    next.note(.withoutPosition, of: "beat", at: noon)
    note([fix(60, north: 0, device: "ahead")], in: &next)
    try next.save()
    let later = try DeviceLog.reports(in: folder.root)
    #expect(later.first { $0.device == "beat" }?.counts.received == 5)
    #expect(later.first { $0.device == "ahead" }?.problem == nil)
  }

  @Test func `the device log is saved at most every ten seconds, also if the clock is set back`()
    throws
  {
    var log = try log()
    note([fix(0, north: 0, device: "phone")], in: &log)
    try log.saveIfDue(now: noon)
    note([fix(5, north: 100, device: "phone")], in: &log)
    try log.saveIfDue(now: noon.advanced(bySeconds: 9))
    #expect(try DeviceLog.reports(in: folder.root).first?.heard == noon)
    try log.saveIfDue(now: noon.advanced(bySeconds: 10))
    #expect(try DeviceLog.reports(in: folder.root).first?.heard == noon.advanced(bySeconds: 5))
    note([fix(20, north: 200, device: "phone")], in: &log)
    // The machine's clock was set back.
    try log.saveIfDue(now: noon.advanced(bySeconds: -3600))
    #expect(try DeviceLog.reports(in: folder.root).first?.heard == noon.advanced(bySeconds: 20))
  }

  @Test func `trails are kept only on request, and a device name cannot leave their folder`() throws
  {
    let names: [String?] = [
      "phone", nil, "../../etc/passwd", "%", String(repeating: "ä", count: 300),
    ]
    var silent = try log()
    note([fix(0, north: 0, device: "phone")], in: &silent)
    try silent.save()
    #expect(!Disk.exists(folder.root.appending("trails")))

    var log = try log(keepsTrails: true)
    note(names.map { fix(60, north: 0, device: $0) }, in: &log)
    try log.save()
    note(names.map { fix(120, north: 50, device: $0) }, in: &log)
    try log.save()
    // Device names as a fix normalizes them.
    let cleaned = names.map { fix(0, north: 0, device: $0).device }
    let trails = folder.root.appending("trails")
    #expect(Set(names.map { TrailFiles.path(of: $0, in: trails) }).count == names.count)
    for name in cleaned {
      let path = TrailFiles.path(of: name, in: trails)
      #expect(path.removingLastComponent() == folder.root.appending("trails"))
      #expect(permissions(of: path) == 0o600)
      let trail = try DeviceLog.trail(of: name, in: folder.root)
      #expect(trail == [fix(60, north: 0, device: name), fix(120, north: 50, device: name)])
    }
    #expect(try DeviceLog.trail(of: "other", in: folder.root) == nil)
  }

  @Test func `the device log keeps a limited number of devices, dropping the oldest`() throws {
    var log = try log()
    let count = DeviceLog.maximumDeviceCount + 10
    note((0..<count).map { fix(Double($0), north: 0, device: "\($0)") }, in: &log)
    try log.save()
    let reports = try DeviceLog.reports(in: folder.root)
    #expect(reports.count == DeviceLog.maximumDeviceCount)
    #expect(reports.last?.device == "10")
  }

  @Test func `adding a device takes a constant number of steps`() throws {
    var log = try log()
    note((0..<4096).map { fix(Double($0) / 100, north: 0, device: "\($0)") }, in: &log)
    let before = log.slots.stepCount
    note((0..<2000).map { fix(41 + Double($0) / 100, north: 0, device: "x\($0)") }, in: &log)
    #expect(log.slots.stepCount - before <= 5 * 2000)
  }

  @Test func `the number of trail files is limited, and existing trails continue`() throws {
    var log = try log(keepsTrails: true)
    note([fix(0, north: 0, device: "phone")], in: &log)
    try log.save()
    let invented = (0..<400).map { fix(10, north: 0, device: "x\($0)") }
    note(invented + [fix(20, north: 50, device: "phone")], in: &log)
    #expect(throws: DeviceLogError.tooManyTrails(folder.root.appending("trails"))) {
      try log.save()
    }
    #expect(
      try Disk.entryCount(of: folder.root.appending("trails")) == TrailFiles.maximumFileCount)
    #expect(try DeviceLog.trail(of: "phone", in: folder.root)?.count == 2)
    // The error occurs once, and refused fixes are not retained.
    note([fix(30, north: 100, device: "phone"), fix(30, north: 0, device: "y")], in: &log)
    try log.save()
    #expect(try DeviceLog.trail(of: "phone", in: folder.root)?.count == 3)
    #expect(try DeviceLog.reports(in: folder.root).count == 402)
  }

  @Test func `a forgotten device is gone, but not while a watch uses the folder`() throws {
    var log = try log()
    note([fix(0, north: 0, device: "old"), fix(1, north: 0, device: nil)], in: &log)
    note([fix(2, north: 0, device: "new")], in: &log)
    try log.save()
    #expect(try !DeviceLog.forget("other", in: folder.root, now: noon))
    let lock = try FolderLock(folder.root)
    #expect(throws: AlertStateError.self) {
      try DeviceLog.forget("old", in: folder.root, now: noon)
    }
    lock.release()
    #expect(try DeviceLog.forget("old", in: folder.root, now: noon))
    #expect(try DeviceLog.reports(in: folder.root).map(\.device) == ["new", nil])
    #expect(try DeviceLog.forget(nil, in: folder.root, now: noon))
    #expect(try DeviceLog.reports(in: folder.root).map(\.device) == ["new"])
  }

  // MARK: - Damage

  @Test(arguments: [
    "\"battery\": 9223372036854775807", "\"battery\": -0.1", "\"horizontalAccuracy\": -1e300",
    "\"latitude\": 91", "\"time\": \"yesterday\"",
  ])
  func `a device with values out of range is dropped, and the damaged log is copied`(member: String)
    throws
  {
    var first = try log()
    note([fix(0, north: 0, device: "phone"), fix(1, north: 0, device: "bad")], in: &first)
    try first.save()
    let path = folder.root.appending("devices.json")
    let whole = String(decoding: readFile(path), as: UTF8.self)
    let name = String(member.prefix { $0 != ":" })
    // The most recently heard device is first.
    let old = try #require(whole.firstMatch(of: try Regex("\(name): [^,}\\n]+")))
    let damaged = whole.replacing(old.0, with: member, maxReplacements: 1)
    try expectSetAside(damaged, keeping: ["phone"])
  }

  @Test(arguments: [
    ("\"accepted\": 1", "\"accepted\": 9223372036854775807"),
    ("\"withoutPosition\": 0", "\"withoutPosition\": -1"),
    ("\"fixes\": 1", "\"fixes\": 9223372036854775807"), ("\"walked\": 0", "\"walked\": -1"),
  ])
  func `daily figures out of range are dropped, and the damaged log is copied`(
    old: String, new: String
  ) throws {
    var first = try log()
    note([fix(0, north: 0, device: "phone"), fix(1, north: 0, device: "bad")], in: &first)
    try first.save()
    let text = String(decoding: readFile(folder.root.appending("devices.json")), as: UTF8.self)
    try expectSetAside(text.replacing(old, with: new, maxReplacements: 1), keeping: ["phone"])
  }

  @Test func `a truncated log is copied, its complete devices are kept, and the watch continues`()
    throws
  {
    var first = try log()
    note([fix(0, north: 0, device: "phone"), fix(1, north: 0, device: "tablet")], in: &first)
    try first.save()
    let text = String(decoding: readFile(folder.root.appending("devices.json")), as: UTF8.self)
    let second = try #require(text.firstRange(of: "\"phone\"")).lowerBound
    try expectSetAside(String(text[..<second]), keeping: ["tablet"])
    try expectSetAside("", keeping: [])
  }

  private func expectSetAside(_ text: String, keeping names: [String?]) throws {
    let path = folder.root.appending("devices.json")
    try writeFile(path, text.utf8)
    var damage: DeviceLogDamage?
    #expect(try DeviceLog.reports(in: folder.root) { damage = $0 }.map(\.device) == names)
    #expect(damage != nil && damage?.copy == nil)
    var next = try log()
    let copy = try #require(next.damage?.copy)
    #expect(String(decoding: readFile(copy), as: UTF8.self) == text)
    #expect(next.damage?.description.contains(copy.string) == true)
    try next.save()
    #expect(try DeviceLog.reports(in: folder.root).map(\.device) == names)
    #expect(try log().damage == nil)
  }

  @Test(arguments: [
    "", "{\"for", "{\n  \"format\": \"photospots-dev", String(repeating: "\u{0}", count: 600),
  ])
  func `the remnant of a log that a power failure leaves is set aside, and the watch starts`(
    text: String
  ) throws {
    try expectSetAside(text, keeping: [])
  }

  @Test(arguments: [
    "[1]", "{}", "a shopping list", "{\"format\": \"other\", \"version\": 1, \"devices\": []}",
  ])
  func `a file that is not a device log is refused and left unchanged`(text: String) throws {
    let path = folder.root.appending("devices.json")
    try writeFile(path, text.utf8)
    #expect(throws: DeviceLogError.notALog(path)) { try DeviceLog.reports(in: folder.root) }
    #expect(throws: DeviceLogError.notALog(path)) { try log() }
    #expect(readFile(path) == Array(text.utf8))
  }

  @Test func `a log of a newer version is refused`() throws {
    let path = folder.root.appending("devices.json")
    try writeFile(path, "{\"format\": \"photospots-devices\", \"version\": 2}".utf8)
    let newer = DeviceLogError.newerVersion(path, found: 2, supported: 1)
    #expect(throws: newer) { try log() }
    #expect(newer.description.contains("version 2") && newer.description.contains("version 1"))
  }
}
