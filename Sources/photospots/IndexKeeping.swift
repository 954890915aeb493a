import Interchange
import PhotoLibrary
import SystemPackage

/// A receiver of reports on the scans of ``IndexKeeping``.
protocol IndexKeepingReports {
  /// A scan of folders begins.
  func willScan(_ folders: [FilePath], _ monitor: ScanMonitor)
  /// A scan has ended.
  ///
  /// - Parameters:
  ///   - outcome: The outcome; `nil` if all of its folders are gone.
  ///   - isFirst: Whether it was the first, of everything.
  /// - Throws: An error that ends the scans.
  func didScan(_ outcome: IndexRun.Outcome?, isFirst: Bool) throws
}

/// Scans whenever something changed, until the process is asked to stop.
///
/// The index file is locked, loaded and saved anew for each scan, so that between two of them
/// another process can write it, and no memory is held for it.
struct IndexKeeping: ~Copyable {
  private let cache: PhotoIndexCache
  private var settings: PhotoIndexer.Settings
  private let clusterRadiusMeters: Double
  private let reports: any IndexKeepingReports
  private var watch: LibraryWatch
  private var isFirst = true
  /// Why the index could not be written the last time.
  private var obstacle: PhotoIndexCacheError?

  init(
    cache: PhotoIndexCache, settings: PhotoIndexer.Settings, clusterRadiusMeters: Double,
    reports: any IndexKeepingReports, watch: consuming LibraryWatch
  ) {
    self.cache = cache
    self.clusterRadiusMeters = clusterRadiusMeters
    self.settings = settings
    self.reports = reports
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
    try reports.didScan(outcome, isFirst: isFirst)
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
    reports.willScan(folders, run.monitor)
    return try run.run { index in
      // Whoever removed the index file wants all of it again.
      let unknown = all.filter { folder in !index.roots.contains { folder.starts(with: $0.path) } }
      return PhotoIndexer.outermost(folders + unknown).filter { !missing.contains($0) }
    }
  }
}
