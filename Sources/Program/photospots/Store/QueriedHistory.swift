import PageServer
import PhotoLibrary
import SpotAlerts
import TerminalOutput

#if Postgres
  import PostgresStore
#endif

/// The history that a command reads, from the state folder or from a store.
struct QueriedHistory {
  /// All entries, the oldest first, including those of the kinds `refused` and `waited`.
  let whole: [HistoryEntry]
  /// The owner's spots in the store; `nil` for a history of the state folder.
  private let storedSpots: (source: any SpotSource, clusterRadiusMeters: Double)?

  /// The entries without those of the kinds `refused` and `waited`.
  var entries: [HistoryEntry] { whole.filter { $0.kind != .refused && $0.kind != .waited } }

  /// Reads the history that the options name.
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

  /// Returns the names of spots and places: those of the index file, or those of the spots in the
  /// store near the entries.
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
