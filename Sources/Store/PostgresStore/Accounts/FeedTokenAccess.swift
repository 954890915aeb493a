#if Postgres
  /// The stored data by which a server checks a feed token and finds the watch of its positions.
  package struct FeedTokenAccess: Hashable, Sendable {
    /// The owner of the token.
    package let owner: StoreOwner
    /// The device of all positions that are sent with the token.
    package let device: String
    /// The SHA-256 hash of the token.
    package let keyHash: [UInt8]
    /// The SHA-256 hash of the cookie that a page's key would have; nothing accepts it.
    package let sessionHash: [UInt8]

    /// Looks up a feed token by its number.
    ///
    /// - Parameters:
    ///   - number: The number of the token among the owner's keys.
    ///   - owner: The owner, which need not exist.
    ///   - connection: A connection, which then acts for the owner.
    /// - Returns: The token's data; `nil` if the owner has no feed token with the number.
    /// - Throws: The server's error.
    package static func find(
      _ number: Int32, of owner: OwnerID, _ connection: PostgresConnection
    ) throws(PostgresError) -> FeedTokenAccess? {
      try connection.act(for: owner)
      let rows = try connection.query(AccountStatement.feed, [.int4(number)])
      guard rows.count == 1 else { return nil }
      return FeedTokenAccess(
        owner: try StoreOwner(rows, 0), device: try rows.text(0, 6),
        keyHash: try rows.bytes(0, 4), sessionHash: try rows.bytes(0, 5))
    }
  }
#endif
