import Benchmark
import BenchmarkInputs
import Interchange
import PhotoLibrary
import PhotoMetadata
import SystemPackage

/// Registers the indexing of a folder of photos that are in the page cache, and the rescan that finds nothing
/// changed.
func registerIndexing(_ size: BenchmarkSizes.Size) {
  let now = Instant(secondsSince1970: 1_750_000_000)
  var folder: PhotoFolder?
  Benchmark(
    "Indexing: every file, \(size.name) files",
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
      guard report.filesRead == 0, report.scanned == state.folder.fileCount else {
        return benchmark.error("\(report.filesRead) files read, \(report.scanned) found")
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

/// Registers the reading of what open photo files say.
func registerMetadata() {
  var folder: PhotoFolder?
  Benchmark(
    "Metadata: a photo",
    configuration: .init(scalingFactor: .kilo),
    closure: { (benchmark, photos: OpenPhotos) throws in
      for photo in benchmark.scaledIterations { blackHole(try photos.read(photo)) }
    },
    setup: {
      let made = try PhotoFolder(fileCount: OpenPhotos.count)
      folder = made
      return try OpenPhotos(made)
    },
    teardown: { folder?.remove() })
}

/// Photo files that stay open, and the reader that they are read with.
private final class OpenPhotos {
  static let count = 250
  private var reader = MetadataReader()
  private let files: [(descriptor: FileDescriptor, size: Int)]

  init(_ folder: PhotoFolder) throws {
    files = try folder.files.map { path in
      let descriptor = try FileDescriptor.open(path, .readOnly)
      return (descriptor, Int(try descriptor.seek(offset: 0, from: .end)))
    }
  }

  func read(_ photo: Int) throws -> MetadataReader.Reading {
    let file = files[photo % files.count]
    return try reader.read(file.descriptor, count: file.size)
  }
}
