#if Postgres
  package import PhotoLibrary
  import Spatial

  /// Updates the photos of a source in a store from an index.
  ///
  /// For each folder of the source, the store has the keys of its photos and their hash. A folder
  /// with the same hash in the index is unchanged; the keys of other folders are compared. If the
  /// store does not have the folders yet, all keys are compared. Differences are sent in batches.
  /// Each batch is a transaction together with the folders' new keys and the marks of the cells
  /// whose spots it may change, so an interrupted upload continues where it stopped.
  package struct PhotoUpload {
    /// The changes of an upload, in numbers.
    package struct Report: Hashable, Sendable {
      /// The number of photos that the index has.
      package var photoCount = 0
      /// The number of photos that were added, changed ones among them.
      package var addedCount = 0
      /// The number of photos that were removed, changed ones among them.
      package var removedCount = 0
    }

    let connection: PostgresConnection
    let source: PhotoSource
    let index: PhotoIndex
    let batchSize: Int
    private let owner: StoreOwner

    /// Prepares an upload.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - source: The source that the index is.
    ///   - owner: The owner of the source, for whom the connection acts.
    ///   - connection: The connection.
    ///   - batchSize: The number of photos of a transaction.
    package init(
      of index: PhotoIndex, as source: PhotoSource, of owner: StoreOwner,
      _ connection: PostgresConnection, batchSize: Int = 10_000
    ) {
      precondition(connection.owner == owner.id && batchSize > 0)
      self.connection = connection
      self.owner = owner
      self.source = source
      self.index = index
      self.batchSize = batchSize
    }

    /// The maximum number of attempts. An upload starts again after another process has changed the
    /// source.
    private static let tries = 5

    /// Sends the differences to the store.
    ///
    /// - Parameter isCancelled: Returns whether to stop; called before each batch.
    /// - Returns: The changes, which are incomplete after a cancellation.
    /// - Throws: `PostgresError`, of the kind `conflict` if other processes keep changing the same
    ///   source. The batches that were written before stay.
    package func run(
      isCancelled: () -> Bool = { false }
    ) throws(PostgresError) -> Report {
      let local = LocalPhotos(of: index, source: source.number, salt: owner.salt)
      var report = Report(photoCount: local.photos.count)
      for _ in 0..<Self.tries {
        if try attempt(local, &report, isCancelled) { return report }
      }
      throw PostgresError(
        .conflict, "another process keeps sending photos of the same index; try again later")
    }

    /// Sends the differences; returns `false` if another process has changed the source meanwhile.
    private func attempt(
      _ local: LocalPhotos, _ report: inout Report, _ isCancelled: () -> Bool
    ) throws(PostgresError) -> Bool {
      // The version is read before the folders, so that a change between the two is detected.
      var writing = BatchWriting(self, version: try version())
      let rows = try connection.query(PhotoStatement.folders, [.int4(source.number)])
      if rows.count == 0 {
        try sendAll(local, &writing, isCancelled)
      } else {
        var digests: [Int64: Int64?] = [:]
        digests.reserveCapacity(rows.count)
        for row in 0..<rows.count {
          digests.updateValue(try rows.optionalInt8(row, 1), forKey: try rows.int8(row, 0))
        }
        try sendChanges(local, storedDigests: digests, &writing, isCancelled)
      }
      report.addedCount += writing.addedCount
      report.removedCount += writing.removedCount
      return !writing.isOvertaken
    }

    private func version() throws(PostgresError) -> Int64 {
      let rows = try connection.query(PhotoStatement.sourceVersion, [.int4(source.number)])
      guard rows.count == 1 else { throw .malformed("the source was removed") }
      return try rows.int8(0, 0)
    }

    private static let pageSize: Int64 = 20_000

    /// Compares all keys with those in the store, which has no folders of the source yet, and adds
    /// the folders at the end.
    private func sendAll(
      _ local: LocalPhotos, _ writing: inout BatchWriting, _ isCancelled: () -> Bool
    ) throws(PostgresError) {
      var photos = local.photos
      // Both lists of keys are in ascending order, and are merged.
      photos.sort { $0.key < $1.key }
      var batch = PhotoBatch()
      var next = 0
      var hasStopped = false
      func flush(whenFull: Bool = true) throws(PostgresError) {
        guard !hasStopped, batch.count >= (whenFull ? batchSize : 1) else { return }
        hasStopped = isCancelled()
        if !hasStopped, try !writing.write(&batch) { hasStopped = true }
      }
      // Photos of the index with keys before the store's next key are not in the store.
      func add(before key: PhotoKey?) throws(PostgresError) {
        while next < photos.count, key.map({ photos[next].key < $0 }) ?? true, !hasStopped {
          batch.added.append(photos[next])
          next += 1
          try flush()
        }
      }
      var last = PhotoKey(cell: .min, id: .min)
      var isEnd = false
      while !isEnd, !hasStopped {
        let rows = try connection.query(
          PhotoStatement.keys,
          [.int4(source.number), .int4(last.cell), .int8(last.id), .int8(Self.pageSize)])
        isEnd = rows.count < Int(Self.pageSize)
        for row in 0..<rows.count where !hasStopped {
          let key = PhotoKey(cell: try rows.int4(row, 0), id: try rows.int8(row, 1))
          try add(before: key)
          if next < photos.count, photos[next].key == key {
            next += 1
          } else {
            batch.removed.append(key)
            try flush()
          }
          last = key
        }
      }
      try add(before: nil)
      try flush(whenFull: false)
      guard !hasStopped, !isCancelled() else { return }
      try writing.writeFolders(of: local)
    }

    /// The number of changed folders whose keys are read by one statement.
    private static let foldersAtOnce = 256

    /// Compares the keys of the folders whose digests differ.
    private func sendChanges(
      _ local: LocalPhotos, storedDigests: [Int64: Int64?], _ writing: inout BatchWriting,
      _ isCancelled: () -> Bool
    ) throws(PostgresError) {
      var stored = storedDigests
      var changes: [FolderChange] = []
      for folder in local.folders {
        let digest = stored.removeValue(forKey: folder.id)
        guard digest != .some(folder.digest) else { continue }
        changes.append(
          FolderChange(
            folder: folder.id, digest: folder.digest, isStored: digest != nil,
            photos: local.photos[folder.range]))
      }
      // The remaining stored folders are not in the index any more.
      for folder in stored.keys.sorted() {
        changes.append(FolderChange(folder: folder, digest: nil, isStored: true, photos: []))
      }
      var batch = PhotoBatch()
      for start in stride(from: 0, to: changes.count, by: Self.foldersAtOnce) {
        var some = Array(changes[start..<min(start + Self.foldersAtOnce, changes.count)])
        try readKeys(of: &some)
        for var change in some {
          repeat {
            change.move(atMost: batchSize - batch.count, to: &batch)
            guard batch.count >= batchSize else { continue }
            guard !isCancelled(), try writing.write(&batch) else { return }
          } while !change.isMoved
        }
      }
      if !batch.isEmpty, !isCancelled() { _ = try writing.write(&batch) }
    }

    /// Reads the stored keys of folders, and compares them.
    private func readKeys(of changes: inout [FolderChange]) throws(PostgresError) {
      let rows = try connection.query(
        PhotoStatement.folderKeys,
        [.int4(source.number), .int8s(changes.lazy.filter(\.isStored).map(\.folder))])
      var keys: [Int64: [PhotoKey]] = [:]
      for row in 0..<rows.count {
        keys[try rows.int8(row, 0)] = try PhotoKey.keys(in: try rows.bytes(row, 1))
      }
      for place in changes.indices {
        changes[place].compare(withStored: keys[changes[place].folder] ?? [])
      }
    }
  }
#endif
