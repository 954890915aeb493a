#if Postgres
  import ProcessSupport
  import CLibrary
  import CivilTime
  import PostgresStore
  import SpotAlerts
  import SystemPackage
  import TestSupport
  import Testing

  /// `watch`, `history` and `why` with `--store`.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(30)))
  struct StoreWatchCommandTests {
    private let folder = TemporaryFolder()
    private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

    private func indexed(on server: PostgresServer) async throws -> PostgresServer.Database {
      let database = try server.database()
      _ = try StoreSchema.migrate(try PostgresConnection(StoreAddress(database.address)))
      for arguments in [[], ["--store", database.address, "--owner", "anna"]] {
        let outcome = try await photospots.run(["index", "\(samples)/photos"] + arguments)
        try #require(outcome.code == 0, "\(outcome)")
      }
      return database
    }

    private func ids(in text: String) -> [String] {
      text.matches(of: /"id": ?"([a-z2-7]{13})"/).map { String($0.1) }
    }

    @Test func `a recorded walk has the same alerts as with the index file`() async throws {
      let database = try await indexed(on: try PostgresServer.shared)
      let store = ["--store", database.address, "--owner", "anna"]
      let walk = ["watch", "\(samples)/walk.nmea", "--format", "ndjson"]
      let file = try await photospots.run(walk)
      let stored = try await photospots.run(walk + store)
      #expect(stored.code == 0, "\(stored)")
      #expect(ids(in: stored.output) == ids(in: file.output))
      #expect(ids(in: file.output).count == 2)
      #expect(try database.execute("select count(*) from alert") == ["0"], "nothing is stored")
      let recorded = try await photospots.run(walk + store + ["--record"])
      #expect(ids(in: recorded.output) == ids(in: file.output))
      #expect(try await photospots.run(walk + store + ["--record"]).output.isEmpty, "cooldown")
      let history = try await photospots.run(["history", "--format", "json"] + store)
      #expect(ids(in: history.output) == ids(in: file.output), "\(history)")
      let text = try await photospots.run(["history"] + store)
      #expect(text.output.contains("[stdout delivered]"), "\(text)")
      #expect(try await photospots.run("history").output.isEmpty, "the state folder has no history")
      let why = try await photospots.run(["why", "last"] + store)
      #expect(why.code == 0 && !why.output.isEmpty, "\(why)")
      let digest = try await photospots.run(["history", "--digest", "week"] + store)
      #expect(digest.code == 0, "\(digest)")
    }

    @Test func `the flags of a store are checked before the feed is read`() async throws {
      let store = ["--store", "postgres:///x?host=/nonexistent", "--owner", "anna"]
      for (arguments, code) in [
        (["watch", "-", "--lanes", "2"], 64), (["watch", "-", "--lanes", "65"] + store, 64),
        (["watch", "-", "--store", "postgres:///x"], 64),
        (["why", "last", "--feed", "x.gpx"] + store, 64), (["watch", "-"] + store, 1),
        (["history"] + store, 1),
      ] as [([String], Int32)] {
        let outcome = try await photospots.run(arguments)
        #expect(outcome.code == code && outcome.output.isEmpty, "\(arguments): \(outcome)")
      }
    }

    private static let hasCurl = access("/usr/bin/curl", X_OK) == 0

    /// Starts a watch with further arguments that listens, and waits for its address. The number is
    /// a suffix of the names of its output files.
    private func listening(
      _ database: PostgresServer.Database, _ arguments: String, _ number: String = ""
    ) throws -> (watch: ChildProcess, url: String) {
      let watch = try ChildProcess(
        "/bin/sh",
        [
          "-c",
          """
          cd \(folder.root)
          exec env -i PATH=/usr/bin:/bin TZ=UTC HOME=$PWD XDG_CACHE_HOME=$PWD/c XDG_CONFIG_HOME=$PWD/c \
            PHOTOSPOTS_RULES_OFF=bursts,coldStart,devices,vehicles \(PhotoSpotsProcess.program) watch \(arguments) \
            --listen 127.0.0.1:0 --store '\(database.address)' --owner anna --state state \
            --format ndjson < /dev/null > out\(number) 2> errors\(number)
          """,
        ])
      try wait(for: "listening at", in: "errors\(number)")
      let url = try #require(text("errors\(number)").firstMatch(of: /listening at (\S+)/)).1
      return (watch, String(url))
    }

    private func text(_ name: String) -> String {
      (try? folder.contents(of: folder.path(name))).map { String(decoding: $0, as: UTF8.self) }
        ?? ""
    }

    private func wait(for word: String, in name: String) throws {
      for _ in 0..<12_000 {
        if text(name).contains(word) { return }
        usleep(10_000)
      }
      Issue.record("no '\(word)' in \(name): \(text(name)) \(text("errors"))")
      throw Errno.timedOut
    }

    /// Sends a position at a spot, and returns the status.
    private func post(
      _ device: String, at time: Int? = nil, to url: String
    ) async throws -> String {
      try await Shell.run(
        """
        curl -sS --max-time 60 -o /dev/null -w '%{http_code}' '\(url)' -d '{"_type":"location",\
        "tid":"\(device)","tst":'\(time.map(String.init) ?? "$(date +%s)")',"lat":48.85150,\
        "lon":2.35300,"acc":5}'
        """
      ).output
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a fix repeated while the database hangs is not answered, and a kill loses no alert`()
      async throws
    {
      let server = try PostgresServer()
      let database = try await indexed(on: server)
      let (first, url) = try listening(database, "--lanes 1")
      #expect(try await post("a1", to: url) == "200")
      try wait(for: #""device":"a1""#, in: "out")
      let sessions = try server.sessions(of: database)
      #expect(sessions.count >= 1)
      let time = Int(SystemClock().now().millisecondsSince1970 / 1000)
      for session in sessions { kill(session, SIGSTOP) }
      defer { for session in sessions { kill(session, SIGCONT) } }
      async let status = post("a2", at: time, to: url)
      async let repeatedStatus = post("a2", at: time, to: url)
      // Messages without positions, which are answered at once.
      for _ in 0..<20 {
        let answer = try await Shell.run(
          "curl -sS --max-time 60 -o /dev/null -w '%{http_code}' '\(url)' -d '{\"_type\":\"lwt\"}'")
        #expect(answer.output == "200")
      }
      first.send(SIGKILL)
      first.waitUntilExit()
      for session in sessions { kill(session, SIGCONT) }
      #expect(try await [status, repeatedStatus] == ["000", "000"], "nothing is stored")
      #expect(!text("out").contains(#""device":"a2""#))
      let (second, other) = try listening(database, "--lanes 1", "2")
      #expect(try await post("a2", at: time, to: other) == "200")
      try wait(for: #""device":"a2""#, in: "out2")
      #expect(try await post("a2", at: time, to: other) == "200")
      second.send(SIGTERM)
      second.waitUntilExit()
      let alerts = try database.execute("select count(*) from delivery where device = 'a2'")
      #expect(alerts == ["1"])
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `during a database outage apps get status 503, and a pipe resumes afterwards`()
      async throws
    {
      let server = try PostgresServer()
      let database = try await indexed(on: server)
      try #require(mkfifo(folder.path("pipe").string, 0o600) == 0)
      let pipe = try FileDescriptor.open(
        folder.path("pipe"), .readWrite, options: .closeOnExec)
      let (watch, url) = try listening(database, "pipe")
      defer { withExtendedLifetime(watch) {} }
      func post(_ device: String) async throws -> String {
        try await self.post(device, to: url)
      }
      #expect(try await post("a1") == "200")
      try wait(for: #""device":"a1""#, in: "out")
      try server.crash()
      try pipe.writeAll(#"{"latitude":48.85150,"longitude":2.35300,"device":"b1"}"#.utf8)
      try pipe.writeAll("\n".utf8)
      try wait(for: "the store cannot be reached", in: "errors")
      for device in ["a2", "a3", "a2"] { #expect(try await post(device) == "503") }
      #expect(!text("out").contains(#""device":"b1""#), "no unrecorded alert is sent")
      try server.start()
      try wait(for: #""device":"b1""#, in: "out")
      var answer = ""
      for _ in 0..<600 where answer != "200" {
        answer = try await post("a2")
        usleep(20_000)
      }
      #expect(answer == "200")
      try wait(for: #""device":"a2""#, in: "out")
      try wait(for: "the store can be reached again", in: "errors")
      let errors = text("errors")
      #expect(errors.matches(of: /the store cannot be reached/).count == 1, "\(errors)")
      try pipe.close()
    }
  }
#endif
