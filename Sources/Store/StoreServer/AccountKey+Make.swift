#if Postgres
  package import CivilTime
  import PageServer
  package import PostgresStore
  package import SpotService

  extension AccountKey {
    /// Creates a random key of an owner.
    ///
    /// - Parameters:
    ///   - label: What the key is for.
    ///   - kind: The use of the key.
    ///   - owner: The owner, for whom the connection acts.
    ///   - time: The current time.
    ///   - connection: The connection.
    /// - Returns: The key, which the store does not keep; `nil` if the owner has too many.
    /// - Throws: `PostgresError`.
    package static func make(
      labelled label: String, for kind: Kind, of owner: StoreOwner, at time: Instant,
      _ connection: PostgresConnection
    ) throws(PostgresError) -> SessionKey? {
      // After a conflict the transaction is repeated, and creates another key.
      var made: SessionKey?
      let number = try add(labelled: label, for: kind, at: time, connection) { number in
        let key = SessionKey.random(
          name: AccountKeyName(account: owner.id.number, number: number))
        made = key
        return (key.hashes.key, key.hashes.session)
      }
      return number == nil ? nil : made
    }
  }
#endif
