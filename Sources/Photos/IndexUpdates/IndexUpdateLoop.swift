import Encodings
package import PhotoLibrary
package import ProcessControl
import Storage
package import SystemPackage

/// A receiver of reports on the scans of ``IndexUpdateLoop``.
package protocol IndexUpdateReports {
  /// Called before folders are scanned.
  func willScan(_ folders: [FilePath], _ monitor: ScanMonitor)
  /// Called after a scan.
  ///
  /// - Parameters:
  ///   - outcome: The outcome; `nil` if all of the scan's folders are gone.
  ///   - isFirst: Whether this was the initial scan, which covers all folders.
  /// - Throws: An error that ends the run.
  func didScan(_ outcome: IndexRun.Outcome?, isFirst: Bool) throws
  /// Called instead of ``didScan(_:isFirst:)`` if the index cannot be written now. The scan is
  /// tried again later.
  ///
  /// - Throws: An error that ends the run.
  func didPostpone() throws
}

/// A loop that rescans folders after each change, until the process is asked to stop.
///
/// The index file is locked, loaded and saved again for each scan. Between two scans other
/// processes can write it, and the index takes up no memory.
package struct IndexUpdateLoop: ~Copyable {
  private let cache: PhotoIndexCache
  private var settings: PhotoIndexer.Settings
  private let clusterRadiusMeters: Double
  private let reports: any IndexUpdateReports
  private let requests: ScanRequests?
  private let tracks: LibraryTracks?
  private let didMove: ((MovedPhotos) -> Void)?
  private var watch: LibraryWatch
  private let interruption: Interruption
  private let log: MessageLog
  private var isFirst = true
  /// The folders of which most photos are missing but stay in the index.
  private var heldBack: Set<FilePath> = []
  /// The error of the last attempt to write the index, if it failed.
  private var obstacle: PhotoIndexCacheError?

  /// Creates a loop; nothing is scanned yet. With each scan that finds moved photos, `didMove` is
  /// called before the index is saved.
  package init(
    cache: PhotoIndexCache, settings: PhotoIndexer.Settings, clusterRadiusMeters: Double,
    reports: any IndexUpdateReports, requests: ScanRequests? = nil,
    tracks: LibraryTracks? = nil, didMove: ((MovedPhotos) -> Void)? = nil,
    watch: consuming LibraryWatch, interruption: Interruption, log: MessageLog
  ) {
    self.cache = cache
    self.clusterRadiusMeters = clusterRadiusMeters
    self.settings = settings
    self.reports = reports
    self.requests = requests
    self.tracks = tracks
    self.didMove = didMove
    self.watch = watch
    self.interruption = interruption
    self.log = log
  }

  /// Scans until the process is asked to stop, or a scan of a folder is requested that is not
  /// watched yet. Such a folder is in the index when this returns, and the caller must set up the
  /// watching of folders again.
  package mutating func run() throws {
    while true {
      if let scan = try watch.next(orUntil: interruption.descriptor, or: requests?.descriptor) {
        try attempt { keeping throws in try keeping.update(scan) }
        continue
      }
      guard let folders = requests?.take(), !folders.isEmpty else { return }
      try attempt { keeping throws in try keeping.update(requested: folders) }
      let watched = watch.folders
      guard folders.allSatisfy({ folder in watched.contains { folder.starts(with: $0) } }) else {
        return
      }
    }
  }

  /// Runs a scan. If the index cannot be written now, the scan is retried later.
  private mutating func attempt(_ scan: (inout Self) throws -> Void) throws {
    // During the scan all photos were in memory.
    defer { FreedMemory.returnToSystem() }
    do {
      try scan(&self)
    } catch let error as PhotoIndexCacheError {
      guard isPassing(error) else { throw error }
      if obstacle != error { log.problem("\(error) Trying again.") }
      obstacle = error
      watch.postpone()
      try reports.didPostpone()
    }
  }

  /// Scans folders to which files have just been added: immediately, and including files that were
  /// modified only a moment ago.
  private mutating func update(requested folders: [FilePath]) throws {
    var settings = settings
    settings.settleSeconds = 0
    settings.options = FolderOptions.Change()
    let run = IndexRun(
      cache: cache, settings: settings, clusterRadiusMeters: clusterRadiusMeters,
      mayStartAnew: false, waitsForLock: true, tracks: tracks, didMove: didMove,
      interruption: interruption, log: log)
    reports.willScan(folders, run.monitor)
    do {
      let outcome = try run.run { _ in PhotoIndexer.outermost(folders) }
      obstacle = nil
      try reports.didScan(outcome, isFirst: false)
    } catch {
      try reports.didScan(nil, isFirst: false)
      // The folder has already been removed.
      if case PhotoIndexerError.unreadableFolder = error { return }
      throw error
    }
  }

  /// Returns whether a failure may be temporary: another process is writing, the disk is full, or
  /// another version of the program or a person has put another file in place. At the start only a
  /// lock is waited for.
  private func isPassing(_ error: PhotoIndexCacheError) -> Bool {
    if case .locked = error { return true }
    return !isFirst
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
        // The index has been rebuilt since, and does not contain the folder.
        missing.append(folder)
      }
    } while missing.count < watch.folders.count
    obstacle = nil
    try reports.didScan(outcome, isFirst: isFirst)
    let bytesWritten = outcome?.isSaved == true ? cache.byteCount : 0
    let report = outcome?.report
    for notice in watch.didScan(report, missing: missing, bytesWritten: bytesWritten) {
      // The folder is there, but most of its photos are not.
      if case .away(let folder) = notice, report?.heldBack[folder] != nil { continue }
      log.problem("\(notice)")
    }
    if let report { note(report.heldBack, in: scan.folders) }
    isFirst = false
    settings.isFull = false
    // Given once; another process may change them meanwhile.
    settings.options = FolderOptions.Change()
  }

  /// Reports each folder whose photos are held back once, and the return of a disk inside a root.
  private mutating func note(
    _ held: [FilePath: ScanReport.HeldBack], in folders: [FilePath]
  ) {
    let scanned = heldBack.filter { folder in folders.contains { folder.starts(with: $0) } }
    // That of a root is a notice of the watch.
    for folder in scanned.subtracting(held.keys).subtracting(watch.folders) {
      log.problem("\(WatchNotice.back(folder))")
    }
    for (folder, reason) in held where !heldBack.contains(folder) {
      log.problem(reason.text(of: folder, cache.commands))
    }
    heldBack = heldBack.subtracting(scanned).union(held.keys)
  }

  private func scanned(
    _ folders: [FilePath], without missing: [FilePath]
  ) throws -> IndexRun.Outcome {
    let all = watch.folders
    let run = IndexRun(
      cache: cache, settings: settings, clusterRadiusMeters: clusterRadiusMeters,
      mayStartAnew: true, waitsForLock: isFirst, tracks: tracks, didMove: didMove,
      interruption: interruption, log: log)
    reports.willScan(folders, run.monitor)
    return try run.run { index in
      // If the user removed the index file, all folders are scanned again.
      let unknown = all.filter { folder in !index.roots.contains { folder.starts(with: $0.path) } }
      return PhotoIndexer.outermost(folders + unknown).filter { !missing.contains($0) }
    }
  }
}
