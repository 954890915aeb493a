import CLibrary
import CivilTime
import Encodings
import FeedServer
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

/// A watch started and stopped through the library interface.
@Suite struct WatchTests {
  /// Records the events and decisions of a watch.
  private final class Recorder: Sendable {
    private let events = Mutex<[WatchEvent]>([])
    private let decisions = Mutex<[WatcherDecision]>([])

    func take(_ event: WatchEvent) { events.withLock { $0.append(event) } }
    func take(_ new: [WatcherDecision]) { decisions.withLock { $0 += new } }

    var kinds: [WatcherDecision.Kind] { decisions.withLock { $0.map(\.kind) } }
    var firstFixes: Int {
      events.withLock { $0.count { if case .firstFix = $0 { true } else { false } } }
    }
    /// The number of places of each successful update.
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
    /// The errors of sources with which the watch ended.
    var reasons: [FeedSourceError] {
      var reasons: [FeedSourceError] = []
      for case .ended(let reason) in events.withLock({ $0 }) {
        if let reason = reason as? FeedSourceError { reasons.append(reason) }
      }
      return reasons
    }
  }

  private let folder = TemporaryFolder()

  private func watch(_ recorder: Recorder) throws -> Watch {
    let sources = try WatchSources(
      cache: PhotoIndexCache(path: folder.path("index.json")),
      muteList: MuteList(in: folder.root), refusesLaterPhotos: true
    ) { WatcherSettings() }
    return try Watch(
      sources, spots: SpotIndex(spots: []), stateFolder: folder.root,
      devices: Watch.Devices(folder: folder.root), notifiers: [], report: recorder.take)
  }

  /// Creates a FIFO as a feed, and opens it for writing.
  private func fifo() throws -> (feed: Feed, writer: FileDescriptor) {
    let path = folder.path("feed")
    try #require(mkfifo(path.string, 0o600) == 0)
    // Opened for reading too, so that opening either end does not block.
    let writer = try FileDescriptor.open(path, .readWrite)
    return (Feed(origin: .file(path), label: "feed", deviceName: "feed"), writer)
  }

  @Test func `a watch decides about the fixes of its feed until it is stopped`() async throws {
    let recorder = Recorder()
    let watch = try watch(recorder)
    let (feed, writer) = try fifo()
    defer { try? writer.close() }
    try watch.start([feed], access: FeedAccess(), decided: recorder.take)
    try writer.writeAll(
      Array(#"{"latitude":43.46,"longitude":11.88,"time":"2026-05-01T10:00:00Z"}"#.utf8) + [0x0A])
    await until { !recorder.kinds.isEmpty }
    await watch.stop()
    #expect(recorder.kinds.first == .stale)
    #expect(recorder.firstFixes == 1)
    #expect(recorder.ends == 0, "a stopped watch reports no end")
    #expect(try DeviceLog.reports(in: folder.root).count == 1, "devices are saved at the end")
  }

  @Test func `every report has one end in the metrics and in the list of devices, by each door`()
    async throws
  {
    let recorder = Recorder()
    let watch = try watch(recorder)
    let (feed, writer) = try fifo()
    defer { try? writer.close() }
    let inlet = FeedInlet()
    let phones = Feed(origin: .inlet(inlet), label: "phones", deviceName: "phones")
    try watch.start([feed, phones], access: FeedAccess(), decided: recorder.take)
    let now = Instant.now
    func fix(_ seconds: Double, _ latitude: Double = 43.46) -> LocationFix {
      LocationFix(
        time: now.advanced(bySeconds: seconds), latitude: latitude, longitude: 11.88, device: "a")
    }
    func message(_ fixes: [LocationFix]) -> FeedServer.Message {
      FeedServer.Message(fixes: fixes, format: .overland, statistics: FeedStatistics())
    }
    func message(_ end: ReportOutcome) -> FeedServer.Message {
      FeedServer.Message(fixes: [], format: nil, statistics: FeedStatistics(end, of: "a"))
    }
    #expect(await inlet.isReady())
    for sent in [
      message([fix(-5)]), message(.withoutPosition), message([fix(-5)]),
      message([fix(-9), fix(7200), fix(-4, 99)]), message(.refused(.unreadable)),
    ] { #expect(await inlet.take(sent)) }
    let lines = [
      #"{"latitude":43.46,"longitude":11.88,"time":"\#(now.iso8601)"}"#, #"{"latitude":43.46}"#,
      #"{"latitude":43.46,"longitude":11.88,"time":"\#(now.advanced(bySeconds: -3600).iso8601)"}"#,
    ]
    for line in lines { try writer.writeAll(Array(line.utf8) + [0x0A]) }
    await until { watch.session.tally.devices.reduce(0) { $0 + $1.reports.received } >= 10 }
    await watch.stop()
    let tally = watch.session.tally
    let phone = try #require(tally.devices.first { $0.name == "a" }).reports
    #expect(phone.received == 7 && phone.accepted == 1 && phone.withoutPosition == 1)
    #expect(
      phone.refused == [.repeated: 1, .late: 1, .ahead: 1, .impossible: 1, .unreadable: 1])
    let stream = try #require(tally.devices.first { $0.name == "feed" }).reports
    #expect(stream.received == 3 && stream.accepted == 1)
    #expect(stream.refused == [.unreadable: 1, .late: 1])
    let reports = try DeviceLog.reports(in: folder.root)
    #expect(reports.first { $0.device == "a" }?.counts == phone)
    #expect(reports.first { $0.device == "feed" }?.counts == stream)
    var text = MetricsText()
    text.add(watch.session, watch.replies, now: now)
    let read = try ExpositionText(String(decoding: text.bytes, as: UTF8.self))
    let ends = read.samples.filter { $0.name == "photospots_reports_total" }
    #expect(ends.reduce(0) { $0 + $1.value } == 10)
  }

  @Test func `a watch whose feed cannot be opened reports its end and the reason once`()
    async throws
  {
    let recorder = Recorder()
    let watch = try watch(recorder)
    try watch.start(
      [
        Feed(
          origin: .file(folder.path("missing")), label: "missing", deviceName: "missing")
      ],
      access: FeedAccess())
    await until { recorder.ends > 0 }
    await watch.stop()
    #expect(recorder.ends == 1)
    #expect(recorder.reasons == [.missing(folder.path("missing"))])
  }

  @Test func `a running watch loads changed places, and keeps the previous ones if loading fails`()
    async throws
  {
    let recorder = Recorder()
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
      report: recorder.take)
    #expect(watch.session.spots.spots.map(\.id) == ["p"])
    kept.withLock { $0 = (2, nil) }
    watch.readAgain()
    await until { recorder.failures > 0 }
    #expect(watch.session.spots.spots.map(\.id) == ["p"], "the previous places stay")
    kept.withLock { $0 = (3, []) }
    watch.readAgain()
    await until { !recorder.placeCounts.isEmpty }
    #expect(recorder.placeCounts == [0] && recorder.failures == 1)
    #expect(watch.session.spots.spots.isEmpty)
    await watch.stop()
  }

  @Test func `the state folder of a watch can be used again once the watch is stopped`()
    async throws
  {
    let recorder = Recorder()
    let first = try watch(recorder)
    #expect(throws: AlertStateError.self) { try watch(recorder) }
    await first.stop()
    await (try watch(recorder)).stop()
  }
}
