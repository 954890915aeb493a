import IndexUpdates
import PhotoLibrary
import ProcessControl
import ProgramSettings
import Storage
import Synchronization
import SystemPackage

/// The updates of the index while the page is served, by the settings in force.
struct ServedUpdates: Sendable {
  private let configuration: ServeConfiguration
  private let settings: SettingsInForce
  private let interruption: Interruption

  init(
    _ configuration: ServeConfiguration, _ settings: SettingsInForce, _ interruption: Interruption
  ) {
    (self.configuration, self.settings) = (configuration, settings)
    self.interruption = interruption
  }

  /// Returns the update loop of the remote libraries that are named or in the index.
  func libraries(_ didUpdate: @escaping @Sendable () -> Void) throws -> RemoteUpdateLoop {
    let named = configuration.roots.compactMap { RemoteLibrary(path: $0.bytes) }
    let (cache, log) = (configuration.cache, configuration.log)
    var options = configuration.options
    if !configuration.roots.isEmpty { options.folders = named.map(\.rootPath) }
    let isLater = Atomic(false)
    return RemoteUpdateLoop(every: WatchTimes().sweepInterval, log: log) {
      [settings, interruption, options] in
      // Given once; another process may change them meanwhile.
      let isFirst = !isLater.exchange(true, ordering: .relaxed)
      let settings = settings.settings
      let radius = try settings.clusterRadiusMeters
      let roots = try cache.open(clusterRadius: radius)?.index.roots ?? []
      let known = roots.compactMap(\.remote).filter { !named.contains($0) }
      return try (named + known).map { library in
        var run = RemoteRun(
          cache: cache, library: library, key: try settings.key(of: library),
          clusterRadiusMeters: radius, isFull: false,
          maximumAgeSeconds: try settings.indexMaxAgeSeconds, interruption: interruption, log: log)
        if isFirst { run.options = options }
        return run
      }
    } report: { [scanned = configuration.scanned] outcome, isFirst in
      if isFirst || !outcome.report.foundNothingNew { scanned(outcome) }
      didUpdate()
    }
  }

  /// Returns the update loop of the folders that are named, wanted by a person or in the index, and
  /// of the recreations folder once it exists; `nil` without folders.
  func folders(
    _ requests: ScanRequests, wanted: [FilePath], _ reports: any IndexUpdateReports
  ) throws -> IndexUpdateLoop? {
    let settings = settings.settings
    let radius = try settings.clusterRadiusMeters
    let cache = configuration.cache
    let known = try cache.open(clusterRadius: radius)?.index.roots.map(\.path) ?? []
    let recreations = [try settings.recreationsFolder].filter(Disk.exists)
    let named = configuration.roots.map {
      LinkedRoot.resolved($0, known: known, log: configuration.log)
    }
    let all = (named + known + wanted + recreations).filter { !$0.isRemote }
    guard !all.isEmpty else { return nil }
    var indexing = PhotoIndexer.Settings(
      jobs: configuration.jobs, maximumAgeSeconds: try settings.indexMaxAgeSeconds)
    indexing.datesFromNames = try settings.datesFromNames
    indexing.options = configuration.options
    indexing.options.folders = named.isEmpty ? known : named
    // The first scan is of all folders, so it includes those that were requested.
    _ = requests.take()
    let references = PhotoReferences(
      stateFolder: configuration.stateFolder, settings: settings, log: configuration.log)
    return IndexUpdateLoop(
      cache: cache, settings: indexing, clusterRadiusMeters: radius, reports: reports,
      requests: requests, tracks: try settings.libraryTracks, didMove: references.follow,
      watch: LibraryWatch(folders: all),
      interruption: interruption, log: configuration.log)
  }
}
