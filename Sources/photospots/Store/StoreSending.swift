#if Postgres
  import CLibrary
  import PhotoLibrary
  import PostgresStore

  /// Sends the photos of an index to a store, and updates their spots.
  struct StoreSending {
    let store: StoreArguments
    let cache: PhotoIndexCache
    /// The name of a new source; `nil` for the machine's.
    let sourceName: String?
    /// Whether the photos of another index with the same name are replaced.
    let takesOver: Bool
    /// Whether spots are updated, and not left to workers.
    let works: Bool
    /// The cluster radius in metres of a new owner.
    let clusterRadiusMeters: Double

    /// The interval in milliseconds between two checks for cells that other workers have claimed.
    private static let interval: CInt = 200
    /// The number of checks in vain after which these cells are left to the other workers.
    private static let patience = 150

    /// Checks that photos can be sent, and adds the owner if it does not exist.
    func check() throws {
      let (connection, owner) = try open()
      _ = try source(connection)
      if owner.clusterRadiusMeters != clusterRadiusMeters {
        StandardError.note(
          """
          the spots in the store use the owner's cluster radius of \
          \(Distance.text(owner.clusterRadiusMeters)), not the setting; 'photospots store owner' \
          changes it
          """)
      }
    }

    /// Sends the differences, and updates spots.
    ///
    /// - Throws: `PostgresError`; a ``Failure`` if the process was asked to stop. Photos that were
    ///   sent before stay.
    func send(_ index: PhotoIndex) throws -> SentPhotos {
      let (connection, owner) = try open()
      let upload = PhotoUpload(of: index, as: try source(connection), of: owner, connection)
      let report = try upload.run { Interruption.isRequested }
      var sent = SentPhotos(
        photoCount: report.photoCount, addedCount: report.addedCount,
        removedCount: report.removedCount)
      if works, !Interruption.isRequested { sent.spotCount = try work(connection) }
      guard !Interruption.isRequested else {
        throw Failure("interrupted. The progress is saved; run the same command again to continue.")
      }
      return sent
    }

    private func open() throws -> (connection: PostgresConnection, owner: StoreOwner) {
      let connection = try PostgresConnection(
        StoreAddress(store.address ?? ""), deadlines: .work)
      try StoreSchema.verify(connection)
      let owner = try StoreOwner.named(
        store.owner ?? "", orNewWithClusterRadius: clusterRadiusMeters, connection
      ).owner
      try connection.act(for: owner.id)
      return (connection, owner)
    }

    private func source(_ connection: PostgresConnection) throws -> PhotoSource {
      let name = sourceName ?? MachineNames.own
      return try PhotoSource.find(
        named: StoreOwner.isName(name) ? name : "index",
        token: try SourceToken(of: cache).value(), takesOver: takesOver, connection
      ).get()
    }

    /// Updates spots, and returns the number of those that were written.
    private func work(_ connection: PostgresConnection) throws -> Int {
      let work = SpotWork(connection)
      var (count, waits) = (0, 0)
      while !Interruption.isRequested {
        do throws(PostgresError) {
          switch try work.doJob() {
          case .done(let report):
            count += report.addedCount
            waits = 0
          case .upToDate: return count
          case .othersAtWork:
            waits += 1
            guard waits <= Self.patience else {
              StandardError.note("other workers compute the remaining spots")
              return count
            }
            _ = poll(nil, 0, Self.interval)
          }
        } catch {
          guard error.kind == .conflict else { throw error }
        }
      }
      return count
    }
  }
#endif
