#if Postgres
  import PhotoLibrary

  /// The version of a store's tables, and the migrations that create and change them.
  package enum StoreSchema {
    /// All migrations, in their order.
    package static let migrations: [StoreMigration] = [.photos, .alerts, .accounts, .receivers]

    /// The version of the tables that this program works with.
    package static var version: Int { migrations.count }

    /// Checks that a store's tables have the version that this program works with, and that either
    /// all of them or none are spread over the nodes of Citus.
    ///
    /// - Throws: `PostgresError` of the kinds `noSchema`, `olderSchema`, `newerSchema` and
    ///   `partlyDistributed`.
    package static func verify(_ connection: PostgresConnection) throws(PostgresError) {
      let (found, hasCitus) = try Self.state(connection)
      guard found >= version else { throw found == 0 ? missing : older(found) }
      guard found == version else { throw newer(found) }
      if hasCitus { try StoreDistribution.verifyIsWhole(connection) }
    }

    /// Applies the migrations that a store's tables lack.
    ///
    /// Each migration is a transaction together with the row that records it. Programs that migrate
    /// at the same time wait for each other.
    ///
    /// - Returns: The migrations that were applied.
    /// - Throws: `PostgresError`, of the kind `newerSchema` if the tables have a later version.
    package static func migrate(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> [StoreMigration] {
      try prepare(connection)
      var made: [StoreMigration] = []
      for migration in migrations {
        let isNew = try connection.transaction(tries: 5) { () throws(PostgresError) in
          // The row of number 0 is the lock.
          try connection.query(MigrationStatement.lock)
          let found = try version(connection)
          guard found <= version else { throw newer(found) }
          guard found < migration.number else { return false }
          for statement in migration.statements { try connection.define(statement) }
          for table in migration.ownedTables {
            for statement in StoreMigration.policy(of: table) { try connection.define(statement) }
          }
          try connection.query(
            MigrationStatement.record,
            [
              .int4(Int32(migration.number)), .text(migration.title),
              .text(PhotoSpotsVersion.current),
            ])
          return true
        }
        if isNew { made.append(migration) }
      }
      return made
    }

    /// Creates the table that records migrations, with the row that is their lock.
    private static func prepare(_ connection: PostgresConnection) throws(PostgresError) {
      for attempt in 1... {
        do throws(PostgresError) {
          if try version(connection) > 0 { return }
          try connection.define(
            """
            create table if not exists migration (
              number integer primary key,
              title text not null,
              program text not null,
              made timestamptz not null default now())
            """)
          try connection.query(MigrationStatement.addLock)
          return
        } catch {
          // If two programs create a table at the same time, one may fail with an entry of the
          // catalogue that exists already; 42P07 is `duplicate_table`.
          guard [.duplicate, .conflict].contains(error.kind) || error.state == "42P07", attempt < 5
          else { throw error }
        }
      }
    }

    /// Returns the number of the last applied migration; 0 for a database without tables.
    private static func version(_ connection: PostgresConnection) throws(PostgresError) -> Int {
      try state(connection).version
    }

    /// Returns the number of the last applied migration, and whether the database has Citus.
    private static func state(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> (version: Int, hasCitus: Bool) {
      let table = try connection.query(MigrationStatement.exists)
      let hasCitus = try table.bool(0, 1)
      guard try table.bool(0, 0) else { return (0, hasCitus) }
      let rows = try connection.query(MigrationStatement.last)
      return (rows.count == 0 ? 0 : Int(try rows.int4(0, 0)), hasCitus)
    }

    private static var missing: PostgresError { PostgresError(.noSchema, "") }

    private static func older(_ found: Int) -> PostgresError {
      PostgresError(
        .olderSchema,
        """
        the store's tables have version \(found), and this program needs version \(version): run \
        'photospots store migrate URL'
        """)
    }

    private static func newer(_ found: Int) -> PostgresError {
      PostgresError(
        .newerSchema,
        """
        the store's tables have version \(found), and this program supports version \(version) at \
        most: install a newer version of PhotoSpots
        """)
    }
  }

  /// The statements about migrations, which have no owner.
  enum MigrationStatement: String, StoreStatement {
    static var namesOwner: Bool { false }

    /// Whether there is the table of migrations, and the one in which Citus lists its tables.
    case exists = """
      select to_regclass('migration') is not null,
        to_regclass('pg_catalog.pg_dist_partition') is not null
      """
    case last = "select number from migration order by number desc limit 1"
    case lock = "select number from migration where number = 0 for update"
    case addLock = """
      insert into migration (number, title, program) values (0, 'lock', '')
      on conflict (number) do nothing
      """
    case record = "insert into migration (number, title, program) values ($1, $2, $3)"
  }
#endif
