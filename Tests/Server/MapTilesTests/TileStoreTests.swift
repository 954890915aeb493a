import CLibrary
import CivilTime
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import MapTiles

@Suite(.timeLimit(.minutes(30))) struct TileStoreTests {
  private let folder = TemporaryFolder()
  private let clock = Clock()

  private final class Clock: Sendable {
    private let seconds = Mutex<Int64>(1_800_000_000)
    func advance(_ count: Int64) { seconds.withLock { $0 += count } }
    var now: Instant { Instant(secondsSince1970: seconds.withLock { $0 }) }
  }

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("IEND".utf8) + [1, 2, 3, 4]
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 7, 0xFF, 0xD9]

  private static func answer(_ body: [UInt8], _ headers: String = "") -> LoopbackServer.Answer {
    .raw(
      Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8) + body)
  }

  private func store(_ setting: String, limitSeconds: Double = 60) throws -> TileStore {
    TileStore(
      try TileSource(setting: setting), cacheFolder: folder.path("kept"),
      userAgent: "photospots/1.2 (+https://example.org)", limitSeconds: limitSeconds,
      now: { [clock] in clock.now })
  }

  private func store(_ server: LoopbackServer) throws -> TileStore {
    try store("http://127.0.0.1:\(server.port)/t/{z}/{x}/{y}.png?key=s3cr3t")
  }

  private func error(_ store: TileStore, _ place: (Int, Int, Int) = (3, 4, 5)) async -> TileError? {
    await #expect(throws: TileError.self) {
      try await store.tile(zoom: place.0, x: place.1, y: place.2)
    }
  }

  // MARK: - Address

  @Test func `a tile is fetched once and kept on disk`() async throws {
    let server = try LoopbackServer { _, _ in
      Self.answer(Self.png, "Cache-Control: max-age=90000\r\n")
    }
    let store = try store(server)
    let tile = try await store.tile(zoom: 3, x: 4, y: 5)
    #expect(tile == Tile(mediaType: "image/png", bytes: Self.png, freshSeconds: 90_000))
    clock.advance(80_000)
    for store in [store, try self.store(server)] {
      let kept = try await store.tile(zoom: 3, x: 4, y: 5)
      #expect(kept.bytes == Self.png && kept.freshSeconds == 10_000)
    }
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1 && request.path == "/t/3/4/5.png?key=s3cr3t")
    #expect(request.headers["user-agent"] == "photospots/1.2 (+https://example.org)")
    #expect(request.headers["content-type"] == nil && request.headers["referer"] == nil)
    clock.advance(10_001)
    #expect(try await store.tile(zoom: 3, x: 4, y: 5).freshSeconds == 90_000)
    #expect(server.requests.count == 2)
  }

  @Test func `tiles of another address are kept separately`() async throws {
    let server = try LoopbackServer { number, _ in
      Self.answer(number == 0 ? Self.png : Self.jpeg)
    }
    #expect(try await store(server).tile(zoom: 0, x: 0, y: 0).mediaType == "image/png")
    let other = try store("http://127.0.0.1:\(server.port)/{z}/{x}/{y}.jpg")
    #expect(try await other.tile(zoom: 0, x: 0, y: 0).mediaType == "image/jpeg")
  }

  @Test(arguments: [
    (-1, 0, 0), (23, 0, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0), (0, 0, 1), (.max, 0, 0),
  ])
  func `tiles outside the map are not requested`(zoom: Int, x: Int, y: Int) async throws {
    let server = try LoopbackServer { _, _ in Self.answer(Self.png) }
    let store = try store(server)
    #expect(await error(store, (zoom, x, y)) == .notFound)
    _ = try await store.tile(zoom: 22, x: (1 << 22) - 1, y: (1 << 22) - 1)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [204, 404, 410])
  func `a missing tile is not requested again for ten minutes`(status: Int) async throws {
    let server = try LoopbackServer { number, _ in
      number == 0 ? .status(status) : Self.answer(Self.png)
    }
    let store = try store(server)
    for _ in 0..<3 { #expect(await error(store) == .notFound) }
    _ = try await store.tile(zoom: 3, x: 4, y: 4)
    #expect(server.requests.count == 2)
    clock.advance(601)
    #expect(try await store.tile(zoom: 3, x: 4, y: 5).bytes == Self.png)
  }

  @Test func `a failing server is not asked for a while, and old tiles are used`()
    async throws
  {
    let server = try LoopbackServer { number, _ in
      number == 1 ? .status(503, headers: ["Retry-After: 100"]) : Self.answer(Self.png)
    }
    let store = try store(server)
    _ = try await store.tile(zoom: 3, x: 4, y: 5)
    clock.advance(8 * 86_400)
    for _ in 0..<2 {
      let old = try await store.tile(zoom: 3, x: 4, y: 5)
      #expect(old.bytes == Self.png && old.freshSeconds == 60)
    }
    let cause = try #require(await error(store, (3, 4, 4)))
    #expect(cause == .unavailable("the map's server answered with status 503"))
    #expect(server.requests.count == 2)
    clock.advance(101)
    #expect(try await store.tile(zoom: 3, x: 4, y: 4).bytes == Self.png)
  }

  /// Numbers of these are arguments of a test: a long argument is described for many seconds.
  private static let refused: [LoopbackServer.Answer] = [
    answer(Array("<svg onload=alert(1)>".utf8)), answer(Array("<html>".utf8)), answer([]),
    answer([UInt8](png + [UInt8](repeating: 0, count: 2 << 20))),
    .status(302, headers: ["Location: file:///etc/passwd"]), .status(500), .bytes("nonsense"),
    .endless(beginning: "HTTP/1.1 200 OK\r\n\r\n", part: "xxxxxxxx"),
    .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"),
  ]

  @Test(arguments: refused.indices)
  func `rejects a response that is not a picture, or is too long`(number: Int) async throws {
    let server = try LoopbackServer { _, _ in Self.refused[number] }
    let store = try store(server)
    guard case .unavailable(let reason) = await error(store) else {
      Issue.record("something was passed on")
      return
    }
    #expect(!reason.contains("s3cr3t") && !reason.contains("127.0.0.1"))
    #expect(Corpus.paths(under: folder.root).isEmpty)
    #expect(await error(store, (3, 4, 4)) == .unavailable(reason))
    #expect(server.requests.count == 1)
  }

  @Test func `a request to an unresponsive server times out`() async throws {
    let server = try LoopbackServer { _, _ in .silence }
    let store = try store("http://127.0.0.1:\(server.port)/{z}/{x}/{y}", limitSeconds: 0.05)
    let cause = await error(store)
    #expect(cause == .unavailable("the map's server: no answer within 0.05 s"))
  }

  @Test func `a truncated tile on disk is fetched again`() async throws {
    let server = try LoopbackServer { _, _ in Self.answer(Self.png) }
    _ = try await store(server).tile(zoom: 3, x: 4, y: 5)
    let kept = try #require(Corpus.paths(under: folder.path("kept")).first)
    try folder.write(Self.png.dropLast(2), to: kept)
    #expect(try await store(server).tile(zoom: 3, x: 4, y: 5).bytes == Self.png)
    #expect(server.requests.count == 2)
  }

  // MARK: - Folder

  @Test func `tiles are read from a folder`() async throws {
    try folder.write(Self.png, to: "map/3/4/5.png")
    try folder.write(Self.jpeg, to: "map/3/4/6.jpg")
    try folder.write("<svg/>", to: "map/3/4/7.png")
    try folder.createFIFO(folder.path("map/3/4/1.png"))
    let store = try store(folder.path("map").string)
    #expect(store.obstacle == nil)
    #expect(try await store.tile(zoom: 3, x: 4, y: 5).mediaType == "image/png")
    #expect(try await store.tile(zoom: 3, x: 4, y: 6).bytes == Self.jpeg)
    #expect(await error(store, (3, 4, 2)) == .notFound)
    #expect(await error(store, (5, 4, 2)) == .notFound)
    guard case .unavailable = await error(store, (3, 4, 7)) else { throw Errno.noData }
    guard case .unavailable = await error(store, (3, 4, 1)) else { throw Errno.noData }
  }

  @Test func `a folder is checked for tiles that browsers show`() throws {
    try folder.write(Self.png, to: "map/0/0/0.png")
    try folder.write(Self.png, to: "deep/12/2200/1343.webp")
    try folder.write(Self.png, to: "some/3/4/readme.txt")
    try folder.write("vector", to: "vector/3/4/5.pbf")
    try folder.write("vector", to: "packed/3/4/5.mvt.gz")
    try folder.write("<svg/>", to: "drawn/3/4/5.png")
    try folder.write(Self.png, to: "outside/23/4/5.png")
    try folder.write(Self.png, to: "padded/03/4/5.png")
    try folder.write("text", to: "file")
    try folder.write("text", to: "folder.mbtiles/file")
    try folder.createFIFO(folder.path("waiting"))
    for (name, problem) in [
      ("map", nil), ("deep", nil), ("map/{z}/{x}/{y}.png", nil), ("missing", "does not exist"),
      ("missing.mbtiles", "does not exist"), ("some", "without tiles"), ("vector", "vector tiles"),
      ("packed", "vector tiles"), ("drawn", "not PNG, JPEG or WebP"), ("outside", "without tiles"),
      ("padded", "without tiles"), ("file", "not an .mbtiles file"),
      ("waiting", "not an .mbtiles file"), ("folder.mbtiles", "names a folder"),
    ] {
      let source = try TileSource(setting: folder.path(name).string)
      guard let problem else {
        try source.check()
        continue
      }
      let error = #expect(throws: TileSourceError.self, "\(name)") { try source.check() }
      #expect(error?.description.contains(problem) == true, "\(name): \(error?.description ?? "")")
    }
    try TileSource(setting: "https://tiles.example/{z}/{x}/{y}.png").check()
  }
}

