import SystemPackage
import TestSupport
import Testing

@Suite struct SettingsTests {
  let folder: TemporaryFolder

  init() throws { folder = TemporaryFolder() }

  @Test func `flags beat the environment, which beats the file, which beats the default`()
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
    let lines = outcome.output.split(separator: "\n")
    func line(_ name: String) -> Substring? { lines.first { $0.hasPrefix(name + " ") } }
    #expect(line("proximityRadius")?.contains("50 m") == true)
    #expect(line("proximityRadius")?.contains("config.json") == true)
    #expect(line("cooldown")?.contains("3 h") == true)
    #expect(line("cooldown")?.contains("PHOTOSPOTS_COOLDOWN") == true)
    #expect(line("dwell")?.contains("30 s") == true)
    #expect(line("favoritesOnly")?.contains("true") == true)
    #expect(line("minimumInterval")?.contains("default") == true)
  }

  @Test(arguments: [
    (#"{"proximityRadius": 5}"#, "10 m to 5000 m"), (#"{"radius": 5}"#, "unknown setting 'radius'"),
    (#"{"quietHours": "25:00-07:00"}"#, "22:00-07:00"), (#"{"dwell": "#, "cannot be read"),
    (#"{"mutedZones": [{"latitude": 95, "longitude": 0, "radius": 10}]}"#, "latitude,longitude"),
  ])
  func `a wrong settings file is refused with what would be right`(text: String, words: String)
    async throws
  {
    try folder.createFolder(folder.path("xdg_config_home"))
    try folder.createFolder(folder.path("xdg_config_home/photospots"))
    try folder.write(text, to: "xdg_config_home/photospots/config.json")
    let outcome = try await PhotoSpotsProcess(home: folder.root).run("config")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains(words) && outcome.errors.contains("config.json"))
  }

  @Test func `a wrong value on the command line is wrong usage`() async throws {
    for assignment in ["proximityRadius=1", "nonsense=1", "dwell", "cooldown=abc"] {
      let outcome = try await PhotoSpotsProcess(home: folder.root).run(
        "config", "--set", assignment)
      #expect(outcome.code == 64)
    }
  }
}
