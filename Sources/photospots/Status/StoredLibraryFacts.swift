import Interchange

#if Postgres
  import PostgresStore
#endif

/// The size of an owner's library in a store.
struct StoredLibraryFacts: Sendable {
  /// The owner's name.
  let owner: String
  /// The number of photos with a position; the files of one shot count once.
  let photoCount: Int
  /// The number of spots.
  let spotCount: Int
  /// The number of cells whose spots are not up to date.
  let waitingCellCount: Int
  /// The cluster radius in metres.
  let clusterRadiusMeters: Double

  #if Postgres
    /// Counts the photos, spots and waiting cells of an owner in a store.
    ///
    /// - Precondition: The connection acts for the owner.
    init(
      of owner: StoreOwner, _ connection: PostgresConnection
    ) throws(PostgresError) {
      let counts = try PostgresSpots(of: owner, connection).counts()
      self.owner = owner.name
      (photoCount, spotCount) = (counts.photos, counts.spots)
      waitingCellCount = counts.waitingCells
      clusterRadiusMeters = owner.clusterRadiusMeters
    }
  #endif

  /// The text form, one line.
  var text: String {
    """
    \(Count.text(photoCount)) \(photoCount == 1 ? "photo" : "photos") at \(Count.text(spotCount)) \
    \(spotCount == 1 ? "spot" : "spots") of \(owner.escaped)
    """
      + (waitingCellCount > 0
        ? ", \(Count.text(waitingCellCount)) \(waitingCellCount == 1 ? "cell waits" : "cells wait") for "
          + "'photospots store work'" : "")
  }

  /// Writes `owner`, `photos`, `spots`, `waitingCells`.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("owner", owner)
      writer.member("photos", photoCount)
      writer.member("spots", spotCount)
      writer.member("waitingCells", waitingCellCount)
    }
  }
}
