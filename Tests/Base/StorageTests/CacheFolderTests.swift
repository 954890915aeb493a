import CLibrary
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Storage

@Suite struct CacheFolderTests {
  private let folder = TemporaryFolder()
  private let reports = Reports()

  private final class Reports: Sendable {
    let errors = Mutex<[Errno]>([])
  }

  private func cache(capacityBytes: Int = 1000) -> CacheFolder {
    CacheFolder(folder.path("kept"), capacityBytes: capacityBytes) { [reports] error in
      reports.errors.withLock { $0.append(error) }
    }
  }

  private var names: [String] {
    Corpus.paths(under: folder.path("kept")).compactMap { $0.lastComponent?.string }.sorted()
  }

  private func use(_ name: String, atSeconds seconds: Int) throws {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
    let path = folder.path("kept").appending(name)
    #expect(path.withPlatformString { utimensat(AT_FDCWD, $0, times, 0) } == 0)
  }

  @Test func `reads back the files it keeps, until they are removed`() {
    let cache = cache()
    #expect(cache.read("a", limit: 100) == nil)
    cache.keep([1, 2, 3], as: "a", freshUntilSeconds: 4_000_000_000)
    cache.keep([4], as: "b")
    #expect(cache.read("a", limit: 100)?.bytes == [1, 2, 3])
    #expect(cache.read("a", limit: 100)?.freshUntilSeconds == 4_000_000_000)
    #expect(cache.read("a", limit: 2) == nil)
    cache.keep([5, 6], as: "a", freshUntilSeconds: 7)
    #expect(cache.read("a", limit: 100)?.bytes == [5, 6])
    #expect(cache.read("a", limit: 100)?.freshUntilSeconds == 7)
    cache.remove("a")
    #expect(cache.read("a", limit: 100) == nil && cache.read("b", limit: 100)?.bytes == [4])
    #expect(names == ["b"])
  }

  @Test func `evicts the least recently used files when the cache is full`() throws {
    let cache = cache()
    cache.settle()
    for name in ["a", "b", "c", "d"] {
      cache.keep([UInt8](repeating: 0, count: 240), as: name)
    }
    for (name, seconds) in [("a", 100), ("b", 200), ("c", 50), ("d", 300)] {
      try use(name, atSeconds: seconds)
    }
    #expect(cache.read("c", limit: 1000) != nil)
    cache.keep([UInt8](repeating: 0, count: 100), as: "e")
    cache.settle()
    // a and b are evicted: c was read since, and d and e are the newest. At most 900 bytes remain.
    #expect(names == ["b", "c", "d", "e"])
    #expect(cache.read("c", limit: 1000)?.freshUntilSeconds == 5)
    cache.keep([UInt8](repeating: 0, count: 400), as: "f")
    cache.settle()
    #expect(names == ["c", "e", "f"])
  }

  @Test(arguments: [40, 160])
  func `the number of steps per file does not depend on the cache's capacity`(
    capacity: Int
  ) {
    let cache = cache(capacityBytes: capacity * 10)
    cache.settle()
    let count = 5 * capacity
    for number in 0..<count {
      cache.keep([UInt8](repeating: 0, count: 10), as: "\(number)")
      cache.settle()
    }
    #expect(names.count <= capacity)
    // A sweep examines all files, and frees a tenth of the capacity.
    #expect(cache.stepCount > 0 && cache.stepCount <= 11 * count)
  }

  @Test func `files left by earlier runs count toward the capacity`() throws {
    for (name, seconds) in [("a", 100), ("b", 200), ("c", 50)] {
      try folder.write([UInt8](repeating: 0, count: 400), to: folder.path("kept").appending(name))
      try use(name, atSeconds: seconds)
    }
    cache().settle()
    #expect(names == ["a", "b"])
  }

  @Test func `a file larger than the capacity is not kept`() {
    let cache = cache()
    cache.keep([UInt8](repeating: 0, count: 1001), as: "a")
    #expect(names.isEmpty)
  }

  @Test func `a removed cache folder is created again`() {
    let cache = cache()
    cache.settle()
    folder.remove(folder.path("kept"))
    cache.keep([1], as: "a")
    #expect(cache.read("a", limit: 10)?.bytes == [1])
  }

  @Test func `a full disk is reported once and leaves no partial file`() {
    let cache = cache()
    cache.settle()
    cache.keep([0], as: "a")
    let steps = FaultyDisk.forEachStep(.noSpace, staysFaulty: false) { disk in
      disk.run { cache.keep([1, 2], as: "a") }
      guard disk.failed != nil else { return }
      #expect(names == ["a"] && cache.read("a", limit: 10)?.bytes == [0])
    }
    #expect(steps == [.create, .write, .rename])
    #expect(cache.read("a", limit: 10)?.bytes == [1, 2])
    #expect(reports.errors.withLock { $0 } == [.noSpace])
  }
}
