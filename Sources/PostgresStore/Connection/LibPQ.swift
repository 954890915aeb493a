#if Postgres
  import CPostgres
  import CLibrary

  /// A connection of libpq, which is known to this file alone.
  @safe final class LibPQ {
    private let handle: OpaquePointer
    /// Whether a statement failed because of the connection. libpq calls a connection whose server
    /// said goodbye or crashed sound until it reads again.
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
      // What servers note would be printed.
      unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
      guard unsafe PQstatus(handle) == CONNECTION_OK else { throw refusal() }
    }

    deinit { unsafe PQfinish(handle) }

    /// Why there is no connection. libpq gives no SQLSTATE for that.
    private func refusal() -> PostgresError {
      let error = unsafe failure(nil)
      let words = [
        "authentication failed", "no password supplied", "does not exist", "pg_hba.conf",
      ]
      guard words.contains(where: { error.message.contains($0) }) else { return error }
      return PostgresError(.refused, error.message)
    }

    /// Whether the connection works, as far as is known. It is over at its first failure.
    var isAlive: Bool { !isBroken && (unsafe PQstatus(handle) == CONNECTION_OK) }

    /// Whether a transaction is open, or failed and not rolled back yet.
    var isInTransaction: Bool {
      switch unsafe PQtransactionStatus(handle) {
      case PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE: true
      default: false
      }
    }

    /// The version of the server, as 150004 for 15.4.
    var serverVersion: Int32 { unsafe PQserverVersion(handle) }

    /// The number of the server's process.
    var serverProcess: Int32 { unsafe PQbackendPID(handle) }

    /// Runs statements that are written by the program and have no parameters.
    ///
    /// - Returns: The tag of the last one, as `COMMIT`.
    @discardableResult
    func execute(_ sql: String) throws(PostgresError) -> String {
      let result = try unsafe LibPQResult(PQexec(handle, sql), of: self)
      return result.tag
    }

    /// Has the server parse a statement.
    func prepare(_ sql: String, as name: String) throws(PostgresError) {
      _ = try unsafe LibPQResult(PQprepare(handle, name, sql, 0, nil), of: self)
    }

    /// Runs a prepared statement. Values and answer are in PostgreSQL's binary formats.
    ///
    /// - Parameters:
    ///   - name: The name that the statement was prepared by.
    ///   - values: The values of all parameters, one after another.
    ///   - ends: The end of each value in `values`; negative for NULL.
    /// - Returns: The answer.
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

    /// Where values of no bytes lie.
    private nonisolated(unsafe) static let nothing = unsafe UnsafePointer<CChar>(strdup(""))

    /// The failure of a statement; of the connection for `nil`.
    fileprivate func failure(_ result: OpaquePointer?) -> PostgresError {
      func field(_ code: UInt8) -> String? {
        guard let result = unsafe result,
          let text = unsafe PQresultErrorField(result, CInt(code))
        else { return nil }
        return unsafe String(cString: text)
      }
      // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY of postgres_ext.h. The detail, which may hold
      // values of a row, is left out.
      let state =
        unsafe PQstatus(handle) == CONNECTION_OK ? field(UInt8(ascii: "C")) : nil
      let message =
        unsafe field(UInt8(ascii: "M")) ?? PQerrorMessage(handle).map { unsafe String(cString: $0) }
      let error = PostgresError(state: state, message: message ?? "unknown reason")
      if error.kind == .unreachable { isBroken = true }
      return error
    }
  }

  /// The answer to a statement.
  @safe final class LibPQResult {
    private let result: OpaquePointer
    /// The number of rows.
    let rowCount: Int
    /// The number of columns.
    let columnCount: Int

    /// Takes an answer over.
    ///
    /// - Throws: The failure that it is.
    fileprivate init(_ result: OpaquePointer?, of connection: LibPQ) throws(PostgresError) {
      guard let result = unsafe result else { throw unsafe connection.failure(nil) }
      switch unsafe PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
        unsafe self.result = unsafe result
        rowCount = Int(unsafe PQntuples(result))
        columnCount = Int(unsafe PQnfields(result))
      default:
        let failure = unsafe connection.failure(result)
        unsafe PQclear(result)
        throw failure
      }
    }

    deinit { unsafe PQclear(result) }

    /// The tag of the command, as `INSERT 0 1`.
    var tag: String { unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

    /// The number of rows that a statement wrote.
    var writtenCount: Int {
      unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    /// The number of a column's type (catalogue `pg_type`).
    func type(of column: Int) -> UInt32 {
      unsafe PQftype(result, CInt(truncatingIfNeeded: column))
    }

    /// Calls a closure with the bytes of a value; returns `nil` for NULL.
    ///
    /// - Precondition: The row and the column are there.
    @inline(__always)
    func withBytes<T>(
      _ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> T
    ) -> T? {
      precondition(row >= 0 && row < rowCount && column >= 0 && column < columnCount)
      let (row, column) = (CInt(truncatingIfNeeded: row), CInt(truncatingIfNeeded: column))
      guard unsafe PQgetisnull(result, row, column) == 0 else { return nil }
      return unsafe body(
        UnsafeRawBufferPointer(
          start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column))))
    }
  }
#endif
