import CLibrary
import PhotoLibrary
import SystemPackage

extension PhotoIndexCache {
  /// How long it is waited for the lock, in tenths of a second.
  private static let lockPatience = 50

  /// Takes the lock, and waits some seconds for it where asked to.
  func lock(waits: Bool) throws(PhotoIndexCacheError) -> Lock {
    var tries = waits ? Self.lockPatience : 0
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

/// One scan into the index file, under its lock from loading to saving.
struct IndexRun {
  let cache: PhotoIndexCache
  let settings: PhotoIndexer.Settings
  /// The cluster radius in metres that spots are made with.
  let clusterRadiusMeters: Double
  /// Whether a damaged index may be made anew: where it is known which folders belong in it.
  let mayStartAnew: Bool
  /// Whether to wait a little where another process has the lock, as one does that keeps the index
  /// up to date.
  let waitsForLock: Bool
  /// Gives photos without a position one from recorded tracks; `nil` without tracks.
  var tracks: TrackInference?
  /// Whether positions that were inferred are taken away.
  var dropsInferred = false
  /// Lets others watch the scan.
  let monitor = ScanMonitor()

  /// What came of it.
  struct Outcome {
    let index: PhotoIndex
    let report: ScanReport
    /// What was found on tracks; `nil` without tracks.
    var tracks: TrackInference.Report?
    let seconds: Double
    /// Whether the index file was written, which it is where something changed.
    let isSaved: Bool
  }

  /// Scans.
  ///
  /// - Parameter folders: Says which folders to scan, given the index so far.
  /// - Returns: What came of it, with the lock given up.
  /// - Throws: `PhotoIndexCacheError`, and `PhotoIndexerError` where a folder that the index does
  ///   not know cannot be read.
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
        "photospots: the index was damaged (\(reason)); it is kept as \(aside.escaped), and made anew"
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
        // The scan goes on: there may be room by its end.
        if !isTold { StandardError.writeLine("photospots: \(error)") }
        isTold = true
      }
    }
  }
}
