import CivilTime
import PhotoMetadata
import SQLiteFiles

extension SQLiteFile {
  /// Reads the rows of a table in the table's own order.
  ///
  /// - Parameters:
  ///   - table: A table that has the columns.
  ///   - columns: The names of the columns; `nil` for a column whose values are all NULL.
  ///   - body: A closure called with the query positioned at each row.
  /// - Throws: SQLite's error; an error for a table with more than
  ///   ``PositionRecords/maximumCount`` rows.
  func forEachRow(
    of table: StaticString, _ columns: [String?], _ body: (SQLiteQuery) -> Void
  ) throws(SQLiteError) {
    let names = columns.map { $0.map { "\"\($0)\"" } ?? "NULL" }.joined(separator: ", ")
    let rows = try query("SELECT \(names) FROM \(table) NOT INDEXED")
    var count = 0
    while try rows.next() {
      count += 1
      guard count <= PositionRecords.maximumCount else {
        throw .refused("the table \(table) has more than \(PositionRecords.maximumCount) rows")
      }
      body(rows)
    }
  }
}

extension SQLiteQuery {
  /// Returns a column's value as a part of a path.
  func pathPart(_ column: Int) -> [UInt8]? {
    bytes(column, limit: RecordedPath.maximumLength)
  }

  /// Returns a column's value as a capture time in ISO 8601; `nil` for any other value. Without an
  /// offset from UTC it is the camera's local time.
  func captureTime(_ column: Int) -> CaptureTime? {
    bytes(column, limit: 64).flatMap { CaptureTime(recorded: $0) }
  }
}

extension CaptureTime {
  /// Parses a time in ISO 8601; `nil` for any other text, including a date without a time.
  init?(recorded text: [UInt8]) {
    guard text.count > 10, let (local, offset) = CivilDateTime.parse(iso8601: text) else {
      return nil
    }
    self.init(instant: local.instant(utcOffsetMinutes: offset ?? 0), utcOffsetMinutes: offset)
  }
}
