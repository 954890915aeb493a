#if Postgres
  import CivilTime
  import PostgresStore
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"))
  struct AccountReceiverTests {
    private let store: StoreDatabase

    init() throws { store = try StoreDatabase() }

    private static let time = Instant(millisecondsSince1970: 1_700_000_000_000)

    private func add(_ kind: String, _ connection: PostgresConnection) throws -> Int32? {
      try AccountReceiver.add(
        kind, settings: Array(#"{"ntfyURL":"x"}"#.utf8), at: Self.time, connection)
    }

    private func addKey(_ connection: PostgresConnection) throws -> Int32? {
      try AccountKey.add(labelled: "browser", at: Self.time, connection) { _ in ([1], [2]) }
    }

    @Test func `receivers and keys of an owner share numbers, and are listed apart`() throws {
      let (anna, _) = try store.connection(for: "anna")
      let (ben, _) = try store.connection(for: "ben")
      #expect(try addKey(anna) == 1)
      #expect(try add("ntfy", anna) == 2)
      #expect(try addKey(anna) == 3)
      #expect(try add("webhook", anna) == 4)
      #expect(try add("gotify", ben) == 1)
      let receivers = try AccountReceiver.all(anna)
      #expect(receivers.map(\.notifierName) == ["ntfy-2", "webhook-4"])
      #expect(receivers.map(\.made) == [Self.time, Self.time])
      #expect(receivers.map { String(decoding: $0.settings, as: UTF8.self) }.first?.count == 15)
      #expect(try AccountKey.all(anna).map(\.number) == [1, 3])
      #expect(try AccountReceiver.remove(2, at: Self.time, anna) == 1)
      #expect(try AccountReceiver.remove(2, at: Self.time, anna) == 0)
      #expect(try AccountReceiver.remove(3, at: Self.time, anna) == 0)
      #expect(try AccountReceiver.all(anna).map(\.number) == [4])
      #expect(try AccountReceiver.remove(nil, at: Self.time, anna) == 1)
      #expect(try AccountReceiver.all(ben).map(\.notifierName) == ["gotify-1"])
    }

    @Test func `the number of an owner's receivers is limited`() throws {
      let (anna, _) = try store.connection(for: "anna")
      for number in 1...AccountReceiver.maximumCount {
        #expect(try add("ntfy", anna) == Int32(number))
      }
      #expect(try add("ntfy", anna) == nil)
      #expect(try addKey(anna) == Int32(AccountReceiver.maximumCount) + 1)
    }

    /// Adds a delivery that waits since a time.
    private func wait(
      _ notifier: String, of owner: OwnerID, leasedUntil lease: Int64, alert: String = "a"
    ) throws {
      try store.database.execute(
        """
        insert into delivery (owner, alert, notifier, device, number, queued, holder, lease)
        values (\(owner), '\(alert)', '\(notifier)', 'phone', 1,
          \(Self.time.millisecondsSince1970), 7, \(lease))
        """)
    }

    private func states(of owner: OwnerID) throws -> [String] {
      try store.database.execute(
        "select notifier || ' ' || state from delivery where owner = \(owner) order by 1")
    }

    @Test func `removing a receiver gives up the deliveries that wait for it alone`() throws {
      let (anna, annasID) = try store.connection(for: "anna")
      let (ben, bensID) = try store.connection(for: "ben")
      for connection in [anna, ben] {
        #expect(try add("ntfy", connection) == 1)
        #expect(try add("webhook", connection) == 2)
      }
      for owner in [annasID, bensID] {
        for name in ["ntfy-1", "webhook-2", "stdout"] {
          try wait(name, of: owner.id, leasedUntil: 0)
        }
      }
      #expect(try AccountReceiver.remove(1, at: Self.time, anna) == 1)
      #expect(try states(of: annasID.id) == ["ntfy-1 2", "stdout 0", "webhook-2 0"])
      #expect(try AccountReceiver.remove(nil, at: Self.time, anna) == 1)
      #expect(try states(of: annasID.id) == ["ntfy-1 2", "stdout 0", "webhook-2 2"])
      #expect(try states(of: bensID.id) == ["ntfy-1 0", "stdout 0", "webhook-2 0"])
      let reasons = try store.database.execute(
        "select distinct failure from delivery where state = 2")
      #expect(reasons == ["the receiver was removed"])
    }

    @Test func `deliveries are abandoned if they wait for a receiver without a lease`() throws {
      let (anna, annasID) = try store.connection(for: "anna")
      let (ben, _) = try store.connection(for: "ben")
      let now = Self.time.advanced(bySeconds: 60)
      func isAbandoned(_ connection: PostgresConnection, at time: Instant = now) throws -> Bool {
        try AccountReceiver.hasAbandonedDeliveries(
          since: time.advanced(bySeconds: -900), at: time, connection)
      }
      #expect(try add("ntfy", anna) == 1)
      #expect(try add("ntfy", ben) == 1)
      #expect(try !isAbandoned(anna))
      try wait("stdout", of: annasID.id, leasedUntil: 0)
      try wait("webhook-1", of: annasID.id, leasedUntil: 0)
      #expect(try !isAbandoned(anna), "no receiver of the account")
      let lease = now.advanced(bySeconds: 30)
      try wait("ntfy-1", of: annasID.id, leasedUntil: lease.millisecondsSince1970)
      #expect(try !isAbandoned(anna), "leased")
      #expect(try isAbandoned(anna, at: lease))
      #expect(try !isAbandoned(ben, at: lease))
      #expect(try !isAbandoned(anna, at: Self.time.advanced(bySeconds: 901)), "too old")
      #expect(try AccountReceiver.remove(1, at: now, anna) == 1)
      #expect(try !isAbandoned(anna, at: lease))
    }

    @Test func `row security hides receivers of other owners from queries without an owner`()
      throws
    {
      let (anna, annasID) = try store.connection(for: "anna")
      let (ben, bensID) = try store.connection(for: "ben")
      _ = try add("ntfy", anna)
      for _ in 0..<2 { _ = try add("webhook", ben) }
      for (setting, count) in [
        ("set photospots.owner = '\(annasID.id)';", "1"),
        ("set photospots.owner = '\(bensID.id)';", "2"), ("", "0"),
      ] {
        let counts = try store.database.execute(
          "set role photospots; \(setting) select count(*) from receiver")
        #expect(counts == [count], "\(setting)")
      }
    }
  }
#endif
