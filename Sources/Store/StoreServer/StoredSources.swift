#if Postgres
  import PageServer
  import ProgramSettings
  import LocationFeeds
  import PostgresStore
  import SpotAlerts
  import SpotService
  import SpotWatcher

  /// The data of one account from which one request is answered.
  ///
  /// A store holds photos, spots and alerts. Devices' positions, mutes, places of the user's own
  /// and recreations are in state folders of the machines that watch, so there are none here.
  struct StoredSources: ServiceSources {
    let access: AccountAccess
    let libraries: StoredLibraries
    let pool: PostgresPool
    let settingsInForce: SettingsInForce

    /// The number of events at spots that are shown at most.
    private static let maximumEventCount = 10_000
    /// The settings that the page needs. None is listed or can be changed, since they are the
    /// server's.
    private static let shownSettings: Set<String> = [
      Setting.proximityRadius.rawValue, Setting.mapTiles.rawValue,
    ]

    func library() throws(Problem) -> ServedLibrary { try libraries.library(for: access) }

    func devices() throws(Problem) -> [LocationFix] { [] }

    func trail(of device: String?) throws(Problem) -> [LocationFix]? { nil }

    func history() throws(Problem) -> [HistoryEntry] {
      do throws(PostgresError) {
        return try pool.read { connection throws(PostgresError) in
          try connection.act(for: access.owner.id)
          return try PostgresJournal.newestHistory(Self.maximumEventCount, connection)
        }
      } catch { throw Problem(error) }
    }

    func mutes() throws(Problem) -> [MutedSpot] { [] }

    func settings() throws(Problem) -> [ServedSetting] {
      let shown = settingsInForce.all.filter { Self.shownSettings.contains($0.name) }.map {
        ServedSetting(
          name: $0.name, value: $0.value, origin: $0.origin, problem: $0.problem,
          summary: $0.summary, access: .fileOnly)
      }
      return shown + [
        ServedSetting(
          name: Setting.clusterRadius.rawValue, value: "\(access.owner.clusterRadiusMeters) m",
          origin: "store", access: .fileOnly)
      ]
    }

    func recreations() throws(Problem) -> [Recreation] { [] }

    func generations() -> ServiceGenerations {
      // No number changes with each delivery, so every request gets the alerts again.
      ServiceGenerations(
        mutes: "", settings: settingsInForce.generation,
        history: "\(UInt64.random(in: 0 ... .max))", recreations: "")
    }
  }
#endif
