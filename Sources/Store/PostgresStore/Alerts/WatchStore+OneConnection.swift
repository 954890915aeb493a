#if Postgres
  import PhotoLibrary
  package import SpotAlerts

  extension WatchStore {
    /// The library and the alerts of an owner over a single connection, which is made when it is
    /// needed.
    ///
    /// The one lane, the deliveries and the questions take turns. This suits a server that watches
    /// for many owners, each with a few devices: connections are its scarcest resource.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - owner: The owner.
    package init(overOneConnectionTo address: StoreAddress, owner: StoreOwner) {
      let places = Places()
      let link = StoreLink(address, owner: owner.id)
      // One object, since each of several would close the connection of the others.
      let journal = PostgresJournal(link)
      let lane = Lane(journal: journal, isReachable: { link.isReachable }) { fetch in
        try Self.region(of: fetch, link, owner, places)
      }
      self.init(lanes: [lane], sessionLane: lane, places: places) { position in
        try Self.asking(link, owner, places) { try $0.nearest(1, to: position).first }
      }
    }
  }
#endif
