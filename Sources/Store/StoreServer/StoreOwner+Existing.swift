#if Postgres
  import Encodings
  package import PostgresStore

  extension StoreOwner {
    /// Returns the owner with a name.
    ///
    /// - Throws: `PostgresError`; a `MessageError` if there is none.
    package static func existing(
      _ name: String, _ connection: PostgresConnection
    ) throws -> StoreOwner {
      guard let owner = try named(name, connection) else {
        throw MessageError(
          """
          the store has no owner called '\(name.escaped)'; 'photospots store owner URL NAME' adds one
          """)
      }
      return owner
    }
  }
#endif
