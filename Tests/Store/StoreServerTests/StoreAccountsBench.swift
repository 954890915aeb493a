#if Postgres
  import ProgramSettings
  import ProcessControl
  import PageServer
  import CivilTime
  import PhotoLibrary
  import PhotoMetadata
  import PostgresStore
  import Spatial
  import SpotService
  import SpotWatcher
  import TestSupport
  import WebService

  @testable import StoreServer
  @testable import SpotAlerts

  /// The accounts of a store, with requests that bypass the server.
  struct StoreAccountsBench {
    /// An owner with a library, an event at a spot, and a key.
    struct Person {
      let name: String
      let owner: StoreOwner
      let key: SessionKey
      let center: Coordinate
      let spotIDs: [String]
      let photoNames: [String]
      let alertID: String
      var device: String { "\(name)-phone" }
      var album: String { "\(name)-album" }
      /// Texts that occur only in responses about this person.
      var marks: [String] {
        [device, album, "\(name)-photo", alertID, key.text] + spotIDs + photoNames
      }
    }

    /// An answer as text.
    struct Answer: Equatable {
      let status: Int
      let text: String
    }

    let database: PostgresServer.Database
    let pool: PostgresPool
    let lookups = OpenLookups()
    private let caches = TemporaryFolder()
    let settings: SettingsInForce
    let accounts: StoredAccounts

    static let now = Instant(millisecondsSince1970: 1_700_000_100_000)

    /// Makes an empty store, with a number of connections and of calls that may wait for one.
    /// The database is a new one of the server unless one is given.
    init(
      limits: StoredLibraries.Limits = StoredLibraries.Limits(), on server: PostgresServer? = nil,
      in given: PostgresServer.Database? = nil, connections: Int = 4, waiting: Int = 64
    ) throws {
      database = try given ?? (server ?? PostgresServer.shared).database()
      let address = try StoreAddress(database.address)
      _ = try StoreSchema.migrate(try PostgresConnection(address))
      settings = try SettingsInForce {
        try Settings(assignments: [
          "rulesOff=bursts,coldStart,devices,jumps,vehicles",
          "pageAddress=https://photos.example.org:8090",
        ])
      }
      pool = PostgresPool(address, maximumCount: connections, maximumWaitingCount: waiting)
      accounts = StoredAccounts(
        pool, settings: settings, hosts: HostRule([]),
        tiles: ServedTiles(settings, cachesFolder: caches.root, log: .none),
        openLookups: lookups, limits: limits, report: { _ in })
    }

    /// Opens a connection that acts for an owner, who is created if the name is unknown.
    func connection(
      for name: String
    ) throws -> (connection: PostgresConnection, owner: StoreOwner) {
      let connection = try PostgresConnection(StoreAddress(database.address))
      let owner = try StoreOwner.named(name, orNewWithClusterRadius: 15, connection).owner
      try connection.act(for: owner.id)
      return (connection, owner)
    }

    /// Returns the photos of a person: a spot with three photos and one with two.
    static func photos(of name: String, _ center: Coordinate, count: Int = 5) -> PhotoIndex {
      PhotoIndex(
        (0..<count).map { number in
          let path = Array("/home/\(name)/\(name)-album/\(name)-photo-\(number).jpg".utf8)
          let north = center.latitude + (number < 3 ? 0 : 0.004)
          return IndexedPhoto(
            member: SpotMember(
              path: path,
              coordinate: Coordinate(uncheckedLatitude: north, longitude: center.longitude),
              captured: CaptureTime(
                instant: Instant(secondsSince1970: 1_600_000_000 + Int64(number))),
              picture: path),
            source: 1, stamp: Int64(number))
        })
    }

    /// Uploads the photos of a person.
    func upload(_ index: PhotoIndex, for name: String) throws {
      let (connection, owner) = try connection(for: name)
      let source = try PhotoSource.find(named: "laptop", token: 1, takesOver: true, connection)
      _ = try PhotoUpload(of: index, as: source.get(), of: owner, connection).run { false }
    }

    /// Makes a key for an owner, or a feed token of a device.
    func key(for name: String, ofDevice device: String? = nil) throws -> SessionKey {
      let (connection, owner) = try connection(for: name)
      var made: SessionKey?
      _ = try AccountKey.add(
        labelled: device ?? "browser", for: device == nil ? .page : .feed, at: Self.now, connection
      ) { number in
        let key = SessionKey.random(
          name: AccountKeyName(account: owner.id.number, number: number))
        made = key
        return (key.hashes.key, key.hashes.session)
      }
      return made!
    }

    /// Makes an owner with a library, computed spots, an event and a key.
    func person(_ name: String, latitude: Double, longitude: Double) throws -> Person {
      let center = Coordinate(latitude: latitude, longitude: longitude)!
      try upload(Self.photos(of: name, center), for: name)
      let (connection, owner) = try connection(for: name)
      while case .done = try SpotWork(connection).doJob() {}
      let index = try StoredPhotos.read(atMost: 100, connection).index!
      let spots = index.spots(clusterRadius: 15)
      let time = Instant(secondsSince1970: 1_700_000_000)
      let record = JournalRecord(
        recorded: time,
        event: .suppressed(
          JournalEvent.PlaceEvent(
            device: "\(name)-phone", spotID: spots[0].id, center: spots[0].coordinate,
            time: time), by: .quiet))
      let body = record.line.dropLast().map { String(Int($0) + 256, radix: 16).dropFirst() }
        .joined()
      try database.execute(
        """
        insert into device (owner, device, version) values (\(owner.id), '\(name)-phone', 1);
        insert into alert (owner, device, number, recorded, time, body)
        values (\(owner.id), '\(name)-phone', 1, \(time.millisecondsSince1970),
          \(time.millisecondsSince1970), '\\x\(body)')
        """)
      return Person(
        name: name, owner: owner, key: try key(for: name), center: center,
        spotIDs: spots.map(\.id),
        photoNames: index.spotMemberNumbers.map { PhotoNames.name(of: $0, index) },
        alertID: SpotNotification.makeID(
          device: "\(name)-phone", spotID: spots[0].id, time: time))
    }

    /// Sends a request with additional header fields to those of a page of the server.
    func ask(
      _ method: String, _ target: String, _ fields: [(name: String, value: String)],
      body: [UInt8] = []
    ) async -> Answer {
      let request = ServiceRequest(
        method: method, target: target,
        fields: [("Host", "localhost"), ("Origin", "http://localhost")] + fields, body: body)
      let response = await response(to: request)
      let head = response.fields.map { "\($0.name): \($0.value)\n" }.joined()
      return Answer(
        status: response.status,
        text: head + String(decoding: response.body, as: UTF8.self))
    }

    private func response(to request: ServiceRequest) async -> ServiceResponse {
      do throws(Problem) {
        let account = try accounts.account(of: request)
        switch account.service.reply(to: request, now: Self.now) {
        case .response(let response): return response
        case .work(.events): return ServiceResponse(status: 200, fields: [], body: [])
        case .work(let work):
          guard case .response(let response) = await account.outside.perform(work) else {
            return ServiceResponse(status: 599, fields: [], body: [])
          }
          return response
        }
      } catch { return error.response }
    }

    static func bearer(_ key: SessionKey) -> [(name: String, value: String)] {
      [("Authorization", "Bearer \(key.text)")]
    }

    /// Opens a session, and returns the field with its cookie.
    func cookie(_ key: SessionKey) async throws -> [(name: String, value: String)] {
      let opened = await ask(
        "POST", "/api/v1/session", [], body: Array(#"{"key": "\#(key.text)"}"#.utf8))
      let cookie = opened.text.firstMatch(of: /Set-Cookie: ([^;]+);/)?.1
      return [("Cookie", cookie.map(String.init) ?? "")]
    }
  }
#endif
