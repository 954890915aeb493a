#if Postgres
  import PostgresStore
  import TestSupport
  import Testing

  /// Statements for tests; some return their parameters.
  private enum EchoStatement: String, StoreStatement {
    static var namesOwner: Bool { false }

    case numbers = """
      select $1::bigint, $2::integer, $3::smallint, $4::boolean, $5::double precision, $6::text, \
      $7::bytea, null::bigint
      """
    case arrays = """
      select * from unnest($1::bigint[], $2::integer[], $3::smallint[], $4::double precision[], \
      $5::bytea[], $6::text[], $7::boolean[], $8::bigint[])
      """
    case count = "select count(*) from cell"
    case fail = "select 1 / $1::integer"
    case end = "select pg_terminate_backend(pg_backend_pid())"
    case sleep = "select pg_sleep(100)"
    case set = "select set_config('statement_timeout', '50', false)"
  }

  /// Statements for tests, with the owner as their first parameter.
  private enum OwnedStatement: String, StoreStatement {
    case add = "insert into cell (owner, cell) values ($1, $2)"
    case other = "insert into cell (owner, cell) values ($1::bigint + 1, $2)"
    case count = "select count(*) from cell where owner = $1"
    case all = "select count(*) from cell where $1::bigint is not null"
  }

  @Suite(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"))
  struct PostgresConnectionTests {
    private let store: StoreDatabase

    init() throws { store = try StoreDatabase() }

    @Test func `values of each type are returned as they were sent`() throws {
      let connection = try store.connection()
      let bytes: [UInt8] = [0, 255, 1]
      let rows = try connection.query(
        EchoStatement.numbers,
        [
          .int8(.min), .int4(-7), .int2(.max), .bool(true), .double(-0.1), .text("Łódź\u{1F5FA}"),
          .bytes(bytes),
        ])
      #expect(rows.count == 1)
      #expect(try rows.int8(0, 0) == .min)
      #expect(try rows.int4(0, 1) == -7)
      #expect(try rows.int2(0, 2) == .max)
      #expect(try rows.bool(0, 3))
      #expect(try rows.double(0, 4) == -0.1)
      #expect(try rows.text(0, 5) == "Łódź\u{1F5FA}")
      #expect(try rows.bytes(0, 6) == bytes)
      #expect(try rows.optionalInt8(0, 7) == nil)
    }

    @Test func `arrays of each type are returned as they were sent, including empty ones`() throws {
      let connection = try store.connection()
      let rows = try connection.query(
        EchoStatement.arrays,
        [
          .int8s([1, -2]), .int4s([3, 4]), .int2s([5, 6]), .doubles([0.5, -180]),
          .byteStrings([[], [0]]), .texts(["", "é"]), .bools([true, false]),
          .optionalInt8s([nil, 9]),
        ])
      #expect(rows.count == 2)
      #expect(try rows.int8(1, 0) == -2)
      #expect(try rows.int4(1, 1) == 4)
      #expect(try rows.int2(0, 2) == 5)
      #expect(try rows.double(1, 3) == -180)
      #expect(try rows.bytes(0, 4) == [])
      #expect(try rows.bytes(1, 4) == [0])
      #expect(try rows.text(1, 5) == "é")
      #expect(try rows.bool(0, 6))
      #expect(try rows.optionalInt8(0, 7) == nil)
      #expect(try rows.optionalInt8(1, 7) == 9)
      let none = try connection.query(
        EchoStatement.arrays,
        [
          .int8s([]), .int4s([]), .int2s([]), .doubles([]), .byteStrings([]), .texts([]),
          .bools([]),
          .optionalInt8s([]),
        ])
      #expect(none.count == 0)
    }

    @Test func `reading a value as another type, or NULL, throws an error`() throws {
      let connection = try store.connection()
      let rows = try connection.query(
        EchoStatement.numbers,
        [.int8(1), .int4(1), .int2(1), .bool(true), .double(1), .text("x"), .bytes([])])
      #expect { try rows.int4(0, 0) } throws: { ($0 as? PostgresError)?.kind == .malformed }
      #expect { try rows.text(0, 6) } throws: { ($0 as? PostgresError)?.kind == .malformed }
      #expect { try rows.int8(0, 7) } throws: { ($0 as? PostgresError)?.kind == .malformed }
      #expect { try rows.coordinate(0, 3) } throws: { ($0 as? PostgresError)?.kind == .malformed }
    }

    @Test func `a failed transaction changes nothing, even if its closure hides the error`() throws
    {
      let connection = try store.connection(for: "anna").connection
      struct Stop: Error {}
      try connection.transaction { () throws(PostgresError) in
        try connection.query(OwnedStatement.add, [.int4(1)])
        try connection.query(OwnedStatement.add, [.int4(2)])
      }
      #expect {
        try connection.transaction { () throws(PostgresError) in
          try connection.query(OwnedStatement.add, [.int4(3)])
          try connection.query(OwnedStatement.add, [.int4(3)])
        }
      } throws: { ($0 as? PostgresError)?.kind == .duplicate }
      // An error that the closure does not rethrow.
      #expect {
        try connection.transaction { () throws(PostgresError) in
          try connection.query(OwnedStatement.add, [.int4(4)])
          _ = try? connection.query(EchoStatement.fail, [.int4(0)])
        }
      } throws: { ($0 as? PostgresError)?.kind == .malformed }
      #expect(try connection.query(OwnedStatement.count).int8(0, 0) == 2)
    }

    @Test func `an owner cannot read or write another owner's rows, even by a wrong statement`()
      throws
    {
      let (anna, first) = try store.connection(for: "anna")
      let (ben, second) = try store.connection(for: "ben")
      #expect(first.id != second.id)
      try anna.query(OwnedStatement.add, [.int4(1)])
      #expect(try ben.query(OwnedStatement.all).int8(0, 0) == 0)
      #expect(try anna.query(OwnedStatement.all).int8(0, 0) == 1)
      #expect { try anna.query(OwnedStatement.other, [.int4(1)]) } throws: {
        ($0 as? PostgresError)?.kind == .refused
      }
      // The same connection for another owner, and a connection without an owner.
      try anna.act(for: second.id)
      #expect(try anna.query(OwnedStatement.all).int8(0, 0) == 0)
      #expect(try store.connection().query(EchoStatement.count).int8(0, 0) == 0)
    }

    @Test func `errors have their SQLSTATE and kind`() throws {
      let connection = try store.connection()
      #expect { try connection.query(EchoStatement.fail, [.int4(0)]) } throws: {
        ($0 as? PostgresError)?.state == "22012" && ($0 as? PostgresError)?.kind == .failed
      }
      // A statement that failed can be run again.
      #expect(try connection.query(EchoStatement.fail, [.int4(1)]).int4(0, 0) == 1)
      try connection.query(EchoStatement.set)
      #expect { try connection.query(EchoStatement.sleep) } throws: {
        ($0 as? PostgresError)?.kind == .late
      }
      #expect { try connection.query(EchoStatement.end) } throws: {
        ($0 as? PostgresError)?.kind == .unreachable
      }
      #expect(!connection.isAlive)
      #expect { try connection.query(EchoStatement.count) } throws: {
        ($0 as? PostgresError)?.kind == .unreachable
      }
    }

    @Test func `an unreachable server and a missing database are different errors`() throws {
      let nowhere = try StoreAddress("postgres://anna@/photos?host=/nonexistent")
      #expect { try PostgresConnection(nowhere) } throws: {
        ($0 as? PostgresError)?.kind == .unreachable
      }
      let address = store.database.address.replacing(store.database.name, with: "no_such_database")
      let wrong = try StoreAddress(address)
      #expect { try PostgresConnection(wrong) } throws: { ($0 as? PostgresError)?.kind == .refused }
    }
  }
#endif
