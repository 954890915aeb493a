import ArgumentParser
import TerminalOutput

#if Postgres
  import PostgresStore
#endif

/// `photospots store migrate`
struct StoreMigrateCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Create the tables of a store, or update them.",
    discussion: """
      Needs a role that may create tables. Tables of a later version of PhotoSpots are refused. First \
      stop workers, watches and servers of an earlier version.
      """)

  @Flag(help: "Spread the tables over the nodes of Citus by owner; can be repeated.")
  var distribute = false

  @OptionGroup var store: StoreAddressArgument
  @OptionGroup var output: OutputArguments

  func run() throws {
    #if Postgres
      let connection = try store.connect(.work)
      // Checked before anything is changed.
      if distribute { try StoreDistribution.verify(connection) }
      let made = try StoreSchema.migrate(connection)
      for migration in made {
        try StandardOutput.write("migrated to version \(migration.number): \(migration.title)\n")
      }
      if made.isEmpty {
        StandardError.note("the tables are up to date: version \(StoreSchema.version)")
      }
      guard distribute else { return try StoreSchema.verify(connection) }
      let tables = try StoreDistribution.distribute(connection)
      for table in tables { try StandardOutput.write("distributed \(table)\n") }
      if tables.isEmpty { StandardError.note("all tables are already distributed") }
    #endif
  }
}
