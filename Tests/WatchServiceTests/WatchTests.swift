import CLibrary
import CivilTime
import FeedSources
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotWatcher
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchService

/// A watch that is started and stopped by another program.
@Suite struct WatchTests {
  /// The events of a watch that tests check.
  private final class Told: Sendable {
    private let events = Mutex<[WatchEvent]>([])
    private let decisions = Mutex<[WatcherDecision]>([])

    func take(_ event: WatchEvent) { events.withLock { $0.append(event) } }
    func take(_ new: [WatcherDecision]) { decisions.withLock { $0 += new } }

    var kinds: [WatcherDecision.Kind] { decisions.withLock { $0.map(\.kind) } }
    var firstFixes: Int {
      events.withLock { $0.count { if case .firstFix = $0 { true } else { false } } }
    }
    /// How many places were taken, each time.
    var placeCounts: [Int?] {
      events.withLock {
        $0.compactMap { if case .updated(.places(let count)) = $0 { .some(count) } else { nil } }
      }
    }
    var failures: Int {
      events.withLock {
        $0.count { if case .outdated(.places, _) = $0 { true } else { false } }
      }
    }
    var ends: Int { events.withLock { $0.count { if case .ended = $0 { true } else { false } } } }
  }

  private let folder = TemporaryFolder()

  private func watch(_ told: Told) throws -> Watch {
    let sources = try WatchSources(
      cache: PhotoIndexCache(path: folder.path("index.json")),
      muteList: MuteList(in: folder.root), refusesLaterPhotos: true
    ) { WatcherSettings() }
    return try Watch(
      sources, spots: SpotIndex(spots: []), stateFolder: folder.root,
      devices: Watch.Devices(folder: folder.root), notifiers: [], report: told.take)
  }

  /// A FIFO as a feed, and the end that a test writes to.
  private func fifo() throws -> (feed: Feed, writer: FileDescriptor) {
    let path = folder.path("feed")
    try #require(mkfifo(path.string, 0o600) == 0)
    // Open for reading too, so that neither end waits for the other.
    let writer = try FileDescriptor.open(path, .readWrite)
    return (Feed(origin: .file(path), label: "feed", deviceName: "feed"), writer)
  }

  @Test func `a watch decides about the fixes of its feed until it is stopped`() async throws {
    let told = Told()
    let watch = try watch(told)
    let (feed, writer) = try fifo()
    defer { try? writer.close() }
    try watch.start([feed], access: FeedAccess(), decided: told.take)
    try writer.writeAll(
      Array(#"{"latitude":43.46,"longitude":11.88,"time":"2026-05-01T10:00:00Z"}"#.utf8) + [0x0A])
    while told.kinds.isEmpty { await Task.yield() }
    await watch.stop()
    #expect(told.kinds.first == .stale)
    #expect(told.firstFixes == 1)
    #expect(told.ends == 0, "a watch that is stopped does not end by itself")
    #expect(try DeviceLog.reports(in: folder.root).count == 1, "devices are kept at the end")
  }

  @Test func `a watch whose feed cannot be opened says that it has ended, and why`() async throws {
    let told = Told()
    let watch = try watch(told)
    try watch.start(
      [
        Feed(
          origin: .file(folder.path("missing")), label: "missing", deviceName: "missing")
      ],
      access: FeedAccess())
    while told.ends == 0 { await Task.yield() }
    await watch.stop()
    #expect(told.ends == 1)
  }

  @Test func `a changed document of places is taken while a watch runs, and a bad one told once`()
    async throws
  {
    let told = Told()
    let place = OwnPlace(
      id: "p", name: "Old oak", coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
    let kept = Mutex<(generation: Int, places: [OwnPlace]?)>((1, [place]))
    let sources = try WatchSources(
      cache: PhotoIndexCache(path: folder.path("index.json")),
      muteList: MuteList(in: folder.root), refusesLaterPhotos: true,
      places: WatchSources.Places(
        generation: { "\(kept.withLock { $0.generation })" },
        load: {
          guard let places = kept.withLock({ $0.places }) else { throw Errno.ioError }
          return places
        })
    ) { WatcherSettings() }
    let watch = try Watch(
      sources, spots: SpotIndex(spots: []), stateFolder: folder.root, devices: nil, notifiers: [],
      report: told.take)
    #expect(watch.session.spots.spots.map(\.id) == ["p"])
    kept.withLock { $0 = (2, nil) }
    watch.readAgain()
    while told.failures == 0 { await Task.yield() }
    #expect(watch.session.spots.spots.map(\.id) == ["p"], "those of before stay")
    kept.withLock { $0 = (3, []) }
    watch.readAgain()
    while told.placeCounts.isEmpty { await Task.yield() }
    #expect(told.placeCounts == [0] && told.failures == 1)
    #expect(watch.session.spots.spots.isEmpty)
    await watch.stop()
  }

  @Test func `the state of a watch is free again once it is stopped`() async throws {
    let told = Told()
    let first = try watch(told)
    #expect(throws: AlertStateError.self) { try watch(told) }
    await first.stop()
    await (try watch(told)).stop()
  }
}
