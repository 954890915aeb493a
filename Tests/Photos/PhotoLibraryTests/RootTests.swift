import CLibrary
import CivilTime
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite struct RootTests {
  @Test func `a missing root's photos are kept as stale until it returns`() throws {
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

  @Test func `an empty root is treated as an unmounted disk`() throws {
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
    // With an explicit option, an empty folder counts as empty.
    #expect(try library.scan(settings: .init(isFull: true)).removed == 1)
    #expect(library.index.photoCount == 0)
  }

  @Test func `photos are kept if the root becomes a file`() throws {
    var library = try Library()
    try library.add("a.jpg")
    try library.scan()
    library.folder.remove(library.photos)
    try library.folder.write("x", to: library.photos)
    #expect(try library.scan().staleRoots == [library.photos])
    #expect(library.index.photoCount == 1)
  }

  @Test func `a folder that was never scanned must exist`() throws {
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
    #expect(try library.scan().files.photos == 0)
    #expect(library.index.roots.count == 1)
  }

  @Test func `roots are independent, and scanning one leaves the others unchanged`() throws {
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

  @Test func `a folder inside another root is scanned as part of it`() throws {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.add("sub/b.jpg", 2)
    let sub = library.photos.appending("sub")
    #expect(try library.scan([sub, library.photos, library.photos, sub]).files.photos == 2)
    #expect(library.index.roots.map(\.path) == [library.photos])
    try library.add("c.jpg", 3)
    try library.add("sub/d.jpg", 4)
    let report = try library.scan([sub])
    #expect(report.changes == ["new": 1, "read": 1])
    #expect(report.outcomes == ["scanned": 2, "located": 2])
    #expect(library.index.roots.map(\.path) == [library.photos])
    #expect(library.located == ["a.jpg", "sub/b.jpg", "sub/d.jpg"])
  }

  @Test func `a folder that contains known roots absorbs them without reading again`() throws {
    var library = try Library()
    try library.add("sub/b.jpg", 2)
    try library.add("other/c.jpg", 3)
    try library.scan([library.photos.appending("sub")])
    let report = try library.scan()
    #expect(report.changes == ["new": 1, "read": 1])
    #expect(library.index.roots.map(\.path) == [library.photos])
  }

  @Test func `a root that absorbs others is as old as the oldest of them`() throws {
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

@Suite struct MovedRootTests {
  /// A library of photos under a root, scanned, and another path for them.
  private func library(_ count: Int = 6) throws -> Library {
    var library = try Library()
    for number in 0..<count {
      try library.add("\(number % 2)/\(number).jpg", number, modified: 1_700_000_000 + number)
    }
    try library.scan()
    return library
  }

  @Test func `a renamed root is recognised without reading its files again`() throws {
    var library = try library()
    let read = library.index.roots[0].fullyRead
    let other = library.folder.path("renamed")
    try library.folder.move(library.photos, to: other)
    let report = try library.scan([other])
    #expect(report.changes == ["moved": 6])
    #expect(report.movedRoots == [library.photos] && report.staleRoots.isEmpty)
    #expect(library.index.roots.map(\.path) == [other])
    #expect(library.index.roots.map(\.fullyRead) == [read])
    #expect(library.index.allPhotos.allSatisfy { $0.path.starts(with: other) })
    #expect(library.index.photoCount == 6 && library.index.furtherFileCount == 0)
  }

  @Test func `a root known by its old and new name keeps only the new one`() throws {
    var library = try library()
    let other = library.folder.path("renamed")
    // As an earlier program left it: it read the renamed folder as a second root.
    let old = library.index
    try library.folder.move(library.photos, to: other)
    library.index = PhotoIndex()
    try library.scan([other])
    library.index = try merged(old, library)
    #expect(library.index.photoCount == 12 && library.index.shotCount == 6)
    let report = try library.scan([library.photos, other])
    #expect(report.changes == ["removed": 6])
    #expect(report.movedRoots == [library.photos] && report.staleRoots.isEmpty)
    #expect(library.index.roots.map(\.path) == [other])
    #expect(library.index.photoCount == 6)
  }

  /// The index of a folder, with that of another one beside it.
  private func merged(_ old: PhotoIndex, _ library: borrowing Library) throws -> PhotoIndex {
    // While the first folder is there too, neither is moved.
    try library.folder.createFolder(library.photos)
    try library.folder.write("text", to: library.photos.appending("README"))
    defer { library.folder.remove(library.photos) }
    let (index, _) = try PhotoIndexer().update(
      old, with: [library.folder.path("renamed")], now: library.now)
    return index
  }

  @Test func `a disk mounted at another place is the same root`() throws {
    var library = try library()
    let other = library.folder.path("mnt/other")
    try library.folder.createFolder(library.folder.path("mnt"))
    try library.folder.move(library.photos, to: other)
    try library.folder.createFolder(library.photos)
    #expect(try library.scan([other]).movedRoots == [library.photos])
  }

  @Test func `copies, or a few moved files, do not move a root`() throws {
    var library = try library()
    let (away, other) = (library.folder.path("away"), library.folder.path("other"))
    try library.folder.move(library.photos, to: away)
    // Copies have the same sizes and times but other inodes.
    for number in 0..<6 {
      try library.add(other.appending("\(number).jpg"), number, modified: 1_700_000_000 + number)
    }
    #expect(try library.scan([other]).movedRoots.isEmpty)
    #expect(library.index.roots.map(\.path) == [other, library.photos])
    // Two of six were moved.
    for number in 0..<2 {
      let name = "\(number).jpg"
      try library.folder.move(
        away.appending("\(number)").appending(name), to: other.appending(name))
    }
    #expect(try library.scan([other]).movedRoots.isEmpty)
    #expect(library.index.roots.map(\.path) == [other, library.photos])
  }

  @Test func `a missing file does not represent a shot that has an existing file`() throws {
    var library = try library()
    let other = library.folder.path("z-backup")
    for number in 0..<6 {
      try library.add(other.appending("\(number).jpg"), number, modified: 1_700_000_000 + number)
    }
    try library.scan([library.photos, other])
    let first = (0..<12).map { library.index.shot(at: $0).photo.path }
    #expect(first.allSatisfy { $0.starts(with: library.photos) })
    let away = library.folder.path("away")
    try library.folder.move(library.photos, to: away)
    #expect(try library.scan([library.photos, other]).staleRoots == [library.photos])
    for place in 0..<12 {
      let shot = library.index.shot(at: place)
      #expect(shot.photo.path.starts(with: other))
      #expect(shot.files.count == 2)
    }
    #expect(library.index.shotCount == 6)
    // The same applies when the root returns.
    try library.folder.move(away, to: library.photos)
    try library.scan([library.photos, other])
    #expect((0..<12).map { library.index.shot(at: $0).photo.path } == first)
  }
}

@Suite struct ForgettingTests {
  @Test func `forgetting a root removes its photos and no others`() throws {
    var library = try Library()
    let (first, second) = (library.folder.path("one"), library.folder.path("one and more"))
    for (number, root) in [first, second].enumerated() {
      try library.add(root.appending("sub/a.jpg"), number, modified: 1_700_000_000 + number)
    }
    try library.scan([first, second])
    // The disk is not accessed.
    library.folder.remove(first)
    library.folder.remove(second)
    #expect(library.index.holds(first) && !library.index.holds(library.folder.path("on")))
    let (index, removed) = PhotoIndexer().forget([first], in: library.index, now: library.now)
    #expect(removed == 1)
    #expect(index.roots.map(\.path) == [second])
    #expect(index.allPhotos.map(\.path) == [second.appending("sub/a.jpg")])
    #expect(!index.holds(first))
    let (rest, all) = PhotoIndexer().forget([library.folder.root], in: index, now: library.now)
    #expect(all == 1 && rest.roots.isEmpty && rest.fileCount == 0)
  }

  @Test func `a forgotten subfolder leaves its root, and is found again by a scan`()
    throws
  {
    var library = try Library()
    for (number, name) in ["a.jpg", "sub/b.jpg", "sub/deep/c.jpg"].enumerated() {
      try library.add(name, number)
    }
    try library.scan()
    let sub = library.photos.appending("sub")
    let (index, removed) = PhotoIndexer().forget([sub], in: library.index, now: library.now)
    #expect(removed == 2 && index.roots == library.index.roots)
    library.index = index
    #expect(library.located == ["a.jpg"])
    #expect(try library.scan().changes == ["new": 2, "read": 2])
  }
}

@Suite struct CheckpointTests {
  /// Scans, and returns the index at each checkpoint; each thread reads one file between two of
  /// them.
  private func checkpoints(
    _ library: inout Library, _ settings: PhotoIndexer.Settings = .init()
  ) throws -> [PhotoIndex] {
    var settings = settings
    (settings.jobs, settings.checkpointSeconds) = (2, 0)
    var saved: [PhotoIndex] = []
    library.now = library.now.advanced(bySeconds: 60)
    let (index, report) = try PhotoIndexer(settings: settings).update(
      library.index, with: [library.photos], now: library.now
    ) { index, _ in saved.append(index) }
    #expect(!report.wasCancelled)
    library.index = index
    return saved
  }

  @Test func `files read before a checkpoint are not read again after a crash`() throws {
    var library = try Library()
    let count = 30
    for number in 0..<count { try library.add("\(number % 4)/\(number).jpg", number) }
    let saved = try checkpoints(&library)
    let whole = library.index.allPhotos
    #expect(saved.count >= count / 2 - 1)
    #expect(zip(saved, saved.dropFirst()).allSatisfy { $0.photoCount < $1.photoCount })
    let cache = PhotoIndexCache(path: library.folder.path("index.json"))
    for index in saved {
      // The file after a kill is the last saved one.
      try cache.save(index)
      library.index = try #require(try cache.load())
      let left = count - index.fileCount
      #expect(try library.scan().changes == ["new": left, "read": left].filter { $0.value > 0 })
      #expect(library.index.allPhotos == whole)
    }
  }

  @Test func `a checkpoint comes with the files that were moved`() throws {
    var library = try Library()
    for number in 0..<8 { try library.add("old/\(number).jpg", number) }
    try library.scan()
    let previous = library.index
    let new = library.photos.appending("new")
    try library.folder.move(library.photos.appending("old"), to: new)
    for number in 8..<16 { try library.add("new/\(number).jpg", number) }
    var settings = PhotoIndexer.Settings()
    (settings.jobs, settings.checkpointSeconds) = (1, 0)
    var paths: [FilePath?] = []
    _ = try PhotoIndexer(settings: settings).update(
      previous, with: [library.photos], now: library.now
    ) { index, report in
      let moved = MovedPhotos(report, from: previous, to: index)
      paths.append(moved.newPath(of: library.photos.appending("old/3.jpg")))
    }
    #expect(paths.count == 7 && paths.allSatisfy { $0 == new.appending("3.jpg") })
  }

  @Test func `a checkpoint keeps all known photos`() throws {
    var library = try Library()
    for number in 0..<20 {
      try library.add("\(number % 4)/\(number).jpg", number, modified: 1_700_000_000 + number)
    }
    try library.add(library.folder.path("other/x.jpg"), 99, modified: 1_700_001_000)
    try library.scan([library.photos, library.folder.path("other")])
    let fullyRead = library.index.roots.map(\.fullyRead)
    library.folder.remove(library.photos.appending("0/0.jpg"))
    try library.folder.move(
      library.photos.appending("1/1.jpg"), to: library.photos.appending("moved.jpg"))
    let saved = try checkpoints(&library, .init(isFull: true))
    #expect(!saved.isEmpty)
    for index in saved {
      #expect(index.photoCount >= 19 && index.shotCount >= 19)
      #expect(index.roots.map(\.fullyRead) == fullyRead)
    }
    #expect(library.index.photoCount == 20)
  }

  @Test(arguments: [true, false])
  func `an interrupted full read is resumed within a day`(isFull: Bool) throws {
    var library = try Library()
    let count = 30
    for number in 0..<count { try library.add("\(number % 4)/\(number).jpg", number) }
    try library.scan()
    let first = library.index.roots[0].fullyRead
    library.now = library.now.advanced(bySeconds: 8 * 86_400)
    let settings = PhotoIndexer.Settings(isFull: isFull)
    let saved = try checkpoints(&library, settings)
    let began = library.now
    #expect(saved.count >= count / 2 - 1)
    let cache = PhotoIndexCache(path: library.folder.path("index.json"))
    for (place, index) in saved.enumerated() {
      try cache.save(index)
      library.index = try #require(try cache.load())
      #expect(library.index.roots.map(\.fullyRead) == [first])
      library.now = began
      let left = try library.scan(settings: settings).filesRead
      #expect((count - 2 * (place + 1)...count - place - 1).contains(left))
      #expect(library.index.photoCount == count)
      // The root is as old as its oldest reading, and the full read is complete.
      #expect(library.index.roots.map(\.fullyRead) == [began])
      #expect(try library.scan(settings: .init(isFull: true)).filesRead == count)
      library.index = try #require(try cache.load())
      library.now = began.advanced(bySeconds: 86_400)
      #expect(try library.scan(settings: settings).filesRead == count)
    }
  }

  @Test func `a file changed after an interrupted full read is read by the next one`() throws {
    var library = try Library()
    for number in 0..<8 { try library.add("\(number).jpg", number) }
    try library.scan()
    library.index = try #require(try checkpoints(&library, .init(isFull: true)).first)
    for number in 0..<8 { try library.add("\(number).jpg", number, modified: 1_700_001_000) }
    let report = try library.scan(settings: .init(isFull: true))
    #expect(report.filesRead == 8 && report.changed == 8)
  }

  @Test func `a scan with nothing to read makes no checkpoints`() throws {
    var library = try Library()
    for number in 0..<10 { try library.add("\(number).jpg", number) }
    try library.scan()
    #expect(try checkpoints(&library).isEmpty)
  }
}

@Suite struct CancellationTests {
  @Test func `a scan cancelled at its start keeps the known photos`() throws {
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

  /// Scans, and cancels the scan when the first files are read; retries if it finishes before that.
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

  @Test func `a cancelled scan keeps its progress, and the next scan reads the rest`()
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

  @Test func `a cancelled full scan does not count as a full scan`() throws {
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
