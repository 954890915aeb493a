import Benchmark
import BenchmarkInputs
import PhotoLibrary
import SystemPackage

/// Registers the benchmarks of reading the index file, and of writing it to the disk.
func registerCache(_ size: BenchmarkSizes.Size) {
  var folder: TemporaryFolder?
  Benchmark(
    "Index file: load, \(size.name)",
    closure: { (_, cache: PhotoIndexCache) throws in blackHole(try cache.load()) },
    setup: {
      let cache = try IndexFile(size)
      folder = cache.folder
      return cache.cache
    },
    teardown: { folder?.remove() })

  var queryFolder: TemporaryFolder?
  Benchmark(
    "Index file: load and cluster, ready to query, \(size.name)",
    closure: { (_, cache: PhotoIndexCache) throws in
      guard let index = try cache.loadForQuestions() else { return }
      blackHole(SpotIndex(index, clusterRadius: 15))
    },
    setup: {
      let file = try IndexFile(size)
      queryFolder = file.folder
      return file.cache
    },
    teardown: { queryFolder?.remove() })

  var openFolder: TemporaryFolder?
  Benchmark(
    "Index file: open the mapped form, ready to query, \(size.name)",
    closure: { (_, cache: PhotoIndexCache) throws in
      guard let opened = try cache.open(clusterRadius: 15) else { return }
      blackHole(SpotIndex(opened.index, clusterRadius: 15))
    },
    setup: {
      let file = try IndexFile(size)
      openFolder = file.folder
      // The first opening creates the mapped file.
      blackHole(try file.cache.open(clusterRadius: 15))
      return file.cache
    },
    teardown: {
      openFolder?.remove(andFiles: ["index.json.mapped", "index.json.mapped.lock"])
    })

  var copyFolder: TemporaryFolder?
  Benchmark(
    "Index file: save, \(size.name)",
    closure: { (_, state: (index: PhotoIndex, copy: PhotoIndexCache)) throws in
      try state.copy.save(state.index)
    },
    setup: {
      let file = try IndexFile(size)
      copyFolder = file.folder
      let copy = PhotoIndexCache(path: file.folder.path.appending("copy.json"))
      return (index: try file.load(), copy: copy)
    },
    teardown: { copyFolder?.remove(andFiles: ["copy.json"]) })
}

/// Registers the benchmarks of computing spots from an index, of building their spatial index, and
/// of the preparation for a single query.
func registerSpots(_ size: BenchmarkSizes.Size) {
  Benchmark(
    "Spots: cluster, \(size.name)",
    closure: { (_, index: PhotoIndex) in blackHole(index.spots(clusterRadius: 15)) },
    setup: { try IndexFile.index(size) })
  Benchmark(
    "Spots: cluster, with their search tree, \(size.name)",
    closure: { (_, index: PhotoIndex) in blackHole(SpotIndex(index, clusterRadius: 15)) },
    setup: { try IndexFile.index(size) })
  Benchmark(
    "Spots: index, \(size.name)",
    closure: { (_, spots: [PhotoSpot]) in blackHole(SpotIndex(spots: spots)) },
    setup: { try IndexFile.index(size).spots(clusterRadius: 15) })
  Benchmark(
    "Spots: join with 100,000 places, \(size.name)",
    closure: { (_, state: (spots: SpotIndex, places: [OwnPlace])) in
      blackHole(state.spots.joined(with: state.places, clusterRadius: 15))
    },
    setup: {
      (
        spots: SpotIndex(try IndexFile.index(size), clusterRadius: 15),
        places: ownPlaces(100_000)
      )
    })
}

/// Returns own places near the photos of a synthetic library, one in ten with a radius.
private func ownPlaces(_ count: Int) -> [OwnPlace] {
  let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
  var bits: UInt64 = 88_172_645_463_325_252
  return PhotoPositions(count: count).positions.enumerated().map { number, position in
    let id = (0..<16).map { _ in
      // xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003).
      bits ^= bits << 13
      bits ^= bits >> 7
      bits ^= bits << 17
      return digits[Int(bits >> 40 & 31)]
    }
    return OwnPlace(
      id: String(id), name: "Place \(number)", coordinate: position,
      alertRadiusMeters: number % 10 == 0 ? 500 : nil)
  }
}

/// An index file of a synthetic library.
struct IndexFile {
  private(set) var folder: TemporaryFolder
  let cache: PhotoIndexCache

  init(_ size: BenchmarkSizes.Size) throws {
    folder = try TemporaryFolder()
    let positions = PhotoPositions(count: size.count).positions
    try folder.makeFile("index.json", head: IndexDocument.make(positions))
    cache = PhotoIndexCache(path: folder.path.appending("index.json"))
  }

  /// Reads the file.
  func load() throws -> PhotoIndex {
    guard let index = try cache.load() else { throw Errno.noSuchFileOrDirectory }
    return index
  }

  /// Returns the index of a synthetic library, loaded from a temporary file.
  static func index(_ size: BenchmarkSizes.Size) throws -> PhotoIndex {
    let file = try IndexFile(size)
    defer { file.folder.remove() }
    return try file.load()
  }
}
