import PhotoLibrary
import ProgramSettings

#if Postgres
  import PostgresStore
#endif

/// The library that a query reads, from the index file or from a store.
struct QueriedLibrary {
  /// The photos; `nil` for a library in a store, from which only spots are read.
  let photos: PhotoIndex?
  /// The spots of photos.
  let spots: any SpotSource
  /// The cluster radius of the spots, in metres.
  let clusterRadiusMeters: Double

  /// Opens the library that the options name; without an index, the user's own places are enough.
  init(
    _ index: IndexArguments, _ store: StoreArguments, _ settings: Settings,
    _ listing: ListingArguments
  ) throws {
    guard store.isGiven else {
      clusterRadiusMeters = try settings.clusterRadiusMeters
      let opened = try index.open(clusterRadius: clusterRadiusMeters) {
        try listing.placeCount(settings)
      }
      photos = opened
      spots = SpotIndex(opened, clusterRadius: clusterRadiusMeters)
      return
    }
    #if Postgres
      let (connection, owner) = try store.open()
      photos = nil
      spots = try PostgresSpots(of: owner, connection)
      clusterRadiusMeters = owner.clusterRadiusMeters
    #else
      preconditionFailure("a store was named in a build without PostgreSQL")
    #endif
  }
}
