package import Encodings

#if Postgres
  package import PostgresStore
#endif

/// The size of an owner's library in a store.
package struct StoredLibraryFacts: Sendable {
  /// The owner's name.
  package let owner: String
  /// The number of photos with a position; the files of one shot count once.
  package let photoCount: Int
  /// The number of spots.
  package let spotCount: Int
  /// The number of cells whose spots are not up to date.
  package let waitingCellCount: Int
  /// The cluster radius in metres.
  package let clusterRadiusMeters: Double

  #if Postgres
    /// Counts the photos, spots and waiting cells of an owner in a store.
    ///
    /// - Precondition: The connection acts for the owner.
    package init(
      of owner: StoreOwner, _ connection: PostgresConnection
    ) throws(PostgresError) {
      let counts = try PostgresSpots(of: owner, connection).counts()
      self.owner = owner.name
      (photoCount, spotCount) = (counts.photos, counts.spots)
      waitingCellCount = counts.waitingCells
      clusterRadiusMeters = owner.clusterRadiusMeters
    }
  #endif

  /// Writes `owner`, `photos`, `spots`, `waitingCells`.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("owner", owner)
      writer.member("photos", photoCount)
      writer.member("spots", spotCount)
      writer.member("waitingCells", waitingCellCount)
    }
  }
}
