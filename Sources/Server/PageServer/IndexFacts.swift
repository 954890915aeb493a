package import CivilTime
package import PhotoLibrary
import Synchronization

/// The size and age of an index.
package struct IndexFacts: Sendable {
  /// The number of indexed files.
  package let fileCount: Int
  /// The files by the outcomes of reading them.
  package let files: FileCounts
  /// The number of photos with a position. The files of one shot count once.
  package let photoCount: Int
  /// The number of spots.
  package let spotCount: Int
  /// The time of the last change of the index.
  package let updated: Instant?
  /// The root folders.
  package let roots: [PhotoIndex.Root]

  /// Counts the contents of an index with a known number of spots.
  package init(_ index: PhotoIndex, spotCount: Int) {
    fileCount = index.fileCount
    files = index.fileCounts
    photoCount = index.shotCount
    self.spotCount = spotCount
    updated = index.updated
    roots = index.roots
  }

  /// Counts the contents of an index with spots of a radius in metres.
  package init(_ index: PhotoIndex, clusterRadius: Double) {
    self.init(index, spotCount: SpotIndex(index, clusterRadius: clusterRadius).spots.count)
  }
}

/// A cache of the facts of an index file, which are recomputed only after the file changed.
final class KnownIndexFacts: Sendable {
  private let cache: PhotoIndexCache
  private let known = Mutex<(stamp: PhotoIndexCache.Stamp?, facts: IndexFacts?)?>(nil)

  /// Creates a cache; nothing is read yet.
  package init(_ cache: PhotoIndexCache) {
    self.cache = cache
  }

  /// Returns the facts for spots of a given radius in metres; `nil` if there is no readable index.
  package func facts(clusterRadius: Double) -> IndexFacts? {
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
