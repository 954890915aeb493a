import CivilTime
import PhotoLibrary
import Synchronization

/// The size and the age of an index.
struct IndexFacts: Sendable {
  /// How many files were looked into.
  let fileCount: Int
  /// How many photos have a position; the files of one shot count once.
  let photoCount: Int
  /// How many spots they make.
  let spotCount: Int
  /// When the index last changed.
  let updated: Instant?
  /// The folders.
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

/// The facts of an index file, found out again only after the file changed.
final class KnownIndexFacts: Sendable {
  private let cache: PhotoIndexCache
  private let known = Mutex<(stamp: PhotoIndexCache.Stamp?, facts: IndexFacts?)?>(nil)

  init(_ cache: PhotoIndexCache) {
    self.cache = cache
  }

  /// The facts, with spots of a radius in metres; `nil` where there is no index that can be read.
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
