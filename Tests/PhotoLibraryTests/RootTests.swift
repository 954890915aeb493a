import Interchange
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct RootTests {
  @Test func `a root that is missing keeps its photos as stale until it returns`() throws {
    var library = try Library()
    try library.add("a.jpg")
    try library.add("sub/b.jpg", 2)
    try library.scan()
    let away = library.folder.path("away")
    try library.folder.move(library.photos, to: away)
    let report = try library.scan()
    #expect(report.staleRoots == [library.photos])
    #expect(report.changes == [:])
    #expect(library.index.photoCount == 2)
    #expect(library.index.roots.map(\.isStale) == [true])
    try library.folder.move(away, to: library.photos)
    let recovered = try library.scan()
    #expect(recovered.staleRoots.isEmpty)
    #expect(recovered.changes == [:])
    #expect(library.index.roots.map(\.isStale) == [false])
  }

  @Test func `a root that is empty is taken for a disk that is not mounted`() throws {
    var library = try Library()
    try library.add("a.jpg")
    try library.scan()
    let away = library.folder.path("away")
    try library.folder.move(library.photos, to: away)
    try library.folder.createFolder(library.photos)
    #expect(try library.scan().staleRoots == [library.photos])
    #expect(library.index.photoCount == 1)
    library.folder.remove(library.photos)
    try library.folder.move(away, to: library.photos)
    #expect(try library.scan().staleRoots.isEmpty)
    library.folder.remove(library.photos.appending("a.jpg"))
    // Said outright, empty is empty.
    #expect(try library.scan(settings: .init(isFull: true)).removed == 1)
    #expect(library.index.photoCount == 0)
  }

  @Test func `a root that became a file keeps its photos`() throws {
    var library = try Library()
    try library.add("a.jpg")
    try library.scan()
    library.folder.remove(library.photos)
    try library.folder.write("x", to: library.photos)
    #expect(try library.scan().staleRoots == [library.photos])
    #expect(library.index.photoCount == 1)
  }

  @Test func `a folder that was never read must be there`() throws {
    var library = try Library()
    let missing = library.folder.path("missing")
    #expect(throws: PhotoIndexerError.unreadableFolder(missing, .noSuchFileOrDirectory)) {
      try library.scan([missing])
    }
    try library.folder.write("x", to: "file")
    #expect(throws: PhotoIndexerError.unreadableFolder(library.folder.path("file"), .notDirectory))
    {
      try library.scan([library.folder.path("file")])
    }
    #expect(try library.scan().scanned == 0)
    #expect(library.index.roots.count == 1)
  }

  @Test func `roots are kept apart, and the others are left as they are`() throws {
    var library = try Library()
    let (first, second) = (library.folder.path("one"), library.folder.path("two"))
    // A name that another begins with is not its folder.
    let third = library.folder.path("one and more")
    for (number, root) in [first, second, third].enumerated() {
      try library.add(root.appending("a.jpg"), number, modified: 1_700_000_000 + number)
    }
    #expect(try library.scan([first, second]).new == 2)
    #expect(try library.scan([third]).changes == ["new": 1, "read": 1])
    #expect(library.index.photoCount == 3)
    #expect(library.index.roots.map(\.path) == [first, third, second])
    library.folder.remove(first.appending("a.jpg"))
    try library.add(first.appending("b.jpg"), 7, modified: 1_700_000_100)
    let report = try library.scan([first])
    #expect(report.changes == ["new": 1, "removed": 1, "read": 1])
    #expect(report.outcomes == ["scanned": 1, "located": 1])
    #expect(library.index.photoCount == 3)
  }

  @Test func `a folder inside another, or inside a known root, is a part of it`() throws {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.add("sub/b.jpg", 2)
    let sub = library.photos.appending("sub")
    #expect(try library.scan([sub, library.photos, library.photos, sub]).scanned == 2)
    #expect(library.index.roots.map(\.path) == [library.photos])
    try library.add("c.jpg", 3)
    try library.add("sub/d.jpg", 4)
    let report = try library.scan([sub])
    #expect(report.changes == ["new": 1, "read": 1])
    #expect(report.outcomes == ["scanned": 2, "located": 2])
    #expect(library.index.roots.map(\.path) == [library.photos])
    #expect(library.located == ["a.jpg", "sub/b.jpg", "sub/d.jpg"])
  }

  @Test func `a folder around known roots takes them over without reading them again`() throws {
    var library = try Library()
    try library.add("sub/b.jpg", 2)
    try library.add("other/c.jpg", 3)
    try library.scan([library.photos.appending("sub")])
    let report = try library.scan()
    #expect(report.changes == ["new": 1, "read": 1])
    #expect(library.index.roots.map(\.path) == [library.photos])
  }

  @Test func `a root that takes over others is as old as the oldest of them`() throws {
    var library = try Library()
    try library.add("sub/b.jpg", 2)
    try library.scan([library.photos.appending("sub")])
    let read = library.now
    library.now = library.now.advanced(bySeconds: 6 * 86_400)
    try library.scan()
    #expect(library.index.roots.map(\.fullyRead) == [read])
    library.now = library.now.advanced(bySeconds: 2 * 86_400)
    #expect(try library.scan().filesRead == 1)
  }
}

@Suite struct CancellationTests {
  @Test func `a scan that is ended before it begins keeps what was known`() throws {
    var library = try Library()
    for number in 0..<5 { try library.add("\(number).jpg", number) }
    let monitor = ScanMonitor()
    monitor.cancel()
    let report = try library.scan(monitor: monitor)
    #expect(report.wasCancelled)
    #expect(library.index.photoCount == 0)
    #expect(try library.scan().new == 5)
    library.folder.remove(library.photos.appending("0.jpg"))
    #expect(try library.scan(monitor: monitor).changes == [:])
    #expect(library.index.photoCount == 5)
    #expect(try library.scan().changes == ["removed": 1])
  }

  /// Scans, and ends the scan when the first files are read; tries again where it was done before that.
  private func scanHalfway(
    _ library: inout Library, settings: PhotoIndexer.Settings, of count: Int
  ) throws -> ScanReport {
    let before = library.index
    for _ in 0..<50 {
      library.index = before
      let monitor = ScanMonitor()
      let watcher = try BackgroundThread {
        while monitor.progress.read == 0 { sched_yield() }
        monitor.cancel()
      }
      let report = try library.scan(settings: settings, monitor: monitor)
      watcher.join()
      if report.wasCancelled, report.filesRead < count { return report }
    }
    throw Errno.timedOut
  }

  @Test func `a scan that is ended keeps what was done, and the next reads just the rest`()
    throws
  {
    var library = try Library()
    let count = 600
    for number in 0..<count { try library.add("\(number % 10)/\(number).jpg", number) }
    let report = try scanHalfway(&library, settings: .init(jobs: 2), of: count)
    #expect(report.new == report.filesRead)
    #expect(library.index.photoCount == report.filesRead)
    let rest = try library.scan()
    #expect(rest.changes == ["new": count - report.filesRead, "read": count - report.filesRead])
    #expect(library.index.photoCount == count)
  }

  @Test func `a full scan that is ended does not count as one`() throws {
    var library = try Library()
    let count = 600
    for number in 0..<count { try library.add("\(number % 10)/\(number).jpg", number) }
    try library.scan()
    let fullyRead = library.index.roots[0].fullyRead
    let report = try scanHalfway(
      &library, settings: .init(jobs: 2, isFull: true), of: count)
    #expect(report.filesRead < count)
    #expect(library.index.photoCount == count)
    #expect(library.index.roots[0].fullyRead == fullyRead)
  }
}
