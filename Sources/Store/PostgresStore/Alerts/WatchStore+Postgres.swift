#if Postgres
  import PhotoLibrary
  package import SpotAlerts
  import Spatial
  import SpotWatcher

  extension WatchStore {
    /// Creates the library and the alerts of an owner, without connecting.
    ///
    /// Each lane has a connection of its own, for its journal and its spots.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - owner: The owner.
    ///   - laneCount: The number of lanes.
    ///   - remembers: Whether decisions are recorded.
    package init(
      _ address: StoreAddress, owner: StoreOwner, laneCount: Int, remembers: Bool = true
    ) {
      let holder = PostgresJournal.Holder()
      let places = Places()
      let lanes = (0...max(laneCount, 1)).map { _ in
        let link = StoreLink(address, owner: owner.id)
        return Lane(
          journal: remembers ? PostgresJournal(link, holder: holder) : nil,
          isReachable: { link.isReachable }
        ) { fetch in
          try Self.region(of: fetch, link, owner, places)
        }
      }
      let link = StoreLink(address, owner: owner.id)
      self.init(lanes: Array(lanes.dropLast()), sessionLane: lanes[lanes.count - 1], places: places)
      {
        position in
        try Self.asking(link, owner, places) { try $0.nearest(1, to: position).first }
      }
    }

    /// Fetches the spots around a device.
    static func region(
      of fetch: RegionFetch, _ link: StoreLink, _ owner: StoreOwner, _ places: Places
    ) throws(PostgresError) -> FetchedRegion {
      guard places.all.isEmpty else {
        return try asking(link, owner, places) { spots in
          try spots.region(of: fetch, clusterRadius: owner.clusterRadiusMeters)
        }
      }
      return try link.with { connection throws(PostgresError) in
        try PostgresSpots(of: owner, connection)
          .region(of: fetch, clusterRadius: owner.clusterRadiusMeters)
      }
    }

    /// Calls a closure with the spots of an owner, joined with the user's own places.
    static func asking<Value: Sendable>(
      _ link: StoreLink, _ owner: StoreOwner, _ places: Places,
      _ body: (any SpotSource) throws -> Value
    ) throws(PostgresError) -> Value {
      try link.with { connection throws(PostgresError) in
        let spots = try PostgresSpots(of: owner, connection)
        let all = places.all
        do {
          return try body(
            all.isEmpty
              ? spots : JoinedSpots(spots, with: all, clusterRadius: owner.clusterRadiusMeters))
        } catch {
          throw (error as? PostgresError) ?? .malformed("\(error)")
        }
      }
    }
  }
#endif
