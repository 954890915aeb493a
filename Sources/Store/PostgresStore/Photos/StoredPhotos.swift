#if Postgres
  import CivilTime
  package import PhotoLibrary
  import PhotoMetadata
  import Spatial

  /// The photos of an owner, read as a whole.
  package enum StoredPhotos {
    /// The number of rows that one statement reads.
    private static let pageSize = 20_000

    /// Reads all photos of the owner for whom a connection acts, in one snapshot of the database.
    ///
    /// - Parameters:
    ///   - maximumCount: The maximum number of photos.
    ///   - connection: The connection.
    ///   - pageSize: The number of rows that one statement reads.
    /// - Returns: The photos, `nil` if there are more than `maximumCount`; and the number that each
    ///   change of the owner's photos replaces, `nil` before the first change.
    /// - Throws: The server's error.
    /// - Complexity: O(*n* log *n*) for *n* photos.
    package static func read(
      atMost maximumCount: Int, _ connection: PostgresConnection, pageSize: Int = pageSize
    ) throws(PostgresError) -> (index: PhotoIndex?, token: Int64?) {
      try connection.snapshot { () throws(PostgresError) in
        let state = try connection.query(LibraryStatement.token)
        let token = state.count == 1 ? try state.int8(0, 0) : nil
        var photos: [IndexedPhoto] = []
        var last = (cell: Int32.min, id: Int64.min)
        while true {
          let rows = try connection.query(
            LibraryStatement.photos, [.int4(last.cell), .int8(last.id), .int8(Int64(pageSize))])
          guard photos.count + rows.count <= maximumCount else { return (nil, token) }
          for row in 0..<rows.count {
            photos.append(try rows.photo(row))
          }
          guard rows.count == pageSize else { break }
          last = (try rows.int4(rows.count - 1, 0), try rows.int8(rows.count - 1, 1))
        }
        return (PhotoIndex(photos), token)
      }
    }
  }

  extension PostgresRows {
    /// Returns the photo of a row of ``LibraryStatement/photos``.
    fileprivate func photo(_ row: Int) throws(PostgresError) -> IndexedPhoto {
      let offset = try int2(row, 6)
      let captured = try optionalInt8(row, 2).map {
        CaptureTime(
          instant: Instant(millisecondsSince1970: $0),
          storedOffset: offset == PhotoColumns.unknownOffset ? nil : Int(offset))
      }
      let flags = try int2(row, 8)
      let (path, picture) = (try bytes(row, 9), try bytes(row, 10))
      let isPicture = flags & PhotoColumns.Flag.isPicture != 0
      let member = SpotMember(
        path: path, coordinate: try coordinate(row, 3), captured: captured,
        rating: Int8(clamping: try int2(row, 7)),
        isFavorite: flags & PhotoColumns.Flag.favorite != 0,
        picture: isPicture ? path : picture.isEmpty ? nil : picture)
      return IndexedPhoto(member: member, source: try int4(row, 5), stamp: try int8(row, 1))
    }
  }

  /// The statements about an owner's photos as a whole.
  enum LibraryStatement: String, StoreStatement {
    case token = "select token from library where owner = $1"
    /// Each change of an owner's photos replaces the number. Comes at the end of a transaction,
    /// since it locks the row.
    case setToken = """
      insert into library (owner, token) values ($1, $2)
      on conflict (owner) do update set token = excluded.token
      """
    /// The next photos after a given key, in the order of the table's key.
    case photos = """
      select cell, id, captured, latitude, longitude, source, utc_offset, rating, flags, path,
        picture
      from photo where owner = $1 and (cell, id) > ($2, $3) order by cell, id limit $4
      """
    case recordCount = """
      select coalesce(sum(version), 0)::bigint from device where owner = $1
      """
    /// The newest records, the latest first.
    case newestAlerts = """
      select body from alert where owner = $1 order by recorded desc, device desc, number desc
      limit $2
      """
    /// The deliveries of the newest alerts.
    case newestDeliveries = """
      select alert, notifier, tries, failure, next, begun, begun_at, state, ended
      from delivery where owner = $1 order by queued desc, alert, notifier limit $2
      """
  }
#endif
