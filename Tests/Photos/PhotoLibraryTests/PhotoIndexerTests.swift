import CLibrary
import CivilTime
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite struct PhotoIndexerTests {
  @Test func `photos are found by content, in nested folders and with any extension`()
    throws
  {
    var library = try Library()
    for (number, name) in [
      "a.jpg", "B.JPG", "c.JpEg", "noextension", "2024/d.jpg", "2024/04/deep/er/e.jpe",
      "folder.jpg/f.jpg", "two.dots.jpg", "x.thm",
    ].enumerated() {
      try library.add(name, number)
    }
    for name in ["layers.xcf", "notes.txt", ".hidden.jpg", ".hidden/g.jpg", "trailing.", "a.jpgx"] {
      try library.add(name, 99)
    }
    try library.folder.write("plain text", to: library.photos.appending("README"))
    try library.folder.write(photoWithoutPosition, to: library.photos.appending("indoors.jpg"))
    let report = try library.scan()
    #expect(
      library.located == [
        "B.JPG", "a.jpg", "c.JpEg", "noextension", "two.dots.jpg", "x.thm", "2024/d.jpg",
        "2024/04/deep/er/e.jpe", "folder.jpg/f.jpg",
      ])
    #expect(report.outcomes == ["scanned": 10, "located": 9, "without": 1])
    #expect(report.changes == ["new": 10, "read": 11])
    #expect(report.problems.isEmpty)
    #expect(library.index.fileCount == 11)
    #expect(library.index.roots.map(\.path) == [library.photos])
  }

  @Test func `FIFOs and symbolic links are not followed`() throws {
    var library = try Library()
    try library.add("a.jpg")
    try library.folder.write(photoContent(), to: library.folder.path("outside.jpg"))
    try library.folder.createFIFO(library.photos.appending("fifo.jpg"))
    try library.folder.link(library.photos.appending("loop"), to: library.photos)
    try library.folder.link(library.photos.appending("self.jpg"), to: FilePath("self.jpg"))
    try library.folder.link(library.photos.appending("dangling.jpg"), to: FilePath("nowhere"))
    try library.folder.link(
      library.photos.appending("link.jpg"), to: library.folder.path("outside.jpg"))
    let report = try library.scan()
    #expect(library.located == ["a.jpg"])
    #expect(report.outcomes == ["scanned": 1, "located": 1])
    #expect(report.problems.isEmpty)
  }

  @Test func `the scanned folder itself may be a symbolic link`() throws {
    var library = try Library()
    try library.add("a.jpg")
    let link = library.folder.path("link")
    try library.folder.link(link, to: library.photos)
    try library.scan([link])
    #expect(library.index.allPhotos.map(\.path) == [link.appending("a.jpg")])
  }

  @Test func `malformed photos are reported with the reason, and the scan continues`() throws {
    var library = try Library()
    try library.add("good.jpg")
    try library.folder.write([], to: library.photos.appending("zero.jpg"))
    try library.folder.write(
      photoContent().prefix(60), to: library.photos.appending("cut.jpg"))
    try library.folder.write("text", to: library.photos.appending("text.jpg"))
    try library.folder.write([], to: library.photos.appending("zero"))
    let report = try library.scan()
    #expect(report.outcomes == ["scanned": 4, "located": 1, "malformed": 3])
    #expect(report.problems.allSatisfy { !$0.isUnreadable })
    #expect(
      report.problems.map { "\($0.path.lastComponent?.string ?? ""): \($0.reason)" } == [
        "cut.jpg: the EXIF block is cut off or damaged",
        "text.jpg: the content is in no known format", "zero.jpg: the file is empty",
      ])
    #expect(try library.scan().outcomes == report.outcomes)
  }

  @Test func `an unreadable folder is reported and its photos are kept`() throws {
    var library = try Library()
    try library.add("a.jpg")
    let long = (0..<12).map { _ in String(repeating: "x", count: 200) }.joined(separator: "/")
    let deep = library.photos.appending("deep").appending(long)
    try library.folder.createFolder(deep)
    let inner = library.folder.path("inner")
    try library.add(inner.appending(long).appending("b.jpg"), 2)
    try library.add(inner.appending("c.jpg"), 3)
    // The path is too long to be opened: permissions are no obstacle if the tests run as root.
    try library.folder.move(inner, to: deep.appending("inner"))
    let report = try library.scan()
    try library.folder.move(deep.appending("inner"), to: inner)
    #expect(report.outcomes == ["scanned": 2, "located": 2, "unreadable": 1])
    #expect(report.problems.map(\.isUnreadable) == [true])
    #expect(library.index.photoCount == 2)
    #expect(library.index.roots[0].unread == report.problems.map(\.path))
    let folder = library.photos.appending("deep")
    try library.scan([folder])
    #expect(library.index.roots[0].unread.isEmpty)
  }

  @Test func `a rescan of an unchanged folder opens no file`() throws {
    var library = try Library()
    for number in 0..<20 { try library.add("\(number % 3)/\(number).jpg", number) }
    try library.folder.write([], to: library.photos.appending("zero.jpg"))
    try library.folder.write("text", to: library.photos.appending("README"))
    try library.scan()
    let before = library.index.allPhotos
    let report = try library.scan()
    #expect(report.changes == [:])
    #expect(report.bytesRead == 0)
    #expect(report.outcomes == ["scanned": 21, "located": 20, "malformed": 1])
    #expect(library.index.allPhotos == before)
  }

  @Test func `new, changed, moved and removed files are distinguished`() throws {
    var library = try Library()
    for number in 0..<6 {
      try library.add("\(number).jpg", number, modified: 1_700_000_000 + number)
    }
    try library.scan()
    try library.add("new.jpg", 10)
    try library.add("0.jpg", 20, modified: 1_700_000_100)  // as long as before
    try library.folder.write(photoContent(21) + [0], to: library.photos.appending("1.jpg"))
    try library.folder.setModified(library.photos.appending("1.jpg"), seconds: 1_700_000_001)
    library.folder.remove(library.photos.appending("2.jpg"))
    try library.folder.createFolder(library.photos.appending("sub"))
    try library.folder.move(
      library.photos.appending("3.jpg"), to: library.photos.appending("sub/3.jpg"))
    try library.folder.move(
      library.photos.appending("4.jpg"), to: library.photos.appending("renamed.jpg"))
    let report = try library.scan()
    #expect(report.changes == ["new": 1, "changed": 2, "moved": 2, "removed": 1, "read": 3])
    #expect(library.located == ["0.jpg", "1.jpg", "5.jpg", "new.jpg", "renamed.jpg", "sub/3.jpg"])
    let latitudes = library.index.allPhotos.map { ($0.coordinate.latitude * 1000).rounded() }
    #expect(latitudes == [10_020, 10_021, 10_005, 10_010, 10_004, 10_003])
  }

  @Test func `the photos of a moved folder are not read again`() throws {
    var library = try Library()
    for number in 0..<5 { try library.add("old/\(number).jpg", number, modified: number + 1) }
    try library.scan()
    try library.folder.move(library.photos.appending("old"), to: library.photos.appending("new"))
    #expect(try library.scan().changes == ["moved": 5])
    #expect(library.located == (0..<5).map { "new/\($0).jpg" })
  }

  @Test func `a file moved to another disk and then renamed is recognised`() throws {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.scan()
    // A copy with the same name, size and time, as mv leaves it on another file system.
    try library.add("copy/a.jpg", 1)
    library.folder.remove(library.photos.appending("a.jpg"))
    // Name, size and time may be those of another photo, so it is read.
    #expect(try library.scan().changes == ["moved": 1, "read": 1])
    try library.folder.move(
      library.photos.appending("copy/a.jpg"), to: library.photos.appending("b.jpg"))
    #expect(try library.scan().changes == ["moved": 1])
  }

  @Test func `files that are not photos are not counted as new or removed`() throws {
    var library = try Library()
    try library.add("a.jpg")
    try library.folder.write("text", to: library.photos.appending("README"))
    #expect(try library.scan().changes == ["new": 1, "read": 2])
    try library.folder.move(
      library.photos.appending("README"), to: library.photos.appending("LICENSE"))
    #expect(try library.scan().changes == [:])
    library.folder.remove(library.photos.appending("LICENSE"))
    #expect(try library.scan().changes == [:])
    #expect(library.index.fileCount == 1)
  }

  @Test func `a moved photo is distinguished from a removed one of the same name by its inode`()
    throws
  {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.add("sub/a.jpg", 2)
    try library.scan()
    // The same name, size and time; only the inodes tell which is which.
    try library.folder.move(
      library.photos.appending("a.jpg"), to: library.photos.appending("b.jpg"))
    library.folder.remove(library.photos.appending("sub/a.jpg"))
    #expect(try library.scan().changes == ["moved": 1, "removed": 1])
    #expect(library.located == ["b.jpg"])
    #expect(library.index.photo(at: 0).coordinate.latitude == 10.001)
  }

  @Test func `all files are read again on a full scan and after the maximum age`() throws {
    var library = try Library()
    for number in 0..<4 { try library.add("\(number).jpg", number) }
    try library.scan()
    let first = library.index.roots[0].fullyRead
    #expect(first == library.now)
    let settings = PhotoIndexer.Settings(maximumAgeSeconds: 3600)
    #expect(try library.scan(settings: settings).filesRead == 0)
    #expect(library.index.roots[0].fullyRead == first)
    library.now = library.now.advanced(bySeconds: 3600)
    let aged = try library.scan(settings: settings)
    #expect(aged.changes == ["read": 4])
    #expect(library.index.roots[0].fullyRead == library.now)
    #expect(try library.scan(settings: settings).filesRead == 0)
    #expect(try library.scan(settings: .init(isFull: true)).changes == ["read": 4])
    #expect(library.index.roots[0].fullyRead == library.now)
  }

  @Test func `excluded names and paths are skipped`() throws {
    var library = try Library()
    for name in [
      "a.jpg", "thumb-1.jpg", "cache/b.jpg", "sub/cache/c.jpg", "sub/d.jpg", "sub/more/e.jpg",
      "sub/thumb-2.jpg", "more/f.jpg",
    ] {
      try library.add(name)
    }
    let settings = PhotoIndexer.Settings(excludes: ["thumb-*", "cache", "sub/more/"])
    let report = try library.scan(settings: settings)
    #expect(library.located == ["a.jpg", "more/f.jpg", "sub/d.jpg"])
    #expect(report.files.photos == 3)
    #expect(try library.scan().new == 5)
    #expect(try library.scan(settings: settings).removed == 5)
  }

  @Test func `an asterisk in an excluded path does not match a slash`() throws {
    var library = try Library()
    for name in ["a.jpg", "sub/b.jpg", "sub/more/c.jpg"] { try library.add(name) }
    try library.scan(settings: .init(excludes: ["sub/*.jpg", "/*/more/d*"]))
    #expect(library.located == ["a.jpg", "sub/more/c.jpg"])
  }

  @Test func `of two copies of a removed file, one counts as moved and one as new`() throws {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.scan()
    try library.add("one/a.jpg", 1)
    try library.add("two/a.jpg", 1)
    library.folder.remove(library.photos.appending("a.jpg"))
    #expect(try library.scan().changes == ["moved": 1, "new": 1, "read": 2])
    #expect(library.located == ["one/a.jpg", "two/a.jpg"])
  }

  @Test func `the number of threads does not affect the result`() throws {
    var library = try Library()
    for number in 0..<60 { try library.add("\(number % 7)/\(number % 5)/\(number).jpg", number) }
    try library.scan(settings: .init(jobs: 1))
    let expected = library.index.allPhotos
    for jobs in [0, 2, 16, 500] {
      library.index = PhotoIndex()
      #expect(try library.scan(settings: .init(jobs: jobs)).filesRead == 60)
      #expect(library.index.allPhotos == expected)
    }
  }

  @Test func `the order of reading does not affect the result`() throws {
    var library = try Library()
    for number in 0..<60 { try library.add("\(number % 7)/\(number % 5)/\(number).jpg", number) }
    try library.scan(settings: .init(jobs: 1))
    for byInode in [false, true] {
      let (index, report) = try PhotoIndexer().update(
        PhotoIndex(), with: [library.photos], byInode: byInode, now: library.now,
        monitor: ScanMonitor())
      #expect(report.filesRead == 60)
      #expect(index.allPhotos == library.index.allPhotos)
    }
  }

  @Test func `files are read in inode order within a folder`() {
    let requests = [("b", 9), ("b", 3), ("a", 1), ("a", 7), ("c", 2)].map { folder, inode in
      FileReading.Request(
        folder: Array(folder.utf8), name: [], inode: inode, claimsToBePhoto: true, sidecars: [],
        sidecarStamp: 0)
    }
    #expect(FileReading.Request.orderByInode(requests) == [2, 3, 4, 1, 0])
    #expect(FileReading.Request.orderByInode([]).isEmpty)
  }

  #if os(Linux)
    @Test func `a spinning disk is recognised by its queue, also for a partition`() throws {
      let folder = TemporaryFolder()
      var status = stat()
      #expect(stat(folder.root.string, &status) == 0)
      // Numbers as small as they mostly are lie in two bytes.
      try #require(status.st_dev < 1 << 16)
      let number = "\(status.st_dev >> 8):\(status.st_dev & 0xFF)"
      #expect(!RotatingDisk.holds(folder.root, devices: folder.path("none")))
      for (answer, turns) in [("1\n", true), ("0\n", false)] {
        try folder.write(answer, to: "disks/\(number)/queue/rotational")
        #expect(RotatingDisk.holds(folder.root, devices: folder.path("disks")) == turns)
        // As in /sys: a link to the partition's folder in that of its disk.
        try folder.write(answer, to: "sda/queue/rotational")
        try folder.createFolder(folder.path("sda/sda1"))
        folder.remove(folder.path("parts"))
        try folder.createFolder(folder.path("parts"))
        try folder.link(folder.path("parts/\(number)"), to: folder.path("sda/sda1"))
        #expect(RotatingDisk.holds(folder.root, devices: folder.path("parts")) == turns)
      }
    }
  #endif

  @Test func `file names may hold any bytes`() throws {
    var library = try Library()
    let names: [[UInt8]] = [
      Array("new\nline.jpg".utf8), Array("\u{1B}[31mred.jpg".utf8),
      [0xFF, 0xFE] + Array(".jpg".utf8),
      Array("caf".utf8) + [0xE9] + Array(".JPG".utf8), Array("Zoë \"quoted\" \\ back.jpg".utf8),
      [0xC3, 0x28] + Array(".jpg".utf8), [0xED, 0xA0, 0x80] + Array(".jpg".utf8),
    ]
    for (number, name) in names.enumerated() {
      let path = library.folder.path(bytes: Array("photos/".utf8) + name)
      try library.add(path, number)
      let nested = library.folder.path(
        bytes: Array("photos/".utf8) + name + Array(".d/".utf8) + name)
      try library.add(nested, number)
    }
    try library.scan()
    #expect(library.index.photoCount == 2 * names.count)
    let cache = PhotoIndexCache(path: library.folder.path("index.json"))
    try cache.save(library.index)
    let loaded = try #require(try cache.load())
    #expect(loaded.allPhotos == library.index.allPhotos)
    for photo in loaded.allPhotos {
      try FileDescriptor.open(photo.path, .readOnly).close()
    }
    library.index = loaded
    #expect(try library.scan().changes == [:])
  }
}
