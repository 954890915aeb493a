import PhotoLibrary

#if Postgres
  import PostgresStore
#endif

/// The library that a query is about: that of the index file, or of an owner in a store.
struct QueriedLibrary {
  /// The photos; `nil` for a library in a store, of which only spots are read.
  let photos: PhotoIndex?
  /// The spots of photos.
  let spots: any SpotSource
  /// The radius in metres that the spots were made with.
  let clusterRadiusMeters: Double

  /// Opens the library that the flags name.
  init(_ index: IndexArguments, _ store: StoreArguments, _ settings: Settings) throws {
    guard store.isGiven else {
      clusterRadiusMeters = try settings.clusterRadiusMeters
      let opened = try index.open(clusterRadius: clusterRadiusMeters)
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
