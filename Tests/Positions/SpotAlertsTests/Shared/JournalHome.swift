import CivilTime
import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

#if Postgres
  import PostgresStore
#endif

/// The kinds of journals, which share a contract.
enum JournalKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case file, store

  var testDescription: String { self == .file ? "a file" : "PostgreSQL" }

  /// The kinds that can be tested on this machine.
  static var tested: [JournalKind] {
    #if Postgres
      PostgresServer.isInstalled ? allCases : [.file]
    #else
      [.file]
    #endif
  }
}

/// Storage for journals, which can be opened in turn or at the same time.
final class JournalHome {
  private let folder = TemporaryFolder()
  private let kind: JournalKind
  #if Postgres
    private var database: PostgresServer.Database?
    private var owner = OwnerID(0)
  #endif

  init(_ kind: JournalKind) throws {
    self.kind = kind
    #if Postgres
      guard kind == .store else { return }
      let database = try PostgresServer.shared.database()
      self.database = database
      let connection = try PostgresConnection(StoreAddress(database.address))
      _ = try StoreSchema.migrate(connection)
      owner = try StoreOwner.named("anna", orNewWithClusterRadius: 15, connection).owner.id
    #endif
  }

  #if Postgres
    private func link() throws -> StoreLink {
      StoreLink(try StoreAddress(database?.address ?? ""), owner: owner)
    }
  #endif

  /// Opens a journal, and reads the records of some devices.
  func open(knowing devices: [String] = ["phone"]) throws -> any AlertJournal {
    let journal: any AlertJournal
    switch kind {
    case .file:
      journal = try Journal.open(in: folder.root, clusterRadiusMeters: 15, now: noon).journal
    case .store:
      #if Postgres
        journal = PostgresJournal(try link())
      #else
        preconditionFailure()
      #endif
    }
    for device in devices { _ = try journal.records(of: .device(device), since: nil) }
    return journal
  }

  /// Opens a watch with the given clock.
  func session(
    _ notifier: any Notifier, spots: [PhotoSpot] = [spot("a")], laneCount: Int = 1,
    isLive: Bool = true, clock: TestClock, change: (inout WatcherSettings) -> Void = { _ in }
  ) throws -> WatchSession {
    var settings = WatcherSettings.withoutRules
    settings.maximumAlertsPerMinute = nil
    change(&settings)
    let index = SpotIndex(spots: spots)
    switch kind {
    case .file:
      return try WatchSession(
        stateFolder: folder.root, spots: index, settings: settings,
        localClock: .fixed(utcOffsetMinutes: 0), isLive: isLive, notifiers: [notifier],
        clock: clock)
    case .store:
      #if Postgres
        let holder = PostgresJournal.Holder()
        let lanes = try (0...laneCount).map { _ in
          WatchStore.Lane(journal: PostgresJournal(try link(), holder: holder)) { fetch in
            try index.region(of: fetch, clusterRadius: 15)
          }
        }
        return try WatchSession(
          over: WatchStore(lanes: Array(lanes.dropLast()), sessionLane: lanes[laneCount]) { here in
            index.nearest(1, to: here).first
          },
          settings: settings, localClock: .fixed(utcOffsetMinutes: 0), isLive: isLive,
          notifiers: [notifier], clock: clock)
      #else
        preconditionFailure()
      #endif
    }
  }

  /// Makes the second record unreadable.
  func damage() throws {
    switch kind {
    case .file:
      let path = folder.root.appending(Journal.fileName)
      var lines = readFile(path).split(separator: 0x0A, omittingEmptySubsequences: false)
      lines[2] = ArraySlice("{\"event\":\"fired\"}".utf8)
      try writeFile(path, lines.joined(separator: [0x0A]))
    case .store:
      #if Postgres
        try database?.execute("update alert set body = '{\"event\":\"fired\"}' where number = 2")
      #endif
    }
  }
}
