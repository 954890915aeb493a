import SpotAlerts
import SystemPackage
import Testing

@testable import ProgramSettings

@Suite struct SettingValueTests {
  private func value(_ setting: Setting, _ text: String) throws -> String {
    try SettingValue(setting, Settings.Source(text: text, origin: .flag("--set"))).text
  }

  @Test(arguments: ["UTC+2", "utc-5", "GMT+1", "UTC+02:00", "GMT -3"])
  func `quietHoursZone rejects an offset that may mean ahead of UTC or behind`(
    text: String
  ) throws {
    let error = try #require(throws: SettingsError.self) { try value(.quietHoursZone, text) }
    #expect(error.description.contains("ahead of UTC, or behind"), "\(error)")
  }

  @Test(arguments: ["machine", "UTC", "<+02>-2", "CET-1CEST,M3.5.0,M10.5.0/3", "UTC0"])
  func `quietHoursZone accepts the machine's zone and rules of POSIX`(text: String) throws {
    #expect(try value(.quietHoursZone, text) == text)
  }

  @Test(
    arguments: [
      ("off", "off"), ("none", "off"), ("", "off"),
      (" https://tile.example.org/{z}/{x}/{y}.png ", "https://tile.example.org/{z}/{x}/{y}.png"),
      ("http://10.0.0.2:8080/t?z={z}&x={x}&y={y}", "http://10.0.0.2:8080/t?z={z}&x={x}&y={y}"),
      ("/srv/Tiles", "/srv/Tiles"), ("~/tiles/{z}/{x}/{y}.jpg", "~/tiles/{z}/{x}/{y}.jpg"),
      ("/srv/alps.mbtiles", "/srv/alps.mbtiles"),
    ])
  func `mapTiles accepts an address, a folder or a file`(text: String, expected: String) throws {
    #expect(try value(.mapTiles, text) == expected)
  }

  @Test(arguments: [
    "https://tile.example.org/{z}/{x}.png", "https://tile.example.org/{z}/{x}/{y}{r}.png",
    "https:///{z}/{x}/{y}", "ftp://example.org/{z}/{x}/{y}.png", "tiles/{z}/{x}/{y}.png",
    "/srv/{z}/{x}", "alps.mbtiles", "/srv/{s}/tiles", "https://a b/{z}/{x}/{y}",
  ])
  func `mapTiles rejects incomplete templates, other schemes and relative paths`(text: String) {
    #expect(throws: SettingsError.self) { try value(.mapTiles, text) }
  }

  @Test(arguments: [
    ("none", "none"), ("Photos.Example.org", "photos.example.org"), ("a.b, c", "a.b,c"),
    ("fd00::1", "fd00::1"),
  ])
  func `serveHosts accepts names and addresses separated by commas`(text: String, expected: String)
    throws
  {
    #expect(try value(.serveHosts, text) == expected)
  }

  @Test(arguments: [
    "a:80", "https://a", "a/b", "*", "a_b", "é", String(repeating: "a", count: 254),
  ])
  func `serveHosts rejects ports, schemes, wildcards and invalid names`(text: String) {
    #expect(throws: SettingsError.self) { try value(.serveHosts, text) }
  }

  @Test(arguments: [
    ("off", "off", nil), ("", "off", nil),
    ("https://home.example:8090", "https://home.example:8090", "home.example"),
    ("HTTP://nas/", "http://nas", "nas"), ("http://[fd00::1]:80", "http://[fd00::1]:80", "fd00::1"),
  ])
  func `pageAddress accepts a scheme and a host with an optional port`(
    text: String, expected: String, host: String?
  ) throws {
    #expect(try value(.pageAddress, text) == expected)
    let source = Settings.Source(text: text, origin: .flag("--set"))
    #expect(try Settings(flags: [.pageAddress: source]).pageHost == host)
  }

  @Test(arguments: [
    "home.example", "https://", "https://a/photos", "https://a/?b", "https://a/#b", "ftp://a",
    "https://me:word@a", "https://a b", "https://a:0", "javascript:alert(1)", "https://a\"b",
  ])
  func `pageAddress rejects paths, credentials, other schemes and invalid hosts`(text: String) {
    #expect(throws: SettingsError.self) { try value(.pageAddress, text) }
  }

  @Test(arguments: ["daily 21:00", "sunday 18:00", " Monday  7:05 ", "off"])
  func `digest accepts a daily or weekly time, or off`(text: String) throws {
    let expected = text.contains("Monday") ? "monday 07:05" : text
    #expect(try value(.digest, text) == expected)
  }

  @Test(arguments: ["daily", "21:00", "daily 24:00", "someday 12:00", "daily 12:00 13:00", "on"])
  func `digest rejects other texts`(text: String) {
    #expect(throws: SettingsError.self) { try value(.digest, text) }
  }

