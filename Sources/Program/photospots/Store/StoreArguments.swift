import ArgumentParser
import Encodings

#if Postgres
  import PostgresStore
#endif

/// The use that a command makes of the option `--owner`.
protocol OwnerUse: Sendable {
  /// The help of the option.
  static var help: String { get }
  /// Whether the option has a meaning only together with `--store`.
  static var needsStore: Bool { get }
}

/// The owner of a library in a store.
enum StoreOwnerUse: OwnerUse {
  static var help: String { "The owner of the library in the store." }
  static var needsStore: Bool { true }
}

/// The options of a command that can read a library in a store.
typealias StoreArguments = OwnedStoreArguments<StoreOwnerUse>

/// The options of a store and its owner, whose name a command may also use without a store.
struct OwnedStoreArguments<Use: OwnerUse>: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "Use a PostgreSQL store instead of the index file.",
      valueName: "postgres://…"))
  var address: String?

  @Option(help: ArgumentHelp("\(Use.help)", valueName: "name"))
  var owner: String?

  /// Whether a store is given.
  var isGiven: Bool { address != nil }

  func validate() throws {
    guard let address else {
      guard owner == nil || !Use.needsStore else { throw ValidationError("--owner needs --store") }
      return
    }
    guard owner != nil else { throw ValidationError("--store needs the owner: --owner NAME") }
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
  static var missing: String {
    "--store: this photospots was built without PostgreSQL; build it with 'make install TRAITS=Postgres'"
  }
}

#if Postgres
  extension OwnedStoreArguments {
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
