import CLibrary
import CivilTime
import Dispatch
package import PhotoLibrary
package import ProcessControl
package import SystemPackage

extension PhotoIndexCache {
  /// The maximum time to wait for the lock, in tenths of a second.
  private static let lockTimeoutTenths = 50

  /// Takes the lock, waiting a few seconds for it if requested, but not after an interruption.
  package func lock(
    waits: Bool, orUntil interruption: Interruption? = nil
  ) throws(PhotoIndexCacheError) -> Lock {
    var tries = waits ? Self.lockTimeoutTenths : 0
    while true {
      do throws(PhotoIndexCacheError) {
        return try lock()
      } catch {
        guard case .locked = error, tries > 0 else { throw error }
        tries -= 1
        if let interruption {
          guard !interruption.isRequested(within: .milliseconds(100)) else { throw error }
        } else {
          _ = poll(nil, 0, 100)
        }
      }
    }
  }
}

/// A scan that updates the index file. It holds the index's lock from loading to saving.
package struct IndexRun {
  private let cache: PhotoIndexCache
  private let settings: PhotoIndexer.Settings
  /// The radius in metres within which photos are grouped into spots.
  private let clusterRadiusMeters: Double
  /// Whether a damaged index may be rebuilt, which requires that its folders are known.
  private let mayStartAnew: Bool
  /// Whether to wait briefly if another process holds the lock, as a process does that keeps the
  /// index up to date.
  private let waitsForLock: Bool
  /// The recorded tracks, from which missing positions are inferred; `nil` to infer none.
  private let tracks: LibraryTracks?
  /// Whether inferred positions, and the tracks kept with folders, are removed.
  private let dropsInferred: Bool
  /// Called with the moved photos each time before the index is saved.
  private let didMove: ((MovedPhotos) -> Void)?
  /// Ends the scan early; what was read so far is kept.
  private let interruption: Interruption
  /// Receives messages.
  private let log: MessageLog
  /// The scan's progress, for display and cancellation.
  package let monitor = ScanMonitor()

  /// Creates a run; nothing is read yet.
  ///
  /// - Parameters:
  ///   - cache: The index file.
  ///   - settings: How photos are read.
  ///   - clusterRadiusMeters: The radius in metres within which photos are grouped into spots.
  ///   - mayStartAnew: Whether a damaged index may be rebuilt.
  ///   - waitsForLock: Whether to wait briefly for the lock.
  ///   - tracks: The recorded tracks; `nil` to infer no positions.
  ///   - dropsInferred: Whether inferred positions, and the tracks kept with folders, are removed.
  ///   - didMove: Called with the moved photos, if there are any, each time before the index is
  ///     saved, so that a scan that is killed leaves no path behind.
  ///   - interruption: Ends the scan early.
  ///   - log: Receives messages.
  package init(
    cache: PhotoIndexCache, settings: PhotoIndexer.Settings, clusterRadiusMeters: Double,
    mayStartAnew: Bool, waitsForLock: Bool, tracks: LibraryTracks? = nil,
    dropsInferred: Bool = false, didMove: ((MovedPhotos) -> Void)? = nil,
    interruption: Interruption, log: MessageLog
  ) {
    (self.cache, self.settings) = (cache, settings)
    self.clusterRadiusMeters = clusterRadiusMeters
    (self.mayStartAnew, self.waitsForLock) = (mayStartAnew, waitsForLock)
    (self.tracks, self.dropsInferred) = (tracks, dropsInferred)
    self.didMove = didMove
    (self.interruption, self.log) = (interruption, log)
  }

  /// The result of a scan.
  package struct Outcome {
    /// The new index.
    package let index: PhotoIndex
    /// The result of the scan.
    package let report: ScanReport
    /// The results of the position inference; `nil` without tracks.
    package var tracks: TrackInference.Report?
    /// The duration in seconds.
    package let seconds: Double
    /// The folders whose files are away and seem to be in a new root.
    package var counterparts: [PhotoIndex.Counterpart] = []
    /// Whether the index file was written, which happens only if there were changes.
    package let isSaved: Bool
  }

  /// Scans folders and saves the index.
  ///
  /// - Parameter folders: Returns the folders to scan, given the current index.
  /// - Returns: The result. The lock has been released.
  /// - Throws: `PhotoIndexCacheError`, or `PhotoIndexerError` if a folder that is not in the index
  ///   yet cannot be read.
  package func run(_ folders: (PhotoIndex) throws -> [FilePath]) throws -> Outcome {
    let lock = try cache.lock(waits: waitsForLock, orUntil: interruption)
    let clock = ContinuousClock()
    let start = clock.now
    let previous = try loadOrSetAside()
    let hasTracks = tracks?.exist(for: previous, settings.options) ?? false
    var (next, report) = try scan(previous, try folders(previous), hasTracks: hasTracks)
    var placedCount = dropsInferred ? TrackInference.drop(from: &next) : 0
    if dropsInferred, next.dropTracks() {
      log.note("the tracks kept with the folders are not used any more")
    }
    let placed = report.wasCancelled ? nil : tracks?.place(in: &next, orUntil: interruption)
    placedCount += placed?.changeCount ?? 0
    let isChanged = !report.foundNothingNew || next.roots != previous.roots || placedCount > 0
    if report.moved > 0 { didMove?(MovedPhotos(report, from: previous, to: next)) }
    let obstacle =
      isChanged
      ? try cache.save(next, clusterRadius: clusterRadiusMeters)
      : cache.restoreMapped(previous, clusterRadius: clusterRadiusMeters)
    if let obstacle { log.problem("\(obstacle)") }
    _ = consume lock
    return Outcome(
      index: next, report: report, tracks: placed, seconds: (clock.now - start).seconds,
      counterparts: Self.counterparts(in: next, since: previous), isSaved: isChanged)
  }

  /// Returns the roots whose files are away and seem to be in a root that is new.
  private static func counterparts(
    in index: PhotoIndex, since previous: PhotoIndex
  ) -> [PhotoIndex.Counterpart] {
    let known = previous.roots.map(\.path)
    let new = index.roots.map(\.path).filter { !known.contains($0) }
    guard !new.isEmpty else { return [] }
    return index.roots.map(\.path).filter(known.contains)
      .compactMap { index.counterpart(of: $0, in: new) }
  }

  private func loadOrSetAside() throws -> PhotoIndex {
    do throws(PhotoIndexCacheError) {
      return try cache.load() ?? PhotoIndex()
    } catch {
      guard case .damaged(_, let reason) = error, mayStartAnew else { throw error }
      let aside = try cache.setDamagedFileAside(at: .now)
      log.problem(
        "the index was damaged (\(reason)); it is kept as \(aside.escaped), and a new one is made"
      )
      return PhotoIndex()
    }
  }

  private func scan(
    _ previous: PhotoIndex, _ folders: [FilePath], hasTracks: Bool
  ) throws -> (PhotoIndex, ScanReport) {
    var settings = settings
    settings.readsUnlocated = hasTracks
    let cancelling = interruption.calling { [monitor] in monitor.cancel() }
    defer { cancelling.cancel() }
    var isTold = false
    return try PhotoIndexer(settings: settings).update(
      previous, with: folders, now: .now, monitor: monitor
    ) { index, report in
      if report.moved > 0 { didMove?(MovedPhotos(report, from: previous, to: index)) }
      do throws(PhotoIndexCacheError) {
        try cache.save(index)
      } catch {
        // The scan continues: there may be space again by its end.
        if !isTold { log.problem("\(error)") }
        isTold = true
      }
    }
  }
}