  @Test(arguments: [
    ("100", 100), ("1.5 km", 1500), ("500 ft", 152.4), ("100yd", 91.44), ("2mi", 3218.688),
    ("1 FT", 0.3048), ("2 miles", 3218.688), ("300 meters", 300), ("5 in", nil), ("ft", nil),
    ("1,5 km", nil), ("1km500m", nil),
  ])
  func `lengths are in metres, kilometres, feet, yards or miles`(text: String, meters: Double?) {
    let found = Quantity.meters(text)
    #expect((found == nil) == (meters == nil), "\(text)")
    #expect(abs((found ?? 0) - (meters ?? 0)) < 1e-9, "\(text)")
  }

  @Test(arguments: [
    ("90", 90), ("15min", 900), ("2 weeks", 1_209_600), ("1 hour", 3600), ("1h30min", 5400),
    ("1 d 12 h", 129_600), ("1Y", 31_557_600), ("-5s", -5), ("1 month", nil), ("P1D", nil),
    ("1h30", nil), ("30min1h", nil), ("1h1h", nil), ("1h-5min", nil), ("1,5 h", nil), ("h", nil),
  ])
  func `durations have units, written out or not, and may be sums`(text: String, seconds: Double?) {
    #expect(Quantity.seconds(text) == seconds, "\(text)")
  }

  @Test(arguments: [
    ("25", "25 km/h"), ("25 kmh", "25 km/h"), ("10 m/s", "36 km/h"), ("OFF", "off"),
    ("100 mph", "160.9344 km/h"),
  ])
  func `speeds are in kilometres or miles per hour, or metres per second`(
    text: String, expected: String
  ) throws {
    #expect(try value(.maximumSpeed, text) == expected)
  }

  @Test(
    arguments: [
      (.cooldown, "1 month", "written like 90s"), (.maximumSpeed, "fast", "written like 25"),
      (.proximityRadius, "1,5 km", "written like 100"), (.ntfyPriority, "3.5", "a whole number"),
      (.routineDays, "2.5", "a whole number"), (.cooldown, "400 d", nil),
    ] as [(Setting, String, String?)])
  func `a quantity that is not understood is told apart from one out of range`(
    setting: Setting, text: String, words: String?
  ) throws {
    let error = try #require(throws: SettingsError.self) { try value(setting, text) }
    #expect(error.description.contains(words ?? "it must be 0 s to 365 d"), "\(error)")
    #expect(words != nil || !error.description.contains("written like"), "\(error)")
  }

  @Test func `units are metric or imperial`() throws {
    #expect(try value(.units, "Imperial") == "imperial" && value(.units, "metric") == "metric")
    #expect(throws: SettingsError.self) { try value(.units, "auto") }
    #expect(try value(.proximityRadius, "500 ft") == "152.4 m")
  }

  @Test func `recreationsFolder accepts an absolute path or one below the home folder`() throws {
    #expect(try value(.recreationsFolder, "~/Pictures/PhotoSpots") == "~/Pictures/PhotoSpots")
    #expect(try value(.recreationsFolder, "/srv/Then & Now") == "/srv/Then & Now")
    for text in ["", "photos", "~jan/photos", "./x"] {
      #expect(throws: SettingsError.self) { try value(.recreationsFolder, text) }
    }
    let home = try #require(Paths.expanded("~"))
    #expect(Paths.expanded("~/a/../b") == home.appending("b"))
  }

  @Test(
    arguments: [
      ([nil, nil, "es_ES.UTF-8"], .spanish), ([nil, nil, nil], .english),
      (["", "es", "en_US"], .spanish), (["C", "es", "es"], .english),
      (["de_DE", nil, "es_ES"], .english), ([nil, "ES-419", nil], .spanish),
      (["est_EE", nil, nil], .english),
    ] as [([String?], AlertLanguage)])
  func `the language follows the first locale variable that is set`(
    variables: [String?], expected: AlertLanguage
  ) {
    #expect(Settings.language(of: variables) == expected)
  }

  @Test(arguments: [
    (Setting.webhookSecret, "a long random text"), (.webhookSecret, "caf\u{e9} \n\u{1}"),
    (.mqttPassword, "a pass word \u{e9}"), (.webhookSecret, "o f f"),
  ])
  func `a secret may contain spaces and non-ASCII characters`(setting: Setting, text: String) throws
  {
    #expect(try value(setting, text) == "(set)")
  }

  @Test(arguments: [
    (Setting.ntfyToken, "a b"), (.mqttPassword, "a\u{0}b"), (.metricsToken, "short"),
  ])
  func `rejects a secret that its header or library cannot carry`(setting: Setting, text: String) {
    #expect(throws: SettingsError.self) { try value(setting, text) }
  }
}
