import SystemPackage
import TestSupport
import Testing

@testable import SQLiteFiles

@Suite struct SQLiteFileTests {
  private let folder = TemporaryFolder()
  private var path: FilePath { folder.path("a b?#%.db") }
  private let limits = SQLiteFile.Limits(valueLength: 1 << 20, megasteps: 2)

  /// The contents of the folder's files by name.
  private func contents() throws -> [String: [UInt8]] {
    try Dictionary(
      uniqueKeysWithValues: Corpus.paths(under: folder.root).map {
        ($0.lastComponent?.string ?? "", try folder.contents(of: $0))
      })
  }

  private func numbers() throws -> [Int64] {
    try SQLiteFile.read(path, limits: limits) { file throws(SQLiteError) -> [Int64] in
      let query = try file.query("SELECT x FROM t ORDER BY x")
      var numbers: [Int64] = []
      while try query.next() { if let number = query.integer(0) { numbers.append(number) } }
      return numbers
    }
  }

  @Test func `committed data in a write-ahead log is read without changing or locking files`()
    throws
  {
    let program = try TestDatabase(path)
    try program.execute(
      "PRAGMA journal_mode=WAL; CREATE TABLE t (x); PRAGMA wal_checkpoint(TRUNCATE)")
    try program.execute("INSERT INTO t VALUES (1); BEGIN; INSERT INTO t VALUES (2)")
    let before = try contents()
    #expect(before.count == 3 && before["a b?#%.db-wal"]?.isEmpty == false)
    #expect(try numbers() == [1])
    #expect(try contents() == before)
    // The transaction goes on, and so may a checkpoint that needs all locks.
    try program.execute("COMMIT; INSERT INTO t VALUES (3); PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try numbers() == [1, 2, 3])
  }

  @Test func `a database is read through a symbolic link`() throws {
    try TestDatabase.make(path, "PRAGMA journal_mode=WAL; CREATE TABLE t (x)")
    let program = try TestDatabase(path)
    try program.execute("INSERT INTO t VALUES (7)")
    let link = folder.path("link")
    try folder.link(link, to: path)
    let found = try SQLiteFile.read(link, limits: limits) { file throws(SQLiteError) -> Bool in
      try file.query("SELECT x FROM t").next()
    }
    #expect(found)
    #expect(!folder.exists(folder.path("link-wal")))
  }

  @Test func `an unfinished write in a database without a log is an error`() throws {
    let program = try TestDatabase(path)
    try program.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    #expect(try numbers() == [1])
    let journal = FilePath(path.string + "-journal")
    try folder.write([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 1], to: journal)
    #expect(throws: SQLiteError.isBeingWritten) { try numbers() }
    // A journal that was kept for the next transaction (journal_mode=PERSIST).
    try folder.write([UInt8](repeating: 0, count: 512), to: journal)
    #expect(try numbers() == [1])
  }

  @Test func `a file that changes while being read is read at most three times`() throws {
    try TestDatabase.make(path, "CREATE TABLE t (x)")
    var attempts = 0
    func read(changing count: Int) throws -> Int {
      attempts = 0
      return try SQLiteFile.read(path, limits: limits) { file throws(SQLiteError) -> Int in
        attempts += 1
        if attempts <= count {
          try? folder.setModified(path, seconds: 1_700_000_000 + attempts)
          throw .refused("torn")
        }
        return attempts
      }
    }
    #expect(try read(changing: 2) == 3)
    #expect(throws: SQLiteError.isBeingWritten) { try read(changing: 9) }
    #expect(attempts == 3)
  }

  @Test func `views, virtual tables and computed columns are not accepted as tables`() throws {
    try TestDatabase.make(
      path,
      """
      CREATE TABLE real (a INTEGER, b TEXT, c AS (a + 1), d AS (a + 2) STORED);
      CREATE VIEW seen AS SELECT a, b FROM real;
      CREATE VIRTUAL TABLE full USING fts4(a, b);
      """)
    let file = try SQLiteFile(path, .immutable, limits: limits)
    #expect(try file.columns(of: "real") == ["a", "b"])
    #expect(try file.columns(of: "seen").isEmpty)
    #expect(try file.columns(of: "full").isEmpty)
    #expect(try file.columns(of: "none").isEmpty)
    #expect(throws: SQLiteError.self) { try file.query("SELECT a FROM seen") }
    let seeing = try SQLiteFile(path, .immutable, readsViews: true, limits: limits)
    #expect(try !seeing.query("SELECT a FROM seen").next())
  }

  @Test func `long values and long-running queries are rejected`() throws {
    try TestDatabase.make(
      path, "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(2000000)), (1)")
    let file = try SQLiteFile(path, .immutable, limits: limits)
    #expect(throws: SQLiteError.refused("string or blob too big")) {
      let query = try file.query("SELECT x FROM t")
      while try query.next() {}
    }
    let endless = try file.query(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0")
    #expect(throws: SQLiteError.refused("interrupted")) { _ = try endless.next() }
    // The next query has its own limit.
    let short = try file.query("SELECT ?1 + ?2")
    short.run(40, 2)
    #expect(try short.next() && short.integer(0) == 42 && short.bytes(0) == nil)
  }

  @Test func `a FIFO, a folder and a missing file are rejected without waiting`() throws {
    try folder.createFIFO(path)
    #expect(throws: SQLiteError.unreadable(.notSupported)) { try numbers() }
    folder.remove(path)
    #expect(throws: SQLiteError.unreadable(.noSuchFileOrDirectory)) { try numbers() }
  }
}
