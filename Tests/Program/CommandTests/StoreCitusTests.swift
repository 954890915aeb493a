#if Postgres && HTTPServer
  import CLibrary
  import PostgresStore
  import Spatial
  import SystemPackage
  import TestSupport
  import Testing

  /// The commands with a store whose tables Citus spreads over two workers.
  @Suite(
    .enabled(if: CitusCluster.obstacle == nil, "\(CitusCluster.obstacle ?? "")"), .serialized,
    .timeLimit(.minutes(30)))
  struct StoreCitusTests {
    private let folder = TemporaryFolder()
    private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

    private func run(_ arguments: String...) async throws -> PhotoSpotsProcess.Outcome {
      try await photospots.run(arguments)
    }

    private func distributed() async throws -> PostgresServer.Database {
      let database = try CitusCluster.shared.database()
      let outcome = try await run("store", "migrate", "--distribute", database.address)
      try #require(outcome.code == 0, "\(outcome)")
      return database
    }

    /// The tables of a store, in the order in which they are distributed.
    private static let tables =
      StoreSchema.migrations.flatMap(\.sharedTables) + StoreSchema.migrations.flatMap(\.ownedTables)

    @Test func `store migrate --distribute spreads the tables once, and can be repeated`()
      async throws
    {
      let database = try CitusCluster.shared.database()
      let first = try await run("store", "migrate", "--distribute", database.address)
      #expect(first.code == 0, "\(first)")
      #expect(first.output.hasPrefix("migrated to version 1: owners, photos and spots\n"))
      #expect(first.output.hasSuffix(Self.tables.map { "distributed \($0)\n" }.joined()))
      let kinds = try database.execute(
        "select citus_table_type || ' ' || count(*) from citus_tables group by citus_table_type")
      let shared = StoreSchema.migrations.flatMap(\.sharedTables).count
      #expect(
        Set(kinds) == ["distributed \(Self.tables.count - shared)", "reference \(shared)"])
      let nodes = try database.execute(
        "select count(distinct nodeport) from citus_shards where table_name = 'photo'::regclass")
      #expect(nodes == ["2"], "both workers have rows")
      let second = try await run("store", "migrate", "--distribute", database.address)
      #expect(second.code == 0 && second.output.isEmpty, "\(second)")
      #expect(second.errors.contains("all tables are already distributed"))
      let third = try await run("store", "migrate", database.address)
      #expect(third.code == 0 && third.output.isEmpty, "\(third)")
    }

    @Test func `a half distributed store says so, and the next migrate completes it with its rows`()
      async throws
    {
      let database = try CitusCluster.shared.database()
      let store = ["--store", database.address, "--owner", "anna"]
      // With the extension but without distributed tables, the store is one of a single server.
      for arguments in [
        ["store", "migrate", database.address], ["index", "\(samples)/photos"] + store,
      ] {
        let outcome = try await photospots.run(arguments)
        try #require(outcome.code == 0, "\(outcome)")
      }
      let near = ["near", "48.86194", "2.2883", "--radius", "5km"] + store
      let before = try await photospots.run(near)
      #expect(before.code == 0 && !before.output.isEmpty, "\(before)")
      // As earlier versions left it.
      try database.execute(
        """
        select create_reference_table('owner');
        select create_reference_table('pending');
        alter table source no force row level security;
        alter table source disable row level security;
        """)
      for arguments in [
        near, ["spots"] + store, ["index"] + store, ["store", "owners", database.address],
        ["store", "work", database.address, "--once"], ["history"] + store,
        ["watch", "\(samples)/walk.nmea", "--record"] + store,
        ["store", "account", "add", database.address, "anna"],
        ["store", "migrate", database.address],
      ] {
        let outcome = try await photospots.run(arguments)
        #expect(outcome.code == 1, "\(arguments): \(outcome)")
        #expect(
          outcome.errors.contains("run 'photospots store migrate --distribute URL'"),
          "\(arguments): \(outcome)")
      }
      let completing = try await run("store", "migrate", "--distribute", database.address)
      #expect(completing.code == 0, "\(completing)")
      let rest = Self.tables.filter { !["owner", "pending"].contains($0) }
      #expect(completing.output == rest.map { "distributed \($0)\n" }.joined())
      let after = try await photospots.run(near)
      #expect(after.output == before.output && after.code == 0, "\(after)")
      #expect(try database.execute("select count(*) from photo") == ["30"])
      #expect(try database.execute("select pg_relation_size('photo')") == ["0"], "no copy is left")
    }

    /// The answers of the commands about a store, with those of times and places of this machine
    /// removed.
    private func answers(_ database: PostgresServer.Database) async throws -> [String] {
      let home = folder.path(database.name)
      try folder.createFolder(home)
      let photospots = PhotoSpotsProcess(home: home)
      let photos = "\(samples)/photos"
      func asked(_ words: String...) -> [String] {
        words + ["--store", database.address, "--owner", "anna"]
      }
      func managed(_ command: String, _ words: String...) -> [String] {
        ["store", command, database.address] + words
      }
      var commands: [[String]] = []
      commands += [
        asked("index", "--no-work", photos), managed("status"), managed("work", "--once"),
      ]
      commands += [asked("index", photos), managed("status"), managed("owners")]
      commands += [asked("status", "--json")]
      for format in ["text", "json", "geojson", "gpx", "kml", "csv"] {
        let here = ["48.86194", "2.2883"]
        let queries: [[String]] = [
          ["near"] + here, ["near"] + here + ["--radius", "5km"],
          ["near"] + here + ["--min-age", "1y", "--limit", "1"],
          ["near", "-16.79", "180", "--radius", "300"], ["near", "0", "0", "--nearest", "3"],
          ["near", "90", "0", "--radius", "20037508"], ["spots"],
          ["spots", "--box", "48,2,49,3"], ["spots", "--box=-17,179,-16,-179"],
          ["spots", "--favorites", "--limit", "3"],
        ]
        for query in queries { commands.append(query + asked("--format", format)) }
      }
      let walk = asked("watch", "\(samples)/walk.nmea", "--format", "ndjson")
      commands += [walk, walk + ["--record"], walk + ["--record"]]
      commands += [asked("history", "--format", "json"), asked("history"), asked("why", "last")]
      commands += [asked("history", "--digest", "week")]
      commands += [managed("owner", "anna", "--cluster-radius", "50m"), managed("work", "--once")]
      commands += [asked("spots"), managed("owner", "ben")]
      let other = asked("index", "--index", "\(home)/other.json", "--source", "other", photos)
      commands += [other, asked("spots", "--format", "json"), managed("status")]
      var answers: [String] = []
      for command in commands {
        let outcome = try await photospots.run(command)
        #expect(outcome.code == 0, "\(command): \(outcome)")
        let output = outcome.output
          .replacing(/"(recorded|at|time)": ?"20[^"]*"/) { "\"\($0.1)\"" }
          .replacing(/scanned in [0-9.]+ m?s/, with: "scanned")
        answers.append("\(command.filter { $0 != database.address }): \(output)")
      }
      return answers
    }

    @Test func `index, near, spots, watch and history answer as one PostgreSQL does`() async throws
    {
      let plain = try PostgresServer.shared.database()
      let migrated = try await run("store", "migrate", plain.address)
      try #require(migrated.code == 0, "\(migrated)")
      let expected = try await answers(plain)
      let found = try await answers(try await distributed())
      #expect(expected.count == found.count)
      for (found, expected) in zip(found, expected) {
        let home = /test_[0-9]+/
        #expect(found.replacing(home, with: "") == expected.replacing(home, with: ""))
      }
      #expect(expected.contains { $0.hasPrefix("[\"history\"") && $0.contains("stdout delivered") })
    }
  }
#endif
