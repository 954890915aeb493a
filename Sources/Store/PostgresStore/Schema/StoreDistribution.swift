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

    /// Checks that either all tables are distributed or none.
    ///
    /// A migration adds tables that are not distributed at first, and earlier versions of this
    /// program stopped after the first tables.
    ///
    /// - Throws: `PostgresError`, of the kind `partlyDistributed` if only some are.
    /// - Precondition: The database has the extension Citus.
    static func verifyIsWhole(_ connection: PostgresConnection) throws(PostgresError) {
      let distributed = try distributedTables(connection)
      let tables = StoreSchema.migrations.flatMap { $0.sharedTables + $0.ownedTables }
      let local = tables.filter { !distributed.contains($0) }
      guard !local.isEmpty, local.count < tables.count else { return }
      throw PostgresError(
        .partlyDistributed,
        """
        only some of the store's tables are spread over the nodes of Citus, and not \
        \(local.joined(separator: ", ")): run 'photospots store migrate --distribute URL'
        """)
    }

    /// Distributes all tables that are not distributed yet, in one transaction.
    ///
    /// The policies of these tables are removed. Citus distributes no table with a policy that has
    /// a subquery, and does not pass the setting `photospots.owner` to its nodes, so that the
    /// policies would hide all rows there. Every statement still names the owner.
    ///
    /// Programs that distribute or migrate at the same time wait for each other.
    ///
    /// - Returns: The names of the tables that were distributed.
    /// - Throws: The server's error; then nothing was changed.
    package static func distribute(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> [String] {
      try connection.transaction { () throws(PostgresError) in
        try connection.query(MigrationStatement.lock)
        // The rows of a large table are copied by one statement.
        try connection.define("set local statement_timeout = 0")
        let known = try distributedTables(connection)
        var distributed: [String] = []
        let migrations = StoreSchema.migrations
        for table in migrations.flatMap(\.sharedTables) where !known.contains(table) {
          try connection.define("select create_reference_table('\(table)')")
          distributed.append(table)
        }
        for table in migrations.flatMap(\.ownedTables) where !known.contains(table) {
          try connection.define(
            "drop policy if exists \(StoreMigration.policyName) on \(table)")
          try connection.define("alter table \(table) no force row level security")
          try connection.define("alter table \(table) disable row level security")
          try connection.define("select create_distributed_table('\(table)', 'owner')")
          distributed.append(table)
        }
        // Citus copies the rows, and keeps the originals, which are not visible any more.
        for table in distributed {
          try connection.define(
            "select truncate_local_data_after_distributing_table('\(table)')")
        }
        return distributed
      }
    }

    /// Returns the names of all tables that are distributed or copied to all nodes.
    private static func distributedTables(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> Set<String> {
      let rows = try connection.query(DistributionStatement.distributed)
      var tables: Set<String> = []
      for row in 0..<rows.count { tables.insert(try rows.text(row, 0)) }
      return tables
    }
  }

  /// The statements about Citus, which have no owner.
  enum DistributionStatement: String, StoreStatement {
    static var namesOwner: Bool { false }

    case isInstalled = "select count(*) > 0 from pg_extension where extname = 'citus'"
    /// The tables that a name without a schema finds. Citus also lists its own local tables, with
    /// `partmethod` `n` and `repmodel` `s`; copies on all nodes have `n` and `t`.
    case distributed = """
      select relname::text from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
      where pg_table_is_visible(logicalrelid) and (partmethod <> 'n' or repmodel = 't')
      """
  }
#endif
