#if Postgres && HTTPServer
  import ProcessControl
  import ProgramSettings
  import CLibrary
  import CivilTime
  import FeedServer
  import PostgresStore
  import SpotAlerts
  import SpotService
  import Synchronization
  import TestSupport
  import Testing

  @testable import StoreServer

  /// Receivers of accounts in `serve --store --feeds`.
  @Suite(
    .enabled(
      if: PostgresServer.isInstalled && access("/usr/bin/curl", X_OK) == 0,
      "PostgreSQL or curl is not installed"), .timeLimit(.minutes(30)))
  struct StoreReceiverTests {
    private typealias Bench = StoreFeedBench

    /// A server that receives alerts, refuses the first ones, and answers the others with a status
    /// that a test may change.
    final class Receiver: Sendable {
      let requests = Observed<[LoopbackServer.Request]>([])
      let status = Mutex(200)
      private let server = Mutex<LoopbackServer?>(nil)

      init(status: Int = 200, refusing refusedCount: Int = 0) throws {
        self.status.withLock { $0 = status }
        let server = try LoopbackServer { [weak self] _, request in
          guard let self else { return .silence }
          let isRefused = requests.value.count < refusedCount
          let status = isRefused ? 503 : self.status.withLock { $0 }
          requests.update { $0.append(request) }
          return .status(status)
        }
        self.server.withLock { $0 = server }
      }

      var address: String { "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }
      /// The bodies of the requests so far.
      var bodies: [String] {
        requests.value.map { String(decoding: $0.body, as: UTF8.self) }
      }
    }

    /// Adds a receiver of an owner, and returns its number.
    @discardableResult
    private func add(
      _ kind: WebReceiver, _ settings: [Setting: String], for name: String, _ bench: Bench
    ) throws -> Int32 {
      let (connection, _) = try bench.people.connection(for: name)
      let sources = settings.mapValues { Settings.Source(text: $0, origin: .store) }
      let number = try AccountReceiver.add(
        kind.rawValue, settings: try Settings(only: sources).json(of: kind), at: .now, connection)
      return try #require(number)
    }

    /// The outcomes of an owner's deliveries, as `NOTIFIER STATE TRIES`.
    private func deliveries(of person: StoreAccountsBench.Person, _ bench: Bench) throws -> [String]
    {
      try bench.people.database.execute(
        """
        select notifier || ' ' || state || ' ' || tries from delivery
        where owner = \(person.owner.id) order by 1
        """)
    }

    /// Waits until no delivery of an owner waits.
    private func delivered(_ person: StoreAccountsBench.Person, _ bench: Bench) async throws {
      while try deliveries(of: person, bench).contains(where: { $0.contains(" 0 ") }) {
        try Task.checkCancellation()
        await Task.yield()
      }
    }

    /// Sends a position of a new device at the owner's first spot, where it is alerted.
    private func alert(
      _ person: StoreAccountsBench.Person, on device: String, _ bench: Bench
    ) async throws {
      let token = try bench.people.key(for: person.name, ofDevice: device).text
      #expect(try await bench.post(token, bench.report(person.center)) == "200")
    }

    @Test func `the receivers of each owner get the owner's alerts and no others`() async throws {
      let bench = try await Bench()
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let ben = try bench.people.person("ben", latitude: -33.857, longitude: 151.215)
      let cleo = try bench.people.person("cleo", latitude: 10, longitude: 10)
      let (webhook, ntfy, gotify) = (try Receiver(), try Receiver(), try Receiver())
      try add(
        .webhook, [.webhookURL: webhook.address + "/a", .webhookSecret: "s3cr3t"], for: "anna",
        bench)
      try add(
        .ntfy, [.ntfyURL: ntfy.address + "/t0pic", .ntfyToken: "t0ken", .ntfyPriority: "4"],
        for: "ben", bench)
      try add(
        .gotify, [.gotifyURL: gotify.address, .gotifyToken: "A.t0ken"], for: "ben", bench)
      for person in [anna, ben, cleo] { try await alert(person, on: "phone", bench) }
      await webhook.requests.met { !$0.isEmpty }
      await ntfy.requests.met { !$0.isEmpty }
      await gotify.requests.met { !$0.isEmpty }
      for person in [anna, ben] { try await delivered(person, bench) }
      #expect(try deliveries(of: anna, bench) == ["webhook-2 1 1"])
      #expect(try deliveries(of: ben, bench) == ["gotify-3 1 1", "ntfy-2 1 1"])
      #expect(try deliveries(of: cleo, bench) == [])
      for receiver in [webhook, ntfy, gotify] { #expect(receiver.requests.value.count == 1) }
      let posted = try #require(webhook.requests.value.first)
      #expect(posted.path == "/a")
      #expect(posted.headers["x-photospots-signature"]?.hasPrefix("sha256=") == true)
      #expect(webhook.bodies[0].contains(#""id":"\#(anna.spotIDs[0])""#))
      // The link to the page; a store has no muted spots.
      let link = "https://photos.example.org:8090/#17/43.318/11.331/spot/\(anna.spotIDs[0])/again"
      #expect(webhook.bodies[0].contains(link), "\(webhook.bodies)")
      #expect(!webhook.bodies[0].contains("/actions/"))
      let published = try #require(ntfy.requests.value.first)
      #expect(published.method == "POST" && published.path == "/t0pic")
      #expect(published.headers["authorization"] == "Bearer t0ken")
      #expect(published.headers["priority"] == "4")
      #expect(gotify.requests.value.first?.headers["x-gotify-key"] == "A.t0ken")
      for (text, others) in [
        (webhook.bodies + [posted.path], [ben, cleo]),
        (ntfy.bodies + gotify.bodies + published.headers.map(\.value), [anna, cleo]),
      ] {
        for mark in others.flatMap(\.marks) { #expect(!text.joined().contains(mark), "\(mark)") }
      }
      await bench.stop()
    }

    @Test func `a receiver that is down gets the alert when it is up again`() async throws {
      let bench = try await Bench()
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let webhook = try Receiver(status: 503)
      try add(.webhook, [.webhookURL: webhook.address], for: "anna", bench)
      try await alert(anna, on: "phone", bench)
      // On a slow machine the alert may be tried more than once before this is noticed.
      await webhook.requests.met { !$0.isEmpty }
      webhook.status.withLock { $0 = 200 }
      try await delivered(anna, bench)
      let count = webhook.requests.value.count
      #expect(count >= 2)
      #expect(try deliveries(of: anna, bench) == ["webhook-2 1 \(count)"])
      #expect(Set(webhook.requests.value.map { $0.headers["idempotency-key"] }).count == 1)
      await bench.stop()
    }

    @Test func `the next server delivers alerts that wait since the end of the last one`()
      async throws
    {
      let bench = try await Bench()
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let ben = try bench.people.person("ben", latitude: -33.857, longitude: 151.215)
      let (webhook, other) = (try Receiver(status: 503), try Receiver())
      try add(.webhook, [.webhookURL: webhook.address], for: "anna", bench)
      try add(.webhook, [.webhookURL: other.address], for: "ben", bench)
      try await alert(anna, on: "phone", bench)
      try await alert(ben, on: "phone", bench)
      await webhook.requests.met { $0.count >= 1 }
      await other.requests.met { $0.count >= 1 }
      await bench.stop()
      #expect(try deliveries(of: anna, bench).allSatisfy { $0.hasPrefix("webhook-2 0") })
      webhook.status.withLock { $0 = 200 }
      let count = webhook.requests.value.count
      let next = try StoreWatching(
        StoreAddress(bench.people.database.address), bench.people.pool, bench.people.settings,
        limits: StoredWatches.Limits(), log: .none)
      next.receivers.resume(next.watches, now: .now)
      #expect(next.watches.running.map(\.owner.name) == ["anna"], "nothing waits for ben")
      await webhook.requests.met { $0.count > count }
      try await delivered(anna, bench)
      #expect(Set(webhook.requests.value.map { $0.headers["idempotency-key"] }).count == 1)
      #expect(other.requests.value.count == 1)
      await next.watches.end()
    }

    @Test func `receivers are added to a running watch, and removed from it`() async throws {
      let bench = try await Bench()
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let (first, second) = (try Receiver(status: 503), try Receiver())
      let number = try add(.webhook, [.webhookURL: first.address], for: "anna", bench)
      try await alert(anna, on: "a", bench)
      await first.requests.met { !$0.isEmpty }
      try add(.webhook, [.webhookURL: second.address], for: "anna", bench)
      let (connection, _) = try bench.people.connection(for: "anna")
      #expect(try AccountReceiver.remove(number, at: .now, connection) == 1)
      bench.receivers.update(bench.watches)
      // The waiting delivery to the removed receiver was given up; until then it may have been
      // tried again.
      try await delivered(anna, bench)
      let count = first.requests.value.count
      #expect(bench.watches.running.first?.watch.notifiers?.map(\.name) == ["webhook-4"])
      try await alert(anna, on: "b", bench)
      await second.requests.met { !$0.isEmpty }
      try await delivered(anna, bench)
      #expect(second.bodies[0].contains(#""device":"b""#))
      #expect(first.requests.value.count == count)
      #expect(
        try deliveries(of: anna, bench).map { $0.prefix(11) } == ["webhook-2 2", "webhook-4 1"])
      await bench.stop()
    }

    @Test func `a receiver that a newer version added refuses alerts, and others get them`()
      async throws
    {
      let bench = try await Bench()
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let webhook = try Receiver()
      let (connection, _) = try bench.people.connection(for: "anna")
      for (kind, settings) in [("pigeon", "{}"), ("ntfy", "[]"), ("ntfy", #"{"ntfyURL":"x"}"#)] {
        _ = try AccountReceiver.add(
          kind, settings: Array(settings.utf8), at: .now, connection)
      }
      try add(.webhook, [.webhookURL: webhook.address], for: "anna", bench)
      try await alert(anna, on: "phone", bench)
      try await delivered(anna, bench)
      #expect(
        try deliveries(of: anna, bench) == [
          "ntfy-3 2 1", "ntfy-4 2 1", "pigeon-2 2 1", "webhook-5 1 1",
        ])
      await bench.stop()
    }

    @Test func `at most the given number of requests is sent at the same time`() async throws {
      let semaphore = RequestSemaphore(2)
      #expect(await semaphore.acquire())
      #expect(await semaphore.acquire())
      let order = Observed<[Int]>([])
      let cancelled = Task { await semaphore.acquire() }
      let waiting = Task {
        let isEntered = await semaphore.acquire()
        order.update { $0.append(1) }
        return isEntered
      }
      cancelled.cancel()
      #expect(await !cancelled.value)
      #expect(order.value.isEmpty)
      semaphore.release()
      #expect(await waiting.value)
      semaphore.release()
      semaphore.release()
      #expect(await semaphore.acquire())
    }
  }
#endif
