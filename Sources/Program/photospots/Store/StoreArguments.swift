import ArgumentParser
import Encodings

#if Postgres
  import PostgresStore
#endif

/// The options of a command that can read a library in a store.
struct StoreArguments: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "Use a PostgreSQL store instead of the index file.",
      valueName: "postgres://…"))
  var address: String?

  @Option(help: ArgumentHelp("The owner of the library in the store.", valueName: "name"))
  var owner: String?

  /// Whether a store is given.
  var isGiven: Bool { address != nil }

  func validate() throws {
    guard (address == nil) == (owner == nil) else {
      throw ValidationError(
        address == nil ? "--owner needs --store" : "--store needs the owner: --owner NAME")
    }
    guard let address else { return }
    #if Postgres
      do throws(StoreAddress.Problem) { _ = try StoreAddress(address) } catch {
        // The text may contain a password.
        throw ValidationError("--store: \(error)")
      }
    #else
      _ = address
      throw ValidationError(Self.missing)
    #endif
  }

  /// The message of a build without PostgreSQL.
  static let missing =
    "--store: this photospots was built without PostgreSQL; build it with 'make install TRAITS=Postgres'"
}

#if Postgres
  extension StoreArguments {
    /// Connects to the store, checks its version, and looks up the owner, for whom the connection
    /// then acts.
    ///
    /// - Throws: `PostgresError`; a `MessageError` if there is no such owner.
    /// - Precondition: ``isGiven``.
    func open() throws -> (connection: PostgresConnection, owner: StoreOwner) {
      let connection = try PostgresConnection(StoreAddress(address ?? ""))
      try StoreSchema.verify(connection)
      guard let found = try StoreOwner.named(owner ?? "", connection) else {
        throw MessageError(
          """
          the store has no owner called '\((owner ?? "").escaped)'; 'photospots index --store URL --owner NAME \
          FOLDER' adds one
          """)
      }
      try connection.act(for: found.id)
      return (connection, found)
    }
  }
#endif
