import SystemPackage
import TestSupport
import Testing

/// Invalid numbers, in all places where the program parses numbers.
@Suite struct HostileNumberTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  init() async throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
  }

  @Test func `extreme numbers in fixes do not crash watch, replay or fixes`() async throws {
    var feed = ""
    for (second, number) in ["1e300", "-1e300", "1e19", "9e307", "0"].enumerated() {
      feed += """
        {"time":"2026-05-16T08:35:3\(second)Z","latitude":48.8584,"longitude":2.2945,\
        "altitude":\(number),"horizontalAccuracy":\(number),"speed":\(number),"course":\(number),\
        "battery":\(number)}

        """
    }
    try folder.write(feed, to: "feed.ndjson")
    let file = folder.path("feed.ndjson").string
    let settings = ["--set", "maximumSpeed=100", "--set", "maximumAccuracy=5000"]
    for arguments in [
      ["watch", file] + settings, ["watch", file, "--explain"] + settings,
      ["watch", file, "--format", "text"], ["replay", file, "--set", "maximumSpeed=100"],
      ["fixes", file],
    ] {
      let outcome = try await photospots.run(arguments)
      #expect(outcome.code == 0, "\(arguments)")
    }
  }

  @Test func `every numeric setting refuses values out of range`() async throws {
    let zones = ["47,8,99999999999999999999", "47,8,-1", "47,8,1e300", "95,0,1", "47,8,nan"]
    for zone in zones {
      let outcome = try await photospots.run("config", "--set", "mutedZones=\(zone)")
      #expect(outcome.code == 64, "\(zone)")
      #expect(outcome.errors.contains("0 m to 20037508 m"), "\(zone)")
    }
    for name in [
      "proximityRadius", "clusterRadius", "cooldown", "minimumPhotoAge", "distanceFilter",
      "maximumAccuracy", "maximumFixAge", "dwell", "minimumInterval", "maximumSpeed",
      "dailyBudget", "indexMaxAge", "ntfyPriority", "gotifyPriority",
    ] {
      for value in ["1e300", "-1e300", "nan", "inf", "99999999999999999999", "-1"] {
        let outcome = try await photospots.run("config", "--set", "\(name)=\(value)")
        #expect(outcome.code == 64, "\(name)=\(value)")
      }
    }
  }

  @Test func `a device list with impossible numbers is reported and ends no command`()
    async throws
  {
    for (member, number) in [
      (#""battery":"#, "1e300"), (#""horizontalAccuracy":"#, "1e300"), (#""speed":"#, "-1e300"),
    ] {
      try folder.write(
        """
        {"format":"photospots-devices","version":1,"devices":[{"device":"phone",\
        "heard":"2026-11-20T12:00:00.000Z","day":"2026-11-20","walked":1e300,\
        "fixes":9223372036854775807,"fix":{"time":"2026-11-20T12:00:00.000Z","latitude":48.8584,\
        "longitude":2.2945,\(member)\(number)}}]}
        """, to: "devices.json")
      for format in ["text", "json"] {
        let outcome = try await photospots.run(
          "devices", "--state", folder.root.string, "--format", format)
        #expect(outcome.code == 0, "\(member) \(format)")
        #expect(outcome.errors.contains("out of range"))
      }
    }
  }
}
