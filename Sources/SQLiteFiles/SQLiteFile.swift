import CSQLite
import Codecs
import Storage
package import SystemPackage

/// A database of SQLite that is open for reading.
///
/// One thread at a time may use it and its queries. The file may be anybody's: values and the work
/// of a query are bounded, and functions in the file's own definitions are not trusted.
@safe package final class SQLiteFile {
  /// The first bytes of every database (sqlite.org/fileformat2.html, section 1.3.1).
  package static let magic: [UInt8] = Array("SQLite format 3\0".utf8)

  /// The bounds of what is read.
  package struct Limits: Sendable {
    /// The greatest length of a value, and of a row, in bytes.
    package var valueLength: Int
    /// The greatest number of millions of steps that one run of a query takes.
    package var megasteps: Int

    /// Creates bounds.
    package init(valueLength: Int, megasteps: Int) {
      (self.valueLength, self.megasteps) = (valueLength, megasteps)
    }
  }

  /// The way in which a file is opened. None takes a lock, and none writes.
  package enum Access: Sendable {
    /// No other process writes to the file; files beside it are not looked at.
    case immutable
    /// What is committed to the write-ahead log beside the file is read too.
    case withLog
  }

  fileprivate let pointer: OpaquePointer

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - access: The way in which it is opened.
  ///   - readsViews: Whether queries may read views, not only tables.
  ///   - limits: The bounds of what is read.
  /// - Throws: SQLite's error where the file cannot be opened.
  package init(
    _ path: FilePath, _ access: Access, readsViews: Bool = false, limits: Limits
  ) throws(SQLiteError) {
    if let obstacle = Self.obstacle { throw .noLibrary(obstacle) }
    let name = PercentEncoding.text(path.bytes, keeping: "-._~/")
    var flags = readsViews ? PHOTOSPOTS_SQLITE_VIEWS : 0
    let options: String
    switch access {
    case .immutable: options = "immutable=1"
    case .withLog:
      // The file system layer without locks, and an index of the log in this process's own memory.
      options = "vfs=unix-none"
      flags |= PHOTOSPOTS_SQLITE_PRIVATE_LOG
    }
    var message = SQLiteError.emptyMessage
    guard
      let opened = unsafe sqliteOpen(
        "file:\(name)?mode=ro&\(options)", flags, limits.valueLength,
        CInt(clamping: limits.megasteps), &message)
    else { throw SQLiteError(message) }
    unsafe pointer = opened
  }

  deinit { unsafe sqliteClose(pointer) }

  /// The reason why no database can be read on this machine, and the remedy; `nil` where databases
  /// can be read.
  package static var obstacle: String? {
    guard let reason = unsafe sqliteLoad() else { return nil }
    return unsafe """
    SQLite cannot be opened (\(String(cString: reason))); install it: 'apt install libsqlite3-0' on \
    Debian and Ubuntu
    """
  }

  /// Prepares a query.
  ///
  /// - Parameter text: The query, of our own making: a text with parameters `?1`, `?2` and so on.
  /// - Returns: The query, which has not begun.
  /// - Throws: SQLite's error where the database cannot answer the query.
  package func query(_ text: String) throws(SQLiteError) -> SQLiteQuery {
    try SQLiteQuery(text, on: self)
  }

  /// The columns of a table that hold stored values; empty where there is no such table.
  ///
  /// Columns that are computed and tables that are views or belong to an extension are left out.
  ///
  /// - Parameter table: The name of the table, in letters and underscores.
  /// - Returns: The names of the columns.
  /// - Throws: SQLite's error where the database cannot be read.
  package func columns(of table: StaticString) throws(SQLiteError) -> Set<String> {
    // A table has a page; a view and a virtual table have none (sqlite.org/schematab.html).
    let tables = try query(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = '\(table)'")
    guard try tables.next() else { return [] }
    let columns = try query("SELECT name FROM pragma_table_xinfo('\(table)') WHERE hidden = 0")
    var names: Set<String> = []
    while try columns.next() {
      if let name = columns.bytes(0, limit: 256) {
        names.insert(String(decoding: name, as: UTF8.self))
      }
    }
    return names
  }
}

/// A query that is prepared on a database.
///
/// One thread at a time may use it. The values of a row stand until the next row.
@safe package final class SQLiteQuery {
  private let file: SQLiteFile
  private let pointer: OpaquePointer

  fileprivate init(_ text: String, on file: SQLiteFile) throws(SQLiteError) {
    var message = SQLiteError.emptyMessage
    guard let prepared = unsafe sqlitePrepare(file.pointer, text, &message) else {
      throw SQLiteError(message)
    }
    unsafe (self.file, pointer) = (file, prepared)
  }

  deinit { unsafe sqliteFree(pointer) }

  /// Begins a run with values for the parameters `?1`, `?2` and so on.
  package func run(_ values: Int64...) {
    unsafe sqliteRun(pointer)
    for (place, value) in values.enumerated() {
      unsafe sqliteBind(pointer, CInt(place + 1), value)
    }
  }

  /// Goes to the next row, the first one after ``run(_:)``.
  ///
  /// - Returns: Whether there is one.
  package func next() throws(SQLiteError) -> Bool {
    var message = SQLiteError.emptyMessage
    let code = unsafe sqliteNext(pointer, &message)
    guard code >= 0 else { throw SQLiteError(message) }
    return code > 0
  }

  /// The integer in a column, counted from 0; `nil` for a value of another type.
  package func integer(_ column: Int) -> Int64? {
    guard unsafe sqliteType(pointer, CInt(column)) == CInt(PHOTOSPOTS_SQLITE_INTEGER) else {
      return nil
    }
    return unsafe sqliteInteger(pointer, CInt(column))
  }

  /// The number in a column, an integer too; `nil` for a value of another type.
  package func number(_ column: Int) -> Double? {
    let type = unsafe sqliteType(pointer, CInt(column))
    guard type == CInt(PHOTOSPOTS_SQLITE_REAL) || type == CInt(PHOTOSPOTS_SQLITE_INTEGER) else {
      return nil
    }
    return unsafe sqliteReal(pointer, CInt(column))
  }

  /// The bytes of the text (UTF-8) or the blob in a column; `nil` for a value of another type, an
  /// empty blob, and one longer than the limit.
  package func bytes(_ column: Int, limit: Int = .max) -> [UInt8]? {
    var count = 0
    guard let start = unsafe sqliteBytes(pointer, CInt(column), &count), count <= limit else {
      return nil
    }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }
}

extension SQLiteError {
  /// An empty buffer for a reason.
  fileprivate static var emptyMessage: [CChar] {
    [CChar](repeating: 0, count: Int(PHOTOSPOTS_SQLITE_MESSAGE_SIZE))
  }

  /// Creates an error with SQLite's reason.
  fileprivate init(_ message: [CChar]) {
    self = .refused(
      String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
