import CivilTime
import PhotoLibrary
import Synchronization

/// The size and age of an index.
struct IndexFacts: Sendable {
  /// The number of indexed files.
  let fileCount: Int
  /// The number of photos with a position. The files of one shot count once.
  let photoCount: Int
  /// The number of spots.
  let spotCount: Int
  /// The time of the last change of the index.
  let updated: Instant?
  /// The root folders.
  let roots: [PhotoIndex.Root]

  init(_ index: PhotoIndex, spotCount: Int) {
    fileCount = index.fileCount
    photoCount = index.shotCount
    self.spotCount = spotCount
    updated = index.updated
    roots = index.roots
  }

  init(_ index: PhotoIndex, clusterRadius: Double) {
    self.init(index, spotCount: SpotIndex(index, clusterRadius: clusterRadius).spots.count)
  }
}

/// A cache of the facts of an index file, which are recomputed only after the file changed.
final class KnownIndexFacts: Sendable {
  private let cache: PhotoIndexCache
  private let known = Mutex<(stamp: PhotoIndexCache.Stamp?, facts: IndexFacts?)?>(nil)

  init(_ cache: PhotoIndexCache) {
    self.cache = cache
  }

  /// Returns the facts for spots of a given radius in metres; `nil` if there is no readable index.
  func facts(clusterRadius: Double) -> IndexFacts? {
    known.withLock { known in
      let stamp = cache.stamp()
      if let known, known.stamp == stamp { return known.facts }
      let opened = try? cache.open(clusterRadius: clusterRadius)
      let facts = opened.map { IndexFacts($0.index, clusterRadius: clusterRadius) }
      known = (stamp, facts)
      return facts
    }
  }
}
