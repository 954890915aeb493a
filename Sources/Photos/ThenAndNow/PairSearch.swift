import CivilTime
package import PhotoLibrary
import PhotoMetadata
package import Pictures
import Spatial
import Storage
import Synchronization
package import SystemPackage

/// A search for photos of the same view, years apart, by comparing the photos of each spot.
///
/// Verdicts are cached in one file per spot, and small grey pictures in one file per photo, so that
/// the next search compares only new pairs. Both folders have a limited size and may be deleted at
/// any time.
package final class PairSearch: Sendable {
  private let index: PhotoIndex
  private let spots: SpotIndex
  private let photos: SpotPhotos
  private let choice: PairChoice
  private let minimumYears: Double
  private let isWanted: @Sendable (_ photo: Int32) -> Bool
  private let maker: PictureMaker
  private let monitor: PairMonitor
  private let verdicts: CacheFolder
  private let pictures: CacheFolder

  /// The maximum total sizes of the cached verdicts and pictures, in bytes.
  private static let verdictCapacity = 64 << 20
  private static let pictureCapacity = 256 << 20

  /// Creates a search, or returns `nil` if the spots were created without an index.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - spots: The spots of the index.
  ///   - folder: The folder of the caches.
  ///   - minimumYears: The minimum number of years between two photos.
  ///   - isWanted: Whether a photo, given by its number, was requested; every pair contains at
  ///     least one such photo.
  ///   - maker: The process that decodes photos.
  ///   - monitor: A monitor to observe and cancel the search.
  ///   - report: A closure called at most once for each cache, with the error that prevents writing
  ///     it.
  package init?(
    _ index: PhotoIndex, spots: SpotIndex, folder: FilePath, minimumYears: Double,
    isWanted: @escaping @Sendable (_ photo: Int32) -> Bool = { _ in true },
    maker: PictureMaker = .here, monitor: PairMonitor, report: @escaping @Sendable (Errno) -> Void
  ) {
    guard let photos = SpotPhotos(of: spots) else { return nil }
    (self.index, self.spots, self.photos) = (index, spots, photos)
    (choice, self.minimumYears) = (PairChoice(minimumYears: minimumYears), minimumYears)
    (self.isWanted, self.maker, self.monitor) = (isWanted, maker, monitor)
    verdicts = CacheFolder(
      folder.appending("found"), capacityBytes: Self.verdictCapacity, report: report)
    pictures = CacheFolder(
      folder.appending("pictures"), capacityBytes: Self.pictureCapacity, report: report)
  }

  /// Searches spots, given by their indices in ``PhotoLibrary/SpotIndex/spots``.
  ///
  /// - Parameters:
  ///   - places: The indices of the spots.
  ///   - threads: The number of spots searched concurrently.
  /// - Returns: All pairs of photos that show the same view, in no particular order.
  package func pairs(ofSpotsAt places: [Int], threads: Int) -> [FoundPair] {
    let places = places.filter(mayHavePairs)
    monitor.update { $0.spots = places.count }
    let next = Atomic(0)
    let found = Mutex<[FoundPair]>([])
    WorkerThreads.run(min(threads, places.count)) { [self] in
      while !monitor.isCancelled {
        let turn = next.add(1, ordering: .relaxed).oldValue
        guard turn < places.count else { return }
        let pairs = pairs(ofSpotAt: places[turn])
        found.withLock { $0 += pairs }
        monitor.update { $0.done += 1 }
      }
    }
    verdicts.settle()
    pictures.settle()
    return found.withLock { $0 }
  }

  /// Returns whether the photos of a spot span enough years, a quick test.
  private func mayHavePairs(_ place: Int) -> Bool {
    let spot = spots.spots[place]
    guard spot.photoCount > 1, let first = spot.firstCaptured, let last = spot.lastCaptured else {
      return false
    }
    // A margin of a day on either side, because cameras' clocks may be in different time zones.
    return last.instant.seconds(since: first.instant) / 86_400 + 2 >= minimumYears * 365
  }

  /// Returns the pairs of a spot.
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

  /// Returns the properties of a photo for the choice of pairs; `nil` if it is undated.
  private func candidate(_ photo: Int32) -> PairCandidate? {
    guard let captured = photos.captured(of: photo) else { return nil }
    let film = photos.focalLength(of: photo)?.millimetersOn35mmFilm
    return PairCandidate(
      day: captured.day,
      instant: captured.instant, coordinate: photos.coordinate(of: photo),
      headingDegrees: photos.headingDegrees(of: photo), filmMillimeters: film.map(Double.init),
      isWanted: isWanted(photo))
  }

  /// Returns the verdicts of the selected pairs; pairs that cannot be compared are omitted.
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
    monitor.update { $0.known += pairs.count - new.count }
    var comparison = SpotComparison(pictures: pictures, maker: maker, monitor: monitor) {
      [index] place in
      (names[place] ?? "", numbers[place], index)
    }
    // Creating an aligner takes as long as a comparison, so pairs are grouped by the earlier photo.
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
      if known.verdicts.count > KnownVerdicts.maximumKept {
        // Keep only verdicts about the photos that are compared now.
        known.verdicts = known.verdicts.filter {
          current.contains($0.key.earlier) && current.contains($0.key.later)
        }
      }
      verdicts.keep(known.bytes, as: file)
    }
    return pairs.compactMap { pair in known.verdicts[key(pair)].map { (pair, $0) } }
  }

  /// Reads the cached verdicts of a spot; none if they are missing or damaged.
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
