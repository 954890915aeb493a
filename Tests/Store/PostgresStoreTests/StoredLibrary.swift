#if Postgres
  import PhotoLibrary
  import PostgresStore
  import Spatial
  import Testing

  /// An owner's library in a store, with the operations of the tests.
  struct StoredLibrary {
    let connection: PostgresConnection
    let owner: StoreOwner

    /// Creates an owner.
    init(_ store: StoreDatabase, owner name: String, clusterRadius: Double = 15) throws {
      (connection, owner) = try store.connection(for: name, clusterRadius: clusterRadius)
    }

    /// Finds or creates the source of an index.
    func source(_ name: String = "laptop", token: Int64 = 1) throws -> PhotoSource {
      try PhotoSource.find(named: name, token: token, takesOver: false, connection).get()
    }

    /// Uploads the photos of an index.
    @discardableResult
    func upload(
      _ index: PhotoIndex, as source: PhotoSource? = nil, batchSize: Int = 10_000,
      until isCancelled: () -> Bool = { false }
    ) throws -> PhotoUpload.Report {
      try PhotoUpload(
        of: index, as: try source ?? self.source(), of: owner, connection, batchSize: batchSize
      ).run(isCancelled: isCancelled)
    }

    /// Runs jobs until no cell is marked.
    @discardableResult
    func work(cellsAtOnce: Int = 20_000, photosAtOnce: Int = 1_000_000) throws -> SpotWork.Report {
      let work = SpotWork(connection, cellsAtOnce: cellsAtOnce, photosAtOnce: photosAtOnce)
      var report = SpotWork.Report()
      while true {
        switch try work.doJob() {
        case .done(let job): report.add(job)
        case .upToDate: return report
        case .othersAtWork: Issue.record("no other worker is running")
        }
      }
    }

    /// The spots in the store, in listing order.
    func spots() throws -> [PhotoSpot] {
      Array(try PostgresSpots(of: owner, connection).listed(in: nil))
    }

    /// Checks that the spots equal those of an index, bit by bit.
    func expectSpots(
      of index: PhotoIndex, clusterRadius: Double? = nil, _ comment: Comment,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let expected = index.spots(clusterRadius: clusterRadius ?? owner.clusterRadiusMeters)
      let found = try spots()
      #expect(
        found.map(Self.words) == expected.map(Self.words), comment, sourceLocation: sourceLocation)
      #expect(
        found.map(Self.bits) == expected.map(Self.bits), comment, sourceLocation: sourceLocation)
    }

    /// A spot's properties other than its numbers and its photos, which a store does not list.
    private static func words(_ spot: PhotoSpot) -> String {
      """
      \(spot.id) \(spot.photoCount) \(spot.favoriteCount) \(spot.undatedCount) \
      \(String(describing: spot.firstCaptured)) \(String(describing: spot.lastCaptured)) \
      \(String(describing: spot.cover)) \(String(describing: spot.album))
      """
    }

    /// The bit patterns of a spot's numbers, which distinguish -0 from 0.
    private static func bits(_ spot: PhotoSpot) -> [UInt64] {
      [
        spot.coordinate.latitude, spot.coordinate.longitude, spot.anchor.latitude,
        spot.anchor.longitude, spot.radiusMeters,
      ].map(\.bitPattern)
    }
  }
#endif
