#if Postgres
  package import CivilTime

  /// A key of an account, which is an owner of the store. Only hashes of the key are stored.
  package struct AccountKey: Hashable, Sendable {
    /// The uses of a key.
    package enum Kind: Int16, Sendable {
      /// The page and its API.
      case page = 0
      /// The positions of one device, whose name is the label. Such a key is called a feed token.
      case feed = 1
    }

    /// The number, from 1 up, unique among the owner's keys and receivers.
    package let number: Int32
    /// The use.
    package let kind: Kind
    /// A name for people.
    package let label: String
    /// The SHA-256 hash of the key.
    package let keyHash: [UInt8]
    /// The SHA-256 hash of the key's session cookie.
    package let sessionHash: [UInt8]
    /// The time when it was created.
    package let made: Instant

    /// The maximum number of keys of an owner.
    package static let maximumCount = 100

    private init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
      number = try rows.int4(row, 0)
      guard let kind = Kind(rawValue: try rows.int2(row, 1)) else {
        throw .malformed("a key is of an unknown kind")
      }
      self.kind = kind
      label = try rows.text(row, 2)
      (keyHash, sessionHash) = (try rows.bytes(row, 3), try rows.bytes(row, 4))
      made = Instant(millisecondsSince1970: try rows.int8(row, 5))
    }

    /// Returns the keys of the owner for whom a connection acts, in the order of their numbers.
    package static func all(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> [AccountKey] {
      let rows = try connection.query(AccountStatement.all)
      var keys: [AccountKey] = []
      for row in 0..<rows.count { keys.append(try AccountKey(rows, row)) }
      return keys
    }

    /// Adds a key.
    ///
    /// - Parameters:
    ///   - label: A name for people, for which ``StoreOwner/isName(_:)`` holds; of a feed token,
    ///     the name of its device.
    ///   - kind: The use.
    ///   - time: The current time.
    ///   - connection: A connection that acts for the owner.
    ///   - hashes: Creates a key with a number, and returns the hashes of the key and of its
    ///     session cookie. Called again if the transaction is repeated after a conflict.
    /// - Returns: The number; `nil` if the owner already has ``maximumCount`` keys.
    /// - Throws: The server's error.
    package static func add(
      labelled label: String, for kind: Kind = .page, at time: Instant,
      _ connection: PostgresConnection,
      hashes: (_ number: Int32) -> (key: [UInt8], session: [UInt8])
    ) throws(PostgresError) -> Int32? {
      try connection.transaction(tries: 3) { () throws(PostgresError) in
        let number = try nextNumber(connection)
        guard let number, try all(connection).count < maximumCount else { return nil }
        let hashes = hashes(number)
        try connection.query(
          AccountStatement.add,
          [
            .int4(number), .int2(kind.rawValue), .text(label), .bytes(hashes.key),
            .bytes(hashes.session), .int8(time.millisecondsSince1970),
          ])
        return number
      }
    }

    /// Locks the owner until the end of the transaction, and returns the number for a new key or
    /// receiver; `nil` if all numbers are used.
    ///
    /// Without the lock, two that are added at the same time could get the same number.
    static func nextNumber(_ connection: PostgresConnection) throws(PostgresError) -> Int32? {
      guard try connection.query(PhotoStatement.lockOwner).count == 1 else {
        throw .malformed("the owner was removed")
      }
      let last = try connection.query(AccountStatement.lastNumber).int4(0, 0)
      return last < .max ? last + 1 : nil
    }

    /// Removes a key, after which no server accepts it.
    ///
    /// - Parameters:
    ///   - number: The number of the key; `nil` for all keys of the owner.
    ///   - connection: A connection that acts for the owner.
    /// - Returns: The number of keys that were removed.
    /// - Throws: The server's error.
    package static func remove(
      _ number: Int32?, _ connection: PostgresConnection
    ) throws(PostgresError) -> Int {
      guard let number else {
        return try connection.query(AccountStatement.removeAll).writtenCount
      }
      return try connection.query(AccountStatement.remove, [.int4(number)]).writtenCount
    }
  }

  /// The statements about keys of accounts.
  enum AccountStatement: String, StoreStatement {
    case all = """
      select number, kind, label, key_hash, session_hash, made
      from account_key where owner = $1 order by number
      """
    case add = """
      insert into account_key (owner, number, kind, label, key_hash, session_hash, made)
      values ($1, $2, $3, $4, $5, $6, $7)
      """
    /// The highest number of a key or a receiver.
    case lastNumber = """
      select greatest(
        (select coalesce(max(number), 0) from account_key where owner = $1),
        (select coalesce(max(number), 0) from receiver where owner = $1))
      """
    case remove = "delete from account_key where owner = $1 and number = $2"
    case removeAll = "delete from account_key where owner = $1"
    /// The hashes of a key, with the owner and the state of the owner's photos.
    case access = """
      select owner.owner, name, cluster_radius, salt, key_hash, session_hash, token
      from account_key
      join owner on owner.owner = $1
      left join library on library.owner = $1
      where account_key.owner = $1 and number = $2 and kind = 0
      """
    /// The hashes of a feed token, with its device and the owner.
    case feed = """
      select owner.owner, name, cluster_radius, salt, key_hash, session_hash, label
      from account_key
      join owner on owner.owner = $1
      where account_key.owner = $1 and number = $2 and kind = 1
      """
  }
#endif
