import ArgumentParser
import Encodings

#if Postgres
  import PostgresStore
#endif

/// `photospots store`
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Manage a PostgreSQL store of the libraries of many people.",
    discussion: """
      A store is a PostgreSQL database, named postgres://USER@HOST:PORT/DATABASE or, on a Unix socket, \
      postgres:///DATABASE?host=/FOLDER. Its password comes from PGPASSWORD or a passfile (~/.pgpass). \
      'photospots index --store' sends photos to it; workers compute the spots.

        photospots store migrate postgres://photospots@db/photos
        photospots index --store postgres://photospots@db/photos --owner anna ~/Pictures
        photospots store work postgres://photospots@db/photos
      """,
    subcommands: [
      StoreMigrateCommand.self, StoreWorkCommand.self, StoreStatusCommand.self,
      StoreOwnersCommand.self, StoreOwnerCommand.self, StoreAccountCommand.self,
    ])
}

/// The argument for the address of a store.
struct StoreAddressArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The store.", valueName: "postgres://…"))
  var address: String

  func validate() throws {
    #if Postgres
      do throws(StoreAddress.Problem) { _ = try StoreAddress(address) } catch {
        // The text may contain a password.
        throw ValidationError("\(error)")
      }
    #else
      throw ValidationError(
        """
        this photospots was built without PostgreSQL; build it with 'make install TRAITS=Postgres'
        """)
    #endif
  }
}

#if Postgres
  extension StoreAddressArgument {
    /// Connects to the store.
    func connect(
      _ deadlines: PostgresConnection.Deadlines = .init()
    ) throws -> PostgresConnection {
      try PostgresConnection(StoreAddress(address), deadlines: deadlines)
    }

    /// Connects to the store, and checks that its tables have this program's version.
    func open() throws -> PostgresConnection {
      let connection = try connect()
      try StoreSchema.verify(connection)
      return connection
    }
  }
#endif
