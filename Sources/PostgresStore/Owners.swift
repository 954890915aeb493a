#if Postgres
  /// An owner, to whom a library belongs.
  package struct StoreOwner: Hashable, Sendable {
    /// The number in every row.
    package let id: OwnerID
    /// The name for people.
    package let name: String
    /// The distance in metres from the anchor of a spot within which photos belong to it.
    package let clusterRadiusMeters: Double
    /// A number that goes into the ids of photos.
    let salt: Int64

    private init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
      try self.init(
        id: OwnerID(rows.int8(row, 0)), name: rows.text(row, 1),
        clusterRadiusMeters: rows.double(row, 2), salt: rows.int8(row, 3))
    }

    /// Creates an owner from stored values.
    init(
      id: OwnerID, name: String, clusterRadiusMeters: Double, salt: Int64
    ) throws(PostgresError) {
      (self.id, self.name, self.salt) = (id, name, salt)
      self.clusterRadiusMeters = clusterRadiusMeters
      guard (1...1000).contains(clusterRadiusMeters) else {
        throw .malformed("the cluster radius of an owner")
      }
    }

    /// The longest name in bytes of UTF-8.
    package static let longestName = 200

    /// Whether a text may be the name of an owner: neither empty nor too long, without control
    /// characters.
    package static func isName(_ text: String) -> Bool {
      (1...longestName).contains(text.utf8.count)
        && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Looks an owner up by name; `nil` where there is none.
    package static func named(
      _ name: String, _ connection: PostgresConnection
    ) throws(PostgresError) -> StoreOwner? {
      let rows = try connection.query(OwnerStatement.named, [.text(name)])
      return rows.count == 0 ? nil : try StoreOwner(rows, 0)
    }

    /// All owners, in the order of their numbers.
    package static func all(_ connection: PostgresConnection) throws(PostgresError) -> [StoreOwner]
    {
      let rows = try connection.query(OwnerStatement.all)
      var owners: [StoreOwner] = []
      for row in 0..<rows.count { owners.append(try StoreOwner(rows, row)) }
      return owners
    }

    /// Looks an owner up by name, and creates it where there is none.
    ///
    /// - Parameters:
    ///   - name: A text for which ``isName(_:)`` holds.
    ///   - radiusMeters: The cluster radius of a new owner, in metres.
    ///   - connection: The connection to the store.
    /// - Returns: The owner, and whether it is new.
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
        throw .malformed("an owner that was just made is not there")
      }
      return (owner, made.writtenCount == 1)
    }
  }

  /// The statements that find and list owners.
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
