#if Postgres
  package import PhotoLibrary
  import Spatial

  /// Brings the photos of a source in a store up to date with an index.
  ///
  /// The keys of the photos that the store has of the source are compared with those of the index.
  /// What differs goes up in batches, each a transaction together with the marks of the cells whose
  /// spots it may change. So an upload that was ended in the middle goes on where it was.
  package struct PhotoUpload {
    /// What an upload did.
    package struct Report: Hashable, Sendable {
      /// The number of photos that the index has.
      package var photoCount = 0
      /// The number of photos that were added, changed ones among them.
      package var addedCount = 0
      /// The number of photos that were removed, changed ones among them.
      package var removedCount = 0
    }

    private let connection: PostgresConnection
    private let owner: StoreOwner
    private let source: PhotoSource
    private let index: PhotoIndex
    private let batchSize: Int

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

    /// The key of a photo's row.
    private struct Key: Comparable {
      let cell: Int32
      let id: Int64

      static func < (left: Key, right: Key) -> Bool {
        left.cell != right.cell ? left.cell < right.cell : left.id < right.id
      }
    }

    /// Uploads.
    ///
    /// - Parameter isCancelled: Is asked before each batch whether to stop.
    /// - Returns: What was done.
    /// - Throws: `PostgresError`; what was done before it stays.
    package func run(
      isCancelled: () -> Bool = { false }
    ) throws(PostgresError) -> Report {
      let local = localPhotos()
      var report = Report(photoCount: local.count)
      var batch = Batch()
      var next = 0
      // Photos of the index before a key are not in the store.
      func add(before key: Key?) throws(PostgresError) {
        while next < local.count, key.map({ local[next].key < $0 }) ?? true, !isCancelled() {
          batch.added.append(local[next].number)
          next += 1
          if batch.count >= batchSize { try send(&batch, &report) }
        }
      }
      var last = Key(cell: .min, id: .min)
      var isEnd = false
      while !isEnd {
        let rows = try connection.query(
          PhotoStatement.keys,
          [.int4(source.number), .int4(last.cell), .int8(last.id), .int8(Self.pageSize)])
        isEnd = rows.count < Int(Self.pageSize)
        for row in 0..<rows.count {
          let key = Key(cell: try rows.int4(row, 0), id: try rows.int8(row, 1))
          try add(before: key)
          guard !isCancelled() else { return report }
          if next < local.count, local[next].key == key {
            next += 1
          } else {
            batch.removed.append(key)
            if batch.count >= batchSize { try send(&batch, &report) }
          }
          last = key
        }
      }
      try add(before: nil)
      if !isCancelled(), batch.count > 0 { try send(&batch, &report) }
      return report
    }

    private static let pageSize: Int64 = 20_000

    /// Changes that go up together.
    private struct Batch {
      var added: [Int32] = []
      var removed: [Key] = []

      var count: Int { added.count + removed.count }
    }

    /// The photos of the index in the order of their keys, each key once.
    private func localPhotos() -> [(key: Key, number: Int32)] {
      var photos = index.spotMemberNumbers.map { number in
        let member = index.spotMember(number)
        let id = PhotoColumns.id(of: member, source: source.number, salt: owner.salt)
        return (key: Key(cell: CellKey.key(of: member.coordinate), id: id), number: number)
      }
      photos.sort { $0.key != $1.key ? $0.key < $1.key : $0.number < $1.number }
      // Two photos of one hash of 64 bits: the second one is left out.
      var kept = 0
      for photo in photos where kept == 0 || photos[kept - 1].key != photo.key {
        photos[kept] = photo
        kept += 1
      }
      photos.removeLast(photos.count - kept)
      return photos
    }

    private func send(_ batch: inout Batch, _ report: inout Report) throws(PostgresError) {
      let changes = batch
      try connection.transaction(tries: 10) { () throws(PostgresError) in try write(changes) }
      report.addedCount += batch.added.count
      report.removedCount += batch.removed.count
      batch = Batch()
    }

    private func write(_ batch: Batch) throws(PostgresError) {
      // The radius may have been changed meanwhile, and stays until the transaction ends.
      let radius = try connection.query(PhotoStatement.holdRadius)
      guard radius.count == 1 else { throw .malformed("the owner was removed") }
      let reach = ClusterReach(radiusMeters: try radius.double(0, 0))
      var marked: Set<Int32> = []
      if !batch.removed.isEmpty {
        let gone = try connection.query(
          PhotoStatement.remove,
          [.int4s(batch.removed.map(\.cell)), .int8s(batch.removed.map(\.id))])
        for row in 0..<gone.count {
          marked.insert(try gone.int4(row, 0))
          try mark(around: gone.coordinate(row, 1), reach, &marked)
        }
      }
      if !batch.added.isEmpty {
        var photos = PhotoColumns()
        for number in batch.added {
          photos.append(index.spotMember(number), source: source.number, salt: owner.salt)
        }
        let rims = photos.position.map { reach.isRim($0) }
        try connection.query(PhotoStatement.add, photos.values(rims: rims))
        for row in 0..<photos.count {
          marked.insert(photos.cell[row])
          if rims[row] { mark(around: photos.position[row], reach, &marked) }
        }
      }
      try connection.mark(marked)
    }

    /// Marks the cells whose spots may have a photo.
    private func mark(
      around position: Coordinate, _ reach: ClusterReach, _ marked: inout Set<Int32>
    ) {
      marked.formUnion(CellKey.keys(around: position, radiusMeters: reach.ofPhotos))
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
  }
#endif
