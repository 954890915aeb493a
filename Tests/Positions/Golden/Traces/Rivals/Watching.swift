public import CivilTime
import Dispatch
public import LocationFeeds
public import PhotoLibrary
import SpotAlerts
public import SpotWatcher
import Synchronization
import SystemPackage
import TestSupport

/// This program's watcher. In a trace with restarts it is a session with its journal on disk.
public struct Watching: Contestant {
  private let spots: SpotIndex
  private let settings: WatcherSettings
  private let isLive: Bool
  private var watcher: LocationWatcher
  private var session: WatchSession?
  private let folder: TemporaryFolder?
  private let clock = BenchClock()

  /// Creates the watcher for a trace.
  public init(_ trace: Trace, spots: SpotIndex, settings: WatcherSettings = WatcherSettings()) {
    self.spots = spots
    self.settings = settings
    isLive = !trace.isRecorded
    watcher = LocationWatcher(spots: spots, settings: settings)
    folder = trace.restarts.isEmpty ? nil : TemporaryFolder()
    open()
  }

  private mutating func open() {
    guard let folder else { return }
    session = try? WatchSession(
      stateFolder: folder.root, spots: spots, settings: settings,
      localClock: .fixed(utcOffsetMinutes: 0), isLive: isLive, notifiers: [], clock: clock)
    precondition(session != nil, "the state of the session cannot be opened")
  }

  public mutating func receive(_ fix: LocationFix, at now: Instant) -> [Alert] {
    if let session {
      clock.set(now)
      return alerts((try? session.process(fix)) ?? [])
    }
    return alerts(watcher.evaluate(fix, now: now, isLive: isLive))
  }

  public mutating func pass(to now: Instant) -> [Alert] {
    if let session {
      clock.set(now)
      return alerts((try? session.tick()) ?? [])
    }
    return watcher.hasTimers ? alerts(watcher.tick(now: now)) : []
  }

  public mutating func restart(at now: Instant) {
    clock.set(now)
    if let session {
      let isStopped = DispatchSemaphore(value: 0)
      Task {
        await session.stop(graceSeconds: 0)
        isStopped.signal()
      }
      isStopped.wait()
    }
    open()
  }

  private func alerts(_ decisions: [WatcherDecision]) -> [Alert] {
    decisions.compactMap(\.notification).map {
      Alert(time: $0.time, device: $0.device, spots: [$0.spot.id] + $0.alsoNear.map(\.id))
    }
  }
}

/// A clock with the time of a trace.
private final class BenchClock: DeliveryClock {
  private let time = Mutex(Instant(millisecondsSince1970: 0))

  func set(_ now: Instant) { time.withLock { $0 = now } }
  func now() -> Instant { time.withLock { $0 } }
  func sleep(seconds: Double) async throws { throw CancellationError() }
}
