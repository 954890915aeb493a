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

  @Test func `the walk fires twice, in either format, and not again`() async throws {
    for walk in ["walk.nmea", "walk.ndjson"] {
      let state = folder.path(walk).string
      let first = try await photospots.run(
        "watch", samples.appending(walk).string, "--state", state)
      #expect(first.code == 0)
      #expect(first.output.split(separator: "\n").count == 2)
      let second = try await photospots.run(
        "watch", samples.appending(walk).string, "--state", state)
      #expect(second.code == 0)
      #expect(second.output.isEmpty)
      let history = try await photospots.run("history", "--state", state)
      #expect(history.output.split(separator: "\n").count == 2)
    }
  }

  @Test func `fixes prints what the walk says and nothing else`() async throws {
    let outcome = try await photospots.run("fixes", samples.appending("walk.nmea").string)
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 715)
    #expect(lines.first?.hasPrefix(#"{"time":"2026-05-16T08:30:06.000Z","latitude":"#) == true)
  }

  @Test func `explain gives every fix a decision`() async throws {
    let outcome = try await photospots.run(
      "watch", samples.appending("walk.ndjson").string, "--explain", "--set", "dwell=5min")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains(#""decision":"dwelling""#))
    #expect(!outcome.output.contains(#""decision":"notify""#))
  }

  @Test func `a hook gets the notification, and one that fails is told of and kept`() async throws {
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
      "--state", folder.path("bad").string)
    #expect(bad.code == 0)
    #expect(bad.errors.contains("exit status 1") && bad.errors.contains("hook: broken"))
    let history = try await process.run(
      "history", "--state", folder.path("bad").string, "--format", "json")
    #expect(history.output.contains(#""result": "pending""#))
  }

  @Test func `garbage is no feed, and a missing one is told`() async throws {
    let garbage = try await photospots.run(
      ["fixes", "-"], input: (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
    #expect(garbage.code == 1)
    #expect(garbage.errors.contains("known format"))
    let missing = try await photospots.run("watch", folder.path("nowhere.nmea").string)
    #expect(missing.code == 1)
    #expect(missing.errors.contains("nowhere.nmea"))
  }

  @Test func `positions without a date are passed over by a replay, which says so once`()
    async throws
  {
    try folder.write(
      """
      {"latitude":48.86194,"longitude":2.2883}
      {"latitude":48.86195,"longitude":2.2883}

      """, to: "untimed.ndjson")
    let outcome = try await photospots.run("watch", folder.path("untimed.ndjson").string)
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("no date"))
  }

  @Test func `SIGTERM ends a live watch cleanly`() async throws {
    let outcome = try await Shell.run(
      """
      mkfifo \(folder.path("feed")); sleep 60 > \(folder.path("feed")) & keeper=$!
      \(PhotoSpotsProcess.program) watch \(folder.path("feed")) --state \(folder.path("s")) \
      --index \(folder.root)/xdg_cache_home/photospots/index.json & watch=$!
      while [ ! -e \(folder.path("s"))/journal.ndjson ]; do :; done
      kill -TERM $watch; wait $watch; echo "status $?"; kill $keeper
      """)
    #expect(outcome.output.contains("status 0"))
  }
}
