#if Postgres
  import PhotoLibrary
  import PostgresStore
  import SystemPackage
  import StoreSupport
  import TestSupport
  import Testing

  /// `near`, `spots` and `status` with `--store`.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(30)))
  struct StoreQueryTests {
    private let folder = TemporaryFolder()
    private let stored: SpotDatabase
    private var database: PostgresServer.Database { stored.database }
    private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }
    private var store: [String] { ["--store", database.address, "--owner", "anna"] }

    init() throws {
      stored = SpotDatabase(try PostgresServer.shared.database())
    }

    private func migrated() throws {
      _ = try StoreSchema.migrate(try PostgresConnection(StoreAddress(database.address)))
    }

    /// Indexes the sample photos into the file and into the store.
    private func indexed() async throws {
      try migrated()
      let outcome = try await photospots.run("index", "\(samples)/photos")
      try #require(outcome.code == 0, "\(outcome)")
      let cache = PhotoIndexCache(path: folder.path("xdg_cache_home/photospots/index.json"))
      let opened = try #require(try cache.open(clusterRadius: 15))
      try stored.spots(of: "anna", opened.index, clusterRadius: 15)
    }

    @Test func `near and spots print the same with --store as with the index file`() async throws {
      try await indexed()
      let here = try await photospots.run("spots", "--format", "json", "--limit", "1")
      let id = try #require(here.output.firstMatch(of: /"id": "(\w+)"/)).1
      for arguments in [
        ["places", "add", "48.8619", "2.2884", "--name", "Bench"],
        ["places", "add", "--spot", String(id), "--name", "Pinned"],
      ] {
        let outcome = try await photospots.run(arguments)
        try #require(outcome.code == 0, "\(outcome)")
      }
      let queries = [
        ["near", "48.86194", "2.2883"], ["near", "48.86194", "2.2883", "--radius", "5km"],
        ["near", "-16.79", "180", "--radius", "300"], ["near", "0", "0", "--nearest", "3"],
        ["near", "0", "0"], ["near", "90", "0", "--radius", "20037508"],
        ["near", "48.86194", "2.2883", "--favorites"],
        ["near", "48.86194", "2.2883", "--min-age", "1y"],
        ["near", "48.86194", "2.2883", "--min-age", "90y"],
        ["near", "48.86194", "2.2883", "--no-places", "--limit", "1"],
        ["spots"], ["spots", "--limit", "3"], ["spots", "--box", "48,2,49,3"],
        ["spots", "--box=-17,179,-16,-179"], ["spots", "--favorites"],
        ["spots", "--box", "1,1,2,2"], ["spots", "--not-recreated-since", "1y"],
      ]
      let formats = ["text", "json", "geojson", "gpx", "kml", "csv"]
      for (number, query) in queries.enumerated() {
        // Each command in all formats, and each query in one.
        let isFirst = queries.firstIndex { $0[0] == query[0] } == number
        for format in isFirst ? formats : [formats[number % formats.count]] {
          let asked = query + ["--format", format]
          let file = try await photospots.run(asked)
          let stored = try await photospots.run(asked + store)
          #expect(stored.output == file.output, "\(asked)")
          #expect(stored.errors == file.errors && stored.code == file.code, "\(asked)")
        }
      }
    }

    @Test func `options that need single photos are refused with --store`() async throws {
      try await indexed()
      for (arguments, flag) in [
        (["--photos"], "--photos"), (["--album", "x"], "--album"),
        (["--taken", "2016"], "--taken"),
        (["--favorites", "--min-age", "1d"], "--favorites together with --min-age"),
      ] {
        let outcome = try await photospots.run(["spots"] + arguments + store)
        #expect(outcome.code == 1 && outcome.output.isEmpty)
        #expect(
          outcome.errors
            == "Error: \(flag) cannot be used with --store, since it needs single photos; use the index file instead\n"
        )
      }
    }

    @Test func `status --store counts the owner's photos and spots`() async throws {
      try await indexed()
      let file = try await photospots.run("status", "--json")
      let stored = try await photospots.run(["status", "--json"] + store)
      #expect(stored.code == 0, "\(stored)")
      let photos = try #require(file.output.firstMatch(of: /"photos": (\d+)/)).1
      let spots = try #require(file.output.firstMatch(of: /"spots": (\d+)/)).1
      #expect(
        stored.output.contains(
          #""store": {"#
            + "\n    \"owner\": \"anna\",\n    \"photos\": \(photos),\n    \"spots\": \(spots),"))
      let text = try await photospots.run(["status"] + store)
      #expect(text.output.hasPrefix("store       \(photos) photos at \(spots) spots of anna\n"))
    }

    @Test func `an unusable store is reported in one line that says what to do`() async throws {
      func expect(
        _ words: String, code: Int32 = 1, _ arguments: [String], source: SourceLocation
      ) async throws {
        for command in [["near", "1", "2"], ["spots"]] {
          let outcome = try await photospots.run(command + arguments)
          #expect(outcome.code == code, "\(outcome)", sourceLocation: source)
          #expect(outcome.output.isEmpty, sourceLocation: source)
          let first = outcome.errors.split(separator: "\n").first ?? ""
          #expect(first.contains(words), "\(outcome.errors)", sourceLocation: source)
          #expect(
            code == 64 || outcome.errors.filter { $0 == "\n" }.count == 1, sourceLocation: source)
        }
      }
      try await expect("photospots store migrate URL", store, source: #_sourceLocation)
      try migrated()
      try await expect(
        "the store has no owner called 'anna'", store, source: #_sourceLocation)
      try database.execute(
        "insert into migration (number, title, program) values (\(StoreSchema.version + 1), '', '')"
      )
      try await expect(
        "install a newer version of PhotoSpots", store, source: #_sourceLocation)
      try database.execute("delete from migration where number >= \(StoreSchema.version)")
      if StoreSchema.version > 1 {
        try await expect("run 'photospots store migrate URL'", store, source: #_sourceLocation)
      }
      try await expect(
        "the store cannot be reached",
        ["--store", "postgres:///x?host=\(folder.root)", "--owner", "anna"],
        source: #_sourceLocation)
      try await expect(
        "PGPASSWORD", code: 64,
        ["--store", "postgres://anna:secret@localhost/x", "--owner", "anna"],
        source: #_sourceLocation)
      try await expect(
        "--store needs the owner", code: 64, ["--store", database.address], source: #_sourceLocation
      )
      try await expect(
        "--owner needs --store", code: 64, ["--owner", "anna"], source: #_sourceLocation)
      let status = try await photospots.run(
        "status", "--store", "postgres:///x?host=\(folder.root)", "--owner", "anna")
      #expect(status.code == 1)
      #expect(status.output.contains("error       the store cannot be reached"))
    }
  }
#endif
