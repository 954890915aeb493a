import PhotoLibrary
import ProcessControl
import SpotService
import Storage
import Synchronization

/// The index as the page sees it. It is reopened after its file has changed.
final class ServedIndex: Sendable {
  private struct State {
    var stamp: PhotoIndexCache.Stamp?
    var clusterRadius: Double?
    var library: Result<ServedLibrary, Problem>?
  }

  private let cache: PhotoIndexCache
  private let poorPhotos: PoorPhotos
  private let log: MessageLog
  private let state = Mutex(State())

  /// Creates a served index.
  ///
  /// - Parameters:
  ///   - cache: The index.
  ///   - poorPhotos: The photos that are no covers.
  ///   - log: Receives the reason why the index cannot be read.
  init(_ cache: PhotoIndexCache, _ poorPhotos: PoorPhotos, log: MessageLog) {
    (self.cache, self.poorPhotos, self.log) = (cache, poorPhotos, log)
  }

  /// Returns the index with spots of a given radius in metres; an empty index if there is no file.
  ///
  /// - Throws: A problem if the file cannot be read.
  func library(clusterRadius: Double) throws(Problem) -> ServedLibrary {
    try state.withLock { state throws(Problem) in
      let stamp = cache.stamp()
      if let known = state.library, state.stamp == stamp, state.clusterRadius == clusterRadius,
        (try? known.get())?.index.isCutOff != true
      {
        return try known.get()
      }
      let library = open(stamp, clusterRadius)
      // The previous index may have been large.
      FreedMemory.returnToSystem()
      state = State(stamp: stamp, clusterRadius: clusterRadius, library: library)
      return try library.get()
    }
  }

  private func open(
    _ stamp: PhotoIndexCache.Stamp?, _ clusterRadius: Double
  ) -> Result<ServedLibrary, Problem> {
    do throws(PhotoIndexCacheError) {
      let opened = try cache.open(clusterRadius: clusterRadius)
      if let obstacle = opened?.obstacle { log.problem("\(obstacle)") }
      let index = opened?.index ?? PhotoIndex()
      return .success(
        ServedLibrary(
          index: index, spots: SpotIndex(index, clusterRadius: clusterRadius),
          generation: "\(stamp.map { "\($0)" } ?? "none") \(clusterRadius)",
          poorPhotos: poorPhotos))
    } catch {
      log.problem("\(error)")
      return .failure(Problem(.indexDamaged, Self.detail(error)))
    }
  }

  /// Returns a description of an error without a path.
  private static func detail(_ error: PhotoIndexCacheError) -> String {
    switch error {
    case .damaged(_, let reason):
      "\(reason). Run 'photospots index FOLDER' to make a new index; the damaged file is kept."
    case .newer:
      "The index was written by a newer photospots. Use that version."
    case .foreign:
      "The file is not an index. Move it away, or choose another with --index."
    case .unreadable(_, let cause), .unwritable(_, let cause), .uncertain(_, let cause),
      .unmapped(_, let cause):
      "The index cannot be read: \(cause). Check its permissions."
    case .locked: "Another program is writing the index."
    }
  }
}
