import CSQLite
import Codecs
import Storage
import Synchronization
import SystemPackage

/// A reader of MBTiles files, and the only file that uses SQLite, which is loaded on demand.
final class TileDatabase: Sendable {
  /// The database, if it is open. Access is serialised by the mutex, and `deinit` frees it.
  @safe private struct Handle: @unchecked Sendable { var pointer: OpaquePointer? }

  private let uri: String
  private let handle = Mutex(unsafe Handle(pointer: nil))

  /// Creates a reader; the database is opened when the first tile is requested.
  init(_ path: FilePath) {
    // Immutable: SQLite neither locks the file nor looks for a journal beside it.
    uri = "file:\(PercentEncoding.text(path.bytes, keeping: "-._~/"))?mode=ro&immutable=1"
  }

  deinit {
    handle.withLock { unsafe sqliteTilesFree($0.pointer) }
  }

  /// The reason why this machine cannot read MBTiles files, with a remedy; `nil` if it can.
  static var obstacle: String? {
    guard let reason = unsafe sqliteLoad() else { return nil }
    return unsafe """
    SQLite, which reads .mbtiles files, cannot be opened (\(String(cString: reason))); install it: \
    'apt install libsqlite3-0' on Debian and Ubuntu
    """
  }

  /// Returns a tile; `nil` if there is none. MBTiles counts rows from the south (TMS).
  func bytes(_ place: TilePlace) throws(TileError) -> [UInt8]? {
    if let obstacle = Self.obstacle { throw .unavailable(obstacle) }
    var message = [CChar](repeating: 0, count: Int(PHOTOSPOTS_SQLITE_MESSAGE_SIZE))
    var tile: [UInt8]?
    let code = handle.withLock { handle in
      if unsafe handle.pointer == nil {
        unsafe handle.pointer = sqliteTilesOpen(uri, TilePicture.longest + 4096, &message)
      }
      guard let pointer = unsafe handle.pointer else { return CInt(-1) }
      var start: UnsafePointer<UInt8>?
      var count = 0
      let row = (1 << place.zoom) - 1 - place.y
      let code = unsafe sqliteTilesRead(
        pointer, CInt(place.zoom), CInt(place.x), CInt(row), &start, &count, &message)
      if code > 0 { tile = unsafe Array(UnsafeBufferPointer(start: start, count: count)) }
      if code < 0 {
        // The file may have been replaced, so it is opened again next time.
        unsafe sqliteTilesFree(pointer)
        unsafe handle.pointer = nil
      }
      return code
    }
    guard code >= 0 else {
      let reason = String(
        decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw .unavailable("the .mbtiles file gives no tiles: \(reason)")
    }
    return tile
  }
}
