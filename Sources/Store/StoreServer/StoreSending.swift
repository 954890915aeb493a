#if Postgres
  import Encodings
  import PageServer
  package import PhotoLibrary
  package import PostgresStore
  package import ProcessControl

  /// Sends the photos of an index to a store, and updates their spots.
  package struct StoreSending {
    private let address: StoreAddress
    private let ownerName: String
    private let cache: PhotoIndexCache
    private let sourceName: String?
    private let takesOver: Bool
    private let works: Bool
    private let clusterRadiusMeters: Double
    private let interruption: Interruption
    private let log: MessageLog

    /// The interval between two checks for cells that other workers have claimed.
    private static let interval = Duration.milliseconds(200)
    /// The number of checks in vain after which these cells are left to the other workers.
    private static let patience = 150

    /// Creates a sending; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - ownerName: The owner of the photos.
    ///   - cache: The index.
    ///   - sourceName: The name of a new source; `nil` for the machine's.
    ///   - takesOver: Whether the photos of another index with the same name are replaced.
    ///   - works: Whether spots are updated, and not left to workers.
    ///   - clusterRadiusMeters: The cluster radius in metres of a new owner.
    ///   - interruption: Ends the sending early.
    ///   - log: Receives messages.
    package init(
      address: StoreAddress, ownerName: String, cache: PhotoIndexCache, sourceName: String?,
      takesOver: Bool, works: Bool, clusterRadiusMeters: Double, interruption: Interruption,
      log: MessageLog
    ) {
      (self.address, self.ownerName, self.cache) = (address, ownerName, cache)
      (self.sourceName, self.takesOver, self.works) = (sourceName, takesOver, works)
      self.clusterRadiusMeters = clusterRadiusMeters
      (self.interruption, self.log) = (interruption, log)
    }

    /// Checks that photos can be sent, and adds the owner if it does not exist.
    ///
    /// - Returns: The owner's cluster radius in metres, which the spots in the store have.
    /// - Throws: `PostgresError`, or a `MessageError` if the index cannot be identified.
    package func check() throws -> Double {
      let (connection, owner) = try open()
      _ = try source(connection)
      return owner.clusterRadiusMeters
    }

    /// Sends the differences, and updates spots.
    ///
    /// - Throws: `PostgresError`; a `MessageError` if it was interrupted. Photos that were
    ///   sent before stay.
    package func send(_ index: PhotoIndex) throws -> SentPhotos {
      let (connection, owner) = try open()
      let upload = PhotoUpload(of: index, as: try source(connection), of: owner, connection)
      let report = try upload.run { interruption.isRequested }
      var sent = SentPhotos(
        photoCount: report.photoCount, addedCount: report.addedCount,
        removedCount: report.removedCount)
      if works, !interruption.isRequested { sent.spotCount = try work(connection) }
      guard !interruption.isRequested else {
        throw MessageError(
          "interrupted. The progress is saved; run the same command again to continue.")
      }
      return sent
    }

    private func open() throws -> (connection: PostgresConnection, owner: StoreOwner) {
      let connection = try PostgresConnection(
        address, deadlines: .work)
      try StoreSchema.verify(connection)
      let owner = try StoreOwner.named(
        ownerName, orNewWithClusterRadius: clusterRadiusMeters, connection
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
      while !interruption.isRequested {
        do throws(PostgresError) {
          switch try work.doJob() {
          case .done(let report):
            count += report.addedCount
            waits = 0
          case .upToDate: return count
          case .othersAtWork:
            waits += 1
            guard waits <= Self.patience else {
              log.note("other workers compute the remaining spots")
              return count
            }
            if interruption.isRequested(within: Self.interval) { return count }
          }
        } catch {
          guard error.kind == .conflict else { throw error }
        }
      }
      return count
    }
  }
#endif
