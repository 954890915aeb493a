#if Postgres
  import CPostgres
  import CLibrary

  /// A connection of libpq. No other file uses that library.
  @safe final class LibPQ {
    private let handle: OpaquePointer
    /// Whether a statement failed because the connection broke. `PQstatus` does not notice that a
    /// server has shut down or crashed before libpq reads from the connection again.
    private var isBroken = false

    /// Connects.
    ///
    /// - Parameter parameters: The parameters of libpq by their names.
    /// - Throws: `PostgresError`, mostly of the kinds `unreachable` and `refused`.
    init(_ parameters: [String: String]) throws(PostgresError) {
      let names = parameters.keys.sorted()
      let words = names + names.map { parameters[$0] ?? "" }
      let texts = unsafe words.map { unsafe strdup($0) }
      defer { unsafe texts.forEach { unsafe free($0) } }
      var keywords = unsafe texts[..<names.count].map { unsafe UnsafePointer($0) }
      var values = unsafe texts[names.count...].map { unsafe UnsafePointer($0) }
      unsafe keywords.append(nil)
      unsafe values.append(nil)
      guard let handle = unsafe PQconnectdbParams(keywords, values, 0) else {
        throw PostgresError(state: nil, message: "not enough memory")
      }
      unsafe self.handle = unsafe handle
      // By default libpq prints the notices of servers.
      unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
      guard unsafe PQstatus(handle) == CONNECTION_OK else { throw refusal() }
    }

    deinit { unsafe PQfinish(handle) }

    /// Returns the error of a failed attempt to connect.
    ///
    /// libpq gives no SQLSTATE for it, so the message shows whether the server refused the user.
    private func refusal() -> PostgresError {
      let error = unsafe failure(nil)
      let words = [
        "authentication failed", "no password supplied", "does not exist", "pg_hba.conf",
      ]
      guard words.contains(where: { error.message.contains($0) }) else { return error }
      return PostgresError(.refused, error.message)
    }

    /// Whether the connection works, as far as is known; `false` for good after its first failure.
    var isAlive: Bool { !isBroken && (unsafe PQstatus(handle) == CONNECTION_OK) }

    /// Whether a transaction is open, including one that failed and is not rolled back yet.
    var isInTransaction: Bool {
      switch unsafe PQtransactionStatus(handle) {
      case PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE: true
      default: false
      }
    }

    /// The version of the server, for example 150004 for 15.4.
    var serverVersion: Int32 { unsafe PQserverVersion(handle) }

    /// The process ID of the server process that handles the connection.
    var serverProcess: Int32 { unsafe PQbackendPID(handle) }

    /// Runs statements without parameters. The text must come from the program itself, since
    /// nothing in it is escaped.
    ///
    /// - Returns: The command tag of the last statement, for example `COMMIT`.
    /// - Throws: The server's error.
    @discardableResult
    func execute(_ sql: String) throws(PostgresError) -> String {
      let result = try unsafe LibPQResult(PQexec(handle, sql), of: self)
      return result.tag
    }

    /// Prepares a statement under a name.
    func prepare(_ sql: String, as name: String) throws(PostgresError) {
      _ = try unsafe LibPQResult(PQprepare(handle, name, sql, 0, nil), of: self)
    }

    /// Runs a prepared statement. Its parameters and result are in PostgreSQL's binary format.
    ///
    /// - Parameters:
    ///   - name: The name of the prepared statement.
    ///   - values: The values of all parameters, one after another.
    ///   - ends: The end of each value in `values`; negative for NULL.
    /// - Returns: The result.
    /// - Throws: The server's error.
    func run(_ name: String, _ values: [UInt8], ends: [Int]) throws(PostgresError) -> LibPQResult {
      let count = ends.count
      let result = unsafe values.withUnsafeBytes { bytes -> OpaquePointer? in
        unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) {
          pointers in
          unsafe withUnsafeTemporaryAllocation(of: CInt.self, capacity: 2 * count) { numbers in
            let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            var start = 0
            for place in 0..<count {
              let end = ends[place]
              unsafe pointers.initializeElement(
                at: place, to: end < 0 ? nil : unsafe base.map { unsafe $0 + start } ?? Self.nothing
              )
              unsafe numbers.initializeElement(
                at: place, to: end < 0 ? 0 : CInt(truncatingIfNeeded: end - start))
              unsafe numbers.initializeElement(at: count + place, to: 1)
              if end >= 0 { start = end }
            }
            return unsafe PQexecPrepared(
              handle, name, CInt(truncatingIfNeeded: count), pointers.baseAddress,
              numbers.baseAddress, numbers.baseAddress.map { unsafe $0 + count }, 1)
          }
        }
      }
      return try unsafe LibPQResult(result, of: self)
    }

    /// Runs a statement `copy … from stdin`, and sends its data.
    ///
    /// - Throws: The server's error; then no row was copied.
    func copy(_ sql: String, _ data: [UInt8]) throws(PostgresError) {
      let begun = try unsafe LibPQResult(PQexec(handle, sql), of: self)
      guard begun.isCopyIn else { throw .malformed("PostgreSQL did not ask for data to copy") }
      var isSent = true
      for start in stride(from: 0, to: data.count, by: Self.pieceSize) where isSent {
        let piece = data[start..<min(start + Self.pieceSize, data.count)]
        isSent = unsafe piece.withUnsafeBytes { bytes in
          unsafe PQputCopyData(
            handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
            CInt(truncatingIfNeeded: bytes.count)) == 1
        }
      }
      guard isSent, unsafe PQputCopyEnd(handle, nil) == 1 else { throw unsafe failure(nil) }
      // All results are read, even after an error; else the connection could not be used again.
      var outcome = unsafe PQgetResult(handle)
      defer { unsafe PQclear(outcome) }
      while let next = unsafe PQgetResult(handle) {
        unsafe PQclear(outcome)
        unsafe outcome = unsafe next
      }
      guard unsafe PQresultStatus(outcome) == PGRES_COMMAND_OK else {
        throw unsafe failure(outcome)
      }
    }

    /// The size in bytes of the pieces in which data is passed to `PQputCopyData`.
    private static let pieceSize = 1 << 20

    /// The address of empty values, since a null pointer means NULL.
    private nonisolated(unsafe) static let nothing = unsafe UnsafePointer<CChar>(strdup(""))

    /// Returns the error of a failed result, or that of the connection for `nil`.
    ///
    /// Marks the connection as broken if that is the cause.
    fileprivate func failure(_ result: OpaquePointer?) -> PostgresError {
      func field(_ code: UInt8) -> String? {
        guard let result = unsafe result,
          let text = unsafe PQresultErrorField(result, CInt(code))
        else { return nil }
        return unsafe String(cString: text)
      }
      // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY of postgres_ext.h. The detail is left out,
      // since it may contain values of a row.
      let state =
        unsafe PQstatus(handle) == CONNECTION_OK ? field(UInt8(ascii: "C")) : nil
      let message =
        unsafe field(UInt8(ascii: "M")) ?? PQerrorMessage(handle).map { unsafe String(cString: $0) }
      let error = PostgresError(state: state, message: message ?? "unknown reason")
      if error.kind == .unreachable { isBroken = true }
      return error
    }
  }

  /// The result of a statement; owns the `PGresult`.
  @safe final class LibPQResult {
    private let result: OpaquePointer
    /// The number of rows.
    let rowCount: Int
    /// The number of columns.
    let columnCount: Int

    /// Takes ownership of a result.
    ///
    /// - Throws: The error that the result reports; the result is freed then.
    fileprivate init(_ result: OpaquePointer?, of connection: LibPQ) throws(PostgresError) {
      guard let result = unsafe result else { throw unsafe connection.failure(nil) }
      switch unsafe PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN:
        unsafe self.result = unsafe result
        rowCount = Int(unsafe PQntuples(result))
        columnCount = Int(unsafe PQnfields(result))
        types = (0..<columnCount).map { column in
          unsafe PQftype(result, CInt(truncatingIfNeeded: column))
        }
      default:
        let failure = unsafe connection.failure(result)
        unsafe PQclear(result)
        throw failure
      }
    }

    deinit { unsafe PQclear(result) }

    /// Whether the server waits for data to copy.
    var isCopyIn: Bool { unsafe PQresultStatus(result) == PGRES_COPY_IN }

    /// The command tag, for example `INSERT 0 1`.
    var tag: String { unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

    /// The number of rows that the statement inserted, updated, deleted or returned
    /// (`PQcmdTuples`); 0 for other statements.
    var writtenCount: Int {
      unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    /// The object identifiers of the columns' types (catalogue `pg_type`).
    let types: [UInt32]

    /// Calls a closure with the bytes of a value; returns `nil` for NULL.
    ///
    /// - Precondition: The row and the column exist.
    @inline(__always)
    func withBytes<T>(
      _ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> T
    ) -> T? {
      precondition(row >= 0 && row < rowCount && column >= 0 && column < columnCount)
      let (row, column) = (CInt(truncatingIfNeeded: row), CInt(truncatingIfNeeded: column))
      let length = unsafe PQgetlength(result, row, column)
      // NULL has the length zero.
      guard unsafe length > 0 || PQgetisnull(result, row, column) == 0 else { return nil }
      return unsafe body(
        UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(length)))
    }
  }
#endif
