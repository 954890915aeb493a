import Interchange
import LocationFeeds
import PhotoLibrary
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import SpotAlerts

@Suite struct DeviceLogTests {
  private let folder = TemporaryFolder()

  private func log(keepsTrails: Bool = false) throws -> DeviceLog {
    try DeviceLog(
      in: folder.root, keepsTrails: keepsTrails, localClock: .fixed(utcOffsetMinutes: 0))
  }

  private func fix(_ seconds: Double, north: Double, device: String?) -> LocationFix {
    let position = Coordinate.tower.offset(north: north, east: 0)
    return LocationFix(
      time: noon.advanced(bySeconds: seconds), latitude: position.latitude,
      longitude: position.longitude, horizontalAccuracyMeters: 7, device: device, battery: 0.81)
  }

  private func note(_ fixes: [LocationFix], in log: inout DeviceLog) {
    var watcher = LocationWatcher(spots: SpotIndex(spots: []), settings: WatcherSettings())
    for fix in fixes { log.note(watcher.evaluate(fix, now: fix.time ?? noon, isLive: true)) }
  }

  @Test func `what is known of devices is written and read again`() throws {
    var first = try log()
    note(
      [
        fix(0, north: 0, device: "phone"), fix(60, north: 100, device: "phone"),
        fix(90, north: 103, device: "phone"),  // unmoved, but heard of
        fix(100, north: 90_000, device: "phone"),  // not believed
        fix(30, north: 5, device: nil),
        fix(86_400, north: 0, device: "watch"), fix(2 * 86_400, north: 50, device: "watch"),
        fix(2 * 86_400 + 60, north: 80, device: "watch"),
      ], in: &first)
    try first.save()
    let reports = try DeviceLog.reports(in: folder.root)
    #expect(reports.map(\.device) == ["watch", "phone", nil])
    #expect(reports.map(\.fixCount) == [2, 2, 1])
    #expect(abs(reports[0].walkedMeters - 80) < 0.1)
    #expect(abs(reports[1].walkedMeters - 100) < 0.1)
    #expect(reports[1].heard == noon.advanced(bySeconds: 90))
    #expect(reports[1].fix == fix(60, north: 100, device: "phone"))

    // Another watch goes on where the first ended.
    var second = try log()
    note([fix(300, north: 200, device: "phone")], in: &second)
    try second.save()
    let later = try DeviceLog.reports(in: folder.root).first { $0.device == "phone" }
    #expect(abs((later?.walkedMeters ?? 0) - 200) < 0.1)
  }

  @Test func `it is written at most every ten seconds`() throws {
    var log = try log()
    note([fix(0, north: 0, device: "phone")], in: &log)
    try log.saveIfDue(now: noon)
    note([fix(5, north: 100, device: "phone")], in: &log)
    try log.saveIfDue(now: noon.advanced(bySeconds: 9))
    #expect(try DeviceLog.reports(in: folder.root).first?.heard == noon)
    try log.saveIfDue(now: noon.advanced(bySeconds: 10))
    #expect(try DeviceLog.reports(in: folder.root).first?.heard == noon.advanced(bySeconds: 5))
    note([fix(20, north: 200, device: "phone")], in: &log)
    // The machine's clock was set right.
    try log.saveIfDue(now: noon.advanced(bySeconds: -3600))
    #expect(try DeviceLog.reports(in: folder.root).first?.heard == noon.advanced(bySeconds: 20))
  }

  @Test func `a trail is kept only where that is asked for, and no name leads elsewhere`() throws {
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
    #expect(Set(names.map { DeviceLog.trailPath(of: $0, in: folder.root) }).count == names.count)
    for name in names {
      let path = DeviceLog.trailPath(of: name, in: folder.root)
      #expect(path.removingLastComponent() == folder.root.appending("trails"))
      #expect(permissions(of: path) == 0o600)
      let trail = try DeviceLog.trail(of: name, in: folder.root)
      #expect(trail == [fix(60, north: 0, device: name), fix(120, north: 50, device: name)])
    }
    #expect(try DeviceLog.trail(of: "other", in: folder.root) == nil)
  }

  @Test func `more devices than can be remembered do not grow the log`() throws {
    var log = try log()
    let count = DeviceLog.maximumDeviceCount + 10
    note((0..<count).map { fix(Double($0), north: 0, device: "\($0)") }, in: &log)
    try log.save()
    let reports = try DeviceLog.reports(in: folder.root)
    #expect(reports.count == DeviceLog.maximumDeviceCount)
    #expect(reports.last?.device == "10")
  }

  @Test func `a file that is no log is refused`() throws {
    try writeFile(folder.root.appending("devices.json"), "[1]".utf8)
    #expect(throws: DeviceLogError.self) { try DeviceLog.reports(in: folder.root) }
    #expect(throws: DeviceLogError.self) { try log() }
  }
}
