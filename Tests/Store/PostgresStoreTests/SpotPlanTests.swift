#if Postgres
  import TestSupport
  import Testing

  @testable import PostgresStore

  @Suite(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)")) struct SpotPlanTests {
    /// The arguments after the edges of an area: its cells, or the ends of their ranges.
    private static let areas: [(SpotStatement, String)] = [
      (.inRange, "100, 105"),
      (.inCells, "'{100, 101, 102}'"),
      (.inRanges, "'{100, 300, 500}', '{105, 305, 505}'"),
      (.someInRanges, "'{100, 300, 500}', '{105, 305, 505}', 1000"),
    ]

    @Test func `spots of an area are found by the index, not by reading the whole table`() throws {
      let store = try StoreDatabase()
      let owner = try store.connection(for: "anna").owner.id.number
      try store.database.execute(
        """
        insert into spot select \(owner), n, 48, 16, 48 + n / 1e6, 16, 1, 0, 0, n, n / 20, 1, 0, 0, 0, 0, \
        false, '', '' from generate_series(1, 30000) n;
        analyze spot
        """)
      for (statement, area) in Self.areas {
        for mode in ["generic", "custom"] {
          let plan = try store.database.execute(
            """
            prepare area as \(statement.rawValue);
            set plan_cache_mode = force_\(mode)_plan;
            explain execute area(\(owner), 48.0, 48.01, 15.9, 16.1, \(area))
            """
          ).joined(separator: "\n")
          #expect(plan.contains("Index Scan using spot_pkey"), "\(statement), \(mode): \(plan)")
          #expect(!plan.contains("Seq Scan"), "\(statement), \(mode): \(plan)")
        }
      }
    }
  }
#endif
