import CLibrary
import CivilTime
import PhotoLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct PhotoIndexCacheTests {
  private let now = Instant(secondsSince1970: 1_800_000_000)

  /// A library with a photo of every kind, scanned.
  private func library() throws -> Library {
    var library = try Library()
    let gps =
      ExifBlock.position(latitude: -33.8568, longitude: 151.2153) + [
        .init(6, .rationals([(123, 10)])), .init(0x11, .rationals([(2705, 10)])),
        .init(0x10, .ascii("M")), .init(0x1F, .rationals([(47, 10)])),
      ]
    let full = ExifBlock(
      image: [
        .init(0x10F, .ascii("Maker")), .init(0x110, .ascii("é \"x\"")), .init(0x4746, .shorts([5])),
      ],
      exif: [.init(0x9003, .ascii("2024:04:13 20:34:30")), .init(0x9011, .ascii("-03:30"))],
      gps: gps)
    try library.folder.write(JPEGFile(full).bytes, to: library.photos.appending("full.jpg"))
    let bare = ExifBlock(gps: ExifBlock.position(latitude: 1e-7, longitude: -180))
    try library.folder.write(JPEGFile(bare).bytes, to: library.photos.appending("sub/bare.jpg"))
    try library.folder.write(photoWithoutPosition, to: library.photos.appending("none.jpg"))
    try library.folder.write("text", to: library.photos.appending("bad.jpg"))
    try library.folder.write("text", to: library.photos.appending("README"))
    try library.scan()
    return library
  }

  @Test func `an index round-trips byte for byte`() throws {
    let library = try library()
    let cache = PhotoIndexCache(path: library.folder.path("index.json"))
    try cache.save(library.index)
    let loaded = try #require(try cache.load())
    #expect(loaded.allPhotos == library.index.allPhotos)
    #expect(loaded.roots == library.index.roots)
    #expect(loaded.updated == library.index.updated)
    #expect(loaded.fileCount == 5)
    let again = PhotoIndexCache(path: library.folder.path("again.json"))
    try again.save(loaded)
    let (first, second) = (
      try library.folder.contents(of: cache.path), try library.folder.contents(of: again.path)
    )
    #expect(first == second)
    #expect(
      first.starts(with: Array(#"{"format":"photospots-index","version":3,"generator":"#.utf8)))
  }

  @Test func `an index larger than the read buffer round-trips`() throws {
    let place = try #require(Coordinate(latitude: 47.377072222222225, longitude: -8.5))
    let rows = (0..<8000).map { number in
      PhotoRow(
        name: "\(number % 50 == 0 ? "é\"\u{7F}" : "IMG")_\(number).JPG", coordinate: place,
        captured: number % 7 == 0 ? nil : Instant(secondsSince1970: Int64(number) * 99_991),
        rating: number % 3 == 0 ? nil : number % 7 - 1)
    }
    let index = try index(of: rows)
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(index)
    let loaded = try #require(try cache.load())
    #expect(loaded.allPhotos == index.allPhotos)
    let sorted = rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for (photo, row) in zip(loaded.allPhotos, sorted) {
      #expect(photo.path.string.hasSuffix("/" + row.name))
      #expect(photo.captured?.instant == row.captured && photo.rating == row.rating)
      #expect(photo.coordinate == place)
    }
  }

  @Test func `an index loaded for queries has the same photos, spots and roots`() throws {
    let saved = try library()
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(saved.index)
    let asked = try #require(try cache.loadForQuestions())
    #expect(asked.allPhotos == saved.index.allPhotos && asked.fileCount == saved.index.fileCount)
    #expect(asked.spots(clusterRadius: 15) == saved.index.spots(clusterRadius: 15))
    #expect(asked.roots == saved.index.roots && asked.shotCount == saved.index.shotCount)
    // One of an earlier program, without shots.
    let place = try #require(Coordinate(latitude: 1, longitude: 2))
    let rows = ["1.JPG", "1.NEF"].map { PhotoRow(name: $0, coordinate: place) }
    try folder.write(indexText(of: rows, folder: "/photos"), to: cache.path)
    #expect(try cache.loadForQuestions()?.shotCount == 1)
  }

  @Test func `each save changes the index's stamp, and loading does not`() throws {
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    #expect(cache.stamp() == nil)
    var last: PhotoIndexCache.Stamp?
    for _ in 1...20 {
      try cache.save(PhotoIndex())
      let stamp = try #require(cache.stamp())
      #expect(stamp != last)
      _ = try cache.load()
      #expect(cache.stamp() == stamp)
      last = stamp
    }
  }

  @Test func `an empty index round-trips, and a missing file is nil`() throws {
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    #expect(try isMissing(cache))
    try cache.save(PhotoIndex())
    let loaded = try #require(try cache.load())
    #expect(loaded.fileCount == 0 && loaded.roots.isEmpty && loaded.updated == nil)
  }

  private func isMissing(_ cache: PhotoIndexCache) throws -> Bool {
    if case .none = try cache.load() { true } else { false }
  }

  /// Whether a text is a damaged index, read for whatever purpose.
  private func isDamaged(_ text: some Sequence<UInt8>) throws -> Bool {
    let folder = TemporaryFolder()
    try folder.write(text, to: "index.json")
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    let isDamaged = try isDamaged { () throws(PhotoIndexCacheError) in try cache.load() }
    #expect(
      try self.isDamaged { () throws(PhotoIndexCacheError) in try cache.loadForQuestions() }
        == isDamaged)
    return isDamaged
  }

  private func isDamaged(
    _ load: () throws(PhotoIndexCacheError) -> PhotoIndex?
  ) throws -> Bool {
    do throws(PhotoIndexCacheError) {
      _ = try load()
      return false
    } catch {
      guard case .damaged(_, let reason) = error else { throw error }
      #expect(!reason.isEmpty)
      return true
    }
  }

  @Test func `a truncated index is damaged`() throws {
    let library = try library()
    let cache = PhotoIndexCache(path: library.folder.path("index.json"))
    try cache.save(library.index)
    let text = try library.folder.contents(of: cache.path)
    // The line feed at its end alone may be missing.
    for length in stride(from: 0, to: text.count - 1, by: Effort.isThorough ? 1 : 7) {
      #expect(try isDamaged(text[..<length]), "\(length) of \(text.count) bytes")
    }
  }

  @Test(arguments: [41, 42] as [UInt64])
  func `a corrupt index is rejected or remains usable`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    let saved = try library()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(saved.index)
    let text = try folder.contents(of: cache.path)
    let pieces = [
      "-1", "99999999999", "null", "1e9", "\"\"", "[]", "{}", "9223372036854775807", "0",
    ]
    for round in 0..<Effort.scaled(400) {
      var damaged = text
      if round % 2 == 0 {
        damaged = Damage.apply(to: text, using: &generator)
      } else if let place = text.indices.filter({ (0x30...0x39).contains(text[$0]) })
        .randomElement(using: &generator)
      {
        // Another value in the place of a number, which keeps it JSON.
        let end = text[place...].firstIndex { !(0x30...0x39).contains($0) } ?? place
        damaged.replaceSubrange(
          place..<end, with: (pieces.randomElement(using: &generator) ?? "").utf8)
      }
      try folder.write(damaged, to: cache.path)
      let loaded: PhotoIndex?
      do throws(PhotoIndexCacheError) {
        loaded = try cache.load()
      } catch {
        switch error {
        case .damaged, .newer, .foreign: break
        default: throw error
        }
        #expect(throws: PhotoIndexCacheError.self, "seed \(seed), round \(round)") {
          try cache.loadForQuestions()
        }
        continue
      }
      guard let loaded else { continue }
      let asked = try #require(try cache.loadForQuestions())
      #expect(asked.allPhotos == loaded.allPhotos, "seed \(seed), round \(round)")
      #expect(loaded.allPhotos.count == loaded.photoCount, "seed \(seed), round \(round)")
      #expect(loaded.spots(clusterRadius: 15).reduce(0) { $0 + $1.photoCount } == loaded.photoCount)
      let (next, _) = try PhotoIndexer().update(loaded, with: [saved.photos], now: now)
      #expect(next.photoCount >= 2, "seed \(seed), round \(round)")
    }
  }

  @Test(arguments: [
    "", "{\"format\":\"photospots-index\"}", "{\"format\":\"photospots-index\",\"version\":0}",
    "{\"format\":\"photospots-index\",\"version\":\"1\"}",
    "{\"format\":\"photospots-index\",\"version\":1}", "{\"form",
    #"{"format":"photospots-index","version":1,"roots":[{}]}"#,
    String(repeating: "\u{0}", count: 600),
  ])
  func `a file that begins as an index but is invalid is damaged`(text: String) throws {
    #expect(try isDamaged(text.utf8))
  }

  @Test(arguments: [
    "{}", "[]", "null", "{\"format\":\"other\",\"version\":1}", "\u{0}1", "not JSON",
    "\u{FF}\u{D8}",
  ])
  func `a file of another format is rejected and left unchanged`(text: String) throws {
    let folder = TemporaryFolder()
    try folder.write(text, to: "mine.json")
    let cache = PhotoIndexCache(path: folder.path("mine.json"))
    let foreign = PhotoIndexCacheError.foreign(cache.path)
    #expect(throws: foreign) { _ = try cache.load() }
    #expect(throws: foreign) { _ = try cache.loadForQuestions() }
    #expect(throws: foreign) { _ = try cache.lock() }
    #expect(throws: foreign) { try cache.save(PhotoIndex()) }
    #expect(throws: foreign) { _ = try cache.setDamagedFileAside(at: now) }
    #expect(Corpus.paths(under: folder.root) == [cache.path])
    #expect(try folder.contents(of: cache.path) == Array(text.utf8))
  }

  @Test(arguments: [".new", ".lock"])
  func `a foreign temporary or lock file beside the index is left unchanged`(ending: String) throws
  {
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(PhotoIndex())
    try folder.write("mine", to: "index.json" + ending)
    #expect(throws: PhotoIndexCacheError.foreign(folder.path("index.json" + ending))) {
      if ending == ".new" { try cache.save(PhotoIndex()) } else { _ = try cache.lock() }
    }
    #expect(try folder.contents(of: folder.path("index.json" + ending)) == Array("mine".utf8))
    #expect(try cache.load() != nil)
  }

  @Test func `an index with reordered members is valid`() throws {
    let folder = TemporaryFolder()
    let text = #"""
      {"cameras":[],"folders":[],"files":{"folder":[],"name":[],"size":[],"modified":[],"inode":[],
      "outcome":[]},"photos":{"file":[],"latitude":[],"longitude":[],"altitude":[],
      "horizontalAccuracy":[],"heading":[],"magnetic":[],"captured":[],"utcOffset":[],"camera":[],
      "rating":[],"favorite":[],"source":[]},"outcomes":[],"roots":[],"version":1,
      "format":"photospots-index"}
      """#
    try folder.write(text, to: "index.json")
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    do { _ = try cache.lock() }
    let index = try #require(try cache.load())
    try cache.save(index)
    #expect(try folder.contents(of: cache.path).starts(with: #"{"format":"#.utf8))
  }

  @Test func `an index that is a symbolic link is written and locked at its target`() throws {
    let folder = TemporaryFolder()
    let (file, link) = (folder.path("store/index.json"), folder.path("link.json"))
    try folder.createFolder(folder.path("store"))
    try folder.link(link, to: file)
    let (cache, other) = (PhotoIndexCache(path: link), PhotoIndexCache(path: file))
    try cache.save(PhotoIndex())
    #expect(try other.load() != nil)
    do {
      let lock = try cache.lock()
      #expect(throws: PhotoIndexCacheError.locked(file)) { _ = try other.lock() }
      _ = consume lock
    }
    try folder.write("{\"format\":\"photospots-index\"", to: file)
    #expect(try cache.setDamagedFileAside(at: now).removingLastComponent() == folder.path("store"))
    try cache.save(PhotoIndex())
    #expect(try other.load() != nil)
  }

  @Test func `rows with invalid references or values are damage`() throws {
    let place = try #require(Coordinate(latitude: 1, longitude: 2))
    let rows = [PhotoRow(name: "a", coordinate: place, captured: now, rating: 1)]
    let good = String(decoding: indexText(of: rows, folder: "/photos"), as: UTF8.self)
    #expect(try !isDamaged(good.utf8))
    for (old, new) in [
      (#""outcome":[0]"#, #""outcome":[1]"#), (#""outcome":[0]"#, #""outcome":[-1]"#),
      (#""folder":[0]"#, #""folder":[1]"#), (#""file":[0]"#, #""file":[1]"#),
      (#""file":[0]"#, #""file":[null]"#), (#""file":[0]"#, #""file":[0,0]"#),
      (#""latitude":[1]"#, #""latitude":[91]"#), (#""latitude":[1]"#, #""latitude":[null]"#),
      (#""camera":[null]"#, #""camera":[0]"#), (#""rating":[1]"#, #""rating":[6]"#),
      (#""utcOffset":[null]"#, #""utcOffset":[5000]"#), (#"["located"]"#, #"["lost"]"#),
      (#"["located"]"#, #"["no position"]"#), (#"["located"]"#, #"["located","located"]"#),
      (#""source":["EXIF"]"#, #""source":["x"]"#), (#""source":["EXIF"]"#, #""source":[]"#),
      (#""name":["a"]"#, #""name":[]"#), (#""favorite":[false]"#, #""favorite":[0]"#),
      (#"["/photos"]"#, #"["photos"]"#), (#"["/photos"]"#, #"[""]"#),
      (#""size":[0]"#, #""size":[]"#), (#""size":[0]"#, #""size":[0,1]"#),
      (#""size":[0]"#, #""size":[1.5]"#), (#""size":[0]"#, #""other":[0]"#),
      (#""modified":[0]"#, #""modified":[null]"#), (#""modified":[0]"#, #""modified":[01]"#),
      (#""inode":[0]"#, #""inode":["0"]"#), (#""inode":[0]"#, #""inode":[9223372036854775808]"#),
      (#""inode":[0]"#, #""inode":[0],"sidecars":[]"#),
      (#""cameras":[]"#, #""cameras":[],"reread":[[1]]"#),
      (#""cameras":[]"#, #""cameras":[],"reread":[[-1,1]]"#),
      (#""cameras":[]"#, #""cameras":[],"reread":[[0,1],[1,2]]"#),
      (#""cameras":[]"#, #""cameras":[],"reread":[[3,2]]"#),
      (#""cameras":[]"#, #""cameras":[],"reread":[[0,99999999999]]"#),
    ] {
      #expect(good.contains(old))
      #expect(try isDamaged(good.replacing(old, with: new).utf8), "\(new)")
    }
  }

  @Test func `rejects a newer index, and the error names both versions`() throws {
    let text = #"{"format":"photospots-index","version":4,"photos":"all different"}"#
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try folder.write(text, to: cache.path)
    #expect(throws: PhotoIndexCacheError.newer(cache.path, version: 4)) { _ = try cache.load() }
    let message = PhotoIndexCacheError.newer(cache.path, version: 4).description
    #expect(message.contains("version 4") && message.contains("version 3"))
  }

  @Test func `a damaged file is set aside unchanged`() throws {
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    let text = "{\"format\":\"photospots-index\",\"vers"
    try folder.write(text, to: cache.path)
    let aside = try cache.setDamagedFileAside(at: now)
    #expect(aside == folder.path("index.json.damaged-20270115T080000000"))
    let kept = try folder.contents(of: aside)
    #expect(kept == Array(text.utf8))
    #expect(try isMissing(cache))
  }

  @Test func `a folder, FIFO or device in place of the index cannot be read`() throws {
    let folder = TemporaryFolder()
    try folder.createFolder(folder.path("folder"))
    try folder.createFIFO(folder.path("fifo"))
    for path in [folder.path("folder"), folder.path("fifo"), "/dev/zero"] {
      #expect {
        _ = try PhotoIndexCache(path: path).load()
      } throws: { error in
        guard case .unreadable(path, _) = error as? PhotoIndexCacheError else { return false }
        return true
      }
    }
  }

  @Test func `only one writer at a time holds the lock`() throws {
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("new/folders/index.json"))
    do {
      let lock = try cache.lock()
      #expect(throws: PhotoIndexCacheError.locked(cache.path)) { _ = try cache.lock() }
      _ = consume lock
    }
    do { _ = try cache.lock() }
    try cache.save(PhotoIndex())
  }
}

@Suite struct FullDiskTests {
  @Test(.enabled(if: mayMount("tmpfs"), "no file system may be mounted here"))
  func `a full disk leaves the old index`() throws {
    let folder = TemporaryFolder()
    let disk = folder.path("disk")
    try folder.createFolder(disk)
    try #require(mount("tmpfs", disk.string, "tmpfs", 0, "size=64k") == 0)
    defer { umount(disk.string) }
    let cache = PhotoIndexCache(path: disk.appending("index.json"))
    let place = try #require(Coordinate(latitude: 1, longitude: 2))
    func rows(_ count: Int) -> [PhotoRow] {
      (0..<count).map {
        PhotoRow(name: String(repeating: "x", count: 100) + "\($0)", coordinate: place)
      }
    }
    try cache.save(index(of: rows(10)))
    #expect(throws: PhotoIndexCacheError.unwritable(cache.path, .noSpace)) {
      try cache.save(index(of: rows(2000)))
    }
    #expect(try cache.load()?.photoCount == 10)
    #expect(Corpus.paths(under: disk) == [cache.path])
  }
}
