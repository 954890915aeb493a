import ProgramSettings
import SpotAlerts
import SpotService
import SpotWatcher
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PageServer

/// The settings as displayed and changed by the page.
@Suite struct ServedSettingsTests {
  let folder = TemporaryFolder()

  private var file: FilePath { folder.path("config/config.json") }

  private func write(_ text: String, mode: FilePermissions.RawValue = 0o600) throws {
    try folder.createFolder(file.removingLastComponent())
    try folder.write(text, to: "config/config.json")
    try folder.setPermissions(of: file, to: FilePermissions(rawValue: mode))
  }

  private func settings(flags: [Setting: Settings.Source] = [:]) -> Settings {
    Settings(flags: flags, file: file)
  }

  private func apply(_ patch: String, over settings: Settings? = nil) throws {
    try ServedSettings.apply(
      SettingsPatch(Array(patch.utf8)), to: file, over: settings ?? self.settings())
  }

  /// Returns the error for a rejected patch.
  private func problem(_ patch: String, over settings: Settings? = nil) throws -> Problem? {
    do { try apply(patch, over: settings) } catch let problem as Problem { return problem }
    return nil
  }

  private var content: String {
    String(decoding: (try? folder.contents(of: file)) ?? [], as: UTF8.self)
  }

  @Test
  func `all settings are listed in order, and secrets are hidden and changed only in the file`()
    throws
  {
    try write(
      #"{"proximityRadius": 50, "ntfyURL": "https://ntfy.sh/secret", "ntfyToken": "tk_secret", "#
        + #""dwell": "2 days"}"#)
    let list = ServedSettings.list(settings())
    #expect(list.map(\.name) == Setting.allCases.map(\.rawValue))
    func setting(_ name: String) throws -> ServedSetting {
      try #require(list.first { $0.name == name })
    }
    #expect(try setting("proximityRadius").value == "50 m")
    #expect(try setting("proximityRadius").origin == "config.json")
    #expect(try setting("cooldown").origin == "default")
    #expect(try setting("ntfyURL").value == "https://ntfy.sh/…")
    #expect(try setting("ntfyToken").value == "(set)")
    #expect(try setting("dwell").value == nil)
    #expect(try setting("dwell").problem == "must be 0 s to 1 h")
    #expect(!list.contains { $0.problem?.contains(folder.root.string) == true })
    let hidden = list.filter { $0.access == .fileOnly }.map(\.name)
    #expect(
      hidden == [
        "webhookURL", "webhookSecret", "ntfyURL", "ntfyToken", "gotifyURL", "gotifyToken",
        "appriseURL", "appriseServices", "mqttURL", "mqttPassword", "homeAssistant",
        "listenTokens", "metricsToken", "serveHosts", "recreationsFolder", "pageAddress", "tracks",
        "placesFile", "immichKey", "photoprismKey",
      ])
    // No secret setting can be changed, including settings added later.
    #expect(Setting.allCases.filter(\.isSecret).allSatisfy { hidden.contains($0.rawValue) })
  }

