#if Postgres
  /// A connection to a store, used by one thread at a time.
  ///
  /// Statements are prepared when they are run for the first time. A broken connection cannot be
  /// repaired, only replaced by a new one.
  package final class PostgresConnection {
    /// The time limits of a connection.
    package struct Deadlines: Hashable, Sendable {
      /// The limit for connecting, in seconds, unless the address sets `connect_timeout`.
      package var connectSeconds: Int
      /// The limit for one statement, in milliseconds; zero for none.
      package var statementMilliseconds: Int
      /// The time in milliseconds that sent data may stay unacknowledged by the server's machine,
      /// unless the address sets `tcp_user_timeout`.
      package var silenceMilliseconds: Int

      /// Creates deadlines; without arguments, those of an interactive command.
      package init(
        connectSeconds: Int = 10, statementMilliseconds: Int = 60_000,
        silenceMilliseconds: Int = 30_000
      ) {
        self.connectSeconds = connectSeconds
        self.statementMilliseconds = statementMilliseconds
        self.silenceMilliseconds = silenceMilliseconds
      }

      /// The deadlines of work in the background: half an hour for a statement.
      package static let work = Deadlines(statementMilliseconds: 1_800_000)
    }

    private let link: LibPQ
    /// The names of prepared statements by their texts.
    private var prepared: [String: String] = [:]
    private var nameCount = 0
    /// The values of the current statement, and their ends; kept to reuse their memory.
    private var values: [UInt8] = []
    private var ends: [Int] = []

    /// The number of prepared statements above which all of them are deallocated.
    private static let statementLimit = 200

    /// The owner for whom the connection acts; `nil` for none.
    package private(set) var owner: OwnerID?

    /// Connects.
    ///
    /// - Throws: `PostgresError`, mostly of the kinds `unreachable` and `refused`.
    package init(
      _ address: StoreAddress, deadlines: Deadlines = Deadlines()
    ) throws(PostgresError) {
      var parameters = address.parameters
      let presets = [
        "connect_timeout": "\(deadlines.connectSeconds)",
        "tcp_user_timeout": "\(deadlines.silenceMilliseconds)",
        "application_name": "photospots",
        "client_encoding": "UTF8",
      ]
      parameters.merge(presets) { given, _ in given }
      link = try LibPQ(parameters)
      try link.execute("set statement_timeout = \(deadlines.statementMilliseconds)")
      // Each statement has one good plan. PostgreSQL 12 and later otherwise compare estimated
      // costs, and plan a query of spots again each time, which takes longer than running it.
      // Citus finds the node of an owner while it plans: it has no plan without the owner's number
      // for statements with joins, `lateral` or `insert … select`.
      if link.serverVersion >= 120_000 {
        try link.execute(
          """
          select set_config('plan_cache_mode', 'force_generic_plan', false)
          where not exists (select from pg_extension where extname = 'citus')
          """)
      }
    }

    /// Makes the server read tables by their indexes.
    ///
    /// A watch plans its statements once, often while the tables are still small or empty. The
    /// server would then choose to read them as a whole, and keep to that while they grow. The
    /// nodes of Citus do not get the setting, and do not need it: they plan each statement when it
    /// runs.
    func useIndexes() throws(PostgresError) { try link.execute("set enable_seqscan = off") }

    /// Whether the connection works, as far as is known.
    package var isAlive: Bool { link.isAlive }

    /// The process ID of the server process, for measurements on the same machine.
    package var serverProcess: Int32 { link.serverProcess }

    // MARK: - Owners

    /// Makes the connection act for an owner: it reads and writes rows of that owner only.
    ///
    /// The policies of the tables compare the owners of rows with the setting `photospots.owner`,
    /// which lasts as long as the session.
    ///
    /// - Throws: The server's error; then the connection acts for no owner.
    /// - Precondition: No transaction is open, unless the connection acts for the owner already.
    package func act(for owner: OwnerID) throws(PostgresError) {
      guard self.owner != owner else { return }
      precondition(!link.isInTransaction)
      self.owner = nil
      var bytes: [UInt8] = []
      bytes.append(contentsOf: "\(owner)".utf8)
      _ = try run("select set_config('photospots.owner', $1, false)", bytes, ends: [bytes.count])
      self.owner = owner
    }

    // MARK: - Statements

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - values: The values of its parameters, without the owner, which the connection adds.
    /// - Returns: The rows of the result.
    /// - Throws: The server's error.
    /// - Precondition: The connection acts for an owner if the statement names one.
    @discardableResult
    package func query<Statement: StoreStatement>(
      _ statement: Statement, _ values: [PostgresValue] = []
    ) throws(PostgresError) -> PostgresRows {
      self.values.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      if Statement.namesOwner {
        guard let owner else { preconditionFailure("a statement for no owner") }
        self.values.append(bigEndian: owner.number)
        ends.append(self.values.count)
      }
      for value in values {
        let isValue = value.write(to: &self.values)
        ends.append(isValue ? self.values.count : -1)
      }
      return try run(statement.rawValue, self.values, ends: ends)
    }

    private func run(
      _ sql: String, _ values: [UInt8], ends: [Int]
    ) throws(PostgresError) -> PostgresRows {
      PostgresRows(try link.run(try name(of: sql), values, ends: ends))
    }

    private func name(of sql: String) throws(PostgresError) -> String {
      if let name = prepared[sql] { return name }
      if prepared.count >= Self.statementLimit {
        try link.execute("deallocate all")
        prepared.removeAll()
      }
      nameCount += 1
      let name = "s\(nameCount)"
      try link.prepare(sql, as: name)
      prepared[sql] = name
      return name
    }

    /// Sends rows to a table by a COPY statement.
    ///
    /// - Parameters:
    ///   - statement: A statement `copy … from stdin (format binary)`.
    ///   - rows: The rows, with as many values as the statement has columns.
    /// - Throws: The server's error; then no row was copied.
    func copy<Statement: StoreStatement>(
      _ statement: Statement, _ rows: consuming CopyRows
    ) throws(PostgresError) {
      precondition(!Statement.namesOwner)
      try link.copy(statement.rawValue, rows.finished())
    }

    // MARK: - Transactions

    /// Runs statements as one transaction, which is rolled back if the closure throws.
    ///
    /// If the connection breaks during the commit, it is unknown whether the transaction was
    /// committed.
    ///
    /// - Throws: The error of the closure or of the server.
    /// - Precondition: No transaction is open.
    package func transaction<Value>(
      _ body: () throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
      try transaction(beginning: "begin", body)
    }

    private func transaction<Value>(
      beginning begin: String, _ body: () throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
      precondition(!link.isInTransaction)
      try link.execute(begin)
      do throws(PostgresError) {
        let value = try body()
        // The server answers ROLLBACK if a statement of the transaction failed.
        guard try link.execute("commit") == "COMMIT" else {
          throw .malformed("a transaction was rolled back instead of committed")
        }
        return value
      } catch {
        if link.isAlive, link.isInTransaction { _ = try? link.execute("rollback") }
        throw error
      }
    }

    /// Runs queries as one read-only transaction, which sees the database as of one moment
    /// (isolation level REPEATABLE READ).
    ///
    /// - Precondition: No transaction is open.
    package func snapshot<Value>(
      _ body: () throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
      try transaction(beginning: "begin isolation level repeatable read read only", body)
    }

    /// Runs a transaction, and repeats it after a conflict with another one.
    ///
    /// - Parameters:
    ///   - tries: The maximum number of attempts; at least one is made.
    ///   - body: The statements, called once for each attempt.
    /// - Returns: The value of the closure.
    /// - Throws: The error of the last attempt, of the kind `conflict` if all of them had one.
    /// - Precondition: No transaction is open.
    package func transaction<Value>(
      tries: Int, _ body: () throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
      for _ in 1..<max(tries, 1) {
        do throws(PostgresError) {
          return try transaction(body)
        } catch {
          guard error.kind == .conflict else { throw error }
        }
      }
      return try transaction(body)
    }

    /// Runs a statement of a migration, which has no parameters.
    func define(_ sql: String) throws(PostgresError) {
      try link.execute(sql)
    }
  }
#endif
