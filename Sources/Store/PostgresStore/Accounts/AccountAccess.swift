#if Postgres
  /// The stored data by which a server checks a key and finds the library that it opens.
  package struct AccountAccess: Hashable, Sendable {
    /// The owner of the key.
    package let owner: StoreOwner
    /// The SHA-256 hash of the key.
    package let keyHash: [UInt8]
    /// The SHA-256 hash of the key's session cookie.
    package let sessionHash: [UInt8]
    /// A random number that each change of the owner's photos replaces; `nil` if they have not
    /// changed since the table `library` exists.
    package let libraryToken: Int64?

    /// Looks up a key of the page by its number.
    ///
    /// - Parameters:
    ///   - number: The number of the key.
    ///   - owner: The owner, which need not exist.
    ///   - connection: A connection, which then acts for the owner.
    /// - Returns: The key's data; `nil` if the owner has no key with the number.
    /// - Throws: The server's error.
    package static func find(
      _ number: Int32, of owner: OwnerID, _ connection: PostgresConnection
    ) throws(PostgresError) -> AccountAccess? {
      try connection.act(for: owner)
      let rows = try connection.query(AccountStatement.access, [.int4(number)])
      guard rows.count == 1 else { return nil }
      return AccountAccess(
        owner: try StoreOwner(rows, 0), keyHash: try rows.bytes(0, 4),
        sessionHash: try rows.bytes(0, 5), libraryToken: try rows.optionalInt8(0, 6))
    }
  }
#endif
