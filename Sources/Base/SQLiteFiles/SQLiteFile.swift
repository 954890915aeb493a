import CSQLite
import Encodings
import Storage
package import SystemPackage

/// An SQLite database opened for reading.
///
/// The database and its queries are not thread-safe. The file may be untrusted: the size of values
/// and the work of a query are limited, and functions in the file's schema are not trusted.
@safe package final class SQLiteFile {
  /// The magic number of every database (sqlite.org/fileformat2.html, section 1.3.1).
  package static let magic: [UInt8] = Array("SQLite format 3\0".utf8)

  /// The limits of values and queries.
  package struct Limits: Sendable {
    /// The maximum length of a value and of a row, in bytes.
    package var valueLength: Int
    /// The maximum number of steps of one run of a query, in millions.
    package var megasteps: Int

    /// Creates limits.
    package init(valueLength: Int, megasteps: Int) {
      (self.valueLength, self.megasteps) = (valueLength, megasteps)
    }
  }

  /// The mode in which a file is opened. No mode takes locks or writes.
  package enum Access: Sendable {
    /// For a file that no other process writes to. Files next to it are ignored.
    case immutable
    /// Transactions committed to the write-ahead log next to the file are also read.
    case withLog
  }

  fileprivate let pointer: OpaquePointer

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - access: The access mode.
  ///   - readsViews: Whether queries may read views, not only tables.
  ///   - limits: The limits of values and queries.
  /// - Throws: An error if SQLite cannot open the file.
  package init(
    _ path: FilePath, _ access: Access, readsViews: Bool = false, limits: Limits
  ) throws(SQLiteError) {
    let name = PercentEncoding.text(path.bytes, keeping: "-._~/")
    var flags = readsViews ? PHOTOSPOTS_SQLITE_VIEWS : 0
    let options: String
    switch access {
    case .immutable: options = "immutable=1"
    case .withLog:
      // The file system layer without locks, and a private index of the log in memory.
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

  /// Prepares a query.
  ///
  /// - Parameter text: The SQL text with parameters `?1`, `?2` and so on; never text from a file or
  ///   a user.
  /// - Returns: The query, positioned before its first row.
  /// - Throws: SQLite's error if it rejects the query.
  package func query(_ text: String) throws(SQLiteError) -> SQLiteQuery {
    try SQLiteQuery(text, on: self)
  }

  /// Returns the columns of a table that have stored values; empty if there is no such table.
  ///
  /// Generated columns are omitted. Views and virtual tables count as missing.
  ///
  /// - Parameter table: The name of the table, in letters and underscores.
  /// - Returns: The names of the columns.
  /// - Throws: SQLite's error if the database cannot be read.
  package func columns(of table: StaticString) throws(SQLiteError) -> Set<String> {
    // A table has a root page; views and virtual tables have none (sqlite.org/schematab.html).
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

/// A prepared query of a database.
///
/// It is not thread-safe. The values of a row are valid until the next row.
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

  /// Resets the query and binds the parameters `?1`, `?2` and so on to values.
  package func run(_ values: Int64...) {
    unsafe sqliteRun(pointer)
    for (place, value) in values.enumerated() {
      unsafe sqliteBind(pointer, CInt(place + 1), value)
    }
  }

  /// Advances to the next row; the first row after ``run(_:)``.
  ///
  /// - Returns: Whether there is a row.
  package func next() throws(SQLiteError) -> Bool {
    var message = SQLiteError.emptyMessage
    let code = unsafe sqliteNext(pointer, &message)
    guard code >= 0 else { throw SQLiteError(message) }
    return code > 0
  }

  /// Returns the integer in a column, counted from 0; `nil` for a value of another type.
  package func integer(_ column: Int) -> Int64? {
    guard unsafe sqliteType(pointer, CInt(column)) == CInt(PHOTOSPOTS_SQLITE_INTEGER) else {
      return nil
    }
    return unsafe sqliteInteger(pointer, CInt(column))
  }

  /// Returns the real number or integer in a column, counted from 0; `nil` for a value of another
  /// type.
  package func number(_ column: Int) -> Double? {
    let type = unsafe sqliteType(pointer, CInt(column))
    guard type == CInt(PHOTOSPOTS_SQLITE_REAL) || type == CInt(PHOTOSPOTS_SQLITE_INTEGER) else {
      return nil
    }
    return unsafe sqliteReal(pointer, CInt(column))
  }

  /// Returns the bytes of a text (UTF-8) or blob in a column, counted from 0; `nil` for a value of
  /// another type, an empty blob, or a value longer than the limit in bytes.
  package func bytes(_ column: Int, limit: Int = .max) -> [UInt8]? {
    var count = 0
    guard let start = unsafe sqliteBytes(pointer, CInt(column), &count), count <= limit else {
      return nil
    }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }
}

extension SQLiteError {
  /// An empty buffer for an error message.
  fileprivate static var emptyMessage: [CChar] {
    [CChar](repeating: 0, count: Int(PHOTOSPOTS_SQLITE_MESSAGE_SIZE))
  }

  /// Creates an error with SQLite's message.
  fileprivate init(_ message: [CChar]) {
    self = .refused(
      String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
