import ArgumentParser
import Encodings
import IndexUpdates
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import Storage
import StoreServer
import Synchronization
import SystemPackage
import TerminalOutput
import Upkeep

#if Postgres
  import PostgresStore
#endif

/// The command `photospots index`.
struct IndexCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Index the photos in folders.",
    discussion: """
      Unchanged photos are not opened again. Without a folder, the folders of the index are \
      updated. Symbolic links, hidden names and virtual file systems (/proc, /sys) are skipped. A \
      library of Immich or PhotoPrism is written immich://HOST or photoprism://HOST \
      (immich+http://HOST:2283 without TLS); its key is read from the environment variable \
      PHOTOSPOTS_IMMICH_KEY or PHOTOSPOTS_PHOTOPRISM_KEY or from the settings file, and the \
      library is not changed. Progress is saved every 20 seconds. With --watch, changes in the \
      folders are in the index a few seconds later. With --store, the photos of the index are sent \
      to a PostgreSQL store as well.
      """)

  @Argument(
    help: "The folders to scan, with their subfolders, and addresses of libraries.",
    completion: .directory)
  var folders: [String] = []

  @Flag(help: "Read every photo again, even if unchanged.")
  var full = false

  @OptionGroup var scan: ScanArguments
  @OptionGroup var tracks: TrackArguments

  @Flag(help: "Remove the positions inferred from tracks.")
  var dropInferred = false

  @Flag(help: "Keep running, and update the index when the folders change.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      """
      With --watch: the interval for scanning folders without change notifications, such as \
      network disks, and libraries of Immich and PhotoPrism (1s–24h, default: 5min).
      """,
      valueName: "time"))
  var sweepInterval: SecondsArgument?

  // For measuring the cost of a killed scan.
  @Option(help: ArgumentHelp(visibility: .hidden))
  var checkpointInterval: SecondsArgument?

  @Flag(
    help: "Print the summary as JSON; with --watch, one line for each change of the index.")
  var json = false

  @Option(
    help: ArgumentHelp(
      """
      With --store: the name of this index among those of the owner (default: the machine's name).
      """,
      valueName: "name"))
  var source: String?

  @Flag(help: "With --store: replace the photos that another index sent under this name.")
  var takeOver = false

  @Flag(help: "With --store: leave the spots to 'photospots store work'.")
  var noWork = false

  @OptionGroup var store: OwnedStoreArguments<TrackOwnerUse>
  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard store.isGiven || source == nil && !takeOver && !noWork else {
      throw ValidationError("--source, --take-over and --no-work need --store")
    }
    if !store.isGiven { try tracks.check(owner: store.owner) }
    guard !store.isGiven || !watch else {
      throw ValidationError("--store and --watch cannot be used together")
    }
    #if Postgres
      guard [store.owner, source].allSatisfy({ $0.map(StoreOwner.isName) ?? true }) else {
        throw ValidationError(
          "a name must have 1 to \(StoreOwner.longestName) bytes and no control characters")
      }
    #endif
    let namesSkipped = scan.change.excludes != nil || scan.change.includes != nil
    let isRemote = !folders.isEmpty && folders.allSatisfy(RemoteLibrary.isAddress)
    guard !namesSkipped || !isRemote else {
      throw ValidationError(
        "--exclude and --include are for folders, not for libraries of Immich and PhotoPrism")
    }
    guard !dropInferred || tracks.tracks.isEmpty && !watch else {
      throw ValidationError("--drop-inferred cannot be used with --tracks or --watch")
    }
    if let sweepInterval {
      guard watch else { throw ValidationError("--sweep-interval needs --watch") }
      guard (1...86_400).contains(sweepInterval.seconds) else {
        throw ValidationError("--sweep-interval is out of range 1s–24h")
      }
    }
  }

  func run() throws {
    try tracks.checkExistence()
    let settings = try settings.resolve()
    let interruption = Interruption(try StopSignal.observe(includingHangup: true))
    var indexing = PhotoIndexer.Settings(
      jobs: scan.jobs, isFull: full, maximumAgeSeconds: try settings.indexMaxAgeSeconds)
    indexing.datesFromNames = try settings.datesFromNames
    indexing.options = scan.change(tracks, owner: store.owner)
    if let checkpointInterval { indexing.checkpointSeconds = checkpointInterval.seconds }
    let inference = dropInferred ? nil : try settings.libraryTracks
    let radius = try settings.clusterRadiusMeters
    if watch {
      try keepCurrent(
        indexing, clusterRadiusMeters: radius, settings, inference, orUntil: interruption)
    } else {
      try scanOnce(
        indexing, clusterRadiusMeters: radius, settings, inference, orUntil: interruption)
    }
  }

  private func scanOnce(
    _ indexing: PhotoIndexer.Settings, clusterRadiusMeters: Double, _ settings: Settings,
    _ inference: LibraryTracks?, orUntil interruption: Interruption
  ) throws {
    // Before hours are spent on reading.
    try checkStore(clusterRadiusMeters, orUntil: interruption)
    let run = IndexRun(
      cache: index.cache, settings: indexing, clusterRadiusMeters: clusterRadiusMeters,
      mayStartAnew: !folders.isEmpty, waitsForLock: true, tracks: inference,
      dropsInferred: dropInferred, didMove: references(settings).follow,
      interruption: interruption, log: .terminal)
    let named = try folders.map(Paths.root)
    var libraries = named.compactMap { RemoteLibrary(path: $0.bytes) }
    var outcomes: [IndexRun.Outcome] = []
    if named.isEmpty || libraries.count < named.count {
      let display = ProgressDisplay(run.monitor)
      defer { display.stop() }
      outcomes.append(
        try run.run { index in
          let roots = try roots(index)
          if named.isEmpty { libraries = roots.compactMap { RemoteLibrary(path: $0.bytes) } }
          return roots.filter { !$0.isRemote }
        })
    }
    for library in libraries {
      var run = try remoteRun(
        library, indexing, clusterRadiusMeters: clusterRadiusMeters, settings,
        orUntil: interruption)
      run.progress = { text in
        guard StandardError.isTerminal else { return }
        guard let text else { return StandardError.hideProgress() }
        if !StandardError.isQuiet { StandardError.showProgress(text) }
      }
      outcomes.append(try run.run())
    }
    var summary = ScanSummary(outcomes)
    summary.commands = index.commands(state)
    let report = summary.report
    var obstacle: (any Error)?
    if !report.wasCancelled {
      do {
        summary.sent = try send(summary.index, clusterRadiusMeters, orUntil: interruption)
      } catch { obstacle = error }
    }
    try summary.show(asJSON: json)
    tellOptions(of: summary.index)
    if let advice = ScanAdvice(summary)?.text { StandardError.note(advice) }
    if let obstacle { throw obstacle }
    if report.wasCancelled {
      throw MessageError(
        "interrupted. The progress is saved; run the same command again to continue.")
    }
    let lacksTracks = outcomes.first?.tracks.map { !$0.problems.isEmpty } ?? false
    if report.unreadable > 0 || !report.staleRoots.isEmpty || lacksTracks {
      throw ExitCode.someUnreadable
    }
  }

  /// The paths of photos in the state, which follow moved photos.
  private func references(_ settings: Settings) -> PhotoReferences {
    PhotoReferences(stateFolder: state.folder, settings: settings, log: .terminal)
  }

  /// Reports the options that are kept with folders, if some were given.
  private func tellOptions(of index: PhotoIndex) {
    guard !scan.change(tracks, owner: store.owner).isEmpty else { return }
    for (path, options) in index.options.sorted(by: { $0.key.string < $1.key.string }) {
      StandardError.note("kept with \(path.escaped): \(options.text)")
    }
    for exclude in scan.exclude where !Self.isFound(exclude, in: index) {
      StandardError.writeLine(
        """
        photospots: --exclude \(exclude.escaped) skips nothing: no indexed folder has this path. With a \
        slash, it is a path in the indexed folder.
        """)
    }
  }

  /// Returns whether a folder with a path to skip has an entry there; patterns, and names at any
  /// depth, may find one later.
  private static func isFound(_ exclude: String, in index: PhotoIndex) -> Bool {
    let isPattern = exclude.contains { "*?[\\".contains($0) }
    guard exclude.contains("/"), !isPattern else { return true }
    return index.options.contains { folder, options in
      guard options.excludes.contains(exclude),
        let path = ExcludePatterns.path(exclude, in: folder)
      else { return false }
      do throws(Errno) { return try Disk.hasEntry(folder.appending(path)) } catch {
        // The scan has said that the folder cannot be read.
        return true
      }
    }
  }

  /// Checks that photos can be sent to the store, where one is named.
  private func checkStore(
    _ clusterRadiusMeters: Double, orUntil interruption: Interruption
  ) throws {
    #if Postgres
      guard store.isGiven else { return }
      let radius = try sending(clusterRadiusMeters, orUntil: interruption).check()
      guard radius != clusterRadiusMeters else { return }
      StandardError.note(
        """
        the spots in the store use the owner's cluster radius of \(Distance.text(radius)), not the \
        setting; 'photospots store owner' changes it
        """)
    #endif
  }

  /// Sends the photos to the store; returns `nil` where none is named.
  private func send(
    _ index: PhotoIndex, _ clusterRadiusMeters: Double, orUntil interruption: Interruption
  ) throws -> SentPhotos? {
    #if Postgres
      if store.isGiven {
        return try sending(clusterRadiusMeters, orUntil: interruption).send(index)
      }
    #endif
    return nil
  }

  #if Postgres
    private func sending(
      _ clusterRadiusMeters: Double, orUntil interruption: Interruption
    ) throws -> StoreSending {
      StoreSending(
        address: try StoreAddress(store.address ?? ""), ownerName: store.owner ?? "",
        cache: index.cache, sourceName: source, takesOver: takeOver, works: !noWork,
        clusterRadiusMeters: clusterRadiusMeters, interruption: interruption,
        log: .terminal)
    }
  #endif

  /// Returns the folders named on the command line, or the folders of the index if none are named.
  private func roots(_ index: PhotoIndex) throws -> [FilePath] {
    let known = index.roots.map(\.path)
    let roots = folders.isEmpty ? known : try folders.map { try Paths.root($0, known: known) }
    guard !roots.isEmpty else {
      let command = self.index.commands(state).text("index", "FOLDER")
      throw ValidationError("name the folder that holds your photos: \(command)")
    }
    return roots
  }

  private func remoteRun(
    _ library: RemoteLibrary, _ indexing: PhotoIndexer.Settings, clusterRadiusMeters: Double,
    _ settings: Settings, orUntil interruption: Interruption
  ) throws -> RemoteRun {
    var run = RemoteRun(
      cache: index.cache, library: library, key: try settings.key(of: library),
      clusterRadiusMeters: clusterRadiusMeters, isFull: indexing.isFull,
      maximumAgeSeconds: indexing.maximumAgeSeconds, interruption: interruption,
      log: .terminal)
    run.options = indexing.options
    return run
  }

  private func keepCurrent(
    _ indexing: PhotoIndexer.Settings, clusterRadiusMeters: Double, _ settings: Settings,
    _ inference: LibraryTracks?,
    orUntil interruption: Interruption
  ) throws {
    var times = WatchTimes()
    if let sweepInterval { times.sweepInterval = .seconds(saturating: sweepInterval.seconds) }
    let known = folders.isEmpty ? try index.cache.load() ?? PhotoIndex() : PhotoIndex()
    let roots = try roots(known)
    let runs = try roots.compactMap { RemoteLibrary(path: $0.bytes) }.map { library in
      try remoteRun(
        library, indexing, clusterRadiusMeters: clusterRadiusMeters, settings,
        orUntil: interruption)
    }
    let isLater = Atomic(false)
    let (asJSON, commands) = (json, index.commands(state))
    let remote = RemoteUpdateLoop(every: times.sweepInterval, log: .terminal) {
      // All is asked for once.
      let isLater = isLater.exchange(true, ordering: .relaxed)
      return runs.map { run in
        var run = run
        run.isFull = run.isFull && !isLater
        if isLater { run.options = FolderOptions.Change() }
        return run
      }
    } report: { outcome, isFirst in
      try IndexUpdateText(asJSON: asJSON, commands).didScan(outcome, isFirst: isFirst)
    }
    let local = roots.filter { !$0.isRemote }
    guard !local.isEmpty else { return remote.run(orUntil: interruption) }
    if !runs.isEmpty { remote.start(orUntil: interruption) }
    var keeping = IndexUpdateLoop(
      cache: index.cache, settings: indexing, clusterRadiusMeters: clusterRadiusMeters,
      reports: IndexUpdateText(asJSON: json, commands), tracks: inference,
      didMove: references(settings).follow, watch: LibraryWatch(folders: local, times: times),
      interruption: interruption, log: .terminal)
    try keeping.run()
    if !runs.isEmpty { remote.finish() }
  }
}
