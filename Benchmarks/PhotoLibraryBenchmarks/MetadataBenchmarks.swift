import Benchmark
import BenchmarkInputs
import Encodings
import LibExifPeer
import PhotoLibrary
import PhotoMetadata
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
  import CivilTime
#endif

/// Registers the benchmarks of reading the metadata of open photo files, and of decoding the whole
/// EXIF block with libexif, with its default options and without those that rewrite entries.
func registerMetadata() {
  register("Metadata: a photo") { photos, number in blackHole(try photos.read(number)) }
  register("Metadata: a photo, whole to libexif") { photos, number in
    blackHole(photos.readWhole(number, followsSpecification: false))
  }
  register("Metadata: a photo, whole to libexif with its defaults") { photos, number in
    blackHole(photos.readWhole(number, followsSpecification: true))
  }
}

private func register(_ name: String, _ read: @escaping (OpenPhotos, Int) throws -> Void) {
  var folder: PhotoFolder?
  Benchmark(
    name,
    configuration: .init(
      metrics: readingMetrics, scalingFactor: .kilo, thresholds: readingThresholds),
    closure: { (benchmark, photos: OpenPhotos) throws in
      for photo in benchmark.scaledIterations { try read(photos, photo) }
    },
    setup: {
      if let photos = try OpenPhotos.real() { return photos }
      let made = try PhotoFolder(fileCount: OpenPhotos.count)
      folder = made
      return try OpenPhotos(made.files)
    },
    teardown: { folder?.remove() })
}

/// Open photo files and their reader.
private final class OpenPhotos {
  static let count = 250
  private var reader = MetadataReader()
  private let files: [(descriptor: FileDescriptor, size: Int)]
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(_ paths: [FilePath]) throws {
    files = try paths.map { path in
      let descriptor = try FileDescriptor.open(path, .readOnly)
      return (descriptor, Int(try descriptor.seek(offset: 0, from: .end)))
    }
  }

  deinit {
    for file in files { try? file.descriptor.close() }
  }

  /// Returns the JPEG photos with an EXIF block in the folder named in the environment; `nil` if it
  /// is not set.
  static func real() throws -> OpenPhotos? {
    guard let folder = getenv("PHOTOSPOTS_BENCHMARK_PHOTOS") else { return nil }
    let now = Instant(secondsSince1970: 1_750_000_000)
    let (index, _) = try PhotoIndexer().update(
      PhotoIndex(), with: [FilePath(String(cString: folder))], now: now)
    let photos = (0..<index.photoCount).map { index.photo(at: $0) }
      .filter { $0.positionSource == .exif && $0.path.extension?.lowercased() == "jpg" }
    return try OpenPhotos(photos.map(\.path))
  }

  func read(_ photo: Int) throws -> MetadataReader.Reading {
    let file = files[photo % files.count]
    return try reader.read(file.descriptor, count: file.size)
  }

  func readWhole(_ photo: Int, followsSpecification: Bool) -> CInt {
    read_whole_block(
      files[photo % files.count].descriptor.rawValue, &buffer, followsSpecification ? 1 : 0)
  }
}