/// MBTiles files, created with SQLite's command-line program.
@Suite(
  .enabled(
    if: ChildProcess.path(of: "sqlite3") != nil, "skipped: the program sqlite3 is not installed"))
struct TileDatabaseTests {
  private let folder = TemporaryFolder()

  private func store(_ name: String) throws -> TileStore {
    TileStore(
      try TileSource(setting: folder.path(name).string), cacheFolder: folder.path("kept"),
      userAgent: "test")
  }

  private func database(_ name: String, _ statements: String) throws {
    let program = try #require(ChildProcess.path(of: "sqlite3"))
    try ChildProcess(program, [folder.path(name).string, statements]).waitUntilExit()
  }

  @Test func `rows in an MBTiles file are counted from the south`() async throws {
    let name = "a map? 100% & more#.mbtiles"
    try database(
      name,
      """
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      INSERT INTO tiles VALUES (3, 4, 2, x'89504E470D0A1A0A01'), (3, 4, 5, x'FFD8FFE0'), (0, 0, 0, NULL),
        (1, 0, 0, 'text');
      """)
    let store = try store(name)
    #expect(store.obstacle == nil)
    #expect(try await store.tile(zoom: 3, x: 4, y: 5).mediaType == "image/png")
    #expect(try await store.tile(zoom: 3, x: 4, y: 2).bytes == [0xFF, 0xD8, 0xFF, 0xE0])
    await #expect(throws: TileError.notFound) { try await store.tile(zoom: 3, x: 4, y: 4) }
    let none = TileError.unavailable("the map's tiles are not PNG, JPEG or WebP pictures")
    await #expect(throws: none) { try await store.tile(zoom: 0, x: 0, y: 0) }
    await #expect(throws: none) { try await store.tile(zoom: 1, x: 0, y: 1) }
  }

