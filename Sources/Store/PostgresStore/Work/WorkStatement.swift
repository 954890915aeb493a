#if Postgres
  /// The statements that update the spots of marked cells.
  ///
  /// Cells are claimed by two simple statements, whose plans do not depend on the statistics of the
  /// tables.
  enum WorkStatement: String, StoreStatement {
    case marked = "select distinct cell from mark where owner = $1 order by cell limit $2"
    case claim = """
      select cell from cell where owner = $1 and cell = any($2) order by cell limit $3
      for update skip locked
      """
    case unmark = "delete from mark where owner = $1 and cell = any($2)"
    case radius = "select cluster_radius from owner where owner = $1"
    case photos = """
      select id, captured, latitude, longitude, cell, source, utc_offset, rating, flags, path, picture
      from photo where owner = $1 and cell = any($2)
      """
    case photosOnRim = """
      select id, captured, latitude, longitude, cell, source, utc_offset, rating, flags, path, picture
      from photo where owner = $1 and cell = any($2) and rim
      """
    case anchorsOnRim = """
      select cell, anchor_photo from spot where owner = $1 and cell = any($2) and rim
      """
    case spots = """
      select id, latitude, longitude, anchor_latitude, anchor_longitude, radius, first_captured,
        last_captured, anchor_photo, cell, photo_count, favorite_count, undated_count, first_offset,
        last_offset, rim, cover, album
      from spot where owner = $1 and cell = any($2)
      """
    case removeSpots = """
      delete from spot using
        unnest($2::integer[], $3::double precision[], $4::double precision[])
          gone(gone_cell, gone_latitude, gone_longitude)
      where owner = $1 and cell = gone_cell and anchor_latitude = gone_latitude
        and anchor_longitude = gone_longitude
      """
    case addSpots = """
      insert into spot (owner, id, latitude, longitude, anchor_latitude, anchor_longitude, radius,
        first_captured, last_captured, anchor_photo, cell, photo_count, favorite_count,
        undated_count, first_offset, last_offset, rim, cover, album)
      select $1::bigint, added.* from unnest($2::bigint[], $3::double precision[],
        $4::double precision[], $5::double precision[], $6::double precision[],
        $7::double precision[], $8::bigint[], $9::bigint[], $10::bigint[], $11::integer[],
        $12::integer[], $13::integer[], $14::integer[], $15::smallint[], $16::smallint[],
        $17::boolean[], $18::bytea[], $19::bytea[]) added
      """
    case finish = "delete from pending where owner = $1 and token = $2"
  }

  /// The statements that find owners who may have marked cells.
  enum PendingStatement: String, StoreStatement {
    static var namesOwner: Bool { false }

    case all = "select owner, token from pending order by owner"
  }
#endif
