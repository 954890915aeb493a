#if Postgres
  import ProcessControl
  import CLibrary
  import FeedServer
  import PostgresStore
  import SpotService
  import Synchronization
  import TestSupport
  import Testing
  import WebService

  @testable import StoreServer

  /// The limits of `serve --store` for lookups of keys and feed tokens.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(30)))
  struct StoreLookupTests {
    private enum Answer: Equatable {
      case valid, unknown, refused(Int)
    }

    /// A store with a page and feeds, and a key and a token of one owner.
    private struct Bench {
      let people: StoreAccountsBench
      let feeds: StoredFeeds
      let key: String
      let token: String

      init(waiting: Int) throws {
        people = try StoreAccountsBench(connections: 1, waiting: waiting)
        let watching = try StoreWatching(
          StoreAddress(people.database.address), people.pool, people.settings,
          limits: StoredWatches.Limits(), log: .none)
        feeds = StoredFeeds(
          people.pool, openLookups: people.lookups, watches: watching.watches, report: { _ in })
        key = try people.key(for: "anna").text
        token = try people.key(for: "anna", ofDevice: "phone").text
      }

      func page(_ key: String, from address: String? = nil) -> Answer {
        var request = ServiceRequest(
          method: "GET", target: "/api/v1/status",
          fields: [("Host", "localhost"), ("Authorization", "Bearer \(key)")])
        request.address = address
        do throws(Problem) {
          let account = try people.accounts.account(of: request)
          return account.service.isOpen(to: request) ? .valid : .unknown
        } catch { return .refused(error.response.status) }
      }

      func feed(_ token: String, from address: String? = nil) -> Answer {
        switch feeds.lookUp(Array(token.utf8), from: address) {
        case .found: .valid
        case .unknown: .unknown
        case .unavailable: .refused(503)
        }
      }

      /// Runs a closure while the only connection is in use.
      func holdingConnection(_ body: () throws -> Void) throws {
        let (isHeld, isReleased) = (Observed(false), Observed(false))
        let holder = try BackgroundThread { [pool = people.pool] in
          try? pool.read { _ throws(PostgresError) in
            isHeld.update { $0 = true }
            isReleased.wait { $0 }
          }
        }
        isHeld.wait { $0 }
        let result = Result { try body() }
        isReleased.update { $0 = true }
        holder.join()
        try result.get()
      }

      /// Starts a closure on a thread of its own, and waits until a number of calls wait for the
      /// connection.
      func start(waiting count: Int, _ body: @escaping @Sendable () -> Void) throws {
        let thread = try BackgroundThread(body)
        _ = consume thread
        while people.pool.waitingCount < count { sched_yield() }
      }
    }

    /// A key of the right form that nobody has.
    private static func wrong(_ number: Int) -> String {
      "1-\(number)-00000000000000000000000000000000"
    }

    @Test func `eight keys and tokens never found valid are looked up at a time`() throws {
      let bench = try Bench(waiting: 64)
      #expect(bench.page(bench.key) == .valid && bench.feed(bench.token) == .valid)
      let answers = Observed<[Answer]>([])
      try bench.holdingConnection {
        for number in 1...8 {
          try bench.start(waiting: number) {
            let (key, address) = (Self.wrong(number), "192.0.2.\(number)")
            let answer =
              number % 2 == 0 ? bench.page(key, from: address) : bench.feed(key, from: address)
            answers.update { $0.append(answer) }
          }
        }
        #expect(bench.page(Self.wrong(9), from: "192.0.2.9") == .refused(503))
        #expect(bench.feed(Self.wrong(9), from: "192.0.2.9") == .refused(503))
        // Holders wait for the connection instead.
        try bench.start(waiting: 9) {
          let answer = bench.page(bench.key)
          answers.update { $0.append(answer) }
        }
        try bench.start(waiting: 10) {
          let answer = bench.feed(bench.token)
          answers.update { $0.append(answer) }
        }
        #expect(answers.value.isEmpty)
      }
      answers.wait { $0.count == 10 }
      #expect(answers.value.count { $0 == .unknown } == 8)
      #expect(answers.value.count { $0 == .valid } == 2)
      #expect(bench.page(Self.wrong(9)) == .unknown && bench.feed(Self.wrong(9)) == .unknown)
    }

    @Test func `one address cannot keep the keys of another from being looked up`() throws {
      let bench = try Bench(waiting: 64)
      let answers = Observed<[Answer]>([])
      try bench.holdingConnection {
        for number in 1...4 {
          try bench.start(waiting: number) {
            let answer = bench.page(Self.wrong(number), from: "2001:db8::\(number)")
            answers.update { $0.append(answer) }
          }
        }
        #expect(bench.page(Self.wrong(5), from: "2001:db8::ffff") == .refused(503))
        #expect(bench.feed(bench.token, from: "2001:db8::ffff") == .refused(503))
        // Someone else logs in for the first time.
        try bench.start(waiting: 5) {
          let answer = bench.page(bench.key, from: "2001:db8:0:1::1")
          answers.update { $0.append(answer) }
        }
        try bench.start(waiting: 6) {
          let answer = bench.feed(bench.token, from: "192.0.2.1")
          answers.update { $0.append(answer) }
        }
      }
      answers.wait { $0.count == 6 }
      #expect(answers.value.count { $0 == .unknown } == 4)
      #expect(answers.value.count { $0 == .valid } == 2)
      #expect(bench.page(Self.wrong(5), from: "2001:db8::ffff") == .unknown)
    }

    @Test(arguments: [
      ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
      ("2001:db8::1", "32:1:13:184:0:0:0:0"), ("2001:db8:0:0:ffff::", "32:1:13:184:0:0:0:0"),
      ("fe80::1%eth0", "254:128:0:0:0:0:0:0"), ("2001:db8:0:1::", "32:1:13:184:0:0:0:1"),
      ("unknown", "unknown"), (nil, ""),
    ])
    func `addresses of one network count as one`(address: String?, group: String) {
      #expect(OpenLookups.group(address) == group)
    }

    @Test func `while all connections are in use, and enough calls wait, others get 503`() throws {
      let bench = try Bench(waiting: 1)
      #expect(bench.page(bench.key) == .valid && bench.feed(bench.token) == .valid)
      let answers = Observed<[Answer]>([])
      try bench.holdingConnection {
        try bench.start(waiting: 1) {
          let answer = bench.page(bench.key)
          answers.update { $0.append(answer) }
        }
        #expect(bench.page(bench.key) == .refused(503))
        #expect(bench.feed(bench.token) == .refused(503))
        #expect(answers.value.isEmpty)
      }
      answers.wait { $0 == [.valid] }
      #expect(bench.page(bench.key) == .valid && bench.feed(bench.token) == .valid)
    }
  }
#endif
