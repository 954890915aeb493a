#if os(Linux)
  import CLibrary
  import Storage
  import SystemPackage
  import TestSupport
  import Testing

  @testable import PhotoLibrary

  /// A pipe that is never written to.
  private final class NeverInterrupted {
    let descriptor: FileDescriptor
    private let writing: FileDescriptor

    init() throws { (descriptor, writing) = try FileDescriptor.pipe() }

    deinit {
      try? descriptor.close()
      try? writing.close()
    }
  }

  /// A library that is scanned when its watch requests it.
  private struct WatchedLibrary: ~Copyable {
    var library: Library
    var watch: LibraryWatch
    var notices: [WatchNotice] = []
    private let interruption: NeverInterrupted
    private let excludes: [String]

    init(
      excludes: [String] = [],
      prepare: (borrowing Library) throws -> Void = { try $0.add("0.jpg", 0) }
    ) throws {
      let library = try Library()
      try prepare(library)
      interruption = try NeverInterrupted()
      self.excludes = excludes
      var times = WatchTimes()
      times.quiet = .milliseconds(20)
      times.longestWait = .milliseconds(200)
      times.lookInterval = .milliseconds(20)
      watch = LibraryWatch(folders: [library.photos], excludes: excludes, times: times)
      self.library = library
    }

    /// Runs the scans that are due until exactly these photos are located.
    mutating func scan(until located: [String]) throws {
      repeat { try scan() } while library.located != located
    }

    /// Waits for the next scan and runs it. A closure is called between the scan and the watching
    /// of the folders that it found.
    mutating func scan(
      meanwhile: (borrowing Library) throws -> Void = { _ in }
    ) throws {
      let scan = try #require(try watch.next(orUntil: interruption.descriptor))
      let report = try library.scan(scan.folders, settings: .init(excludes: excludes))
      try meanwhile(library)
      notices += watch.didScan(report)
    }
  }

  @Suite(.timeLimit(.minutes(30))) struct LibraryWatchTests {
    /// A mount causes no event.
    @Test(.enabled(if: mayMount("tmpfs"), "file systems cannot be mounted"))
    func `a disk that is mounted below a watched folder is found, and watched again`() throws {
      var watched = try WatchedLibrary()
      try watched.scan(until: ["0.jpg"])
      let place = watched.library.photos.appending("disk")
      try watched.library.folder.createFolder(place)
      for name in ["1.jpg", "2.jpg"] {
        try #require(mount("tmpfs", place.string, "tmpfs", 0, nil) == 0)
        defer { umount2(place.string, CInt(MNT_DETACH)) }
        try watched.library.add("disk/\(name)", 1)
        try watched.scan(until: ["0.jpg", "disk/\(name)"])
        try watched.library.add("disk/later-\(name)", 1)
        try watched.scan(until: ["0.jpg", "disk/\(name)", "disk/later-\(name)"])
        watched.library.folder.remove(place.appending(name))
        watched.library.folder.remove(place.appending("later-\(name)"))
        try watched.scan(until: ["0.jpg"])
      }
    }

    @Test func `added, changed, moved and deleted photos are found by watching`() throws {
      var watched = try WatchedLibrary()
      try watched.scan(until: ["0.jpg"])
      try watched.library.add("1.jpg", 1)
      try watched.scan(until: ["0.jpg", "1.jpg"])
      try watched.library.add("deep/er/and/deeper/2.jpg", 2)
      try watched.scan(until: ["0.jpg", "1.jpg", "deep/er/and/deeper/2.jpg"])
      // In a folder that was made while watched, then in the same folder elsewhere.
      try watched.library.add("deep/er/3.jpg", 3)
      try watched.scan(until: ["0.jpg", "1.jpg", "deep/er/3.jpg", "deep/er/and/deeper/2.jpg"])
      let photos = watched.library.photos
      try watched.library.folder.move(photos.appending("deep"), to: photos.appending("a"))
      try watched.scan(until: ["0.jpg", "1.jpg", "a/er/3.jpg", "a/er/and/deeper/2.jpg"])
      try watched.library.add("a/er/4.jpg", 4)
      watched.library.folder.remove(photos.appending("a/er/and"))
      try watched.scan(until: ["0.jpg", "1.jpg", "a/er/3.jpg", "a/er/4.jpg"])
      watched.library.folder.remove(photos.appending("a"))
      watched.library.folder.remove(photos.appending("1.jpg"))
      try watched.scan(until: ["0.jpg"])
      try watched.library.add("0.jpg", 9, modified: 1_700_000_001)
      let moved = watched.library.index.photo(at: 0).coordinate
      repeat { try watched.scan() } while watched.library.index.photo(at: 0).coordinate == moved
      #expect(watched.notices.isEmpty)
    }

    @Test func `files added to a new folder before it is watched are found`() throws {
      var watched = try WatchedLibrary()
      try watched.scan(until: ["0.jpg"])
      try watched.library.add("new/1.jpg", 1)
      repeat {
        // The folder is not watched while it is new.
        try watched.scan { try $0.add("new/2.jpg", 2) }
      } while !watched.library.located.contains("new/1.jpg")
      try watched.scan(until: ["0.jpg", "new/1.jpg", "new/2.jpg"])
    }

    @Test func `a folder that replaces a moved one is watched`() throws {
      var watched = try WatchedLibrary {
        try $0.add("0.jpg", 0)
        try $0.add("album/sub/1.jpg", 1)
      }
      try watched.scan(until: ["0.jpg", "album/sub/1.jpg"])
      let photos = watched.library.photos
      try watched.library.folder.move(photos.appending("album"), to: photos.appending("old"))
      try watched.library.add("album/sub/2.jpg", 2)
      try watched.scan(until: ["0.jpg", "album/sub/2.jpg", "old/sub/1.jpg"])
      try watched.library.add("album/sub/3.jpg", 3)
      try watched.library.add("old/sub/4.jpg", 4)
      try watched.scan(
        until: ["0.jpg", "album/sub/2.jpg", "album/sub/3.jpg", "old/sub/1.jpg", "old/sub/4.jpg"])
    }

    @Test func `a root's absence and return are reported once each, and it is watched again`()
      throws
    {
      var watched = try WatchedLibrary()
      try watched.scan(until: ["0.jpg"])
      let (photos, away) = (watched.library.photos, watched.library.folder.path("away"))
      try watched.library.folder.move(photos, to: away)
      while watched.notices.isEmpty { try watched.scan() }
      #expect(watched.notices == [.away(photos)])
      #expect(watched.library.index.roots.map(\.isStale) == [true])
      #expect(watched.library.located == ["0.jpg"])
      // Events in the new location are not relevant.
      try watched.library.add(away.appending("1.jpg"), 1)
      try watched.library.folder.move(away, to: photos)
      try watched.scan(until: ["0.jpg", "1.jpg"])
      #expect(watched.notices == [.away(photos), .back(photos)])
      try watched.library.add("2.jpg", 2)
      try watched.scan(until: ["0.jpg", "1.jpg", "2.jpg"])
      #expect(watched.notices.count == 2)
    }

    @Test func `renaming a folder above a root is reported as the root's absence`() throws {
      let above = TemporaryFolder()
      let photos = above.path("above/photos")
      try above.write(photoContent(1), to: photos.appending("a.jpg"))
      var watched = try WatchedLibrary()
      var times = WatchTimes()
      (times.quiet, times.lookInterval) = (.milliseconds(20), .milliseconds(20))
      watched.watch = LibraryWatch(folders: [photos], times: times)
      try watched.scan()
      try above.move(above.path("above"), to: above.path("renamed"))
      while watched.notices.isEmpty { try watched.scan() }
      #expect(watched.notices == [.away(photos)])
    }

    @Test func `an overflow of the event queue leads to a full scan`() throws {
      let setting = try FileDescriptor.open("/proc/sys/fs/inotify/max_queued_events", .readOnly)
      let text = try setting.closeAfter {
        try String(unsafeUninitializedCapacity: 32) {
          try setting.read(into: UnsafeMutableRawBufferPointer($0))
        }
      }
      let length = try #require(Int(text.filter(\.isNumber)))
      try #require(length < 1 << 20)
      var watched = try WatchedLibrary {
        try $0.add("0.jpg", 0)
        try $0.add("1.jpg", 1)
      }
      try watched.scan(until: ["0.jpg", "1.jpg"])
      // Two alternating files, since repeated identical events are merged.
      for number in 0...length {
        try watched.library.folder.setModified(
          watched.library.photos.appending("\(number % 2).jpg"), seconds: 1_700_000_000 + number)
      }
      try watched.library.add("2.jpg", 2)
      try watched.scan(until: ["0.jpg", "1.jpg", "2.jpg"])
      #expect(watched.notices == [.eventsLost])
    }

    @Test func `an interruption ends the wait`() throws {
      var watched = try WatchedLibrary()
      try watched.scan()
      let (reading, writing) = try FileDescriptor.pipe()
      defer {
        try? reading.close()
        try? writing.close()
      }
      try writing.writeAll([1])
      #expect(try watched.watch.next(orUntil: reading) == nil)
    }
  }

  @Suite struct FolderWatchesTests {
    private let folder = TemporaryFolder()

    private func paths(_ names: String...) throws -> [[UInt8]] {
      for name in names { try folder.createFolder(folder.root.pushing(FilePath(name))) }
      return names.map { folder.root.pushing(FilePath($0)).lexicallyNormalized().bytes }
    }

    @Test func `changes in a followed folder are reported, and new folders are flagged`() throws {
      var watches = try FolderWatches(excludes: [])
      let first = try paths(".", "a")
      #expect(watches.follow(first, of: folder.root).hasNewFolders)
      #expect(!watches.follow(first, of: folder.root).hasNewFolders)
      #expect(try watches.takeChanges().isEmpty)
      try folder.write("x", to: "a/1.jpg")
      #expect(try watches.takeChanges().roots == [folder.root])
      #expect(try watches.takeChanges().isEmpty)
      let both = try paths(".", "a", "b")
      _ = try watches.takeChanges()
      #expect(watches.follow(both, of: folder.root).hasNewFolders)
      _ = watches.follow(try paths(".", "b"), of: folder.root)
      _ = try watches.takeChanges()
      try folder.write("x", to: "a/2.jpg")
      #expect(try watches.takeChanges().isEmpty)
      try folder.write("x", to: "b/2.jpg")
      #expect(try watches.takeChanges().roots == [folder.root])
    }

    @Test func `a change is reported for its tree, and for both trees that share the folder`()
      throws
    {
      var watches = try FolderWatches(excludes: [])
      let (one, two) = (folder.path("one"), folder.path("two"))
      let shared = try paths("one", "one/shared", "two")
      _ = watches.follow([shared[0], shared[1]], of: one)
      _ = watches.follow([shared[2], shared[1]], of: two)
      _ = try watches.takeChanges()
      try folder.write("x", to: "one/a.jpg")
      #expect(try watches.takeChanges().roots == [one])
      try folder.write("x", to: "two/a.jpg")
      #expect(try watches.takeChanges().roots == [two])
      try folder.write("x", to: "one/shared/a.jpg")
      #expect(try watches.takeChanges().roots == [one, two])
      // One tree gives it up, the other keeps it.
      _ = watches.follow([shared[0]], of: one)
      _ = try watches.takeChanges()
      try folder.write("y", to: "one/shared/a.jpg")
      #expect(try watches.takeChanges().roots == [two])
    }

    @Test func `reading, and writing files that are not photos, reports no tree`() throws {
      var watches = try FolderWatches(excludes: ["thumb_*"])
      try folder.write("x", to: "a.jpg")
      _ = watches.follow(try paths("."), of: folder.root)
      _ = try folder.contents(of: folder.path("a.jpg"))
      _ = FolderListing(
        path: folder.root.bytes, followsLink: true, needsStatus: true,
        excludes: ExcludePatterns([], root: folder.root.bytes))
      #expect(try watches.takeChanges().isEmpty)
      for name in ["notes.txt", ".a.jpg.tmp", "thumb_1.jpg"] { try folder.write("x", to: name) }
      let changes = try watches.takeChanges()
      #expect(changes.roots.isEmpty && !changes.isEmpty)
      try folder.move(folder.path(".a.jpg.tmp"), to: folder.path("a.jpg"))
      #expect(try watches.takeChanges().roots == [folder.root])
    }
  }
#endif
