#if Postgres
  import CLibrary
  import FeedServer
  import PostgresStore
  import SpotService
  import Synchronization
  import TestSupport
  import Testing
  import WebService

  @testable import PhotoSpotsProgram

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
          limits: StoredWatches.Limits())
        feeds = StoredFeeds(
          people.pool, openLookups: people.lookups, watches: watching.watches, report: { _ in })
        key = try people.key(for: "anna").text
        token = try people.key(for: "anna", ofDevice: "phone").text
      }

      func page(_ key: String) -> Answer {
        let request = ServiceRequest(
          method: "GET", target: "/api/v1/status",
          fields: [("Host", "localhost"), ("Authorization", "Bearer \(key)")])
        do throws(Problem) {
          let account = try people.accounts.account(of: request)
          return account.service.isOpen(to: request) ? .valid : .unknown
        } catch { return .refused(error.response.status) }
      }

      func feed(_ token: String) -> Answer {
        switch feeds.lookUp(Array(token.utf8)) {
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
            let key = Self.wrong(number)
            let answer = number % 2 == 0 ? bench.page(key) : bench.feed(key)
            answers.update { $0.append(answer) }
          }
        }
        #expect(bench.page(Self.wrong(9)) == .refused(503))
        #expect(bench.feed(Self.wrong(9)) == .refused(503))
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
