#if Postgres
  /// The owner of a library in a store.
  package struct StoreOwner: Hashable, Sendable {
    /// The number that identifies the owner in every row.
    package let id: OwnerID
    /// The name for people.
    package let name: String
    /// The distance in metres from the anchor of a spot within which photos belong to it.
    package let clusterRadiusMeters: Double
    /// A random number that is hashed into the ids of the owner's photos.
    let salt: Int64

    /// Creates an owner from the first four columns of a row: `owner`, `name`, `cluster_radius` and
    /// `salt` of the table `owner`.
    ///
    /// - Throws: `PostgresError` of the kind `malformed` if the cluster radius is not one of
    ///   ``clusterRadii``.
    init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
      id = OwnerID(try rows.int8(row, 0))
      name = try rows.text(row, 1)
      clusterRadiusMeters = try rows.double(row, 2)
      salt = try rows.int8(row, 3)
      guard Self.clusterRadii.contains(clusterRadiusMeters) else {
        throw .malformed("an owner's cluster radius is not between 5 m and 50 m")
      }
    }

    /// The longest name in bytes of UTF-8.
    package static let longestName = 200

    /// Whether a text may be the name of an owner: 1 to ``longestName`` bytes of UTF-8, without
    /// control characters.
    package static func isName(_ text: String) -> Bool {
      (1...longestName).contains(text.utf8.count)
        && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Returns the owner with a name; `nil` if there is none.
    package static func named(
      _ name: String, _ connection: PostgresConnection
    ) throws(PostgresError) -> StoreOwner? {
      let rows = try connection.query(OwnerStatement.named, [.text(name)])
      return rows.count == 0 ? nil : try StoreOwner(rows, 0)
    }

    /// Returns all owners, in the order of their numbers.
    package static func all(_ connection: PostgresConnection) throws(PostgresError) -> [StoreOwner]
    {
      let rows = try connection.query(OwnerStatement.all)
      var owners: [StoreOwner] = []
      for row in 0..<rows.count { owners.append(try StoreOwner(rows, row)) }
      return owners
    }

    /// Returns the owner with a name, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - name: A text for which ``isName(_:)`` holds.
    ///   - radiusMeters: The cluster radius of a new owner, in metres.
    ///   - connection: The connection to the store.
    /// - Returns: The owner, and whether this call created it.
    /// - Throws: The server's error.
    package static func named(
      _ name: String, orNewWithClusterRadius radiusMeters: Double, _ connection: PostgresConnection
    ) throws(PostgresError) -> (owner: StoreOwner, isNew: Bool) {
      precondition(isName(name))
      if let owner = try named(name, connection) { return (owner, false) }
      let made = try connection.query(
        OwnerStatement.add,
        [.text(name), .double(radiusMeters), .int8(.random(in: .min ... .max))])
      guard let owner = try named(name, connection) else {
        throw .malformed("a new owner cannot be found")
      }
      return (owner, made.writtenCount == 1)
    }
  }

  /// The statements that find, list and add owners.
  enum OwnerStatement: String, StoreStatement {
    static var namesOwner: Bool { false }

    case named = "select owner, name, cluster_radius, salt from owner where name = $1"
    case all = "select owner, name, cluster_radius, salt from owner order by owner"
    case add = """
      insert into owner (name, cluster_radius, salt) values ($1, $2, $3)
      on conflict (name) do nothing
      """
  }
#endif
