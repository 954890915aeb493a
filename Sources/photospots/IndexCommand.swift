import ArgumentParser
import Dispatch
import Interchange
import PhotoLibrary
import SystemPackage

/// `photospots index`
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Read the photos in folders into the index.",
    discussion: """
      Photos that did not change since the last time are not opened again. Without a folder, the folders \
      that the index knows are brought up to date. Symbolic links and hidden names are passed over.
      """)

  @Argument(
    help: "The folders; each is searched with all folders below it.", completion: .directory)
  var folders: [String] = []

  @Flag(help: "Read every photo again, changed or not.")
  var full = false

  @Option(
    help: ArgumentHelp(
      "How many photos are read at once (1–256); more pays on network and slow disks.",
      valueName: "n"))
  var jobs: Int?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Pass over files and folders of this name, '*.tmp' or 'thumbs'; may be repeated.",
      valueName: "glob"))
  var exclude: [String] = []

  @Flag(help: "Print the summary as JSON.")
  var json = false

  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is out of range 1–256")
    }
  }

  func run() throws {
    let settings = try settings.resolve()
    _ = try Interruption.observe()
    let cache = index.cache
    let lock = try cache.lock()
    let previous = try loadOrSetAside(cache)
    let roots = folders.isEmpty ? previous.roots.map(\.path) : folders.map(Places.absolute)
    guard !roots.isEmpty else {
      throw ValidationError("name the folder that holds your photos: photospots index FOLDER")
    }
    let clock = ContinuousClock()
    let start = clock.now
    let indexer = PhotoIndexer(
      settings: PhotoIndexer.Settings(
        jobs: jobs ?? Self.defaultJobs, excludes: exclude, isFull: full,
        maximumAgeSeconds: settings.indexMaxAgeSeconds))
    let (next, report) = try scan(previous, roots, indexer)
    if !report.foundNothingNew || next.roots != previous.roots { try cache.save(next) }
    _ = consume lock
    try ScanSummary(report: report, seconds: (clock.now - start).seconds, index: next)
      .show(asJSON: json)
    if report.wasCancelled {
      throw Failure("stopped before the end. What was read is kept; run the same again to go on.")
    }
    if report.unreadable > 0 || !report.staleRoots.isEmpty { throw ExitCode.someUnreadable }
  }

  /// Reads in flight: two for each processor, since a read waits more than it works.
  private static let defaultJobs = max(4, 2 * Processors.count)

  private func loadOrSetAside(_ cache: PhotoIndexCache) throws -> PhotoIndex {
    do throws(PhotoIndexCacheError) {
      return try cache.load() ?? PhotoIndex()
    } catch {
      guard case .damaged(_, let reason) = error else { throw error }
      guard !folders.isEmpty else { throw error }
      let aside = try cache.setDamagedFileAside(at: .now)
      StandardError.writeLine(
        "photospots: the index was damaged (\(reason)); it is kept as \(aside.escaped), and made anew"
      )
      return PhotoIndex()
    }
  }

  private func scan(
    _ previous: PhotoIndex, _ roots: [FilePath], _ indexer: PhotoIndexer
  ) throws -> (PhotoIndex, ScanReport) {
    let monitor = ScanMonitor()
    let display = ScanProgressDisplay(monitor: monitor)
    defer { display.stop() }
    return try indexer.update(previous, with: roots, now: .now, monitor: monitor)
  }
}
