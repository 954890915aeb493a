import Caching
import CivilTime
package import PhotoLibrary
import PhotoMetadata
import Pictures
import Spatial
import Synchronization
package import SystemPackage

/// Finds photos of spots that show one view, years apart, by comparing them.
///
/// Verdicts are cached in a file a spot, and the small grey pictures in a file a photo, so that the
/// next search compares only new pairs. Both folders are bounded, and may be deleted at any time.
package final class PairSearch: Sendable {
  private let index: PhotoIndex
  private let spots: SpotIndex
  private let photos: SpotPhotos
  private let choice: PairChoice
  private let minimumYears: Double
  private let isWanted: @Sendable (_ photo: Int32) -> Bool
  private let monitor: PairMonitor
  private let verdicts: CacheFolder
  private let pictures: CacheFolder

  /// The maximum size of the kept verdicts and pictures, in bytes.
  private static let verdictCapacity = 64 << 20
  private static let pictureCapacity = 256 << 20

  /// Creates a search; `nil` for spots that were made without an index.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - spots: Its spots.
  ///   - folder: The folder of the caches.
  ///   - minimumYears: The fewest years between two photos.
  ///   - isWanted: Whether a photo, by its number, was asked for; every pair has at least one.
  ///   - monitor: Watches the search.
  ///   - report: Called at most once for each cache, with the reason why it cannot be written.
  package init?(
    _ index: PhotoIndex, spots: SpotIndex, folder: FilePath, minimumYears: Double,
    isWanted: @escaping @Sendable (_ photo: Int32) -> Bool = { _ in true },
    monitor: PairMonitor, report: @escaping @Sendable (Errno) -> Void
  ) {
    guard let photos = SpotPhotos(of: spots) else { return nil }
    (self.index, self.spots, self.photos) = (index, spots, photos)
    (choice, self.minimumYears) = (PairChoice(minimumYears: minimumYears), minimumYears)
    (self.isWanted, self.monitor) = (isWanted, monitor)
    verdicts = CacheFolder(
      folder.appending("found"), capacityBytes: Self.verdictCapacity, report: report)
    pictures = CacheFolder(
      folder.appending("pictures"), capacityBytes: Self.pictureCapacity, report: report)
  }

  /// Searches spots, by their places in ``PhotoLibrary/SpotIndex/spots``.
  ///
  /// - Parameters:
  ///   - places: The spots.
  ///   - threads: The number of spots that are searched at once.
  /// - Returns: All pairs of photos that show one view, in no order.
  package func pairs(ofSpotsAt places: [Int], threads: Int) -> [FoundPair] {
    let places = places.filter(mayHavePairs)
    monitor.note { $0.spots = places.count }
    let next = Atomic(0)
    let found = Mutex<[FoundPair]>([])
    WorkerThreads.run(min(threads, places.count)) { [self] in
      while !monitor.isCancelled {
        let turn = next.add(1, ordering: .relaxed).oldValue
        guard turn < places.count else { return }
        let pairs = pairs(ofSpotAt: places[turn])
        found.withLock { $0 += pairs }
        monitor.note { $0.done += 1 }
      }
    }
    verdicts.settle()
    pictures.settle()
    return found.withLock { $0 }
  }

  /// Whether the photos of a spot span the years, which costs little to know.
  private func mayHavePairs(_ place: Int) -> Bool {
    let spot = spots.spots[place]
    guard spot.photoCount > 1, let first = spot.firstCaptured, let last = spot.lastCaptured else {
      return false
    }
    // A day more on either side for the clocks of cameras.
    return last.instant.seconds(since: first.instant) / 86_400 + 2 >= minimumYears * 365
  }

  /// The pairs of a spot.
  private func pairs(ofSpotAt place: Int) -> [FoundPair] {
    var numbers: [Int32] = []
    var candidates: [PairCandidate] = []
    photos.forEachPhoto(ofSpotAt: place) { photo in
      guard let candidate = candidate(photo) else { return }
      numbers.append(photo)
      candidates.append(candidate)
    }
    let chosen = choice.pairs(of: candidates)
    guard !chosen.isEmpty else { return [] }
    let found = compared(chosen, numbers, spotID: spots.spots[place].id)
    let locks = found.filter(\.verdict.isLocked)
    let views = PhotoViews.views(
      count: numbers.count, locks: locks.lazy.map { ($0.pair.earlier, $0.pair.later) })
    return locks.map { lock in
      FoundPair(
        spot: place, earlier: numbers[lock.pair.earlier], later: numbers[lock.pair.later],
        years: lock.pair.years, view: views[lock.pair.earlier] ?? 1, verdict: lock.verdict)
    }
  }

  private func candidate(_ photo: Int32) -> PairCandidate? {
    guard let captured = photos.captured(of: photo) else { return nil }
    let film = photos.focalLength(of: photo)?.millimetersOn35mmFilm
    return PairCandidate(
      day: CivilDay(captured.instant, utcOffsetMinutes: captured.utcOffsetMinutes ?? 0),
      instant: captured.instant, coordinate: photos.coordinate(of: photo),
      headingDegrees: photos.headingDegrees(of: photo), filmMillimeters: film.map(Double.init),
      isWanted: isWanted(photo))
  }

  /// Returns the verdicts of chosen pairs; pairs that cannot be compared are left out.
  private func compared(
    _ pairs: [PairChoice.Pair], _ numbers: [Int32], spotID: String
  ) -> [(pair: PairChoice.Pair, verdict: PairVerdict)] {
    let file = spotID + ".pairs"
    var known = kept(file)
    var (names, isChanged) = ([Int: String](), false)
    for place in pairs.flatMap({ [$0.earlier, $0.later] }) where names[place] == nil {
      names[place] = PhotoNames.name(of: numbers[place], index)
    }
    func key(_ pair: PairChoice.Pair) -> KnownVerdicts.Key {
      KnownVerdicts.Key(earlier: names[pair.earlier] ?? "", later: names[pair.later] ?? "")
    }
    let new = pairs.filter { known.verdicts[key($0)] == nil }
    monitor.note { $0.known += pairs.count - new.count }
    var comparison = SpotComparison(pictures: pictures, monitor: monitor) { [index] place in
      (names[place] ?? "", numbers[place], index)
    }
    // An aligner is made for one view at a time, since it takes as long as a comparison.
    let views = Dictionary(grouping: new, by: \.earlier).sorted { $0.key < $1.key }
    for (earlier, pairs) in views {
      for pair in pairs where !monitor.isCancelled {
        guard let verdict = comparison.verdict(earlier: earlier, later: pair.later) else {
          continue
        }
        known.verdicts[key(pair)] = verdict
        isChanged = true
      }
    }
    if isChanged {
      let current = Set(names.values)
      if known.verdicts.count > KnownVerdicts.mostKept {
        // Verdicts of photos that are no longer compared are evicted first.
        known.verdicts = known.verdicts.filter {
          current.contains($0.key.earlier) && current.contains($0.key.later)
        }
      }
      verdicts.keep(known.bytes, as: file)
    }
    return pairs.compactMap { pair in known.verdicts[key(pair)].map { (pair, $0) } }
  }

  private func kept(_ file: String) -> KnownVerdicts {
    guard let bytes = verdicts.read(file, limit: KnownVerdicts.longestFile)?.bytes else {
      return KnownVerdicts()
    }
    guard let known = KnownVerdicts(bytes) else {
      verdicts.remove(file)
      return KnownVerdicts()
    }
    return known
  }
}
