import CLibrary
import CivilTime
import FeedSources
import LocationFeeds
import PhotoLibrary
import Storage
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

/// A hundred devices at full speed, rotating files, slow and failing receivers, and changing
/// indexes: each decided notification is delivered once, and memory does not grow.
///
/// The number of fixes is about ten thousand, or the value of the environment variable
/// `PHOTOSPOTS_SOAK_FIXES`; `make soak` sets ten million.
@Suite(.timeLimit(.minutes(60))) struct SoakTests {
  private static let deviceCount = 100
  private static let fixCount: Int = {
    guard let text = getenv("PHOTOSPOTS_SOAK_FIXES").map({ String(cString: $0) }) else {
      return 30_000
    }
    guard let count = Int(text), (10_000...1_000_000_000).contains(count) else {
      preconditionFailure("PHOTOSPOTS_SOAK_FIXES=\(text): write a number from 10000 to 1000000000")
    }
    return count
  }()
  /// Whether the run is long enough for its memory to be measured, without other tests.
  private static let isAlone = fixCount >= 1_000_000

  /// Settings with many more decisions than users normally get.
  fileprivate static var settings: WatcherSettings {
    var settings = WatcherSettings()
    settings.maximumAlertsPerMinute = nil
    return settings
  }

  private let folder = TemporaryFolder()

  @Test func `each decided notification is delivered once, and memory does not grow`() async throws
  {
    let town = SoakTown()
    let indexes = [
      town.spots(clusterRadius: 15), town.spots(clusterRadius: 25, withoutEach: 7),
    ]
    let steady = SoakNotifier("steady")
    let notifiers = [
      steady, SoakNotifier("slow", behind: steady), SoakNotifier("failing", failsEach: 3),
    ]
    let state = folder.path("state")
    func session(_ notifiers: [SoakNotifier]) throws -> WatchSession {
      try WatchSession(
        stateFolder: state, spots: indexes[0], settings: Self.settings,
        localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: notifiers,
        schedule: RetrySchedule(delaySeconds: [0.001, 0.01], lifetimeSeconds: 86_400))
    }
    let watching = try session(notifiers)
    watching.start()
    let feeds = RotatingFeeds(4, in: folder.root, rotationBytes: Self.isAlone ? 1 << 25 : 1 << 19)
    let run = SoakRun(watching, feeds, indexes, printsProgress: Self.isAlone)
    let outcome = try await run.read(
      SoakDevices(count: Self.deviceCount), seconds: Self.fixCount / Self.deviceCount)
    steady.finish()
    // Failed attempts are repeated.
    await watching.settle(withinSeconds: 60)
    let drainedMemory = ProcessMemory.residentMiB
    await watching.stop()

    let decided = Set(outcome.decidedIDs)
    #expect(outcome.fixes == Self.fixCount && feeds.writtenCount == Self.fixCount)
    #expect(outcome.badLines == 0)
    #expect(!outcome.memory.contains(0))
    #expect(outcome.rotations > 0 && outcome.swaps > 0)
    #expect(outcome.differences == 0, "a watcher without a journal makes different decisions")
    #expect(decided.count == outcome.decidedIDs.count && !decided.isEmpty)
    for notifier in notifiers {
      #expect(
        decided.symmetricDifference(notifier.counts.keys).isEmpty, "\(notifier.name)")
      #expect(notifier.counts.values.allSatisfy { $0 == 1 }, "\(notifier.name)")
    }
    // The journal agrees, and leaves no delivery to the next watch.
    let history = try WatchSession.history(in: state).filter { $0.kind == .notified }
    #expect(decided.symmetricDifference(history.compactMap(\.notification?.id)).isEmpty)
    let outcomes = history.flatMap(\.deliveries).map(\.outcome)
    #expect(outcomes.allSatisfy { if case .delivered = $0 { true } else { false } })
    let rest = ["steady", "slow", "failing"].map { SoakNotifier($0) }
    let next = try session(rest)
    next.start()
    await next.drain()
    await next.stop()
    #expect(rest.allSatisfy { $0.tries == 0 })

    let tries = notifiers.map { "\($0.name) \($0.counts.count) in \($0.tries) tries" }
    print(
      """
      soak: \(outcome.fixes) fixes of \(Self.deviceCount) devices, \(outcome.rotations) rotations, \
      \(outcome.swaps) new indexes, \(decided.count) notifications: \(tries.joined(separator: ", "))
      """)
    if Self.isAlone {
      let half = outcome.memory.count / 2
      let (early, late) = (outcome.memory[..<half].max() ?? 0, outcome.memory[half...].max() ?? 0)
      print(
        "soak: at most \(early) MiB in the first half, \(late) in the second, \(drainedMemory) at the end"
      )
      #expect(late <= early + early / 10 + 8)
    }
  }
}