  @Test func `a change keeps other members of the file, and null removes a setting`() throws {
    try write(#"{"cooldown":"2 h","ntfyToken":"abc","unknown":[1, 2],"dwell":10}"#, mode: 0o640)
    try apply(#"{"proximityRadius": 200, "language": "es", "dwell": null}"#)
    #expect(
      content == """
        {
          "cooldown": "2 h",
          "ntfyToken": "abc",
          "unknown": [1, 2],
          "proximityRadius": 200,
          "language": "es"
        }

        """)
    #expect(try settings().proximityRadiusMeters == 200)
    #expect(try settings().alerts.language == .spanish)
    #expect(try folder.permissions(of: file) == FilePermissions(rawValue: 0o640))
  }

  @Test func `without a file the rules are the library's, silent for a year after a picture`()
    throws
  {
    let rules = try settings().watcher
    #expect(rules == WatcherSettings())
    #expect(rules.recreationIntervalSeconds == 365.25 * 86_400)
  }

  @Test func `a new settings file is readable only by its owner`() throws {
    try apply(#"{"digest": "sunday 18:00"}"#)
    #expect(try settings().alerts.digest == DigestSchedule("sunday 18:00"))
    #expect(try folder.permissions(of: file) == FilePermissions(rawValue: 0o600))
  }

  @Test(
    arguments: [
      (#"{"dwell": "2 days"}"#, "dwell", "must be 0 s to 1 h"),
      (#"{"cooldown": {}}"#, "cooldown", "an object is not a value"),
      (#"{"cooldwon": 1}"#, "cooldwon", "no setting"),
      (#"{"ntfyURL": null}"#, "ntfyURL", "in the settings file only"),
      (#"{"serveHosts": ["evil.test"]}"#, "serveHosts", "in the settings file only"),
      (#"{"recreationsFolder": "/"}"#, "recreationsFolder", "in the settings file only"),
      (#"{"pageAddress": "https://evil.test"}"#, "pageAddress", "in the settings file only"),
      (#"{"mapTiles": "/nowhere/tiles.mbtiles"}"#, "mapTiles", "does not exist"),
      (#"{"mapTiles": "https://tiles.example.org/1.png"}"#, "mapTiles", "{z}/{x}/{y}"),
      (#"{"digest": "8 pm"}"#, "digest", "daily 21:00"),
      (#"{"language": "eo"}"#, "language", "en, es, or auto"),
    ])
  func `an invalid change is refused with its setting, and nothing is written`(
    patch: String, name: String, words: String
  ) throws {
    try write(#"{"cooldown": "2 h"}"#)
    let both = #"{"dwell": "10 s", "# + patch.dropFirst()
    for patch in name == "dwell" ? [patch] : [patch, both] {
      let problem = try problem(patch)
      #expect(problem?.kind == .badSetting && problem?.parameter == name, "\(patch)")
      #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
      #expect(problem?.detail.contains(folder.root.string) == false)
    }
    #expect(content == #"{"cooldown": "2 h"}"#)
  }

  @Test func `a source of map tiles is checked when it is set`() throws {
    try folder.write("text", to: "file.txt")
    try folder.write("text", to: "empty/3/about.txt")
    try folder.write([0xFF, 0xD8, 0xFF], to: "tiles/3/4/5.jpg")
    for (name, words) in [
      ("none", "does not exist"), ("none/{z}/{x}/{y}.png", "does not exist"),
      ("file.txt", "not an .mbtiles file"), ("empty", "without tiles"),
      ("empty/{z}/{x}/{y}.png", "without tiles"), ("tiles", nil), ("tiles/{z}/{x}/{y}.jpg", nil),
    ] {
      let path = folder.path(name).string
      let detail = try problem(#"{"mapTiles": "\#(path)"}"#)?.detail
      #expect((detail == nil) == (words == nil), "\(name)")
      if let words { #expect(detail?.contains(words) == true, "\(detail ?? "")") }
      #expect(detail?.contains(folder.root.string) != true)
    }
  }

  @Test func `a setting given by a flag cannot be changed`() throws {
    let given = settings(flags: [
      .cooldown: Settings.Source(text: "3 h", origin: .flag("--cooldown"))
    ])
    let problem = try problem(#"{"cooldown": "1 h"}"#, over: given)
    #expect(problem?.parameter == "cooldown" && content.isEmpty)
    #expect(try self.problem(#"{"dwell": "1 min"}"#, over: given) == nil)
  }

  @Test func `a damaged settings file is refused and left unchanged`() throws {
    for text in [#"{"cooldown": "#, "cooldown: 2 h", #"["cooldown"]"#] {
      try write(text)
      let problem = try problem(#"{"dwell": "1 min"}"#)
      #expect(problem?.kind == .badSetting, "\(text)")
      #expect(content == text)
    }
  }

  @Test func `a failure at any step of a change leaves either the old or the new file`() throws {
    let old = #"{"cooldown": "2 h"}"#
    for (error, staysFaulty) in [(Errno.canceled, true), (.noSpace, false)] {
      let steps = try FaultyDisk.forEachStep(error, staysFaulty: staysFaulty) { disk in
        try write(old)
        let problem = try disk.run { try self.problem(#"{"dwell": "1 min"}"#) }
        #expect(content == old || content.contains(#""dwell": "1 min""#))
        if content == old { #expect(disk.failed == nil || problem != nil) }
        _ = try settings().watcher
      }
      #expect(steps.contains(.rename))
    }
  }
}
