import Interchange
import PhotoLibrary
import SystemPackage

/// `photospots index --watch`: scans whenever something changed, until the process is asked to
/// stop.
///
/// The index file is locked, loaded and saved anew for each scan, so that between two of them
/// another process can write it, and no memory is held for it.
struct IndexKeeping: ~Copyable {
  private let cache: PhotoIndexCache
  private var settings: PhotoIndexer.Settings
  private let clusterRadiusMeters: Double
  private let asJSON: Bool
  private var watch: LibraryWatch
  private var isFirst = true
  /// Why the index could not be written the last time.
  private var obstacle: PhotoIndexCacheError?
  /// What is wrong with files and folders and was told.
  private var toldProblems: Set<ScanReport.Problem> = []

  init(
    cache: PhotoIndexCache, settings: PhotoIndexer.Settings, clusterRadiusMeters: Double,
    asJSON: Bool, watch: consuming LibraryWatch
  ) {
    self.cache = cache
    self.clusterRadiusMeters = clusterRadiusMeters
    self.settings = settings
    self.asJSON = asJSON
    self.watch = watch
  }

  mutating func run(orUntil interruption: FileDescriptor) throws {
    while let scan = try watch.next(orUntil: interruption) {
      do {
        try update(scan)
      } catch let error as PhotoIndexCacheError {
        guard isPassing(error) else { throw error }
        if obstacle != error { StandardError.writeLine("photospots: \(error) Trying on.") }
        obstacle = error
        watch.postpone()
      }
    }
  }

  /// Whether a failure may be none a while later: another process writes, or a disk is full for
  /// now.
  private func isPassing(_ error: PhotoIndexCacheError) -> Bool {
    switch error {
    case .locked: true
    case .unwritable, .unreadable, .uncertain, .unmapped: !isFirst
    case .damaged, .newer, .foreign: false
    }
  }

  private mutating func update(_ scan: LibraryWatch.Scan) throws {
    settings.settleSeconds = scan.settleSeconds
    var missing: [FilePath] = []
    var outcome: IndexRun.Outcome?
    repeat {
      do {
        outcome = try scanned(scan.folders, without: missing)
        break
      } catch PhotoIndexerError.unreadableFolder(let folder, _) where !isFirst {
        // The index has been made anew since, and does not know the folder.
        missing.append(folder)
      }
    } while missing.count < watch.folders.count
    obstacle = nil
    if let outcome { try tell(outcome) }
    let bytesWritten = outcome?.isSaved == true ? cache.byteCount : 0
    for notice in watch.didScan(outcome?.report, missing: missing, bytesWritten: bytesWritten) {
      StandardError.writeLine("photospots: \(notice)")
    }
    isFirst = false
    settings.isFull = false
  }

  private func scanned(
    _ folders: [FilePath], without missing: [FilePath]
  ) throws -> IndexRun.Outcome {
    let all = watch.folders
    let run = IndexRun(
      cache: cache, settings: settings, clusterRadiusMeters: clusterRadiusMeters,
      mayStartAnew: true, waitsForLock: isFirst)
    return try run.run { index in
      // Whoever removed the index file wants all of it again.
      let unknown = all.filter { folder in !index.roots.contains { folder.starts(with: $0.path) } }
      return PhotoIndexer.outermost(folders + unknown).filter { !missing.contains($0) }
    }
  }

  private mutating func tell(_ outcome: IndexRun.Outcome) throws {
    var summary = ScanSummary(outcome)
    summary.listsKnownProblems = isFirst
    if asJSON {
      if isFirst || outcome.isSaved { try StandardOutput.write(json: summary.json(.compact)) }
    } else if isFirst {
      if !StandardError.isQuiet { try StandardOutput.write(summary.text) }
    } else if !outcome.report.foundNothingNew {
      StandardError.note(summary.line)
    }
    let problems = outcome.report.problems.filter { $0.isNew && !toldProblems.contains($0) }
    toldProblems.formUnion(problems)
    ScanSummary.tell(of: problems)
  }
}
