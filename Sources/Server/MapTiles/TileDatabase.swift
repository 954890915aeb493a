import SQLiteFiles
import Synchronization
import SystemPackage

/// A reader of an MBTiles file.
final class TileDatabase: Sendable {
  private let path: FilePath
  private let query = Mutex<SQLiteQuery?>(nil)

  /// The limits of a query. With an index it takes a few dozen steps of SQLite's virtual machine;
  /// without one, ten per tile, thus ten million for a million tiles. A view that never ends is
  /// stopped.
  static let limits = SQLiteFile.Limits(
    valueLength: TilePicture.longest + 4096, megasteps: 20)

  /// Creates a reader; the database is opened when the first tile is requested.
  init(_ path: FilePath) {
    self.path = path
  }

  /// Returns a tile; `nil` if there is none. MBTiles counts rows from the south (TMS).
  func bytes(_ place: TilePlace) throws(TileError) -> [UInt8]? {
    let result = query.withLock { query -> Result<[UInt8]?, SQLiteError> in
      do throws(SQLiteError) {
        let open: SQLiteQuery
        if let query { open = query } else { open = try Self.opened(path) }
        query = open
        let row = (1 << place.zoom) - 1 - place.y
        open.run(Int64(place.zoom), Int64(place.x), Int64(row))
        return .success(try open.next() ? open.bytes(0) ?? [] : nil)
      } catch {
        // The file may be replaced by then, so the next call opens it again.
        query = nil
        return .failure(error)
      }
    }
    do throws(SQLiteError) { return try result.get() } catch {
      throw .unavailable("the tiles of the .mbtiles file cannot be read: \(error)")
    }
  }

  /// The query for a tile's bytes (MBTiles 1.3, section "Tiles"), on a file whose tiles may be a
  /// view.
  private static func opened(_ path: FilePath) throws(SQLiteError) -> SQLiteQuery {
    try SQLiteFile(path, .immutable, readsViews: true, limits: limits).query(
      "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
  }
}
