import SQLiteFiles
import Synchronization
import SystemPackage

/// An MBTiles file, which is opened when the first tile is asked for.
final class TileDatabase: Sendable {
  private let path: FilePath
  private let query = Mutex<SQLiteQuery?>(nil)

  /// The bounds of a look-up: it takes a few dozen steps of SQLite's machine, and ten for each tile
  /// of a million where nothing is sorted; a view that goes on for ever is ended.
  private static let limits = SQLiteFile.Limits(
    valueLength: TilePicture.longest + 4096, megasteps: 20)

  /// Creates a reader; the database is opened when the first tile is requested.
  init(_ path: FilePath) {
    self.path = path
  }

  /// The reason why no such file can be read on this machine, and the remedy; `nil` where such
  /// files can be read.
  static var obstacle: String? { SQLiteFile.obstacle }

  /// Returns a tile; `nil` if there is none. MBTiles counts rows from the south (TMS).
  func bytes(_ place: TilePlace) throws(TileError) -> [UInt8]? {
    if let obstacle = Self.obstacle { throw .unavailable(obstacle) }
    let result = query.withLock { query -> Result<[UInt8]?, SQLiteError> in
      do throws(SQLiteError) {
        let open: SQLiteQuery
        if let query { open = query } else { open = try Self.opened(path) }
        query = open
        let row = (1 << place.zoom) - 1 - place.y
        open.run(Int64(place.zoom), Int64(place.x), Int64(row))
        return .success(try open.next() ? open.bytes(0) ?? [] : nil)
      } catch {
        // It may be another file the next time.
        query = nil
        return .failure(error)
      }
    }
    do throws(SQLiteError) { return try result.get() } catch {
      throw .unavailable("the .mbtiles file gives no tiles: \(error)")
    }
  }

  /// The query for a tile's bytes (MBTiles 1.3, section "Tiles"), on a file whose tiles may be a
  /// view.
  private static func opened(_ path: FilePath) throws(SQLiteError) -> SQLiteQuery {
    try SQLiteFile(path, .immutable, readsViews: true, limits: limits).query(
      "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
  }
}
