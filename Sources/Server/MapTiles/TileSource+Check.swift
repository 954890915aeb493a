import SQLiteFiles
import Storage
import SystemPackage

extension TileSource {
  /// Checks what can be known about the source now: whether a path exists and can be read, what
  /// kind of file or folder it is, and whether its first tiles are pictures. Asks no server.
  ///
  /// - Throws: ``TileSourceError`` with the problem and its remedy, without the path.
  public func check() throws(TileSourceError) {
    switch kind {
    case .address: return
    case .folder(let path): try Self.check(folder: path)
    case .database(let path): try Self.check(database: path)
    }
  }

  private static let expected =
    "write the folder of tiles such as 3/4/5.png, an .mbtiles file, or an address with {z}/{x}/{y}"
  private static let vectorTiles =
    "contains vector tiles, which the page cannot show; choose a map with PNG, JPEG or WebP pictures"
  private static let otherTiles = "contains tiles that are not PNG, JPEG or WebP pictures"

  /// Returns the names in a folder; `nil` if the path is not a folder.
  private static func names(in path: FilePath) throws(TileSourceError) -> [String]? {
    do throws(Errno) {
      return try Disk.names(in: path, beginning: []).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      guard error != .notDirectory else { return nil }
      throw TileSourceError(problem: "cannot be read: \(error)")
    }
  }

  private static func checkExistence(of path: FilePath) throws(TileSourceError) {
    guard Disk.exists(path) else {
      throw TileSourceError(problem: "names a folder or file that does not exist; \(expected)")
    }
  }

  // MARK: - Folders

  /// The number of columns of each zoom level that are searched for a tile.
  private static let columnCount = 16

  private static func check(folder: FilePath) throws(TileSourceError) {
    try checkExistence(of: folder)
    guard let levels = try names(in: folder) else {
      throw TileSourceError(problem: "names a file that is not an .mbtiles file; \(expected)")
    }
    var hasVectors = false
    for zoom in levels.compactMap(number).filter({ (0...22).contains($0) }).sorted() {
      let level = folder.appending("\(zoom)")
      let columns = try names(in: level)?.compactMap(number) ?? []
      for column in columns.prefix(columnCount) {
        let column = level.appending("\(column)")
        for name in try names(in: column) ?? [] {
          let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
          guard parts.count == 2, number(String(parts[0])) != nil else { continue }
          if ["pbf", "mvt", "pbf.gz", "mvt.gz"].contains(parts[1]) { hasVectors = true }
          guard TilePicture.endings.contains(String(parts[1])) else { continue }
          return try check(tile: column.appending(name))
        }
      }
    }
    throw TileSourceError(
      problem: hasVectors ? vectorTiles : "names a folder without tiles; \(expected)")
  }

  private static func number(_ name: String) -> Int? {
    guard let number = Int(name), "\(number)" == name else { return nil }
    return number
  }

  private static func check(tile: FilePath) throws(TileSourceError) {
    let bytes: [UInt8]
    do throws(Errno) { bytes = try Disk.read(tile, limit: TilePicture.longest) } catch {
      throw TileSourceError(problem: "contains a tile that cannot be read: \(error)")
    }
    guard TilePicture.mediaType(of: bytes) != nil else {
      throw TileSourceError(problem: otherTiles)
    }
  }

  // MARK: - Databases

  private static func check(database path: FilePath) throws(TileSourceError) {
    try checkExistence(of: path)
    guard try names(in: path) == nil else {
      throw TileSourceError(
        problem: "names a folder, though its name ends like that of an .mbtiles file; rename it")
    }
    let content: TileDatabase.Content
    do throws(SQLiteError) { content = try TileDatabase.sample(of: path) } catch {
      throw TileSourceError(
        problem: "names a file that cannot be read as an .mbtiles file: \(error)")
    }
    switch content {
    case .picture: return
    case .vector: throw TileSourceError(problem: vectorTiles)
    case .other: throw TileSourceError(problem: otherTiles)
    case .none: throw TileSourceError(problem: "names an .mbtiles file without tiles")
    }
  }
}

extension TileDatabase {
  /// What the tiles of a file are, as far as the file says.
  enum Content {
    case picture, vector, other, none
  }

  /// Returns what the tiles of a file are: by its metadata (MBTiles 1.3, section "Metadata"), and
  /// by its first tile.
  static func sample(of path: FilePath) throws(SQLiteError) -> Content {
    let file = try SQLiteFile(path, .immutable, readsViews: true, limits: limits)
    let tiles = try file.query("SELECT tile_data FROM tiles LIMIT 1")
    guard try tiles.next() else { return .none }
    let bytes = tiles.bytes(0) ?? []
    if TilePicture.mediaType(of: bytes) != nil { return .picture }
    // Metadata may be missing, or a tile be compressed by gzip (RFC 1952, section 2.3.1).
    let format = try? Self.format(in: file)
    return format == "pbf" || bytes.starts(with: [0x1F, 0x8B]) ? .vector : .other
  }

  private static func format(in file: SQLiteFile) throws(SQLiteError) -> String? {
    let query = try file.query("SELECT value FROM metadata WHERE name = 'format'")
    guard try query.next(), let bytes = query.bytes(0, limit: 64) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
