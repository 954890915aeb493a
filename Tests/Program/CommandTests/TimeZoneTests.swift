import SystemPackage
import TestSupport
import Testing

@testable import TerminalOutput

/// Times are in the machine's time zone in text output, and in UTC in output for programs.
@Suite struct TimeZoneTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  init() async throws {
    folder = TemporaryFolder()
    // Central Europe, with its rules spelled out, so that no time zone file is needed.
    photospots = PhotoSpotsProcess(
      home: folder.root,
      environment: [
        "TZ": "CET-1CEST,M3.5.0,M10.5.0/3", "PHOTOSPOTS_RULES_OFF": "coldStart,jumps,vehicles",
      ])
    _ = try await photospots.run("index", samples.appending("photos").string)
  }

  private let walk = samples.appending("walk.ndjson").string

  @Test func `history uses the machine's time zone, and names it once per change`() async throws {
    let text = """
      {"time":"2025-05-16T08:35:30Z","latitude":48.86194,"longitude":2.2883,"horizontalAccuracy":5}
      {"time":"2025-05-16T08:45:56Z","latitude":48.85735,"longitude":2.2958,"horizontalAccuracy":5}
      {"time":"2025-12-15T08:45:56Z","latitude":48.8,"longitude":2.2,"horizontalAccuracy":5}
      {"time":"2025-12-15T08:46:56Z","latitude":48.8,"longitude":2.201,"horizontalAccuracy":5}
      {"time":"2025-12-16T08:45:56Z","latitude":48.86194,"longitude":2.2883,"horizontalAccuracy":5}

      """
    _ = try await photospots.run("watch", "-", "--replay", "--record", input: text)
    let lines = try await photospots.run("history").output.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].hasPrefix("2025-05-16 10:35 UTC+02:00  "))
    #expect(lines[1].hasPrefix("2025-05-16 10:45            "))
    // The zone is named again when it changes.
    #expect(lines[2].hasPrefix("2025-12-16 09:45 UTC+01:00  "))
    let json = try await photospots.run("history", "--format", "json")
    #expect(json.output.contains("\"2025-05-16T08:35:30.000Z\""))
  }

  @Test func `replay uses the machine's time zone, and names it once`() async throws {
    let text = try await photospots.run("replay", walk)
    #expect(text.output.hasPrefix("2026-05-16  715 fixes, 1.8 km (UTC+02:00)\n  10:35:30  "))
    #expect(text.output.split(separator: "UTC").count == 2)
    let json = try await photospots.run("replay", walk, "--format", "json")
    #expect(json.output.contains(#""entered": "2026-05-16T08:35:30.000Z""#))
  }

  @Test func `inspect shows the camera's time, with its zone if known`()
    async throws
  {
    for (name, words) in [
      ("2024 Paris/IMG_4471.jpg", "2024-06-08 21:48:19 UTC+02:00  (EXIF DateTimeOriginal)"),
      ("2016 Paris/IMG_0412.jpg", "2016-04-17 11:05:42  (EXIF DateTimeOriginal, zone unknown)"),
    ] {
      let photo = samples.appending("photos/" + name).string
      #expect(try await photospots.run("inspect", photo).output.contains(words))
    }
  }

  @Test func `a photo's date follows the camera's clock in any time zone of the machine`()
    async throws
  {
    var other = photospots
    other.environment["TZ"] = "UTC+12"
    // A row by itself is narrow enough to have its whole date.
    let here = try await photospots.run("near", "-33.86", "151.2225")
    #expect(try await other.run("near", "-33.86", "151.2225").output == here.output)
    #expect(here.output.contains("2023-11-05"))
  }

  @Test(arguments: [(0, "UTC"), (120, "UTC+02:00"), (-210, "UTC-03:30"), (765, "UTC+12:45")])
  func `a time zone is written as its UTC offset`(offset: Int, text: String) {
    #expect(CivilTimeText.zone(offsetMinutes: offset) == text)
  }
}
