#if Postgres
  /// The statements that update the photos of a source, and mark cells.
  enum PhotoStatement: String, StoreStatement {
    /// Locks the owner's row, so that the cluster radius cannot change before the transaction ends.
    case holdRadius = "select cluster_radius from owner where owner = $1 for share"
    case sourceOfToken = "select source, name from source where owner = $1 and token = $2"
    case sourceNamed = "select source from source where owner = $1 and name = $2"
    case lockOwner = "select owner from owner where owner = $1 for update"
    case addSource = """
      insert into source (owner, source, name, token)
      select $1::bigint, coalesce(max(source), 0) + 1, $2, $3 from source where owner = $1
      """
    case takeSourceOver = "update source set token = $3 where owner = $1 and name = $2"
    /// The next keys of a source's photos, after a given key.
    case keys = """
      select cell, id from photo
      where owner = $1 and source = $2 and (cell, id) > ($3, $4)
      order by cell, id limit $5
      """
    case remove = """
      delete from photo using unnest($2::integer[], $3::bigint[]) gone(gone_cell, gone_id)
      where owner = $1 and cell = gone_cell and id = gone_id
      returning cell, latitude, longitude
      """
    case add = """
      insert into photo (owner, id, captured, latitude, longitude, cell, source, utc_offset, rating,
        flags, rim, path, picture)
      select $1::bigint, added.* from unnest($2::bigint[], $3::bigint[], $4::double precision[],
        $5::double precision[], $6::integer[], $7::integer[], $8::smallint[], $9::smallint[],
        $10::smallint[], $11::boolean[], $12::bytea[], $13::bytea[]) added
      on conflict do nothing
      """
    /// Adds the rows of ``CopyStatement/photos``. A key that exists already is an error.
    case addCopied = """
      insert into photo (owner, id, captured, latitude, longitude, cell, source, utc_offset, rating,
        flags, rim, path, picture)
      select $1::bigint, id, captured, latitude, longitude, in_cell, of_source, utc_offset, rating,
        flags, rim, path, picture from copied_photo
      """
    case sourceVersion = "select version from source where owner = $1 and source = $2"
    /// Writes nothing if another process has changed the source; otherwise locks its row.
    case advanceSource = """
      update source set version = version + 1 where owner = $1 and source = $2 and version = $3
      """
    case folders = "select folder, digest from folder where owner = $1 and source = $2"
    case folderKeys = """
      select folder, keys from folder where owner = $1 and source = $2 and folder = any($3)
      """
    case removeFolders = """
      delete from folder where owner = $1 and source = $2 and folder = any($3)
      """
    case setFolders = """
      insert into folder (owner, source, folder, digest, keys)
      select $1::bigint, $2, changed.* from unnest($3::bigint[], $4::bigint[], $5::bytea[]) changed
      on conflict (owner, source, folder) do update
        set digest = excluded.digest, keys = excluded.keys
      """
    case addCells = """
      insert into cell (owner, cell) select $1::bigint, key from unnest($2::integer[]) key
      on conflict do nothing
      """
    case addMarks = """
      insert into mark (owner, cell, token) select $1::bigint, key, $3 from unnest($2::integer[]) key
      """
    case markAll = """
      insert into mark (owner, cell, token) select owner, cell, $2 from cell where owner = $1
      """
    /// Comes at the end of a transaction, since it locks the owner's row.
    case addPending = """
      insert into pending (owner, token) values ($1, $2)
      on conflict (owner) do update set token = excluded.token
      """
    case setRadius = "update owner set cluster_radius = $2 where owner = $1"
    /// The next photos after a given key, whose flag `rim` is computed again.
    case rims = """
      select cell, id, latitude, longitude, rim from photo
      where owner = $1 and (cell, id) > ($2, $3) order by cell, id limit $4
      """
    case setRims = """
      update photo set rim = new_rim
      from unnest($2::integer[], $3::bigint[], $4::boolean[]) changed(new_cell, new_id, new_rim)
      where owner = $1 and cell = new_cell and id = new_id
      """
  }

  /// The statements that copy photos to a temporary table of the session. They name no owner;
  /// ``PhotoStatement/addCopied`` moves the rows to the owner's table. PostgreSQL does not copy to
  /// tables with policies (documentation of `COPY`, section "Notes").
  enum CopyStatement: String, StoreStatement {
    static var namesOwner: Bool { false }

    case makePhotos = """
      create temporary table if not exists copied_photo (
        id bigint not null, captured bigint, latitude double precision not null,
        longitude double precision not null, in_cell integer not null, of_source integer not null,
        utc_offset smallint not null, rating smallint not null, flags smallint not null,
        rim boolean not null, path bytea not null, picture bytea not null) on commit delete rows
      """
    case photos = """
      copy copied_photo (id, captured, latitude, longitude, in_cell, of_source, utc_offset, rating,
        flags, rim, path, picture) from stdin (format binary)
      """
  }

  extension PostgresConnection {
    /// Marks cells whose spots may have changed, and records that their owner has marks.
    ///
    /// Comes at the end of a transaction, since it locks a row of the owner. Cells without photos
    /// are marked too, since another transaction may add photos to them at the same time.
    func mark(_ cells: Set<Int32>) throws(PostgresError) {
      guard !cells.isEmpty else { return }
      // Always in ascending order, so that two transactions cannot block each other.
      let keys = PostgresValue.int4s(cells.sorted())
      let token = PostgresValue.int8(.random(in: .min ... .max))
      try query(PhotoStatement.addCells, [keys])
      try query(PhotoStatement.addMarks, [keys, token])
      try query(PhotoStatement.addPending, [token])
    }
  }
#endif
