#if Postgres && HTTPServer
  import ProcessSupport
  import ProcessControl
  import CivilTime
  import FeedServer
  import FeedSources
  import PostgresStore
  import Spatial
  import SpotAlerts
  import SpotService
  import TestSupport
  import WebService

  @testable import StoreServer

  /// A server of a store that accepts positions, in this process.
  struct StoreFeedBench {
    let people: StoreAccountsBench
    let watches: StoredWatches
    let receivers: StoredReceivers
    let feeds: StoredFeeds
    private let server: WebServer
    /// The time of the fixes, which must be recent.
    let now = Instant(secondsSince1970: Instant.now.millisecondsSince1970 / 1000)

    init(
      on postgres: PostgresServer? = nil, in given: PostgresServer.Database? = nil,
      limits: StoredWatches.Limits = StoredWatches.Limits()
    ) async throws {
      people = try StoreAccountsBench(on: postgres, in: given)
      let watching = try StoreWatching(
        StoreAddress(people.database.address), people.pool, people.settings, limits: limits,
        log: .none)
      (watches, receivers) = (watching.watches, watching.receivers)
      feeds = StoredFeeds(
        people.pool, openLookups: people.lookups, watches: watches, report: { _ in })
      var feed = WebServer.Feed(tokens: DeviceTokens(), take: { _ in false })
      feed.directory = feeds
      server = try await WebServer(
        at: HostAndPort(host: "127.0.0.1", port: 0), directory: people.accounts, feed: feed,
        limits: .unhurried)
    }

    func stop() async {
      await server.stop(grace: .zero)
      await watches.end()
    }

    /// Posts a body as an app does, and returns the status and the field `Retry-After`.
    func post(
      _ token: String, _ body: String, path: String = "/feed", _ options: String = ""
    ) async throws -> String {
      try await Shell.run(
        """
        curl -sS --max-time 60 -o /dev/null -w '%{http_code} %header{retry-after}' -u 'x:\(token)' \
          \(options) --data-binary @- 'http://127.0.0.1:\(server.place.port)\(path)' <<'END'
        \(body)
        END
        """
      ).output.split(separator: " ").joined(separator: " ")
    }

    /// A report of OwnTracks about a position, with a user and device of its own.
    func report(_ here: Coordinate, secondsAgo: Int64 = 0) -> String {
      let seconds = now.millisecondsSince1970 / 1000 - secondsAgo
      return """
        {"_type":"location","topic":"owntracks/intruder/tablet","tid":"zz","tst":\(seconds),\
        "lat":\(here.latitude),"lon":\(here.longitude),"acc":5}
        """
    }

    /// The alerts of an owner, as `DEVICE SPOT`.
    func alerts(of person: StoreAccountsBench.Person) throws -> [String] {
      let (connection, _) = try people.connection(for: person.name)
      return try PostgresJournal.history(connection).filter { $0.kind == .notified }
        .map { "\($0.device ?? "-") \($0.spotID)" }
    }

    /// The devices with a row of an owner, except that of digests.
    func devices(of person: StoreAccountsBench.Person) throws -> [String] {
      try people.database.execute(
        "select device from device where owner = \(person.owner.id) and device > ' ' order by 1")
    }
  }
#endif
