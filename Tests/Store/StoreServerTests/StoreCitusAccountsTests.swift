#if Postgres && HTTPServer
  import CLibrary
  import CivilTime
  import PostgresStore
  import ProgramSettings
  import Spatial
  import SpotService
  import TestSupport
  import Testing

  @testable import StoreServer

  /// The accounts of a store whose tables Citus spreads over two workers.
  @Suite(
    .enabled(if: CitusCluster.obstacle == nil, "\(CitusCluster.obstacle ?? "")"), .serialized,
    .timeLimit(.minutes(30)))
  struct StoreCitusAccountsTests {
    private func distributed() throws -> PostgresServer.Database {
      let database = try CitusCluster.shared.database()
      let connection = try PostgresConnection(StoreAddress(database.address), deadlines: .work)
      _ = try StoreSchema.migrate(connection)
      _ = try StoreDistribution.distribute(connection)
      return database
    }

    @Test(
      .enabled(
        if: access("/usr/bin/curl", X_OK) == 0 && PostgresServer.isInstalled,
        "curl is not installed"))
    func `alerts of accounts and their deliveries are the same as with one PostgreSQL`()
      async throws
    {
      let plain = try await accounts(in: try PostgresServer.shared.database())
      let spread = try await accounts(in: try distributed())
      #expect(spread == plain)
      #expect(plain.contains("anna: webhook-3 1 2"), "\(plain)")
      #expect(plain.contains("ben: ntfy-3 1 1"), "\(plain)")
    }

    /// Sends positions of two accounts with receivers, and returns what happened.
    private func accounts(in database: PostgresServer.Database) async throws -> [String] {
      let bench = try await StoreFeedBench(in: database)
      let anna = try bench.people.person("anna", latitude: 43.318, longitude: 11.331)
      let ben = try bench.people.person("ben", latitude: -33.857, longitude: 151.215)
      let (webhook, ntfy) = (
        try StoreReceiverTests.Receiver(refusing: 1), try StoreReceiverTests.Receiver()
      )
      var events: [String] = []
      func note(_ event: String) { events.append(event) }
      func add(
        _ kind: WebReceiver, _ settings: [Setting: String], _ name: String
      ) throws -> Int32? {
        let (connection, _) = try bench.people.connection(for: name)
        let sources = settings.mapValues { Settings.Source(text: $0, origin: .store) }
        return try AccountReceiver.add(
          kind.rawValue, settings: try Settings(only: sources).json(of: kind), at: .now, connection)
      }
      let tokens = try [anna, ben].map {
        try bench.people.key(for: $0.name, ofDevice: "phone").text
      }
      note("\(try add(.webhook, [.webhookURL: webhook.address], "anna") ?? 0)")
      note("\(try add(.ntfy, [.ntfyURL: ntfy.address + "/t0pic"], "ben") ?? 0)")
      for (person, token) in zip([anna, ben], tokens) {
        // At the other owner's spot, at the own one, and the same again.
        let other = person.name == "anna" ? ben : anna
        for (place, ago) in [(other.center, 900), (person.center, 0), (person.center, 0)] {
          let report = bench.report(place, secondsAgo: Int64(ago))
          note("\(person.name): \(try await bench.post(token, report))")
        }
      }
      await webhook.requests.met { $0.count >= 2 }
      await ntfy.requests.met { !$0.isEmpty }
      for person in [anna, ben] {
        var deliveries: [String] = []
        repeat {
          try Task.checkCancellation()
          await Task.yield()
          deliveries = try database.execute(
            """
            select notifier || ' ' || state || ' ' || tries from delivery
            where owner = \(person.owner.id) order by 1
            """)
        } while deliveries.contains { $0.contains(" 0 ") }
        for delivery in deliveries { note("\(person.name): \(delivery)") }
        for alert in try bench.alerts(of: person) { note("\(person.name): \(alert)") }
        note("\(person.name): \(try bench.devices(of: person))")
        let near = "\(person.center.latitude),\(person.center.longitude)"
        for path in ["/api/v1/spots.geojson", "/api/v1/spots?near=\(near)&radius=5000"] {
          let answer = await bench.people.ask("GET", path, StoreAccountsBench.bearer(person.key))
          // The ids of covers and the entity tag depend on random numbers of the owner.
          let text = answer.text.replacing(/ETag: .*/, with: "")
            .replacing(/"cover":"[a-z2-7]*"/, with: "")
          note("\(person.name): \(answer.status) \(text)")
        }
        let (connection, _) = try bench.people.connection(for: person.name)
        note("removed \(try AccountReceiver.remove(nil, at: .now, connection))")
        note("removed \(try AccountKey.remove(nil, connection))")
      }
      await bench.stop()
      return events
    }
  }
#endif
