#if Postgres
  import CivilTime
  import PostgresStore
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"))
  struct AccountKeyTests {
    private let store: StoreDatabase

    init() throws { store = try StoreDatabase() }

    private static let time = Instant(millisecondsSince1970: 1_700_000_000_000)

    private func hash(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }

    /// Adds a key whose hashes repeat a byte and its successor.
    private func add(
      _ byte: UInt8, _ connection: PostgresConnection, label: String = "browser"
    ) throws -> Int32? {
      try AccountKey.add(labelled: label, at: Self.time, connection) { _ in
        (hash(byte), hash(byte + 1))
      }
    }

    @Test func `keys are numbered per owner, found by number, listed and removed`() throws {
      let (anna, annasID) = try store.connection(for: "anna")
      let (ben, _) = try store.connection(for: "ben")
      #expect(try add(1, anna) == 1)
      #expect(try add(3, anna, label: "phone") == 2)
      #expect(try add(5, ben) == 1)
      let keys = try AccountKey.all(anna)
      #expect(keys.map(\.number) == [1, 2])
      #expect(keys.map(\.label) == ["browser", "phone"])
      #expect(keys.map(\.keyHash) == [hash(1), hash(3)])
      #expect(keys.map(\.made) == [Self.time, Self.time])
      let access = try #require(try AccountAccess.find(2, of: annasID.id, anna))
      #expect(access.owner == annasID && access.libraryToken == nil)
      #expect((access.keyHash, access.sessionHash) == (hash(3), hash(4)))
      #expect(try AccountKey.remove(2, anna) == 1)
      #expect(try AccountKey.remove(2, anna) == 0)
      #expect(try AccountAccess.find(2, of: annasID.id, anna) == nil)
      #expect(try AccountKey.remove(nil, anna) == 1)
      #expect(try AccountKey.all(ben).map(\.keyHash) == [hash(5)])
    }

    @Test func `a key is found as a key only, and a feed token as a token only`() throws {
      let (anna, annasID) = try store.connection(for: "anna")
      let (ben, bensID) = try store.connection(for: "ben")
      #expect(try add(1, anna) == 1)
      let number = try AccountKey.add(labelled: "phone", for: .feed, at: Self.time, anna) { _ in
        (hash(3), hash(4))
      }
      #expect(number == 2)
      #expect(try AccountKey.all(anna).map(\.kind) == [.page, .feed])
      let token = try #require(try FeedTokenAccess.find(2, of: annasID.id, anna))
      #expect(token.owner == annasID && token.device == "phone" && token.keyHash == hash(3))
      #expect(try FeedTokenAccess.find(1, of: annasID.id, anna) == nil)
      #expect(try AccountAccess.find(2, of: annasID.id, anna) == nil)
      #expect(try FeedTokenAccess.find(2, of: bensID.id, ben) == nil)
      #expect(try AccountKey.remove(2, anna) == 1)
      #expect(try FeedTokenAccess.find(2, of: annasID.id, anna) == nil)
    }

    @Test func `the number of an owner's keys is limited`() throws {
      let (anna, _) = try store.connection(for: "anna")
      for number in 1...AccountKey.maximumCount { #expect(try add(1, anna) == Int32(number)) }
      #expect(try add(1, anna) == nil)
    }

    @Test func `a lookup for an unknown owner finds nothing`() throws {
      let connection = try store.connection()
      for number in [Int64.max, 1, 2] {
        #expect(try AccountAccess.find(1, of: OwnerID(number), connection) == nil)
      }
    }

    @Test
    func `row security hides the rows of other owners from queries without an owner condition`()
      throws
    {
      let (anna, annasID) = try store.connection(for: "anna")
      let (ben, bensID) = try store.connection(for: "ben")
      _ = try add(1, anna)
      _ = try add(1, ben)
      _ = try add(3, ben)
      for table in ["library", "device"] {
        let values = table == "device" ? "'phone'" : "7"
        try store.database.execute("insert into \(table) values (\(bensID.id), \(values))")
      }
      for (owner, keys, others) in [(annasID, "1", "0"), (bensID, "2", "1")] {
        let counts = try store.database.execute(
          """
          set role photospots;
          set photospots.owner = '\(owner.id)';
          select count(*) from account_key;
          select count(*) from library;
          select count(*) from device;
          """)
        #expect(counts == [keys, others, others], "\(owner.name)")
      }
      let nobodys = try store.database.execute(
        "set role photospots; select count(*) from account_key")
      #expect(nobodys == ["0"])
    }
  }
#endif
