#if Postgres
  import PhotoLibrary
  import Spatial

  /// Writes batches of photos of a source, each as a transaction.
  ///
  /// Each transaction advances the source's version from the one that the writer knows. If another
  /// process has advanced it in the meantime, nothing is written.
  struct BatchWriting {
    /// The numbers of photos that were added and removed so far.
    private(set) var (addedCount, removedCount) = (0, 0)
    /// Whether another process has changed the source, so that no further batch can be written.
    private(set) var isOvertaken = false

    private let upload: PhotoUpload
    private var version: Int64
    private var connection: PostgresConnection { upload.connection }
    private var source: PostgresValue { .int4(upload.source.number) }

    /// Prepares to write to a source that has a known version.
    init(_ upload: PhotoUpload, version: Int64) {
      self.upload = upload
      self.version = version
    }

    /// Writes a batch, and empties it.
    ///
    /// - Returns: Whether it was written; `false` if another process has changed the source.
    mutating func write(_ batch: inout PhotoBatch) throws(PostgresError) -> Bool {
      var changes = batch
      batch = PhotoBatch()
      // In the order of the keys, the rows of a cell are inserted one after another.
      changes.added.sort { $0.key < $1.key }
      let isWritten: Bool
      do throws(PostgresError) {
        isWritten = try commit(changes, mayHaveKeys: false)
      } catch {
        // A 64-bit hash collides with that of another photo, whose row then stands for both.
        guard error.kind == .duplicate else { throw error }
        isWritten = try commit(changes, mayHaveKeys: true)
      }
      guard isWritten else { return false }
      addedCount += changes.added.count
      removedCount += changes.removed.count
      return true
    }

    /// Writes a batch as a transaction; returns `false` if another process has changed the source.
    ///
    /// A key that exists already is skipped if `mayHaveKeys` is true, and an error otherwise.
    private mutating func commit(
      _ batch: PhotoBatch, mayHaveKeys: Bool
    ) throws(PostgresError) -> Bool {
      try transaction { (writing) throws(PostgresError) in
        // The radius may have changed since the last batch. It is locked during the transaction.
        let radius = try writing.connection.query(PhotoStatement.holdRadius)
        guard radius.count == 1 else { throw .malformed("the owner was removed") }
        let reach = ClusterReach(radiusMeters: try radius.double(0, 0))
        guard try writing.advanceVersion() else { return false }
        var marked: Set<Int32> = []
        try writing.remove(batch.removed, reach, &marked)
        try writing.add(batch.added, reach, mayHaveKeys: mayHaveKeys, &marked)
        try writing.write(batch.folders)
        try writing.connection.mark(marked)
        guard !marked.isEmpty else { return true }
        try writing.connection.query(
          LibraryStatement.setToken, [.int8(.random(in: .min ... .max))])
        return true
      }
    }

    /// Writes all folders of a source that has none in the store.
    mutating func writeFolders(of local: LocalPhotos) throws(PostgresError) {
      _ = try transaction { (writing) throws(PostgresError) in
        guard try writing.advanceVersion() else { return false }
        for start in stride(from: 0, to: local.folders.count, by: Self.foldersAtOnce) {
          let some = local.folders[start..<min(start + Self.foldersAtOnce, local.folders.count)]
          try writing.write(
            some.map { folder in
              PhotoBatch.Folder(
                id: folder.id, digest: folder.digest,
                keys: local.photos[folder.range].map(\.key))
            })
        }
        return true
      }
    }

    private static let foldersAtOnce = 512

    /// Runs a transaction that returns `false` if another process has changed the source, and keeps
    /// track of the source's version.
    private mutating func transaction(
      _ body: (BatchWriting) throws(PostgresError) -> Bool
    ) throws(PostgresError) -> Bool {
      let writing = self
      let isDone = try connection.transaction(tries: 10) { () throws(PostgresError) in
        try body(writing)
      }
      if isDone { version += 1 } else { isOvertaken = true }
      return isDone
    }

    /// Advances the version of the source; returns `false` if it is not the known one.
    private func advanceVersion() throws(PostgresError) -> Bool {
      try connection.query(PhotoStatement.advanceSource, [source, .int8(version)])
        .writtenCount == 1
    }

    // MARK: - Rows

    private func remove(
      _ keys: [PhotoKey], _ reach: ClusterReach, _ marked: inout Set<Int32>
    ) throws(PostgresError) {
      guard !keys.isEmpty else { return }
      let gone = try connection.query(
        PhotoStatement.remove, [.int4s(keys.map(\.cell)), .int8s(keys.map(\.id))])
      for row in 0..<gone.count {
        marked.insert(try gone.int4(row, 0))
        mark(around: try gone.coordinate(row, 1), reach, &marked)
      }
    }

    /// The maximum number of photos that are inserted from arrays. More are copied to a temporary
    /// table and inserted from there, which takes half the time.
    private static let maximumArrayLength = 500

    private func add(
      _ added: [LocalPhotos.Photo], _ reach: ClusterReach, mayHaveKeys: Bool,
      _ marked: inout Set<Int32>
    ) throws(PostgresError) {
      guard !added.isEmpty else { return }
      var photos = PhotoColumns()
      for photo in added {
        photos.append(
          upload.index.spotMember(photo.number), key: photo.key, source: upload.source.number)
      }
      let rims = photos.position.map { reach.isRim($0) }
      if mayHaveKeys || photos.count <= Self.maximumArrayLength {
        try connection.query(PhotoStatement.add, photos.values(rims: rims))
      } else {
        try connection.query(CopyStatement.makePhotos)
        try connection.copy(CopyStatement.photos, photos.copyRows(rims: rims))
        try connection.query(PhotoStatement.addCopied)
      }
      for row in 0..<photos.count {
        marked.insert(photos.cell[row])
        if rims[row] { mark(around: photos.position[row], reach, &marked) }
      }
    }

    /// Marks the cells that may have a spot with a photo at a position.
    private func mark(
      around position: Coordinate, _ reach: ClusterReach, _ marked: inout Set<Int32>
    ) {
      marked.formUnion(CellKey.keys(around: position, radiusMeters: reach.ofPhotos))
    }

    private func write(_ folders: [PhotoBatch.Folder]) throws(PostgresError) {
      let gone = folders.filter(\.keys.isEmpty)
      if !gone.isEmpty {
        try connection.query(PhotoStatement.removeFolders, [source, .int8s(gone.map(\.id))])
      }
      let kept = folders.filter { !$0.keys.isEmpty }
      guard !kept.isEmpty else { return }
      try connection.query(
        PhotoStatement.setFolders,
        [
          source, .int8s(kept.map(\.id)), .optionalInt8s(kept.map(\.digest)),
          .byteStrings(kept.map { PhotoKey.bytes(of: $0.keys) }),
        ])
    }
  }

  extension PhotoColumns {
    /// The columns as parameters of ``PhotoStatement/add``.
    fileprivate func values(rims: [Bool]) -> [PostgresValue] {
      [
        .int8s(id), .optionalInt8s(captured), .doubles(position.map(\.latitude)),
        .doubles(position.map(\.longitude)), .int4s(cell), .int4s(source), .int2s(utcOffset),
        .int2s(rating), .int2s(flags), .bools(rims),
        .byteStrings((0..<count).map { Array(path($0)) }),
        .byteStrings((0..<count).map { Array(picture($0)) }),
      ]
    }

    /// The rows for ``CopyStatement/photos``.
    fileprivate func copyRows(rims: [Bool]) -> CopyRows {
      var rows = CopyRows(columnCount: 12, byteCount: count * 180)
      for row in 0..<count {
        rows.beginRow()
        rows.append(id[row])
        rows.append(captured[row])
        rows.append(position[row].latitude)
        rows.append(position[row].longitude)
        rows.append(cell[row])
        rows.append(source[row])
        rows.append(utcOffset[row])
        rows.append(rating[row])
        rows.append(flags[row])
        rows.append(rims[row])
        rows.append(path(row))
        rows.append(picture(row))
      }
      return rows
    }
  }
#endif
