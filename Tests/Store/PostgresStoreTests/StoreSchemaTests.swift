#if Postgres
  import PostgresStore
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"))
  struct StoreSchemaTests {
    private func database() throws -> (PostgresServer.Database, PostgresConnection) {
      let database = try PostgresServer.shared.database()
      return (database, try PostgresConnection(StoreAddress(database.address)))
    }

    @Test func `each migration is applied once and recorded`() throws {
      let (database, connection) = try database()
      #expect { try StoreSchema.verify(connection) } throws: {
        ($0 as? PostgresError)?.kind == .noSchema && "\($0)".contains("store migrate")
      }
      #expect(try StoreSchema.migrate(connection).map(\.number) == Array(1...StoreSchema.version))
      try StoreSchema.verify(connection)
      #expect(try StoreSchema.migrate(connection).isEmpty)
      let recorded = try database.execute("select number from migration where number > 0")
      #expect(recorded == (1...StoreSchema.version).map(String.init))
    }

    @Test func `a schema of a newer version, or none, is refused with its reason`() throws {
      let (database, connection) = try database()
      _ = try StoreSchema.migrate(connection)
      try database.execute(
        "insert into migration (number, title, program) values (\(StoreSchema.version + 1), '', '')"
      )
      for attempt in [StoreSchema.verify, { _ = try StoreSchema.migrate($0) }] {
        #expect { try attempt(connection) } throws: {
          ($0 as? PostgresError)?.kind == .newerSchema
            && "\($0)".contains("version \(StoreSchema.version + 1)")
        }
      }
      try database.execute("delete from migration where number > 0")
      #expect { try StoreSchema.verify(connection) } throws: {
        ($0 as? PostgresError)?.kind == .noSchema
      }
    }

    @Test func `concurrent programs apply each migration once`() async throws {
      let database = try PostgresServer.shared.database()
      let address = try StoreAddress(database.address)
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask { try StoreSchema.migrate(try PostgresConnection(address)).count }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts.reduce(0, +) == StoreSchema.version)
    }

    @Test func `every table except owner, pending and migration has a row policy and an owner key`()
      throws
    {
      let (database, connection) = try database()
      _ = try StoreSchema.migrate(connection)
      let tables = Set(
        try database.execute(
          "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
        ))
      let owned = Set(StoreSchema.migrations.flatMap(\.ownedTables))
      let shared = Set(StoreSchema.migrations.flatMap(\.sharedTables))
      #expect(tables == owned.union(shared).union(["migration"]))
      #expect(shared == ["owner", "pending"])
      let walled = try database.execute(
        """
        select relname from pg_class join pg_policy on polrelid = pg_class.oid
        where relrowsecurity and relforcerowsecurity
        """)
      #expect(Set(walled) == owned)
      let keyed = try database.execute(
        """
        select relname from pg_index join pg_class on pg_class.oid = indrelid
        join pg_attribute on attrelid = indrelid and attnum = indkey[0]
        where indisprimary and attname = 'owner' and relnamespace = 'public'::regnamespace
        """)
      #expect(Set(keyed) == owned.union(shared))
    }
  }
#endif
