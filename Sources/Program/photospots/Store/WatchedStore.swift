#if Postgres
  import Encodings
  import PostgresStore
  import SpotAlerts

  /// The library and the alerts of an owner in a store, for a watch.
  struct WatchedStore {
    private let owner: StoreOwner
    private let address: StoreAddress

    /// The owner's name.
    var ownerName: String { owner.name }
    /// The cluster radius of the spots, in metres.
    var clusterRadiusMeters: Double { owner.clusterRadiusMeters }

    /// Looks the owner up.
    ///
    /// - Throws: `MessageError` if there is no such owner; `PostgresError` if the store is
    ///   unusable.
    init(_ arguments: StoreArguments) throws {
      address = try StoreAddress(arguments.address ?? "")
      owner = try arguments.open().owner
    }

    /// Returns the store for a session, with connections of its own.
    ///
    /// - Parameters:
    ///   - laneCount: The number of lanes.
    ///   - remembers: Whether decisions are recorded.
    /// - Returns: The store; nothing is connected yet.
    func shared(laneCount: Int, remembers: Bool) -> WatchStore {
      WatchStore(address, owner: owner, laneCount: laneCount, remembers: remembers)
    }
  }
#endif
