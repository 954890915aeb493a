#if Postgres
  /// The distribution of a store's tables over the nodes of Citus.
  ///
  /// Tables of owners are distributed by owner, so that every statement of the program runs on one
  /// node; lists of owners are copied to all nodes (Citus documentation, "create_distributed_table"
  /// and "create_reference_table").
  package enum StoreDistribution {
    /// Checks that the database has the extension Citus.
    package static func verify(_ connection: PostgresConnection) throws(PostgresError) {
      guard try connection.query(DistributionStatement.isInstalled).bool(0, 0) else {
        throw PostgresError(
          .failed,
          """
          the database has no extension citus: let a superuser run 'create extension citus', or \
          migrate without --distribute
          """)
      }
    }

    /// Distributes all tables that are not distributed yet.
    ///
    /// The policies of these tables are turned off: Citus does not pass the setting
    /// `photospots.owner` to its nodes, so the policies would hide all rows there. Every statement
    /// still names the owner.
    ///
    /// - Returns: The names of the tables that were distributed.
    package static func distribute(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> [String] {
      var distributed: [String] = []
      let migrations = StoreSchema.migrations
      for table in migrations.flatMap(\.sharedTables)
      where try isLocal(table, connection) {
        try connection.define("select create_reference_table('\(table)')")
        distributed.append(table)
      }
      for table in migrations.flatMap(\.ownedTables)
      where try isLocal(table, connection) {
        try connection.define("alter table \(table) no force row level security")
        try connection.define("alter table \(table) disable row level security")
        try connection.define("select create_distributed_table('\(table)', 'owner')")
        distributed.append(table)
      }
      return distributed
    }

    private static func isLocal(
      _ table: String, _ connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
      try !connection.query(DistributionStatement.isDistributed, [.text(table)]).bool(0, 0)
    }
  }

  /// The statements about Citus, which have no owner.
  enum DistributionStatement: String, StoreStatement {
    static var namesOwner: Bool { false }

    case isInstalled = "select count(*) > 0 from pg_extension where extname = 'citus'"
    case isDistributed = """
      select count(*) > 0 from pg_dist_partition where logicalrelid = to_regclass($1)
      """
  }
#endif
