#if Postgres
  import CLibrary
  import PostgresStore
  import SystemPackage
  import TestSupport
  import Testing

  /// `store` and `index --store`.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(60)))
  struct StoreCommandTests {
    private let folder = TemporaryFolder()
    private let database: PostgresServer.Database
    private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }
    private var store: [String] { ["--store", database.address, "--owner", "anna"] }

    init() throws {
      database = try PostgresServer.shared.database()
    }

    private func run(_ arguments: String...) async throws -> PhotoSpotsProcess.Outcome {
      try await photospots.run(arguments)
    }

    private func migrate() async throws {
      let outcome = try await run("store", "migrate", database.address)
      try #require(outcome.code == 0, "\(outcome)")
    }

    private func count(_ table: String) throws -> String {
      try database.execute("select count(*) from \(table)").first ?? ""
    }

    @Test func `store migrate creates the tables once and reports its steps`() async throws {
      let first = try await run("store", "migrate", database.address)
      #expect(first.code == 0)
      #expect(first.output.hasPrefix("migrated to version 1: owners, photos and spots\n"))
      let second = try await run("store", "migrate", database.address)
      #expect(second.code == 0 && second.output.isEmpty)
      #expect(second.errors.contains("up to date: version \(StoreSchema.version)"))
    }

    @Test func `store migrate --distribute without Citus fails before it creates a table`()
      async throws
    {
      let outcome = try await run("store", "migrate", database.address, "--distribute")
      #expect(outcome.code == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("create extension citus"))
      #expect(try database.execute("select to_regclass('owner') is null") == ["t"])
    }

    @Test func `index --store sends photos, and only changes the next time`() async throws {
      try await migrate()
      let first = try await photospots.run(["index"] + store + ["\(samples)/photos"])
      #expect(first.code == 0, "\(first)")
      #expect(first.output.contains("store: 30 photos added, 0 removed; "))
      #expect(try count("photo") == "30")
      #expect(try count("mark") == "0")
      let second = try await photospots.run(["index", "--json"] + store)
      #expect(second.code == 0, "\(second)")
      #expect(second.output.contains("\"added\": 0,\n    \"removed\": 0,\n    \"spotsWritten\": 0"))
      let status = try await run("store", "status", database.address)
      #expect(status.output == "anna: 30 photos at \(try count("spot")) spots\n")
    }

    @Test func `index --no-work leaves the spots to a worker`() async throws {
      try await migrate()
      let indexed = try await photospots.run(
        ["index", "--no-work"] + store + ["\(samples)/photos"])
      #expect(indexed.output.contains("; workers compute the spots\n"), "\(indexed)")
      #expect(try count("spot") == "0")
      let waiting = try await run("store", "status", database.address, "--owner", "anna")
      #expect(waiting.output.contains("cells left to workers"))
      let work = try await run("store", "work", database.address, "--once")
      #expect(work.code == 0, "\(work)")
      #expect(work.errors.contains("spots written"))
      let done = try await run("store", "status", database.address, "--json")
      #expect(done.output.contains("\"waitingCells\": 0"))
      #expect(try count("spot") != "0")
      // No owner has marked cells any more.
      #expect(try count("pending") == "0")
    }

    @Test func `a second index of an owner needs a different source name`() async throws {
      try await migrate()
      let photos = "\(samples)/photos"
      _ = try await photospots.run(["index", "--source", "a"] + store + [photos])
      func other(_ more: [String]) async throws -> PhotoSpotsProcess.Outcome {
        try await photospots.run(
          ["index", "--index", "\(folder.path("other.json"))"] + more + store + [photos])
      }
      let taken = try await other(["--source", "a"])
      #expect(taken.code == 1 && taken.errors.contains("--take-over"))
      #expect(try await other(["--source", "b"]).code == 0)
      #expect(try count("photo") == "60")
      let known = try await other(["--source", "whatever"])
      #expect(known.code == 0 && known.output.contains("store: 0 photos added"))
    }

    @Test func `--take-over replaces a lost index as the source`() async throws {
      try await migrate()
      let photos = "\(samples)/photos"
      _ = try await photospots.run(["index", "--source", "a"] + store + [photos])
      let outcome = try await photospots.run(
        ["index", "--index", "\(folder.path("other.json"))", "--source", "a", "--take-over"]
          + store + [photos])
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.output.contains("store: 0 photos added, 0 removed"))
    }

    @Test func `owners can be added, listed, and given another cluster radius`() async throws {
      try await migrate()
      #expect(try await run("store", "owner", database.address, "anna").output == "added anna\n")
      #expect(try await run("store", "owners", database.address).output == "anna\n")
      _ = try await photospots.run(["index"] + store + ["\(samples)/photos"])
      let change = try await run(
        "store", "owner", database.address, "anna", "--cluster-radius", "50m")
      #expect(
        change.code == 0 && change.output.contains("workers compute all spots again"), "\(change)")
      #expect(try count("mark") != "0")
      let owners = try await run("store", "owners", database.address, "--json")
      #expect(owners.output.contains("\"clusterRadius\": 50"))
      for name in ["", String(repeating: "x", count: 201), "a\u{7}"] {
        #expect(try await run("store", "owner", database.address, name).code == 64)
      }
      let radius = try await run(
        "store", "owner", database.address, "anna", "--cluster-radius", "51")
      #expect(radius.code == 64)
    }

    @Test func `an unusable store is reported in one line before photos are read`()
      async throws
    {
      func expect(_ words: String, _ arguments: [String], source: SourceLocation) async throws {
        let outcome = try await photospots.run(arguments)
        #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome)", sourceLocation: source)
        #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: source)
        #expect(outcome.errors.filter { $0 == "\n" }.count == 1, sourceLocation: source)
      }
      for command in [
        ["store", "status"], ["store", "owners"], ["store", "work", "--once"],
      ] {
        try await expect(
          "photospots store migrate URL", command + [database.address], source: #_sourceLocation)
      }
      let index = ["index"] + store + ["\(samples)/photos"]
      try await expect("photospots store migrate URL", index, source: #_sourceLocation)
      #expect(!folder.exists(folder.path("xdg_cache_home/photospots/index.json")))
      try await migrate()
      try await expect(
        "has no owner called 'ben'", ["store", "work", "--owner", "ben", database.address],
        source: #_sourceLocation)
      let secret = try await run("store", "status", "postgres://anna:secret@localhost/x")
      #expect(secret.code == 64 && secret.errors.contains("PGPASSWORD"))
      #expect(!secret.errors.contains("secret"))
      #expect(try await photospots.run("index", "--source", "a").code == 64)
      #expect(try await photospots.run(["index", "--watch"] + store).code == 64)
    }

    /// The number of kills; `PHOTOSPOTS_KILLS` is for long runs.
    private static let killCount =
      getenv("PHOTOSPOTS_KILLS").flatMap { Int(String(cString: $0)) } ?? 4

    @Test func `killed workers lose nothing`() async throws {
      try await migrate()
      _ = try await photospots.run(["index"] + store + ["\(samples)/photos"])
      let spots = try await spotRows()
      let stop = try WorkerStop(in: database, folder)
      for kill in 0..<Self.killCount {
        // Each change of the radius recomputes all spots.
        for radius in ["40m", "15m"] {
          let changed = try await run(
            "store", "owner", database.address, "anna", "--cluster-radius", radius)
          try #require(changed.code == 0, "\(changed)")
          try stop.set(afterRows: kill * 7 % 10)
          let worker = try ChildProcess(
            PhotoSpotsProcess.program, ["store", "work", database.address])
          try stop.wait()
          // Releasing the process kills it.
          _ = consume worker
        }
        let work = try await run("store", "work", "--once", database.address)
        #expect(work.code == 0, "\(work)")
        #expect(try await spotRows() == spots, "kill \(kill)")
      }
    }

    /// A point in the work of the next worker, reported by the database: triggers count the rows
    /// that the worker changes, and write to a FIFO.
    private struct WorkerStop {
      private let database: PostgresServer.Database
      private let descriptor: FileDescriptor

      init(in database: PostgresServer.Database, _ folder: TemporaryFolder) throws {
        self.database = database
        let path = folder.path("stop")
        try folder.createFIFO(path)
        // The server may run as another user.
        try folder.setPermissions(of: folder.root, to: FilePermissions(rawValue: 0o755))
        try folder.setPermissions(of: path, to: FilePermissions(rawValue: 0o666))
        descriptor = try .open(path, .readOnly, options: .nonBlocking)
        let triggers = ["mark", "spot"].map { table in
          """
          create trigger stop after insert or update or delete on \(table)
          for each row execute function stop();
          """
        }
        try database.execute(
          """
          create sequence step minvalue -1000;
          create function stop() returns trigger language plpgsql security definer as $$
          begin
            if nextval('step') = 0 then copy (select 1) to '\(path)'; end if;
            return null;
          end $$;
          \(triggers.joined(separator: "\n"))
          """)
      }

      /// Sets the number of rows that the worker changes before the point.
      func set(afterRows count: Int) throws {
        try database.execute("select setval('step', \(-1 - count))")
      }

      /// Waits until a worker reaches the point, at most a minute.
      func wait() throws {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) == 1 else { throw Errno.timedOut }
        var byte = [UInt8](repeating: 0, count: 16)
        _ = try byte.withUnsafeMutableBytes { try descriptor.read(into: $0) }
      }
    }

    /// Returns the spots in the store, sorted by id.
    private func spotRows() async throws -> [String] {
      try database.execute(
        "select id, latitude, longitude, radius, photo_count, cover from spot order by id")
    }

    @Test func `a worker survives a database crash and ends on SIGTERM`() async throws {
      // A separate server, because other tests use the shared one.
      let server = try PostgresServer()
      let database = try server.database()
      _ = try StoreSchema.migrate(try PostgresConnection(StoreAddress(database.address)))
      let errors = try GrowingFile(folder.path("errors"))
      let worker = try ChildProcess(
        PhotoSpotsProcess.program, ["store", "work", database.address],
        errors: folder.path("errors"))
      try server.crash()
      try server.start()
      let index = try await photospots.run(
        ["index", "--no-work", "--store", database.address, "--owner", "anna", "\(samples)/photos"])
      #expect(index.code == 0, "\(index)")
      try errors.wait(for: "spots written")
      let status = try await run("store", "status", database.address)
      #expect(status.output.hasPrefix("anna: 30 photos at "), "\(status)")
      #expect(status.output.hasSuffix(" spots\n"), "\(status)")
      worker.send(SIGTERM)
      #expect(worker.exitStatus() == 0)
    }
  }
#endif
