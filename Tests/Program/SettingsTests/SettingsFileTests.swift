import CLibrary
import FeedServer
import SystemPackage
import TestSupport
import Testing

@testable import ProgramSettings

/// The settings file and the assignments that override it.
@Suite struct SettingsFileTests {
  private let folder = TemporaryFolder()

  private func settings(_ text: String) throws -> Settings {
    try folder.write(text, to: "config.json")
    try folder.setPermissions(of: folder.path("config.json"), to: FilePermissions(rawValue: 0o600))
    return Settings(onlyFile: folder.path("config.json"))
  }

  @Test(arguments: [
    (#"{"proximityRadius": 5}"#, "10 m to 5000 m"), (#"{"radius": 5}"#, "unknown setting 'radius'"),
    (#"{"quietHours": "25:00-07:00"}"#, "22:00-07:00"), (#"{"dwell": "#, "cannot be read"),
    (#"{"mutedZones": [{"latitude": 95, "longitude": 0, "radius": 10}]}"#, "latitude,longitude"),
  ])
  func `an invalid settings file is refused with the accepted values`(text: String, words: String)
    throws
  {
    let error = try #require(throws: SettingsError.self) { try settings(text).watcher }
    #expect(error.description.contains(words) && error.description.contains("config.json"))
  }

  @Test func `a byte order mark before the settings is ignored`() throws {
    #expect(try settings("\u{FEFF}{\"proximityRadius\": 50}").proximityRadiusMeters == 50)
  }

  @Test(arguments: [
    ("", "is empty; write {}"), (" \r\n\t", "is empty; write {}"),
    ("\u{FEFF}{", "(byte 4)"),
  ])
  func `a settings file without a text says so`(text: String, words: String) throws {
    let error = try #require(throws: SettingsError.self) { try settings(text).value(.dwell) }
    #expect(error.description.contains(words), "\(error)")
  }

  @Test func `a settings file in UTF-16 is told`() throws {
    try folder.write([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], to: "config.json")
    let settings = Settings(onlyFile: folder.path("config.json"))
    #expect(settings.fileProblem?.description.contains("save it as UTF-8") == true)
  }

  @Test func `a setting that is there twice cannot be used, and is named`() throws {
    let settings = try settings(#"{"dwell": 30, "cooldown": "1 h", "dwell": 60}"#)
    let error = try #require(throws: SettingsError.self) { try settings.value(.dwell) }
    #expect(error.description.contains("the setting dwell in"), "\(error)")
    #expect(error.description.contains("it is there twice"), "\(error)")
    #expect(try settings.value(.cooldown).text == "1 h")
  }

  @Test func `rules that are off may be an array, and a whole number a flag, as in JSON`() throws {
    let settings = try settings(
      #"{"rulesOff": ["towns", "Routine"], "favoritesOnly": 1, "cooldown": 90, "dailyBudget": 2.5}"#
    )
    #expect(try settings.value(.rulesOff).text == "routine,towns")
    #expect(try settings.value(.favoritesOnly).text == "true")
    #expect(try settings.value(.cooldown).text == "90 s")
    #expect(throws: SettingsError.self) { try settings.value(.dailyBudget) }
  }

  @Test func `the radius of a muted zone may have a unit, as other lengths`() throws {
    for radius in ["300", #""0.3 km""#, #""300 m""#, #""300""#] {
      let settings = try settings(
        #"{"mutedZones": [{"latitude": 1, "longitude": 2, "radius": \#(radius)}]}"#)
      #expect(try settings.value(.mutedZones).text.hasSuffix(",300 m"), "\(radius)")
    }
  }

  @Test(arguments: [
    (#"{"latitude": 1, "longitude": 2, "radius": "0,3 km"}"#, "the radius of a zone is"),
    (#"{"latitude": 1, "longitude": 2, "radius": [1]}"#, "the radius of a zone must"),
    (#"{"latitude": "1 N", "longitude": 2, "radius": 3}"#, "the latitude of a zone must"),
    (#"{"latitude": 1, "radius": 3}"#, "needs latitude, longitude and radius"),
  ])
  func `a muted zone that cannot be read names the key`(zone: String, words: String) throws {
    let settings = try settings(#"{"mutedZones": [\#(zone)]}"#)
    let error = try #require(throws: SettingsError.self) { try settings.value(.mutedZones) }
    #expect(error.description.contains("mutedZones"), "\(error)")
    #expect(error.description.contains(words), "\(error)")
  }

  @Test func `a link that leads nowhere is no missing settings file`() throws {
    let path = folder.path("config.json")
    #expect(try Settings(onlyFile: path).source(.dwell).origin.description == "default")
    for target in ["gone.json", "gone/config.json"] {
      #expect(symlink(folder.path(target).string, path.string) == 0)
      let settings = Settings(onlyFile: path)
      let error = try #require(throws: SettingsError.self) { try settings.value(.dwell) }
      #expect(error.description.contains("config.json cannot be read"), "\(error)")
      #expect(settings.fileProblem != nil)
      folder.remove(path)
    }
  }

  @Test func `arrays and objects of the file are read as the texts of their settings`() throws {
    let settings = try settings(
      #"""
      {"serveHosts": ["a.example", "b"], "tracks": ["/srv/tracks", "trail"], "mutedZones": [],
       "cameraClocks": {"Canon": "+02:00"}, "listenTokens": {"phone": "0123456789abcdef"},
       "dwell": 30}
      """#)
    #expect(try settings.serveHosts == ["a.example", "b"])
    #expect(try settings.value(.tracks).text == "/srv/tracks:trail")
    #expect(try settings.value(.mutedZones).text == "none")
    #expect(try settings.value(.cameraClocks).text == "canon=+02:00")
    #expect(try settings.value(.dwell).text == "30 s")
    #expect(try !settings.listenTokens.isEmpty)
  }

  @Test(arguments: [
    (#"{"listenTokens": ["0123456789abcdef"]}"#, "an array is not a value"),
    (#"{"dwell": {}}"#, "an object is not"),
    (#"{"serveHosts": {"a": "b"}}"#, "an object is not"), (#"{"dwell": null}"#, "remove the key"),
  ])
  func `a value of another type than the setting's is refused`(text: String, words: String) throws {
    let settings = try settings(text)
    let errors = Setting.allCases.compactMap { setting -> String? in
      do throws(SettingsError) {
        _ = try settings.value(setting)
        return nil
      } catch { return error.description }
    }
    #expect(errors.count == 1 && errors[0].contains(words), "\(errors)")
  }

  @Test(arguments: [
    ("proximityRadius=1", "10 m to 5000 m"), ("cooldwon=1", "did you mean cooldown?"),
    ("dwell", "write dwell=value"), ("cooldown=abc", "cooldown"), ("ntfyToken=abc", "other users"),
  ])
  func `an assignment that cannot be used is refused`(assignment: String, words: String) throws {
    let error = try #require(throws: AssignmentError.self) {
      try Settings(assignments: [assignment])
    }
    #expect(error.description.contains(words), "\(error)")
  }

  @Test func `a comma without a name after it belongs to the value before it`() throws {
    let settings = try Settings(assignments: "radius=50,rulesOff=jumps,bursts,cooldown=2h")
    #expect(try settings.proximityRadiusMeters == 50)
    #expect(try settings.value(.cooldown).text == "2 h")
    #expect(try settings.source(.rulesOff).text == "jumps,bursts")
  }

  @Test func `assignments override the file, and are overridden by options`() throws {
    let radius = Settings.Source(text: "70 m", origin: .flag("--radius"))
    let settings = try Settings(
      assignments: ["radius=50", "dwell=30s"], overrides: [.proximityRadius: radius])
    #expect(try settings.proximityRadiusMeters == 70)
    #expect(try settings.source(.proximityRadius).origin.description == "--radius")
    #expect(try settings.source(.dwell).origin.description == "--set dwell")
  }
}
