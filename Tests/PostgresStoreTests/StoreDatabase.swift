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

    /// Creates a database with tables on the server that tests share.
    init() throws {
      database = try PostgresServer.shared.database(template: try Self.template.get())
      address = try StoreAddress(database.address)
    }

    /// A connection to the database that acts for nobody yet.
    func connection() throws -> PostgresConnection { try PostgresConnection(address) }

    /// A connection that acts for an owner, who is made where there is none of the name.
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
