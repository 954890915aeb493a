import CSQLite
import Codecs
import Storage
import Synchronization
import SystemPackage

/// An MBTiles file: the one file that knows SQLite, which is opened when a tile is asked for.
final class TileDatabase: Sendable {
  /// The database, once it is open. One thread at a time has the lock, and the last one frees it.
  @safe private struct Handle: @unchecked Sendable { var pointer: OpaquePointer? }

  private let uri: String
  private let handle = Mutex(unsafe Handle(pointer: nil))

  /// Creates a database, which is opened when a tile is asked for.
  init(_ path: FilePath) {
    // Nothing is locked, and nothing is looked for beside the file.
    uri = "file:\(PercentEncoding.text(path.bytes, keeping: "-._~/"))?mode=ro&immutable=1"
  }

  deinit {
    handle.withLock { unsafe sqliteTilesFree($0.pointer) }
  }

  /// Why no such file can be read on this machine, and what to do about it; `nil` where it can.
  static var obstacle: String? {
    guard let reason = unsafe sqliteLoad() else { return nil }
    return unsafe """
    SQLite, which reads .mbtiles files, cannot be opened (\(String(cString: reason))); install it: \
    'apt install libsqlite3-0' on Debian and Ubuntu
    """
  }

  /// Looks a tile up; `nil` where there is none. Rows are counted from the south (TMS).
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
        // It may be another file the next time.
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
