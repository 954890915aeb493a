import CivilTime
import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite struct RemoteIndexTests {
  private static let now = Instant(secondsSince1970: 1_800_000_000)

  private func server(_ text: String = "immich://photos.example") throws -> RemoteLibrary {
    try #require(RemoteLibrary(text))
  }

  /// An asset that lies and was taken where and when ``photoContent(_:)`` of a number is.
  private func record(
    _ id: String, _ number: Int = 1, name: String = "IMG_1.jpg", size: Int64? = nil,
    seconds: Double = 0, version: Int64 = 1, meters: Double = 0
  ) throws -> RemoteRecord {
    var properties = PhotoProperties()
    properties.coordinate = Coordinate(
      latitude: 10 + Double(number) / 1000 + meters / 111_195, longitude: 20)
    properties.positionSource = .server
    let local = try #require(Instant(iso8601: "2024-04-13T20:34:30Z"))
    // The file has no time zone, and the server knows one.
    properties.captured = CaptureTime(
      instant: local.advanced(bySeconds: seconds - 7200), utcOffsetMinutes: 120)
    return RemoteRecord(
      id: id, name: name, size: size ?? Int64(photoContent(number).count), version: version,
      properties: properties)
  }

  private func changes(
    _ records: [RemoteRecord], isWhole: Bool = true, removed: Set<String> = [],
    albums: [String: String]? = nil, of library: RemoteLibrary? = nil
  ) throws -> RemoteChanges {
    RemoteChanges(
      of: try library ?? server(), isWhole: isWhole, records: records, removed: removed,
      albums: albums, anchor: "anchor")
  }

  private func shown(_ index: PhotoIndex) -> [String] {
    index.allPhotos.map { String(decoding: $0.path.shown, as: UTF8.self) }
  }

  @Test func `an address gives the program, host and use of TLS, and rejects keys and paths`()
    throws
  {
    let library = try server("immich+http://NAS.local:2283/")
    #expect(library.host == "nas.local:2283" && library.isPlain && library.program == .immich)
    #expect("\(library)" == "immich+http://nas.local:2283")
    #expect(library.webAddress == "http://nas.local:2283")
    #expect(RemotePhoto(path: library.rootPath) == nil)
    #expect(library.rootPath.shown == Array("\(library)".utf8))
    #expect(RemoteLibrary(path: library.rootPath.bytes) == library)
    #expect(try server("photoprism://p").webAddress == "https://p")
    for text in [
      "immich://", "immich://user:key@host", "immich://host/path", "immich://ho st",
      "immich://..", "https://host", "/immich:/host", "immich:/host", "immich://host?key=1",
    ] {
      #expect(RemoteLibrary(text) == nil, "\(text)")
    }
  }

  @Test func `assets become photos, and their paths survive saving`() throws {
    let update = PhotoIndexer().update(
      PhotoIndex(),
      with: try changes([try record("b-2", 2, name: "b/../x.jpg"), try record("a-1")]),
      now: Self.now)
    #expect(update.report.new == 2 && update.report.files.located == 2)
    #expect(
      shown(update.index) == [
        "immich://photos.example/a-1/IMG_1.jpg", "immich://photos.example/b-2/b_.._x.jpg",
      ])
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(update.index, clusterRadius: 15)
    let loaded = try #require(try cache.load())
    #expect(shown(loaded) == shown(update.index))
    #expect(loaded.roots == update.index.roots)
    #expect(loaded.anchor(of: try server()) == "anchor")
    let opened = try #require(try cache.open(clusterRadius: 15)).index
    #expect(shown(opened) == shown(update.index))
    #expect(opened.photo(at: 0).positionSource == .server)
    let photo = try #require(RemotePhoto(path: opened.photo(at: 0).path))
    #expect(photo.webAddress == "https://photos.example/photos/a-1")
    #expect(FilePath(shown: photo.shown) == opened.photo(at: 0).path)
  }

  @Test func `what a server could not describe keeps its row and album, and is asked for again`()
    throws
  {
    let known = try changes(
      [try record("a-1"), try record("b-2", 2), try record("c-3", 3)],
      albums: ["b-2": "Walks", "c-3": "Coast"])
    let index = PhotoIndexer().update(PhotoIndex(), with: known, now: Self.now).index
    let before = shown(index)
    func update(_ gaps: RemoteGaps, albums: [String: String]?) throws -> (
      index: PhotoIndex, report: ScanReport
    ) {
      PhotoIndexer().update(
        index,
        with: RemoteChanges(
          of: try server(), isWhole: true, records: [try record("a-1"), try record("b-2", 2)],
          albums: albums, anchor: "later",
          shortfalls: [RemoteShortfall(reason: "1 asset cannot be read", isFailure: true)],
          gaps: gaps), now: Self.now)
    }
    var gaps = RemoteGaps()
    gaps.ids = ["c-3", "d-4"]
    let one = try update(gaps, albums: nil)
    #expect(shown(one.index) == before && one.report.unreadable == 1)
    #expect(one.index.anchor(of: try server()) == "later")
    gaps = RemoteGaps()
    gaps.hasUnknownAssets = true
    let unknown = try update(gaps, albums: nil)
    #expect(shown(unknown.index) == before)
    #expect(unknown.index.anchor(of: try server()) == "anchor")
    // The photos of an album that cannot be listed stay in it, unless they are in another now.
    gaps = RemoteGaps()
    gaps.albums = ["Walks"]
    let album = try update(gaps, albums: [:])
    #expect(album.report.moved == 0 && album.report.removed == 1)
    let moved = try update(gaps, albums: ["b-2": "Hills"])
    #expect(moved.report.moved == 1)
  }

  @Test func `an update adds, replaces and removes only the changed assets`() throws {
    var index = PhotoIndexer().update(
      PhotoIndex(), with: try changes([try record("a-1"), try record("b-2", 2)]), now: Self.now
    ).index
    let same = PhotoIndexer().update(
      index, with: try changes([try record("a-1")], isWhole: false), now: Self.now)
    #expect(same.report.foundNothingNew && same.report.files.photos == 2)
    let next = PhotoIndexer().update(
      index,
      with: try changes(
        [try record("a-1", 3, version: 2), try record("c-3", 4)], isWhole: false, removed: ["b-2"]),
      now: Self.now)
    #expect(next.report.changes == ["new": 1, "changed": 1, "removed": 1, "read": 2])
    index = next.index
    #expect(index.allPhotos.map(\.coordinate.latitude) == [10.003, 10.004])
    let whole = PhotoIndexer().update(
      index, with: try changes([try record("c-3", 4)]), now: Self.now)
    #expect(whole.report.changes == ["removed": 1])
    #expect(whole.index.assetIDs(of: try server()) == ["c-3"])
  }

  @Test func `albums become folders with safe names, and assets move between them`() throws {
    let names = ["a-1": "Lisbon", "b-2": "../../etc", "c-3": ".."]
    let records = try ["a-1", "b-2", "c-3", "d-4"].enumerated().map {
      try record($1, $0 + 1, name: "IMG.jpg")
    }
    let update = PhotoIndexer().update(
      PhotoIndex(), with: try changes(records, albums: names), now: Self.now)
    let albums = update.index.albums.map { String(decoding: $0, as: UTF8.self) }
    #expect(Set(albums) == ["Lisbon", ".._.._etc", "_..", "photos.example"])
    for photo in update.index.allPhotos {
      #expect(photo.path.starts(with: try server().rootPath))
      #expect(RemotePhoto(path: photo.path) != nil)
    }
    let moved = PhotoIndexer().update(
      update.index, with: try changes([], isWhole: false, albums: ["a-1": "Porto"]), now: Self.now)
    #expect(moved.report.moved == 3)
    #expect(
      Set(moved.index.albums.map { String(decoding: $0, as: UTF8.self) })
        == ["Porto", "photos.example"])
  }

  @Test func `a file that matches an asset's name, size, time and place is the same shot`()
    throws
  {
    var library = try Library()
    try library.add("holiday/IMG_1.JPG")
    try library.scan()
    let update = PhotoIndexer().update(
      library.index, with: try changes([try record("a-1", meters: 90)]), now: Self.now)
    #expect(update.index.shotCount == 1)
    let shot = update.index.shot(at: 0)
    #expect(shot.photo.path == library.photos.appending("holiday/IMG_1.JPG"))
    #expect(shot.webAddress == "https://photos.example/photos/a-1")
    // A scan of the folder finds the same again.
    library.index = update.index
    try library.add("holiday/IMG_2.jpg", 2)
    try library.scan()
    #expect(library.index.shotCount == 2 && library.index.photoCount == 3)
  }

  @Test(arguments: ["name", "size", "time", "place"])
  func `an asset that differs in any of them is another photo`(part: String) throws {
    var library = try Library()
    try library.add("IMG_1.jpg")
    try library.scan()
    let other = try record(
      "a-1", name: part == "name" ? "IMG_2.jpg" : "IMG_1.jpg",
      size: part == "size" ? 5 : nil, seconds: part == "time" ? 2 : 0,
      meters: part == "place" ? 150 : 0)
    let update = PhotoIndexer().update(
      library.index, with: try changes([other]), now: Self.now)
    #expect(update.index.shotCount == 2)
  }

  @Test func `a local file represents a shot that also has assets on the server`() throws {
    var library = try Library()
    try library.add("a/IMG_1.jpg")
    try library.add("b/IMG_1.jpg")
    try library.scan()
    let update = PhotoIndexer().update(
      library.index, with: try changes([try record("a-1"), try record("b-2")]), now: Self.now)
    #expect(update.index.shotCount >= 1)
    #expect(update.index.shot(at: 0).photo.path.starts(with: library.photos))
  }

  @Test func `a RAW and a JPEG file of the same name on the server are one shot`() throws {
    let update = PhotoIndexer().update(
      PhotoIndex(),
      with: try changes([
        try record("a-1", name: "DSC_1.JPG"), try record("b-2", name: "DSC_1.NEF", size: 99),
      ]), now: Self.now)
    #expect(update.index.shotCount == 1)
  }

  @Test func `scanning and forgetting local folders does not affect a server's library`() throws {
    let library = try Library()
    try library.add("IMG_9.jpg", 9)
    let known = PhotoIndexer().update(
      PhotoIndex(), with: try changes([try record("a-1")]), now: Self.now
    ).index
    let root = try server().rootPath
    #expect(!IndexUpdate.lies(root.bytes, in: Array("/".utf8)))
    let (index, _) = try PhotoIndexer().update(known, with: [library.photos], now: Self.now)
    #expect(index.photoCount == 2 && index.roots.count == 2)
    let (left, removed) = PhotoIndexer().forget([root], in: index, now: Self.now)
    #expect(removed == 1 && left.roots.map(\.path) == [library.photos])
  }

  @Test func `the photos of an unreachable server are kept, and stale until the next update`()
    throws
  {
    let known = PhotoIndexer().update(
      PhotoIndex(), with: try changes([try record("a-1")]), now: Self.now
    ).index
    let (stale, report) = PhotoIndexer().markStale(
      try server(), because: "no answer", in: known, now: Self.now)
    #expect(stale.photoCount == 1 && stale.roots[0].isStale)
    #expect(stale.anchor(of: try server()) == "anchor")
    #expect(report.staleReasons[try server().rootPath] == "no answer")
    let (again, _) = PhotoIndexer().update(
      stale, with: try changes([], isWhole: false), now: Self.now)
    #expect(!again.roots[0].isStale && again.photoCount == 1)
  }
}