  @Test(
    arguments: [
      ("tiles", "x'89504E470D0A1A0A01'", "png", nil), ("none", "x'FFD8FF'", "jpg", "no such table"),
      ("tiles", nil, "png", "without tiles"), ("tiles", "x'1F8B08'", "pbf", "vector tiles"),
      ("tiles", "x'1F8B08'", nil, "vector tiles"), ("tiles", "x'1A00'", "pbf", "vector tiles"),
      ("tiles", "x'3C'", "svg", "not PNG, JPEG or WebP"), ("tiles", "NULL", nil, "not PNG"),
    ] as [(String, String?, String?, String?)])
  func `an MBTiles file is checked for tiles that browsers show`(
    table: String, tile: String?, format: String?, problem: String?
  ) throws {
    let metadata = format.map { format in
      """
      CREATE TABLE metadata (name text, value text);
      INSERT INTO metadata VALUES ('name', 'A map'), ('format', '\(format)');
      """
    }
    try database(
      "a.mbtiles",
      """
      CREATE TABLE \(table) (zoom_level, tile_column, tile_row, tile_data);
      \(tile.map { "INSERT INTO \(table) VALUES (0, 0, 0, \($0));" } ?? "")
      \(metadata ?? "")
      """)
    let source = try TileSource(setting: folder.path("a.mbtiles").string)
    guard let problem else { return try source.check() }
    let error = #expect(throws: TileSourceError.self) { try source.check() }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test func `a file that is no database is not an MBTiles file`() throws {
    try folder.write("not a database, but long enough to be read as one", to: "a.mbtiles")
    let source = try TileSource(setting: folder.path("a.mbtiles").string)
    let error = #expect(throws: TileSourceError.self) { try source.check() }
    #expect(error?.description.contains("file is not a database") == true)
  }

  @Test func `an unreadable MBTiles file gives the reason, and is read once replaced`() async throws
  {
    let store = try store("a.mbtiles")
    func reason() async throws -> String {
      let error = await #expect(throws: TileError.self) {
        try await store.tile(zoom: 0, x: 0, y: 0)
      }
      guard case .unavailable(let reason) = error else { throw Errno.noData }
      return reason
    }
    #expect(try await reason().hasSuffix("unable to open database file"))
    try folder.write([UInt8](repeating: 65, count: 8192), to: "a.mbtiles")
    #expect(try await reason().hasSuffix("file is not a database"))
    folder.remove(folder.path("a.mbtiles"))
    try database("a.mbtiles", "CREATE TABLE other (a);")
    #expect(try await reason().hasSuffix("no such table: tiles"))
    // A view with endless rows.
    try database(
      "a.mbtiles",
      """
      CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'FFD8FF' AS tile_data FROM n WHERE i < 0;
      """)
    #expect(try await reason().hasSuffix("interrupted"))
    folder.remove(folder.path("a.mbtiles"))
    try database(
      "a.mbtiles",
      "CREATE TABLE tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'FFD8FF' AS tile_data;"
    )
    #expect(try await store.tile(zoom: 0, x: 0, y: 0).mediaType == "image/jpeg")
  }
}
