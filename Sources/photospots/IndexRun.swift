import CLibrary
import PhotoLibrary
import SystemPackage

extension PhotoIndexCache {
  /// The maximum time to wait for the lock, in tenths of a second.
  private static let lockTimeoutTenths = 50

  /// Takes the lock, waiting a few seconds for it if requested.
  func lock(waits: Bool) throws(PhotoIndexCacheError) -> Lock {
    var tries = waits ? Self.lockTimeoutTenths : 0
    while true {
      do throws(PhotoIndexCacheError) {
        return try lock()
      } catch {
        guard case .locked = error, tries > 0, !Interruption.isRequested else { throw error }
        tries -= 1
        _ = poll(nil, 0, 100)
      }
    }
  }
}

/// A scan that updates the index file. It holds the index's lock from loading to saving.
struct IndexRun {
  let cache: PhotoIndexCache
  let settings: PhotoIndexer.Settings
  /// The radius in metres within which photos are grouped into spots.
  let clusterRadiusMeters: Double
  /// Whether a damaged index may be rebuilt, which requires that its folders are known.
  let mayStartAnew: Bool
  /// Whether to wait briefly if another process holds the lock, as a process does that keeps the
  /// index up to date.
  let waitsForLock: Bool
  /// The inference of missing positions from recorded tracks; `nil` without tracks.
  var tracks: TrackInference?
  /// Whether inferred positions are removed.
  var dropsInferred = false
  /// The scan's progress, for display and cancellation.
  let monitor = ScanMonitor()

  /// The result of a scan.
  struct Outcome {
    let index: PhotoIndex
    let report: ScanReport
    /// The results of the position inference; `nil` without tracks.
    var tracks: TrackInference.Report?
    let seconds: Double
    /// Whether the index file was written, which happens only if there were changes.
    let isSaved: Bool
  }

  /// Scans folders and saves the index.
  ///
  /// - Parameter folders: Returns the folders to scan, given the current index.
  /// - Returns: The result. The lock has been released.
  /// - Throws: `PhotoIndexCacheError`, or `PhotoIndexerError` if a folder that is not in the index
  ///   yet cannot be read.
  func run(_ folders: (PhotoIndex) throws -> [FilePath]) throws -> Outcome {
    let lock = try cache.lock(waits: waitsForLock)
    let clock = ContinuousClock()
    let start = clock.now
    let previous = try loadOrSetAside()
    var (next, report) = try scan(previous, try folders(previous))
    var placedCount = dropsInferred ? TrackInference.drop(from: &next) : 0
    let placed = report.wasCancelled ? nil : tracks?.place(in: &next)
    placedCount += placed?.changeCount ?? 0
    let isChanged = !report.foundNothingNew || next.roots != previous.roots || placedCount > 0
    let obstacle =
      isChanged
      ? try cache.save(next, clusterRadius: clusterRadiusMeters)
      : cache.restoreMapped(previous, clusterRadius: clusterRadiusMeters)
    if let obstacle { StandardError.writeLine("photospots: \(obstacle)") }
    _ = consume lock
    return Outcome(
      index: next, report: report, tracks: placed, seconds: (clock.now - start).seconds,
      isSaved: isChanged)
  }

  private func loadOrSetAside() throws -> PhotoIndex {
    do throws(PhotoIndexCacheError) {
      return try cache.load() ?? PhotoIndex()
    } catch {
      guard case .damaged(_, let reason) = error, mayStartAnew else { throw error }
      let aside = try cache.setDamagedFileAside(at: .now)
      StandardError.writeLine(
        "photospots: the index was damaged (\(reason)); it is kept as \(aside.escaped), and a new one is made"
      )
      return PhotoIndex()
    }
  }

  private func scan(
    _ previous: PhotoIndex, _ folders: [FilePath]
  ) throws -> (PhotoIndex, ScanReport) {
    let display = ProgressDisplay(monitor)
    defer { display.stop() }
    var isTold = false
    return try PhotoIndexer(settings: settings).update(
      previous, with: folders, now: .now, monitor: monitor
    ) { index in
      do throws(PhotoIndexCacheError) {
        try cache.save(index)
      } catch {
        // The scan continues: there may be space again by its end.
        if !isTold { StandardError.writeLine("photospots: \(error)") }
        isTold = true
      }
    }
  }
}