/// The result of a soak run.
private struct SoakOutcome: Sendable {
  var fixes = 0
  var badLines = 0
  var rotations = 0
  var swaps = 0
  /// The number of fixes with different decisions by the second watcher.
  var differences = 0
  var decidedIDs: [String] = []
  /// The resident memory in MiB, for each twentieth of the fixes.
  var memory: [Int] = []
}

/// A session that processes the feeds, with a second watcher that only decides.
private final class SoakRun: Sendable {
  private let session: WatchSession
  private let feeds: RotatingFeeds
  private let indexes: [SpotIndex]
  private let printsProgress: Bool
  /// The number of parts of the run, each with a different index.
  private static let parts = 20

  init(
    _ session: WatchSession, _ feeds: RotatingFeeds, _ indexes: [SpotIndex], printsProgress: Bool
  ) {
    self.session = session
    self.feeds = feeds
    self.indexes = indexes
    self.printsProgress = printsProgress
  }

  /// Writes and reads the fixes of devices, on separate threads.
  func read(_ devices: SoakDevices, seconds: Int) async throws -> SoakOutcome {
    let inbox = try FeedInbox()
    for (number, path) in feeds.paths.enumerated() {
      inbox.start(try FeedSource(following: path), as: number)
    }
    let total = devices.count * seconds
    return try await withCheckedThrowingContinuation { continuation in
      do {
        _ = try BackgroundThread { [self] in
          continuation.resume(
            with: Result { try run(devices, seconds: seconds, total: total, inbox) })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  private func run(
    _ devices: SoakDevices, seconds: Int, total: Int, _ inbox: FeedInbox
  ) throws -> SoakOutcome {
    let rotations = Mutex<Result<Int, any Error>?>(nil)
    let writer = try BackgroundThread { [feeds] in
      let result = Result { try feeds.write(devices, seconds: seconds) }
      rotations.withLock { $0 = result }
    }
    var outcome = try take(total, from: inbox, while: { rotations.withLock { $0 == nil } })
    writer.join()
    outcome.rotations = try rotations.withLock { try $0?.get() } ?? 0
    return outcome
  }

  private func take(
    _ total: Int, from inbox: FeedInbox, while isWriting: () -> Bool
  ) throws -> SoakOutcome {
    defer { inbox.stop() }
    var outcome = SoakOutcome()
    var twin = LocationWatcher(spots: indexes[0], settings: SoakTests.settings)
    var readers = feeds.paths.map { _ in SourceReader(isLive: true) }
    while outcome.fixes < total || isWriting() {
      guard case .item(let item) = try inbox.take(upTo: .milliseconds(100)) else { continue }
      let chunk = try item.chunk.get()
      let fixes = readers[item.source].read(chunk).fixes
      for fix in fixes {
        try decide(fix, &twin, &outcome)
        guard outcome.fixes % max(1, total / Self.parts) == 0 else { continue }
        change(to: indexes[outcome.fixes / max(1, total / Self.parts) % indexes.count], &twin)
        outcome.swaps += 1
        outcome.memory.append(ProcessMemory.residentMiB)
        if printsProgress { print("soak: \(outcome.fixes) fixes, \(outcome.memory.last ?? 0) MiB") }
      }
      feeds.didRead(fixes.count, of: item.source)
    }
    outcome.badLines = readers.reduce(0) { $0 + $1.statistics.badLines }
    return outcome
  }

  private func decide(
    _ fix: LocationFix, _ twin: inout LocationWatcher, _ outcome: inout SoakOutcome
  ) throws {
    let decisions = try session.process(fix)
    let others = twin.evaluate(fix, now: fix.time ?? noon, isLive: false)
    if decisions != others { outcome.differences += 1 }
    outcome.fixes += 1
    outcome.decidedIDs += decisions.compactMap(\.notification?.id)
  }

  private func change(to spots: SpotIndex, _ twin: inout LocationWatcher) {
    session.replace(spots: spots)
    twin.replace(spots: spots)
  }
}

/// The memory of this process.
private enum ProcessMemory {
  /// The resident set size in MiB.
  static var residentMiB: Int {
    guard let text = try? Disk.readToEnd("/proc/self/statm", limit: 1000),
      let pages = String(decoding: text, as: UTF8.self).split(separator: " ").dropFirst().first
    else { return 0 }
    return (Int(pages) ?? 0) * Int(getpagesize()) / (1 << 20)
  }
}
