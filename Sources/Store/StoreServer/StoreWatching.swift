#if Postgres
  import Encodings
  import PageServer
  import PhotoLibrary
  import PostgresStore
  import ProcessControl
  import ProgramSettings
  import SpotAlerts
  import SpotWatcher
  import WatchService

  /// The watches of `photospots serve --store --feeds`, with the rules of the server's settings.
  struct StoreWatching {
    /// The watches.
    let watches: StoredWatches
    /// The receivers of the owners' alerts.
    let receivers: StoredReceivers

    /// The number of threads that write the results of deliveries to the store.
    private static let deliveryThreadCount = 4

    /// Prepares watches; none is running yet.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - pool: The connections with which receivers are read.
    ///   - settings: The settings of the server, which are the same for all owners.
    ///   - limits: The bounds of the watches.
    ///   - log: Receives messages about the watches.
    /// - Throws: An error if a setting is invalid.
    init(
      _ address: StoreAddress, _ pool: PostgresPool, _ settings: SettingsInForce,
      limits: StoredWatches.Limits, log: MessageLog
    ) throws {
      _ = try settings.settings.watcher
      _ = try settings.settings.alerts
      // The muted spots of the user who runs the server are not those of the owners.
      let folder = try ScratchFolder()
      let outages = OutageReports(log: log)
      let receivers = StoredReceivers(pool, report: { outages.report($0) })
      self.receivers = receivers
      let threads = (0..<Self.deliveryThreadCount).map { _ in
        ThreadExecutor(label: "photospots.deliveries", hasOneThread: true)
      }
      watches = StoredWatches(limits: limits, report: { Self.report($1, of: $0, outages, log) }) {
        owner, report in
        try Watch(
          try Self.sources(of: owner, settings, folder),
          over: WatchStore(overOneConnectionTo: address, owner: owner), devices: nil,
          notifiers: try receivers.notifiers(of: owner),
          deliveringOn: threads[Int(owner.id.number.magnitude % UInt64(threads.count))],
          report: report)
      }
    }

    private static func sources(
      of owner: StoreOwner, _ settings: SettingsInForce, _ folder: ScratchFolder
    ) throws -> WatchSources {
      try WatchSources(
        cache: nil, muteList: MuteList(in: folder.path), refusesLaterPhotos: true,
        readAlerts: {
          var alerts = try settings.settings.alerts
          // A watch that ended after idle minutes could not send it at its time.
          alerts.digest = nil
          alerts.sendsRegions = false
          alerts.links = try settings.settings.pageAddress.map(AlertLinks.init(showingSpotsOn:))
          return alerts
        },
        readRules: {
          var rules = try settings.settings.watcher
          rules.clusterRadiusMeters = owner.clusterRadiusMeters
          return rules
        })
    }

    /// Reports an event of a watch.
    private static func report(
      _ event: WatchEvent, of owner: StoreOwner, _ outages: OutageReports, _ log: MessageLog
    ) {
      switch event {
      case .notWritten(let error): outages.report(error)
      case .alert(let event):
        log.problem("\(owner.name.escaped): \(event)")
      case .outdated(_, let error), .ended(let error?):
        log.problem("\(owner.name.escaped): \(error)")
      default: break
      }
    }
  }
#endif
