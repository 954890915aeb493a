#if Postgres
  package import Spatial

  /// The rows of a result. Values are read by row and column.
  ///
  /// A value of an unexpected type, or an unexpected NULL, is an error of the kind `malformed`.
  package struct PostgresRows {
    private let result: LibPQResult

    init(_ result: LibPQResult) {
      self.result = result
    }

    /// The number of rows.
    package var count: Int { result.rowCount }
    /// The number of rows that the statement inserted, updated, deleted or returned.
    package var writtenCount: Int { result.writtenCount }

    /// The value of a `bigint`.
    @inline(__always)
    package func int8(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
      try present(number(row, column, .int8), row, column)
    }

    /// The value of a `bigint` that may be NULL.
    @inline(__always)
    package func optionalInt8(_ row: Int, _ column: Int) throws(PostgresError) -> Int64? {
      try number(row, column, .int8)
    }

    /// The value of an `integer`.
    @inline(__always)
    package func int4(_ row: Int, _ column: Int) throws(PostgresError) -> Int32 {
      try present(number(row, column, .int4), row, column)
    }

    /// The value of a `smallint`.
    @inline(__always)
    package func int2(_ row: Int, _ column: Int) throws(PostgresError) -> Int16 {
      try present(number(row, column, .int2), row, column)
    }

    /// The value of a `boolean`.
    package func bool(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
      let byte: UInt8? = try number(row, column, .bool)
      return try present(byte, row, column) != 0
    }

    /// The value of a `double precision`.
    @inline(__always)
    package func double(_ row: Int, _ column: Int) throws(PostgresError) -> Double {
      let bits: UInt64? = try number(row, column, .float8)
      return Double(bitPattern: try present(bits, row, column))
    }

    /// A position from two adjacent columns, the latitude first.
    @inline(__always)
    package func coordinate(_ row: Int, _ column: Int) throws(PostgresError) -> Coordinate {
      let (latitude, longitude) = (try double(row, column), try double(row, column + 1))
      guard let position = Coordinate(latitude: latitude, longitude: longitude) else {
        throw .malformed("a position in column \(column) is not on the globe")
      }
      return position
    }

    /// The value of a `text`.
    package func text(_ row: Int, _ column: Int) throws(PostgresError) -> String {
      try present(optionalText(row, column), row, column)
    }

    /// The value of a `text` that may be NULL; bytes that are not UTF-8 are replaced.
    package func optionalText(_ row: Int, _ column: Int) throws(PostgresError) -> String? {
      try check(column, .text)
      return unsafe result.withBytes(row, column) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The value of a `bytea`.
    package func bytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] {
      try check(column, .bytea)
      return try present(unsafe result.withBytes(row, column) { unsafe Array($0) }, row, column)
    }

    /// Appends the value of a `bytea` to an array.
    func appendBytes(_ row: Int, _ column: Int, to bytes: inout [UInt8]) throws(PostgresError) {
      try check(column, .bytea)
      let found: Void? = unsafe result.withBytes(row, column) { value in
        unsafe bytes.append(contentsOf: value)
      }
      try present(found, row, column)
    }

    @inline(__always)
    private func number<Number: FixedWidthInteger>(
      _ row: Int, _ column: Int, _ type: PostgresType
    ) throws(PostgresError) -> Number? {
      try check(column, type)
      let value: Number?? = unsafe result.withBytes(row, column) { bytes -> Number? in
        guard bytes.count == MemoryLayout<Number>.size else { return nil }
        return unsafe Number(bigEndian: bytes.loadUnaligned(as: Number.self))
      }
      guard let value else { return nil }
      guard let value else { throw .malformed("a number in column \(column) has the wrong length") }
      return value
    }

    @inline(__always)
    private func check(_ column: Int, _ type: PostgresType) throws(PostgresError) {
      guard result.types[column] == type.rawValue else {
        throw .malformed("column \(column) has the type \(result.types[column]), not \(type)")
      }
    }

    @inline(__always)
    private func present<T>(_ value: T?, _ row: Int, _ column: Int) throws(PostgresError) -> T {
      guard let value else { throw .malformed("column \(column) is NULL") }
      return value
    }
  }
#endif
