#if Postgres
  import PostgresStore
  import TestSupport

  /// A database with the tables of a store, and connections to it.
  struct StoreDatabase {
    private static let template = Result {
      let database = try PostgresServer.shared.database()
      _ = try StoreSchema.migrate(try PostgresConnection(StoreAddress(database.address)))
      return database
    }

    let database: PostgresServer.Database
    let address: StoreAddress

    /// Creates a database with tables on the tests' shared server.
    init() throws {
      database = try PostgresServer.shared.database(template: try Self.template.get())
      address = try StoreAddress(database.address)
    }

    /// Creates a value for an existing database, with a store's tables.
    init(_ database: PostgresServer.Database) throws {
      self.database = database
      address = try StoreAddress(database.address)
    }

    /// Opens a connection to the database without an owner.
    func connection() throws -> PostgresConnection { try PostgresConnection(address) }

    /// Opens a connection that acts for an owner, who is created if the name is unknown.
    func connection(
      for name: String, clusterRadius: Double = 15
    ) throws -> (connection: PostgresConnection, owner: StoreOwner) {
      let connection = try connection()
      let owner = try StoreOwner.named(name, orNewWithClusterRadius: clusterRadius, connection)
        .owner
      try connection.act(for: owner.id)
      return (connection, owner)
    }
  }
#endif
