import ArgumentParser
import PhotoLibrary
import SystemPackage

/// `photospots index`
struct IndexCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Read the photos in folders into the index.",
    discussion: """
      Photos that did not change since the last time are not opened again. Without a folder, the folders \
      that the index knows are brought up to date. Symbolic links, hidden names and what the system makes \
      up (/proc, /sys) are passed over. What was read is saved every 20 seconds. With --watch the folders are kept under watch, and what changes is in the index a few seconds later.
      """)

  @Argument(
    help: "The folders; each is searched with all folders below it.", completion: .directory)
  var folders: [String] = []

  @Flag(help: "Read every photo again, changed or not.")
  var full = false

  @OptionGroup var scan: ScanArguments
  @OptionGroup var tracks: TrackArguments

  @Flag(help: "Take away the positions that tracks gave.")
  var dropInferred = false

  @Flag(help: "Go on, and keep the index up to date with the folders as they change.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      """
      With --watch: how often to look through folders whose changes the system does not tell of, as on \
      network disks (1s–24h, default: 5min).
      """,
      valueName: "time"))
  var sweepInterval: SecondsArgument?

  // For measuring what a kill costs.
  @Option(help: ArgumentHelp(visibility: .hidden))
  var checkpointInterval: SecondsArgument?

  @Flag(
    help: "Print the summary as JSON; with --watch a line for each time that the index changed.")
  var json = false

  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard !dropInferred || tracks.tracks.isEmpty && !watch else {
      throw ValidationError("--drop-inferred goes with neither --tracks nor --watch")
    }
    if let sweepInterval {
      guard watch else { throw ValidationError("--sweep-interval goes with --watch") }
      guard (1...86_400).contains(sweepInterval.seconds) else {
        throw ValidationError("--sweep-interval is out of range 1s–24h")
      }
    }
  }

  func run() throws {
    let settings = try settings.resolve()
    let interruption = try Interruption.observe(includingHangup: true)
    var indexing = PhotoIndexer.Settings(
      jobs: scan.jobs, excludes: scan.exclude, isFull: full,
      maximumAgeSeconds: try settings.indexMaxAgeSeconds)
    if let checkpointInterval { indexing.checkpointSeconds = checkpointInterval.seconds }
    let inference =
      dropInferred ? nil : try tracks.inference(settings)
    indexing.readsUnlocated = inference != nil
    let radius = try settings.clusterRadiusMeters
    if watch {
      try keepCurrent(
        indexing, clusterRadiusMeters: radius, inference, orUntil: interruption)
    } else {
      try scanOnce(indexing, clusterRadiusMeters: radius, inference)
    }
  }

  private func scanOnce(
    _ indexing: PhotoIndexer.Settings, clusterRadiusMeters: Double, _ inference: TrackInference?
  ) throws {
    let run = IndexRun(
      cache: index.cache, settings: indexing, clusterRadiusMeters: clusterRadiusMeters,
      mayStartAnew: !folders.isEmpty, waitsForLock: true, tracks: inference,
      dropsInferred: dropInferred)
    let outcome = try run.run(roots)
    let report = outcome.report
    try ScanSummary(outcome).show(asJSON: json)
    if report.wasCancelled {
      throw Failure("stopped before the end. What was read is kept; run the same again to go on.")
    }
    let lacksTracks = outcome.tracks.map { !$0.problems.isEmpty } ?? false
    if report.unreadable > 0 || !report.staleRoots.isEmpty || lacksTracks {
      throw ExitCode.someUnreadable
    }
  }

  /// The folders that are named, or else those that the index knows.
  private func roots(_ index: PhotoIndex) throws -> [FilePath] {
    let roots = folders.isEmpty ? index.roots.map(\.path) : folders.map(Places.absolute)
    guard !roots.isEmpty else {
      throw ValidationError("name the folder that holds your photos: photospots index FOLDER")
    }
    return roots
  }

  private func keepCurrent(
    _ indexing: PhotoIndexer.Settings, clusterRadiusMeters: Double, _ inference: TrackInference?,
    orUntil interruption: FileDescriptor
  ) throws {
    var times = WatchTimes()
    if let sweepInterval { times.sweepInterval = .seconds(saturating: sweepInterval.seconds) }
    let known = folders.isEmpty ? try index.cache.load() ?? PhotoIndex() : PhotoIndex()
    var keeping = IndexKeeping(
      cache: index.cache, settings: indexing, clusterRadiusMeters: clusterRadiusMeters,
      reports: IndexKeepingText(asJSON: json), tracks: inference,
      watch: LibraryWatch(folders: try roots(known), excludes: scan.exclude, times: times))
    try keeping.run(orUntil: interruption)
  }
}
