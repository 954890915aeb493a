import BenchmarkInputs
import PhotoLibrary
import SystemPackage

#if canImport(Musl)
  import Musl
#else
  import Glibc
#endif

private let usageText = """
  usage: library-peer photos COUNT        makes a folder of JPEG files below $TMPDIR, and prints its path
         library-peer index POINTS INDEX  makes the index file of a library with photos at points
         library-peer save INDEX COPY     measures how long the index takes to be loaded and saved
         library-peer open INDEX          measures how long it takes to be opened for questions
  """

/// Generates the input of photospots and its peers, and measures the operations that no command
/// performs alone.
func run(_ arguments: [String]) {
  do {
    switch (arguments.first, arguments.count) {
    case ("photos", 2):
      guard let count = Int(arguments[1]), (1...10_000_000).contains(count) else { usage() }
      print(try PhotoFolder(fileCount: count).path)
    case ("index", 3):
      let positions = try PlaceFile.read(arguments[1]).map(\.coordinate)
      try FileDescriptor.write(IndexDocument.make(positions), to: arguments[2])
    case ("save", 3): try save(arguments[1], to: arguments[2])
    case ("open", 2): try open(arguments[1])
    default: usage()
    }
  } catch {
    fail("library-peer: \(error)", status: 66)
  }
}

private func usage() -> Never { fail(usageText, status: 64) }

private func fail(_ message: String, status: Int32) -> Never {
  _ = try? FileDescriptor.standardError.writeAll((message + "\n").utf8)
  exit(status)
}

/// Saves the document alone, and the document with spots and the mapped file.
private func save(_ file: String, to copy: String) throws {
  let clock = ContinuousClock()
  var loaded: PhotoIndex?
  let load = try clock.measure { loaded = try PhotoIndexCache(path: FilePath(file)).load() }
  guard let index = loaded else { throw Errno.noSuchFileOrDirectory }
  line("load", load)
  let cache = PhotoIndexCache(path: FilePath(copy))
  line("save", try clock.measure { try cache.save(index) })
  line("save with spots", try clock.measure { try cache.save(index, clusterRadius: clusterRadius) })
}

private func open(_ file: String) throws {
  let cache = PhotoIndexCache(path: FilePath(file))
  // The first round may create the mapped file, and loads its pages into memory.
  for _ in 0..<2 {
    guard try cache.open(clusterRadius: clusterRadius) != nil else {
      throw Errno.noSuchFileOrDirectory
    }
  }
  var opened: PhotoIndexCache.Opened?
  let time = try ContinuousClock().measure {
    opened = try cache.open(clusterRadius: clusterRadius)
  }
  guard opened?.obstacle == nil else { throw Errno.ioError }
  line("open", time)
}

/// The default of the setting.
private let clusterRadius = 15.0

private func line(_ work: String, _ time: Duration) {
  print("\(work)\tms\t\(time / .milliseconds(1))")
}
