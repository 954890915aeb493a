import Benchmark
import BenchmarkInputs
import CivilTime
import Encodings
import PhotoLibrary

/// Registers the benchmarks of indexing a folder of photos that are in the page cache, and of a
/// rescan that finds no changes.
func registerIndexing(_ size: BenchmarkSizes.Size) {
  let now = Instant(secondsSince1970: 1_750_000_000)
  var folder: PhotoFolder?
  Benchmark(
    "Indexing: every file, \(size.name) files",
    configuration: .init(metrics: readingMetrics, thresholds: readingThresholds),
    closure: { (benchmark, folder: PhotoFolder) throws in
      let (index, _) = try PhotoIndexer().update(PhotoIndex(), with: [folder.path], now: now)
      guard index.photoCount == folder.locatedCount else {
        return benchmark.error("\(index.photoCount) of \(folder.locatedCount) positions found")
      }
    },
    setup: {
      let made = try PhotoFolder(fileCount: size.count)
      folder = made
      return made
    },
    teardown: { folder?.remove() })

  var rescanned: PhotoFolder?
  Benchmark(
    "Indexing: rescan, \(size.name) files",
    closure: { (benchmark, state: (folder: PhotoFolder, index: PhotoIndex)) throws in
      let (_, report) = try PhotoIndexer().update(
        state.index, with: [state.folder.path], now: now)
      guard report.filesRead == 0, report.files.photos == state.folder.fileCount else {
        return benchmark.error("\(report.filesRead) files read, \(report.files.photos) found")
      }
    },
    setup: {
      let made = try PhotoFolder(fileCount: size.count)
      rescanned = made
      return (
        folder: made,
        index: try PhotoIndexer().update(PhotoIndex(), with: [made.path], now: now).index
      )
    },
    teardown: { rescanned?.remove() })
}
