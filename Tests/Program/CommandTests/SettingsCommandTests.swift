import ArgumentParser
import SystemPackage
import TestSupport
import Testing

@testable import PhotoSpotsProgram

@Suite struct SettingsCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = TemporaryFolder() }

  @Test func `flags override the environment, the environment the file, and the file defaults`()
    async throws
  {
    try folder.createFolder(folder.path("xdg_config_home"))
    try folder.createFolder(folder.path("xdg_config_home/photospots"))
    try folder.write(
      #"{"proximityRadius": 50, "cooldown": "2h", "dwell": "10s", "favoritesOnly": true}"#,
      to: "xdg_config_home/photospots/config.json")
    let photospots = PhotoSpotsProcess(
      home: folder.root,
      environment: ["PHOTOSPOTS_COOLDOWN": "3h", "PHOTOSPOTS_DWELL": "20s"])
    let outcome = try await photospots.run("config", "--set", "dwell=30s")
    #expect(outcome.code == 0)
    // A row that is too wide continues on the next, indented line.
    let lines = outcome.output.replacing(/\n +/, with: " ").split(separator: "\n")
    func line(_ name: String) -> Substring? { lines.first { $0.hasPrefix(name + " ") } }
    #expect(line("proximityRadius")?.contains("50 m") == true)
    #expect(line("proximityRadius")?.contains("config.json") == true)
    #expect(line("cooldown")?.contains("3 h") == true)
    #expect(line("cooldown")?.contains("PHOTOSPOTS_COOLDOWN") == true)
    #expect(line("dwell")?.contains("30 s") == true)
    #expect(line("favoritesOnly")?.contains("true") == true)
    // The value is omitted for a setting with its default.
    #expect(line("minimumInterval")?.hasSuffix("between alerts to one device") == true)
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let json = try await photospots.run("config", "--format", "json")
    #expect(json.output.contains(#""origin": "default""#))
  }

  private func write(settings: String, mode: FilePermissions.RawValue = 0o600) throws {
    let file = folder.path("xdg_config_home/photospots/config.json")
    try folder.write(settings, to: file)
    try folder.setPermissions(of: file, to: FilePermissions(rawValue: mode))
  }

  /// Commands that use at most the two radii of the settings.
  private static let otherCommands = [
    ["near", "48.86194", "2.2883"], ["spots", "--limit", "1"], ["mute"], ["history"], ["devices"],
    ["inspect", samples.appending("photos/2016 Paris/IMG_0412.jpg").string],
    ["fixes", samples.appending("walk.ndjson").string], ["index"],
  ]

  @Test func `an invalid setting does not stop commands that do not use it`() async throws {
    var photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
    let files: [(String, FilePermissions.RawValue)] = [
      (#"{"ntfyToken": "a b", "webhookURL": "nonsense", "quietHours": "25:00"}"#, 0o600),
      (#"{"webhookURL": null, "mutedZones": {}, "dwell": [1]}"#, 0o600),
      (#"{"webhookURL": "https://example.org/x", "ntfyToken": "abc"}"#, 0o644),
    ]
    for (text, mode) in files {
      try write(settings: text, mode: mode)
      for command in Self.otherCommands {
        let outcome = try await photospots.run(command)
        #expect(outcome.code == 0, "\(command) \(text)\n\(outcome.errors)")
      }
      #expect(try await photospots.run("config").code == 1)
    }
    try write(settings: "{}")
    photospots.environment["PHOTOSPOTS_MAXIMUM_SPEED"] = "fast"
    for command in Self.otherCommands {
      #expect(try await photospots.run(command).code == 0, "\(command)")
    }
    let walk = samples.appending("walk.ndjson").string
    for command in [["watch", walk], ["replay", walk]] {
      let outcome = try await photospots.run(command)
      #expect(outcome.code == 1 && outcome.errors.contains("PHOTOSPOTS_MAXIMUM_SPEED"))
    }
  }

  @Test func `an empty environment variable counts as unset`() async throws {
    var photospots = PhotoSpotsProcess(home: folder.root)
    try write(settings: #"{"dwell": "40 s"}"#)
    for variable in ["PHOTOSPOTS_DWELL", "PHOTOSPOTS_NTFY_TOKEN", "PHOTOSPOTS_MAXIMUM_SPEED"] {
      photospots.environment[variable] = ""
    }
    let outcome = try await photospots.run("config")
    #expect(outcome.code == 0 && !outcome.errors.contains("PHOTOSPOTS_"), "\(outcome)")
    #expect(outcome.output.contains("40 s"))
  }

  @Test func `an invalid setting stops a command that uses it`() async throws {
    let photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
    for text in [#"{"clusterRadius": 1000}"#, "{", #"{"clusterRadius": {}}"#] {
      try write(settings: text)
      let outcome = try await photospots.run("near", "48.86194", "2.2883")
      #expect(outcome.code == 1 && outcome.errors.contains("config.json"), "\(text)")
    }
  }

  @Test func `a disabled receiver's settings are not validated`() async throws {
    let photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
    try write(settings: #"{"webhookURL": "nonsense", "ntfyURL": "nonsense", "ntfyToken": "a b"}"#)
    let walk = samples.appending("walk.ndjson").string
    let without = try await photospots.run("watch", walk, "--no-webhook", "--no-ntfy")
    #expect(without.code == 0, "\(without.errors)")
    let with = try await photospots.run("watch", walk, "--webhook", "--no-ntfy")
    #expect(with.code == 1 && with.errors.contains("webhookURL"))
  }

  @Test func `config lists every problem and the valid settings`() async throws {
    try write(
      settings: #"{"dwell": "2 h", "quietHours": null, "cooldwon": 1, "proximityRadius": 50}"#)
    let outcome = try await PhotoSpotsProcess(home: folder.root).run("config")
    #expect(outcome.code == 1)
    for words in ["dwell is '2 h'", "quietHours", "did you mean 'cooldown'?"] {
      #expect(outcome.errors.contains(words), "\(words)")
    }
    #expect(outcome.output.contains("proximityRadius      50 m"))
    #expect(outcome.output.contains("dwell                unusable"))
  }

  @Test func `an unknown PHOTOSPOTS_ variable is reported with the most similar name`() async throws
  {
    let photospots = PhotoSpotsProcess(
      home: folder.root,
      environment: [
        "PHOTOSPOTS_COOLDWN": "3h", "PHOTOSPOTS_XYZZY": "1", "PHOTOSPOTS_SPOT_ID": "of a hook",
        "PHOTOSPOTS_TEXT": "of a hook", "PHOTOSPOTS_LOG_FILE": "of a sample",
      ])
    let outcome = try await photospots.run("config")
    #expect(outcome.code == 0)
    let lines = outcome.errors.split(separator: "\n").filter { $0.contains("environment") }
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("did you mean PHOTOSPOTS_COOLDOWN?") == true)
    #expect(lines.last?.contains("PHOTOSPOTS_XYZZY is not a setting; 'photospots config'") == true)
  }

  @Test(arguments: ["INDEX", "STATE", "HOOK"])
  func `a variable with the name of an option is answered with the option`(name: String)
    async throws
  {
    let photospots = PhotoSpotsProcess(
      home: folder.root, environment: ["PHOTOSPOTS_\(name)": "/srv/x"])
    let outcome = try await photospots.run("config")
    #expect(
      outcome.errors.contains(
        "PHOTOSPOTS_\(name) is not a setting; use the option --\(name.lowercased())\n"),
      "\(outcome.errors)")
  }

  @Test func `an unknown name in the settings file is a warning for near and an error for watch`()
    async throws
  {
    let photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
    try write(settings: #"{"quiethours": "22:00-07:00"}"#)
    let near = try await photospots.run("near", "48.86194", "2.2883")
    #expect(near.code == 0 && near.errors.contains("did you mean 'quietHours'?"))
    let watch = try await photospots.run("watch", samples.appending("walk.ndjson").string)
    #expect(watch.code == 1 && watch.errors.contains("did you mean 'quietHours'?"))
  }

  @Test func `an invalid value on the command line exits with status 64`() async throws {
    let outcome = try await PhotoSpotsProcess(home: folder.root).run(
      "config", "--set", "proximityRadius=1")
    #expect(outcome.code == 64 && outcome.errors.contains("10 m to 5000 m"))
  }

  @Test func `a source of map tiles on the command line is checked`() throws {
    try folder.write("text", to: "file.txt")
    for (name, words) in [("none", "does not exist"), ("file.txt", "not an .mbtiles file")] {
      let error = try #require(throws: (any Error).self) {
        try SettingsArguments.parse(["--set", "mapTiles=\(folder.path(name))"])
      }
      let message = SettingsArguments.message(for: error)
      #expect(message.hasPrefix("--set mapTiles ") && message.contains(words), "\(message)")
      #expect(!message.contains(folder.root.string))
    }
  }
}
