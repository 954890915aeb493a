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
         library-peer save INDEX COPY     measures how long the index takes to be saved
  """

/// Makes what photospots and its peers are given, and measures what no command does alone.
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

private func save(_ file: String, to copy: String) throws {
  guard let index = try PhotoIndexCache(path: FilePath(file)).load() else {
    throw Errno.noSuchFileOrDirectory
  }
  let cache = PhotoIndexCache(path: FilePath(copy))
  let clock = ContinuousClock()
  let time = try clock.measure { try cache.save(index) }
  print("save\tms\t\(time / .milliseconds(1))")
}
