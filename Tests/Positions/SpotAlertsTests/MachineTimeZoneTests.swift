import CLibrary
import CivilTime
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts

@Suite struct MachineTimeZoneTests {
  private let folder = TemporaryFolder()

  /// Writes a file of the time zone database that contains only a rule.
  private func zoneFile(_ rule: String, _ name: String) throws -> FilePath {
    // A header and one type, UTC, with its name, for both 32-bit and 64-bit times.
    let counts: [UInt8] = [0, 0, 0, 0, 1, 4].flatMap { [0, 0, 0, $0] }
    let block =
      Array("TZif2".utf8) + Array(repeating: 0, count: 15) + counts
      + [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8)
    let path = folder.path(name)
    try writeFile(path, block + block + Array("\n\(rule)\n".utf8))
    return path
  }

  private func zone(_ variable: String?, file: FilePath = "/nowhere") -> MachineTimeZone {
    MachineTimeZone(variable: variable, file: file, folder: folder.root, interval: .zero)
  }

  private func hours(_ zone: MachineTimeZone, _ time: Instant = noon) -> Int {
    LocalClock(zone).utcOffsetMinutes(time) / 60
  }

  @Test func `a change of the machine's time zone applies while running`() throws {
    let localtime = folder.path("localtime")
    let paris = try zoneFile("CET-1CEST,M3.5.0,M10.5.0/3", "Paris")
    let york = try zoneFile("EST5EDT,M3.2.0,M11.1.0", "York")
    #expect(symlink(paris.string, localtime.string) == 0)
    let zone = zone(nil, file: localtime)
    let summer = Instant(iso8601: "2026-07-01T12:00:00Z")!
    #expect(hours(zone) == 1)
    #expect(hours(zone, summer) == 2)
    // Replaces the link, like timedatectl.
    #expect(symlink(york.string, folder.path("new").string) == 0)
    #expect(rename(folder.path("new").string, localtime.string) == 0)
    #expect(hours(zone) == -5)
    #expect(hours(zone, summer) == -4)
    #expect(unlink(localtime.string) == 0)
    #expect(hours(zone) == 0)
    #expect(symlink(paris.string, localtime.string) == 0)
    #expect(hours(zone) == 1)
  }

  @Test func `TZ can be a file, a zone name or a POSIX rule`() throws {
    let tokyo = try zoneFile("JST-9", "Tokyo")
    #expect(hours(zone("Tokyo")) == 9)
    #expect(hours(zone(":Tokyo")) == 9)
    #expect(hours(zone(tokyo.string)) == 9)
    #expect(hours(zone("EST5")) == -5)
    #expect(hours(zone("", file: tokyo)) == 0)
    #expect(hours(zone("Nowhere/Else", file: tokyo)) == 0)
    let named = zone("Tokyo")
    #expect(hours(named) == 9)
    // The file of the same name is replaced, as by an update of the database.
    #expect(rename(try zoneFile("JST-10", "new").string, tokyo.string) == 0)
    #expect(hours(named) == 10)
  }

  @Test func `a zone name outside the time zone database is rejected`() throws {
    for name in ["", "/etc/localtime", "../zoneinfo/UTC", "Nowhere/Else", "Etc"] {
      #expect(TimeZoneDatabase.rules(of: name) == nil, "\(name)")
    }
    #expect(TimeZoneDatabase.rules(of: "JST-9")?.utcOffsetSeconds(at: noon) == 32_400)
  }

  @Test func `a zone that the machine does not have is a problem`() throws {
    _ = try zoneFile("CET-1CEST,M3.5.0,M10.5.0/3", "Paris")
    #expect(mkdir(folder.path("Europe").string, 0o755) == 0)
    try folder.write("no rules", to: "Damaged")
    for name in [
      "Pariss", "Europe", "Europe/Paris", ":Mars/Base", "Damaged", "CEST+x", "\u{1B}[2J",
    ] {
      let problem = zone(name).problem
      let shown = name.hasPrefix(":") ? String(name.dropFirst()) : name
      #expect(problem == .unknownName(shown), "\(name)")
      #expect(problem?.description.contains("\u{1B}") == false)
    }
    for name in [
      "Paris", ":Paris", "", "UTC", "Etc/UTC", "GMT", "CET-1CEST,M3.5.0,M10.5.0/3", "UTC0",
    ] {
      #expect(zone(name).problem == nil, "\(name)")
    }
  }

  @Test func `a machine without a file of its zone has UTC, and one with a useless file a problem`()
    throws
  {
    #expect(zone(nil, file: folder.path("none")).problem == nil)
    let paris = try zoneFile("CET-1", "Paris")
    #expect(zone(nil, file: paris).problem == nil)
    let link = folder.path("localtime")
    #expect(symlink(folder.path("removed").string, link.string) == 0)
    #expect(zone(nil, file: link).problem == .unusableFile(link.string))
  }
}
