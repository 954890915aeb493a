#if Postgres
  import PostgresStore
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"))
  struct PostgresPoolTests {
    @Test func `concurrent calls share pooled connections, each acting for its own owner`()
      async throws
    {
      let store = try StoreDatabase()
      let owners = try (0..<3).map { try store.connection(for: "owner \($0)") }
      for (_, owner) in owners {
        try store.database.execute("insert into library values (\(owner.id), \(owner.id))")
      }
      let pool = PostgresPool(store.address, maximumCount: 2)
      let ids = owners.map(\.owner.id)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          group.addTask {
            let id = ids[number % 3]
            let seen = try? pool.read { connection throws(PostgresError) in
              try connection.act(for: id)
              return try StoredPhotos.read(atMost: 1, connection).token
            }
            #expect(seen == id.number)
          }
        }
      }
      let sessions = try store.database.execute(
        """
        select count(*) <= 2 + 3 from pg_stat_activity
        where datname = current_database() and application_name = 'photospots'
        """)
      #expect(sessions == ["t"])
    }

    @Test func `a broken connection is replaced within the same call`() throws {
      let store = try StoreDatabase()
      let (_, owner) = try store.connection(for: "anna")
      let pool = PostgresPool(store.address, maximumCount: 1)
      func read() throws -> Int64? {
        try pool.read { connection throws(PostgresError) in
          try connection.act(for: owner.id)
          return try StoredPhotos.read(atMost: 1, connection).token
        }
      }
      #expect(try read() == nil)
      try store.database.execute(
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'photospots'
        """)
      #expect(try read() == nil)
    }
  }
#endif
