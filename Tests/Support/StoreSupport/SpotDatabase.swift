#if Postgres
  import CivilTime
  package import PhotoLibrary
  import PhotoMetadata
  package import PostgresStore
  import Spatial
  import SystemPackage
  package import TestSupport

  /// A database with the photos and spots of owners, written independently of the program.
  package struct SpotDatabase {
    /// The database.
    package let database: PostgresServer.Database

    /// Creates a database with the tables of a store.
    package init() throws {
      self.init(try PostgresServer.shared.database())
      _ = try StoreSchema.migrate(try connection())
    }

    /// Creates a value for an existing database, whose tables may be created later.
    package init(_ database: PostgresServer.Database) {
      self.database = database
    }

    private func connection() throws -> PostgresConnection {
      try PostgresConnection(StoreAddress(database.address))
    }

    /// Writes the photos and spots of an index, and returns the spots as a source.
    @discardableResult
    package func spots(
      of name: String, _ photos: PhotoIndex, clusterRadius: Double
    ) throws -> PostgresSpots {
      let connection = try connection()
      let owner = try StoreOwner.named(name, orNewWithClusterRadius: clusterRadius, connection)
        .owner
      try insert(
        photos.spotMemberNumbers.map {
          "\(owner.id), \($0), \(Self.values(of: photos.spotMember($0)))"
        },
        """
        photo (owner, id, source, rim, captured, utc_offset, latitude, longitude, cell, rating, flags,
          path, picture)
        """)
      try insert(
        SpotIndex(photos, clusterRadius: clusterRadius).spots.map {
          "\(owner.id), \(Self.values(of: $0)), 0, true"
        },
        """
        spot (owner, id, latitude, longitude, anchor_latitude, anchor_longitude, radius,
          photo_count, favorite_count, undated_count, first_captured, first_offset, last_captured,
          last_offset, cover, album, cell, anchor_photo, rim)
        """)
      return try PostgresSpots(of: owner, connection)
    }

    private func insert(_ rows: [String], _ table: String) throws {
      guard !rows.isEmpty else { return }
      try database.execute(
        "insert into \(table) values \(rows.map { "(\($0))" }.joined(separator: ",\n"))")
    }

    private static func values(of photo: SpotMember) -> String {
      let flags = (photo.isFavorite ? 1 : 0) + (photo.picture == photo.path ? 2 : 0)
      let picture = photo.picture == photo.path ? [] : photo.picture ?? []
      return """
        1, true, \(values(of: photo.captured)), \(photo.coordinate.latitude), \
        \(photo.coordinate.longitude), \(cell(of: photo.coordinate)), \(photo.rating), \(flags), \
        \(value(of: photo.path)), \(value(of: picture))
        """
    }

    private static func values(of spot: PhotoSpot) -> String {
      let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
      let id = spot.id.reduce(0) { $0 * 32 + (digits.firstIndex(of: $1) ?? 0) }
      let album = spot.album == spot.cover?.removingLastComponent() ? nil : spot.album
      return """
        \(id), \(spot.coordinate.latitude), \(spot.coordinate.longitude), \(spot.anchor.latitude), \
        \(spot.anchor.longitude), \(spot.radiusMeters), \(spot.photoCount), \(spot.favoriteCount), \
        \(spot.undatedCount), \(values(of: spot.firstCaptured)), \(values(of: spot.lastCaptured)), \
        \(value(of: Array((spot.cover?.string ?? "").utf8))), \
        \(value(of: Array((album?.string ?? "").utf8))), \(cell(of: spot.anchor))
        """
    }

    /// The instant and the offset from UTC.
    private static func values(of time: CaptureTime?) -> String {
      let instant = time.map { "\($0.instant.millisecondsSince1970)" } ?? "null"
      return "\(instant), \(time?.utcOffsetMinutes ?? Int(Int16.min))"
    }

    private static func value(of bytes: [UInt8]) -> String {
      "'\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }

    /// The cells of 0.01° are counted eastwards and row by row from the south pole; beyond 89° a
    /// row is one cell.
    private static func cell(of position: Coordinate) -> Int {
      let cell = GridCell(containing: position)
      let isPolar = !(-8900...8899).contains(cell.row)
      return (cell.row + 9000) * 36_000 + (isPolar ? 0 : cell.column + 18_000)
    }
  }
#endif
