import CLibrary
import ProcessSupport
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite struct FeedCommandTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  init() async throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
  }

  @Test func `watch fires twice on the sample walk in either format and stores no state`()
    async throws
  {
    for walk in ["walk.nmea", "walk.ndjson"] {
      let state = folder.path(walk).string
      let arguments = ["watch", samples.appending(walk).string, "--state", state]
      let first = try await photospots.run(arguments)
      #expect(first.code == 0 && first.errors.isEmpty)
      #expect(first.output.split(separator: "\n").count == 2)
      let second = try await photospots.run(arguments)
      #expect(second.code == 0)
      #expect(second.output == first.output)
      #expect(access(state, F_OK) != 0)
    }
  }

  @Test func `watch --record fires once per spot, and a second run fires nothing`() async throws {
    for walk in ["walk.nmea", "walk.ndjson"] {
      let state = folder.path(walk).string
      let arguments = ["watch", samples.appending(walk).string, "--state", state, "--record"]
      let first = try await photospots.run(arguments)
      #expect(first.code == 0)
      #expect(first.output.split(separator: "\n").count == 2)
      let second = try await photospots.run(arguments)
      #expect(second.code == 0)
      #expect(second.output.isEmpty)
      let history = try await photospots.run("history", "--state", state)
      #expect(history.output.split(separator: "\n").count == 2)
    }
  }

  @Test func `a file, a pipe and replay lead to the same decisions`()
    async throws
  {
    let walk = String(
      decoding: try Corpus.contents(of: samples.appending("walk.ndjson")), as: UTF8.self)
    // The second feed begins next to a spot, and ends before a stay of a minute.
    try folder.write(walk, to: "whole")
    let lines = walk.split(separator: "\n").filter { $0.contains("T08:36:") }.prefix(24)
    try folder.write(lines.joined(separator: "\n") + "\n", to: "part")
    for (name, count) in [("whole", 2), ("part", 1)] {
      let file = folder.path(name).string
      let read = try await photospots.run("watch", file, "--explain")
      let environment = ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]
        .map { "\($0)='\(folder.path($0.lowercased()))'" }.joined(separator: " ")
      let piped = try await Shell.run(
        """
        cat '\(file)' \
          | env \(environment) '\(PhotoSpotsProcess.program)' watch - --replay --explain
        """)
      #expect(read.code == 0 && read.errors.isEmpty && piped.errors.isEmpty)
      #expect(decisions(in: piped.output) == decisions(in: read.output))
      let replayed = try await photospots.run("replay", file, "--format", "json")
      let ids = notifications(in: read.output)
      #expect(ids.count == count)
      #expect(notifications(in: replayed.output) == ids)
    }
  }

  /// Returns the lines of decisions; notifications appear between them as they are delivered.
  private func decisions(in output: String) -> [Substring] {
    output.split(separator: "\n").filter { $0.hasPrefix(#"{"decision""#) }
  }

  /// Returns the ids of notifications in JSON, in order.
  private func notifications(in json: String) -> [Substring] {
    json.matches(of: /"notification": ?"([a-z0-9]+)"/).map(\.1)
  }

  @Test func `fixes prints every fix of the sample walk`() async throws {
    let outcome = try await photospots.run("fixes", samples.appending("walk.nmea").string)
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 715)
    #expect(lines.first?.hasPrefix(#"{"time":"2026-05-16T08:30:06.000Z","latitude":"#) == true)
  }

  @Test func `watch --explain prints a decision about every fix, not only alerts`() async throws {
    let walk = samples.appending("walk.ndjson").string
    let outcome = try await photospots.run("watch", walk, "--explain", "--set", "dwell=5min")
    #expect(outcome.code == 0)
    /// Returns the time of each line's fix.
    func times(_ output: String) -> [Substring] {
      output.split(separator: "\n").compactMap { line in
        line.firstRange(of: #"{"time":""#).map { line[$0.upperBound...].prefix(24) }
      }
    }
    let fixes = times(try await photospots.run("fixes", walk).output)
    #expect(fixes.count == 715)
    #expect(Set(times(outcome.output)) == Set(fixes))
    #expect(outcome.output.contains(#""decision":"dwelling""#))
    #expect(!outcome.output.contains(#""decision":"notify""#))
  }

  @Test func `watch --explain --format text prints every decision as a sentence`() async throws {
    let walk = samples.appending("walk.ndjson").string
    let outcome = try await photospots.run(
      "watch", walk, "--explain", "--format", "text", "--set", "dwell=5min")
    #expect(outcome.code == 0 && !outcome.output.contains("{"))
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count >= 715)
    #expect(lines.first == "2026-05-16 08:30:06  phone: no spot near", "\(lines.first ?? "")")
    #expect(lines.contains { $0.contains(" m: did not stay for 5 min  [47xjsbmtz9sp]") })
    #expect(lines.allSatisfy { $0.hasPrefix("2026-05-16 08:") })
  }

  @Test func `watch --explain prints sentences on a terminal unless ndjson is requested`()
    async throws
  {
    let line =
      #"{"time":"2026-05-16T08:30:06Z","latitude":48.8,"longitude":2.2,"horizontalAccuracy":5}"#
    try folder.write(line + "\n", to: "feed")
    _ = try await photospots.run("index", samples.appending("photos").string)
    for (flags, beginning) in [("", "2026-05-16 08:30:06  no spot near"), ("--format ndjson", "{")]
    {
      let terminal = try Pseudoterminal()
      _ = try await Shell.run(
        """
        env XDG_CACHE_HOME='\(folder.root)/xdg_cache_home' \
        '\(PhotoSpotsProcess.program)' watch '\(folder.path("feed"))' --explain \(flags) \
        > \(terminal.path)
        """)
      let text = String(decoding: terminal.receiveAll(), as: UTF8.self)
      #expect(text.hasPrefix(beginning), "\(text)")
    }
  }

  @Test func `replay --without names the rule that is off`() async throws {
    let walk = samples.appending("walk.nmea").string
    let outcome = try await photospots.run("replay", walk, "--without", "jumps")
    #expect(outcome.output.hasSuffix("\nwithout jumps, nothing changes\n"), "\(outcome.output)")
    let setting = try await photospots.run("replay", walk, "--set", "cooldown=7d")
    #expect(setting.output.hasSuffix("\nwith cooldown=7d, nothing changes\n"))
  }

  @Test func `replay prints alerts by day, compares settings, and stores nothing`()
    async throws
  {
    let walk = samples.appending("walk.nmea").string
    let visits = try await photospots.run("replay", walk)
    #expect(visits.code == 0 && visits.errors.isEmpty)
    let firstLines = "2026-05-16  715 fixes, 1.8 km (UTC)\n  08:35:48  Paris, 76 m south-east: "
    #expect(visits.output.hasPrefix(firstLines))
    // An alert has the words of the watch, in the same language.
    for language in ["en", "es"] {
      var program = photospots
      program.environment["PHOTOSPOTS_LANGUAGE"] = language
      let watched = try await program.run("watch", walk, "--format", "text")
      let alerts = watched.output.split(separator: "\n")
      let replayed = try await program.run("replay", walk)
      #expect(alerts.count == 2)
      for alert in alerts { #expect(replayed.output.contains("  \(alert)\n"), "\(alert)") }
    }
    #expect(visits.output.hasSuffix("\nnotify               2\n"))

    let days = try await photospots.run(
      "replay", "--days", walk, "--set", "radius=50,dwell=5min", "--set", "cooldown=7d")
    #expect(days.output.hasPrefix("2026-05-16      715 fixes    1.8 km  2 | 0 | 2 fired\n"))
    let compared = try await photospots.run("replay", walk, "--set", "radius=50,dwell=5min")
    #expect(
      compared.output.contains("  - 2026-05-16 08:35:44 [47xjsbmtz9sp]: did not stay for 5 min\n"))
    let json = try await photospots.run("replay", walk, "--format", "json")
    #expect(json.output.contains(#""entered": "2026-05-16T08:35:44.000Z""#))
    // No state is stored: a repeated replay gives the same result, and the history is empty.
    #expect(try await photospots.run("replay", walk).output == visits.output)
    #expect(try await photospots.run("history").output.isEmpty)

    #expect(try await photospots.run("replay", walk, "--set", "dwell=2h").code == 64)
    let missing = try await photospots.run("replay", "missing.gpx")
    #expect(missing.code == 1 && missing.errors.contains("no such file; check the path"))
    #expect(!missing.errors.contains("follow"))
  }

  @Test func `a muted spot does not fire until it is unmuted, and history explains it`()
    async throws
  {
    let walk = samples.appending("walk.ndjson").string
    #expect(try await photospots.run("mute", "nosuchspot").code == 1)
    #expect(try await photospots.run("mute", "47xjsbmtz9sp", "--for", "0s").code == 64)
    for bare in ["30", "1.5", "+30"] {
      let outcome = try await photospots.run("mute", "47xjsbmtz9sp", "--for", bare)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains("--for '\(bare)': write a time with its unit, such as 7d"))
    }
    let notMuted = try await photospots.run("unmute", "47xjsbmtz9sp")
    #expect(notMuted.code == 1)
    #expect(
      notMuted.errors.contains("no such spot is muted: '47xjsbmtz9sp'; no spot is muted at all"))
    let muted = try await photospots.run("mute", "47xj", "--for", "10000d")
    #expect(
      muted.output.hasPrefix(
        "muted 47xjsbmtz9sp: 6 photos, 2016-04-17 – 2025-09-14, at 48.86194, 2.28831, until "))
    #expect(
      try await photospots.run("mute", "xcc5f70gq2gd").output.hasSuffix("until unmuted\n"))
    let list = try await photospots.run("mute").output.split(separator: "\n")
    #expect(list.count == 2 && list[0].hasPrefix("47xjsbmtz9sp") && list[0].hasSuffix("UTC"))
    #expect(list.count == 2 && list[1].hasSuffix("until unmuted"))
    #expect(try await photospots.run("watch", walk, "--record").output.isEmpty)
    let history = try await photospots.run("history").output
    #expect(history.contains("spot 47xjsbmtz9sp: you came within 90 m, but it is muted\n"))
    #expect(try await photospots.run("replay", walk).output.contains("it is muted"))

    #expect(
      try await photospots.run("unmute", "47XJ", "xcc5f70gq2gd").output.split(separator: "\n")
        .map { $0.prefix(21) } == ["unmuted 47xjsbmtz9sp,", "unmuted xcc5f70gq2gd,"])
    #expect(try await photospots.run("mute").output.isEmpty)
    #expect(try await photospots.run("watch", walk).output.split(separator: "\n").count == 2)
  }

  @Test func `near and spots mark muted spots, and ignore a damaged list of mutes`()
    async throws
  {
    let place = ["near", "48.86194", "2.28831", "--radius", "1km"]
    #expect(try await !photospots.run(place).output.contains("muted"))
    #expect(try await photospots.run("mute", "47xj").code == 0)
    #expect(try await photospots.run("mute", "xcc5", "--for", "7d").code == 0)
    for command in [place, ["spots"]] {
      let lines = try await photospots.run(command).output.split(separator: "\n")
      #expect(lines.contains { $0.hasSuffix("47xjsbmtz9sp  muted") })
      #expect(lines.contains { $0.contains("xcc5f70gq2gd  muted until 20") })
      #expect(lines.count { $0.contains("muted") } == 2)
      for format in ["json", "geojson"] {
        let json = try await photospots.run(command + ["--format", format]).output
        #expect(json.ranges(of: /"muted": ?true/).count == 2)
        #expect(json.ranges(of: /"mutedUntil": ?"20/).count == 1)
      }
    }
    try folder.write("rubbish", to: "xdg_state_home/photospots/mutes.json")
    let outcome = try await photospots.run(place)
    #expect(outcome.code == 0 && outcome.output.contains("47xjsbmtz9sp\n"))
    #expect(outcome.errors.contains("mutes.json"))
  }

  @Test func `an ambiguous or short prefix of a spot id is refused`() async throws {
    let ids = try await photospots.run("spots", "--format", "json").output
      .matches(of: /"id": ?"([^"]+)"/).map { String($0.1) }
    #expect(ids.count > 1)
    let outcome = try await photospots.run("mute", String(ids[0].prefix(3)))
    #expect(outcome.code == 1 && outcome.errors.contains("at least 4 characters"))
    try folder.write(
      #"{"format":"photospots-mutes","version":1,"mutes":[{"spot":"aaaab","latitude":1,"longitude":2},"#
        + #"{"spot":"aaaac","latitude":1,"longitude":3}]}"#,
      to: "xdg_state_home/photospots/mutes.json")
    let several = try await photospots.run("unmute", "aaaa")
    #expect(several.code == 1 && several.errors.contains("aaaab, aaaac"))
    #expect(try await photospots.run("unmute", "aaaab").code == 0)
  }

  @Test func `every alert has the id by which its spot can be muted`() async throws {
    let walk = samples.appending("walk.ndjson").string
    let alerts = try await photospots.run("watch", walk, "--record", "--format", "text").output
    #expect(alerts.contains(". [47xjsbmtz9sp] (") && alerts.contains(". [xcc5f70gq2gd] ("))
    #expect(try await photospots.run("history").output.contains(". [47xjsbmtz9sp]  ["))
  }

  /// A table whose time has an unknown name was printed without a word.
  @Test func `positions without a time are counted`() async throws {
    try folder.write("start,lat,lon\n2026-11-20T12:00:00Z,1,2\n", to: "feed")
    let outcome = try await photospots.run("fixes", folder.path("feed").string)
    #expect(outcome.code == 0 && outcome.errors.contains("1 of 1 position has no time"))
  }

  @Test func `the number of a bad line and the count of lines agree`() async throws {
    let fix = #"{"latitude":1,"longitude":2,"time":"2026-01-01T00:00:00Z"}"#
    try folder.write("\n\n\(fix)\nbad\n", to: "feed")
    let lines = try await photospots.run("fixes", folder.path("feed").string)
    #expect(lines.errors.contains("1 of 4 lines of the feed cannot be read, the last: line 4: "))
    let replay = try await photospots.run("replay", folder.path("feed").string)
    #expect(replay.errors.contains("1 of 4 lines cannot be read"))
    try folder.write(#"<gpx version="1.1"><trk><trkseg><trkpt lat="x" lon="2"/>"#, to: "cut.gpx")
    let cut = try await photospots.run("fixes", folder.path("cut.gpx").string)
    #expect(cut.errors.contains("2 errors in the 2 records of the feed, the last: record 2"))
  }

  /// The first such file ended the command, without its name.
  @Test func `of compressed files that are cut off, what comes before is read, and the next files`()
    async throws
  {
    let walk = samples.appending("walk.nmea").string
    let (cut, later) = (folder.path("cut.nmea.gz").string, folder.path("later").string)
    _ = try await Shell.run("gzip -c '\(walk)' | head -c 4000 > '\(cut)'")
    try folder.write(
      #"{"time":"2026-05-17T10:00:00Z","latitude":1,"longitude":2}"# + "\n", to: "later")
    let message = "cut.nmea.gz: the compressed file is damaged or cut off"
    for command in [
      ["replay", "--days"], ["why", "last", "--feed", cut, "--feed", later], ["fixes"],
      ["watch", "--explain"],
    ] {
      let files = command.contains("--feed") ? [] : [cut, later]
      let outcome = try await photospots.run(command + files)
      #expect(outcome.code == 2, "\(command)")
      #expect(outcome.errors.ranges(of: message).count == 1, "\(command): \(outcome.errors)")
      guard command[0] != "why" else { continue }
      #expect(outcome.output.contains("2026-05-16"), "\(command)")
      #expect(outcome.output.contains("2026-05-17"), "\(command)")
    }
    let alone = try await photospots.run("fixes", cut)
    #expect(alone.code == 2 && alone.errors.contains(message), "\(alone.errors)")
  }

  @Test func `replay reads files in order of time, regardless of their names`() async throws {
    func fix(_ time: String, _ latitude: Double) -> String {
      #"{"time":"2026-05-\#(time)Z","latitude":\#(latitude),"longitude":2.2945}"# + "\n"
    }
    try folder.write(fix("17T10:00:00", 10) + fix("17T10:10:00", 10.001), to: "a.ndjson")
    try folder.write(fix("16T10:00:00", 20) + fix("16T10:10:00", 20.001), to: "b.ndjson")
    let outcome = try await photospots.run(
      "replay", "--days", folder.path("a.ndjson").string, folder.path("b.ndjson").string)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.prefix(2).map { $0.prefix(10) } == ["2026-05-16", "2026-05-17"])
    #expect(!outcome.output.contains("late"))
  }

  @Test func `a hook gets the notification, and that of a failing hook is reported and pending`()
    async throws
  {
    try folder.write(
      "#!/bin/sh\ncat > \"$OUT\"; echo \"$PHOTOSPOTS_SPOT_PHOTO_COUNT\" >> \"$OUT\"\n",
      to: "hook.sh")
    try folder.write("#!/bin/sh\necho broken; exit 1\n", to: "broken.sh")
    for script in ["hook.sh", "broken.sh"] { try folder.makeExecutable(folder.path(script)) }
    var process = photospots
    process.environment["OUT"] = folder.path("out").string
    let good = try await process.run(
      "watch", samples.appending("walk.ndjson").string, "--hook", folder.path("hook.sh").string,
      "--state", folder.path("good").string)
    #expect(good.code == 0)
    let written = String(decoding: try folder.contents(of: folder.path("out")), as: UTF8.self)
    #expect(written.hasSuffix("\n3\n") && written.contains(#""type":"enter""#))

    let bad = try await process.run(
      "watch", samples.appending("walk.ndjson").string, "--hook", folder.path("broken.sh").string,
      "--state", folder.path("bad").string, "--record")
    #expect(bad.code == 3)
    #expect(bad.errors.contains("exit status 1") && bad.errors.contains("hook: broken"))
    #expect(
      bad.errors.contains("hook: 2 notifications are not delivered (exit status 1); stored in"))
    let history = try await process.run(
      "history", "--state", folder.path("bad").string, "--format", "json")
    #expect(history.output.contains(#""result": "pending""#))
  }

  @Test func `a hook's output is shown with control characters escaped`() async throws {
    try folder.write(
      "#!/bin/sh\nprintf 'see https://host//x/ \\033[31m\\n'\n", to: "hook.sh")
    try folder.makeExecutable(folder.path("hook.sh"))
    let outcome = try await photospots.run(
      "watch", samples.appending("walk.ndjson").string, "--hook", folder.path("hook.sh").string)
    #expect(outcome.errors.contains("hook: see https://host//x/ \\x1b[31m\n"))
  }

  @Test func `a hook that cannot run is an error before the feed is read`() async throws {
    try folder.write("", to: "empty.ndjson")
    try folder.write("#!/bin/sh\n", to: "hook.sh")
    for (hook, words) in [
      ("missing.sh", "does not exist"), ("hook.sh", "not executable"), (".", "is a folder"),
    ] {
      let outcome = try await photospots.run(
        "watch", folder.path("empty.ndjson").string, "--hook", folder.path(hook).string)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains(words))
    }
  }

  @Test func `an unknown feed format and a missing file are errors`() async throws {
    let garbage = try await photospots.run(
      ["fixes", "-"], input: (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
    #expect(garbage.code == 1)
    #expect(garbage.errors.contains("known format"))
    let missing = try await photospots.run("watch", folder.path("nowhere.nmea").string)
    #expect(missing.code == 1)
    #expect(missing.errors.contains("nowhere.nmea"))
  }

  @Test func `a GPX document is read from a file or standard input, and cannot be followed`()
    async throws
  {
    let points = ["12:00:00", "12:00:05"].map {
      #"<trkpt lat="48.86194" lon="2.2883"><time>2025-11-20T\#($0)Z</time></trkpt>"#
    }
    let gpx = "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>\n"
    try folder.write(gpx, to: "walk.gpx")
    let file = folder.path("walk.gpx").string
    let whole = try await photospots.run("fixes", file)
    #expect(whole.code == 0 && whole.errors.isEmpty)
    #expect(
      whole.output == """
        {"time":"2025-11-20T12:00:00.000Z","latitude":48.86194,"longitude":2.2883}
        {"time":"2025-11-20T12:00:05.000Z","latitude":48.86194,"longitude":2.2883}

        """)
    let piped = try await photospots.run(["fixes", "-"], input: Array(gpx.utf8))
    #expect(piped.output == whole.output)
    let given = try await photospots.run("fixes", file, "--feed-format", "gpx", "--follow")
    #expect(given.code == 64 && given.errors.contains("--follow cannot be used with gpx"))
    let cut = try await photospots.run(["fixes", "-"], input: Array(gpx.utf8.dropLast(22)))
    #expect(cut.code == 0)
    #expect(cut.output.split(separator: "\n").count == 2)
    #expect(cut.errors.contains("the text ends inside an element"))
  }

  @Test(
    arguments: [
      ("walk.gpx", "<?xml version=\"1.0\"?>\n<gpx><trk></trk></gpx>", "gpx"),
      ("walk.kml", "<kml><Document></Document></kml>", "kml"),
      ("walk.geojson", #"{"type":"FeatureCollection","features":[]}"#, "geojson"),
      ("Records.json", #"{"locations":[{"latitudeE7":488619400}]}"#, "google"),
      ("walk.gpx.gz", "\u{1F}\u{8B}", "a compressed file"),
      ("walk.kmz", "PK\u{3}\u{4}", "a compressed file"),
    ])
  func `a document was followed for ever without a word`(
    _ file: (name: String, text: String, format: String)
  ) async throws {
    let bytes = file.text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    try folder.write(bytes, to: file.name)
    for command in ["watch", "fixes"] {
      let outcome = try await photospots.run(command, "--follow", folder.path(file.name).string)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains("--follow cannot be used with \(file.format)"))
      #expect(outcome.errors.contains("follow a feed of lines (ndjson, nmea,"))
    }
  }

  @Test func `--follow fails if the file turns out to be a document`() async throws {
    try folder.write("", to: "late.gpx")
    // Lines written before the file is opened are not read, so they are written repeatedly.
    let outcome = try await Shell.run(
      """
      \(PhotoSpotsProcess.program) fixes --follow \(folder.path("late.gpx")) & reader=$!
      while kill -0 $reader 2> /dev/null; do
        echo '<gpx><trk>' >> \(folder.path("late.gpx")); sleep 0.05
      done
      wait $reader; echo "status $?"
      """)
    #expect(outcome.output.contains("status 64"))
    #expect(outcome.errors.contains("--follow cannot be used with gpx"))
  }

  @Test func `positions of a GeoJSON line have no date, also in a pipe`() async throws {
    let line = #"{"type":"LineString","coordinates":[[2.2883,48.86194],[2.2884,48.86194]]}"#
    let outcome = try await photospots.run(["watch", "-", "--explain"], input: Array(line.utf8))
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("no date"))
  }

  @Test func `watch skips positions without a date and says so once`() async throws {
    try folder.write(
      """
      {"latitude":48.86194,"longitude":2.2883}
      {"latitude":48.86195,"longitude":2.2883}

      """, to: "untimed.ndjson")
    let outcome = try await photospots.run("watch", folder.path("untimed.ndjson").string)
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("no date") } == 1)
  }

  @Test func `SIGTERM ends the retries of a failing hook`() async throws {
    // Retrying two notifications takes minutes; the signal arrives during the first attempt.
    try folder.write(
      "#!/bin/sh\necho >> \"$TRIES\"; kill -TERM $PPID; sleep 1.2; exit 1\n", to: "hook.sh")
    try folder.makeExecutable(folder.path("hook.sh"))
    let tries = folder.path("tries")
    let outcome = try await Shell.run(
      """
      export TRIES=\(tries); touch $TRIES
      \(PhotoSpotsProcess.program) watch \(samples.appending("walk.ndjson")) \
      --hook \(folder.path("hook.sh")) --state \(folder.path("s")) \
      --index \(folder.root)/xdg_cache_home/photospots/index.json > /dev/null
      echo "status $?"; wc -l < $TRIES
      """)
    #expect(outcome.output.contains("status 0"))
    #expect(outcome.output.split(separator: "\n").last?.filter(\.isNumber) == "1")
  }

  @Test func `SIGTERM ends a live watch whose hook hangs, and the next start delivers`()
    async throws
  {
    try folder.write(
      """
      #!/bin/sh
      echo "$PHOTOSPOTS_ID" >> "$TRIES"
      [ -e "$TRIES.released" ] && exit 0
      trap '' TERM
      exec sleep 1000

      """, to: "hook.sh")
    try folder.makeExecutable(folder.path("hook.sh"))
    let (tries, feed) = (folder.path("tries"), folder.path("feed"))
    let options = """
      --hook \(folder.path("hook.sh")) --state \(folder.path("s")) \
      --index \(folder.root)/xdg_cache_home/photospots/index.json
      """
    let outcome = try await Shell.run(
      """
      export TRIES=\(tries); touch $TRIES; mkfifo \(feed)
      fix() { printf '{"time":"%s","latitude":%s}\\n' "$(date -u -d "$1" +%FT%TZ)" "$2"; }
      (fix '2 minutes ago' '48.8640,"longitude":2.2850'
        fix now '48.8620,"longitude":2.2883'; exec sleep 1000) > \(feed) & keeper=$!
      \(PhotoSpotsProcess.program) watch \(feed) \(options) > /dev/null & watch=$!
      pid=$watch; \(Shell.await)
      await . $TRIES
      kill -TERM $watch; wait $watch; kill $keeper
      touch $TRIES.released; first=$(head -n 1 $TRIES)
      \(PhotoSpotsProcess.program) watch - \(options) < /dev/null
      echo "tried $(grep -c "$first" $TRIES) times"
      """,
      environment: ["PHOTOSPOTS_RULES_OFF": "bursts,coldStart,devices,jumps,vehicles"])
    #expect(outcome.output.contains("tried 2 times"), "\(outcome)")
  }

  @Test func `watch ends with status 1 if standard output is closed, after running its hook`()
    async throws
  {
    let outcome = try await Shell.run(
      """
      \(PhotoSpotsProcess.program) watch \(samples)/walk.ndjson --state \(folder.path("closed")) \
      --index \(folder.root)/xdg_cache_home/photospots/index.json \
      --hook \(samples)/hooks/log-to-file.sh >&-; echo "status $?" >&2
      """, environment: ["PHOTOSPOTS_LOG_FILE": folder.path("log").string])
    #expect(outcome.errors.contains("status 1"))
    #expect(outcome.errors.contains("standard output is closed"))
    // Reading ends immediately, and the notifications already decided are delivered.
    let log = try folder.contents(of: folder.path("log"))
    #expect(!log.isEmpty)
  }

  @Test func `SIGTERM ends a live watch with status 0`() async throws {
    let outcome = try await Shell.run(
      """
      mkfifo \(folder.path("feed")); sleep 1000 > \(folder.path("feed")) & keeper=$!
      \(PhotoSpotsProcess.program) watch \(folder.path("feed")) --state \(folder.path("s")) \
      --index \(folder.root)/xdg_cache_home/photospots/index.json & watch=$!
      pid=$watch; \(Shell.await)
      await . \(folder.path("s"))/journal.ndjson
      kill -TERM $watch; wait $watch; echo "status $?"; kill $keeper
      """)
    #expect(outcome.output.contains("status 0"))
  }
}
