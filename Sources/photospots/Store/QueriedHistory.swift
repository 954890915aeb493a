import PhotoLibrary
import SpotAlerts

#if Postgres
  import PostgresStore
#endif

/// The history that a command is about: that of the state folder, or of an owner in a store.
struct QueriedHistory {
  /// The entries, the oldest first, with what rules refused and what visits waited for.
  let whole: [HistoryEntry]
  /// The spots of the store; `nil` for a history of the state folder.
  private let storedSpots: (source: any SpotSource, clusterRadiusMeters: Double)?

  /// The entries without what rules refused and what visits waited for.
  var entries: [HistoryEntry] { whole.filter { $0.kind != .refused && $0.kind != .waited } }

  /// Reads the history that the flags name.
  init(_ state: StateArguments, _ store: StoreArguments) throws {
    guard store.isGiven else {
      whole = try WatchSession.wholeHistory(in: state.folder)
      storedSpots = nil
      return
    }
    #if Postgres
      let (connection, owner) = try store.open()
      whole = try PostgresJournal.history(connection)
      storedSpots = (try PostgresSpots(of: owner, connection), owner.clusterRadiusMeters)
    #else
      preconditionFailure("a store was named in a build without PostgreSQL")
    #endif
  }

  /// Returns the names of places: those of the index file, or of the spots in the store that the
  /// entries are about.
  func names(_ index: IndexArguments, places: OwnPlaces? = nil) throws -> SpotNames {
    guard let storedSpots else { return SpotNames(index, places: places) }
    let radius = storedSpots.clusterRadiusMeters
    let source = places?.joined(with: storedSpots.source, clusterRadius: radius)
    var spots: [String: PhotoSpot] = [:]
    var known: Set<String> = []
    for entry in whole where known.insert(entry.spotID).inserted {
      let near = try (source ?? storedSpots.source).spots(within: radius, of: entry.coordinate)
      for neighbor in near { spots[neighbor.spot.id] = neighbor.spot }
    }
    return SpotNames(spots: SpotIndex(spots: Array(spots.values)))
  }
}
