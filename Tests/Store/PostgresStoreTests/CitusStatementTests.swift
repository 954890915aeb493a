#if Postgres
  import PhotoLibrary
  import Spatial
  import TestSupport
  import Testing

  @testable import PostgresStore

  /// The program's statements on distributed tables.
  ///
  /// One at a time: Citus and PostgreSQL refuse changes of objects that all databases of a server
  /// share, such as roles, while another session changes them ("tuple concurrently updated").
  @Suite(
    .serialized,
    .enabled(if: CitusCluster.obstacle == nil, "\(CitusCluster.obstacle ?? "")"),
    .timeLimit(.minutes(30)))
  struct CitusStatementTests {
    /// The number of times that a statement is executed. PostgreSQL considers a plan without the
    /// values of parameters after five.
    private static let repetitions = 8

    private func distributed() throws -> StoreDatabase {
      let store = try StoreDatabase(CitusCluster.shared.database())
      let connection = try store.connection()
      _ = try StoreSchema.migrate(connection)
      _ = try StoreDistribution.distribute(connection)
      return store
    }

    /// Executes each statement of an enumeration repeatedly, and rolls back what it did.
    ///
    /// All parameters but the owner are NULL, which a constraint may refuse.
    ///
    /// - Returns: The errors by the statements' names.
    private func errors<Statement: StoreStatement>(
      of type: Statement.Type, _ connection: PostgresConnection
    ) -> [String: String] {
      var errors: [String: String] = [:]
      for statement in Statement.allCases {
        let numbers = statement.rawValue.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
        let count = (numbers.max() ?? 0) - (Statement.namesOwner ? 1 : 0)
        for _ in 0..<Self.repetitions {
          do throws(PostgresError) {
            try connection.transaction { () throws(PostgresError) in
              try connection.query(statement, Array(repeating: .null, count: count))
              throw PostgresError(.failed, "rolled back")
            }
          } catch {
            // Of some rows that it copies to a worker, Citus reports no SQLSTATE of the worker.
            let isRefused =
              error.state.hasPrefix("23") || error.message.contains("violates not-null constraint")
            guard error.message != "rolled back", !isRefused else { continue }
            errors["\(type).\(statement)"] = "\(error)"
          }
        }
      }
      return errors
    }

    @Test func `each statement runs on distributed tables, however often it was executed`() throws {
      let store = try distributed()
      defer { withExtendedLifetime(store) {} }
      let (connection, _) = try store.connection(for: "anna")
      try connection.useIndexes()
      let errors = [
        errors(of: AccountStatement.self, connection), errors(of: AlertStatement.self, connection),
        errors(of: DistributionStatement.self, connection),
        errors(of: LibraryStatement.self, connection),
        errors(of: MigrationStatement.self, connection),
        errors(of: OwnerStatement.self, connection), errors(of: PendingStatement.self, connection),
        errors(of: ReceiverStatement.self, connection),
        errors(of: SpotStatement.self, connection), errors(of: WorkStatement.self, connection),
      ].reduce(into: [:]) { $0.merge($1) { $1 } }
      #expect(errors.isEmpty)
      // These need the temporary table of an upload.
      try connection.transaction { () throws(PostgresError) in
        _ = try connection.query(CopyStatement.makePhotos)
      }
      #expect(self.errors(of: PhotoStatement.self, connection).isEmpty)
    }

    @Test func `spots of random photos and the nearest of them equal those of an index`() throws {
      let store = try distributed()
      for (number, place) in TestPlace.all.enumerated() {
        var generator = SeededGenerator(seed: UInt64(number))
        let photos = place.photos(600, withinMeters: [60, 300, 1500][number % 3], &generator)
        let library = try StoredLibrary(store, owner: "place \(number)")
        // Few photos are sent as arrays, many by way of a temporary table.
        for count in [photos.count / 3, photos.count] {
          let index = PhotoIndex(Array(photos[..<count]))
          try library.upload(index)
          try library.work()
          try library.expectSpots(of: index, "place \(number), \(count) photos")
          let whole = SpotIndex(index, clusterRadius: library.owner.clusterRadiusMeters)
          let stored = try PostgresSpots(of: library.owner, library.connection)
          for _ in 0..<8 {
            let here = place.position(withinMeters: 3000, &generator)
            let nearest = try stored.nearest(5, to: here)
            #expect(
              nearest.map(Self.key) == whole.nearest(5, to: here).map(Self.key), "place \(number)")
            let around = try stored.spots(within: 5000, of: here)
            #expect(
              around.map(Self.key) == whole.spots(within: 5000, of: here).map(Self.key),
              "place \(number)")
          }
        }
      }
    }

    private static func key(_ neighbor: SpotIndex.Neighbor) -> String {
      "\(neighbor.spot.id) \(neighbor.distanceMeters.bitPattern)"
    }

    @Test func `a table that cannot be distributed leaves all tables as they were`() throws {
      let database = try CitusCluster.shared.database()
      let connection = try StoreDatabase(database).connection()
      _ = try StoreSchema.migrate(connection)
      // Citus distributes no table with such a policy. `receiver` is the last table.
      try database.execute("create policy extra on receiver using (owner = (select 1))")
      #expect(throws: PostgresError.self) { try StoreDistribution.distribute(connection) }
      #expect(try database.execute("select count(*) from pg_dist_partition") == ["0"])
      let walled = "select count(*) from pg_policy join pg_class on pg_class.oid = polrelid"
      let owned = StoreSchema.migrations.flatMap(\.ownedTables)
      #expect(
        try database.execute(
          walled + " where relrowsecurity and relforcerowsecurity and polname = 'owner_rows'")
          == ["\(owned.count)"])
      try StoreSchema.verify(connection)
      try database.execute("drop policy extra on receiver")
      let shared = StoreSchema.migrations.flatMap(\.sharedTables)
      #expect(try StoreDistribution.distribute(connection) == shared + owned)
      try StoreSchema.verify(connection)
      #expect(try StoreDistribution.distribute(connection).isEmpty)
    }
  }
#endif
