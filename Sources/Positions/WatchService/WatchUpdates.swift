import Dispatch
import PhotoLibrary
import SpotAlerts
import SpotWatcher
import Storage
import Synchronization

/// Applies changed files to a running watch. A new index, the user's places and the list of muted
/// spots are applied as soon as a change is noticed; on request, they and the settings are reloaded
/// at once.
///
/// This happens on its own queue, so that no fix waits for it. A file that cannot be used is
/// reported once, and the previous contents stay in use.
final class WatchUpdates: Sendable {
  /// The interval at which files are checked; a check takes a few system calls.
  private static let interval = DispatchTimeInterval.seconds(2)

  private let queue = DispatchQueue(label: "photospots.updates", qos: .utility)
  private let inForce: Mutex<WatchSources>
  /// The error of the current list of muted spots, so that it is reported only once.
  private let badMuteList = Mutex<MuteListError?>(nil)
  private let session: WatchSession
  private let report: @Sendable (WatchEvent) -> Void

  /// Creates the updates of a session made from the sources.
  init(
    of sources: WatchSources, for session: WatchSession,
    report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    inForce = Mutex(sources)
    self.session = session
    self.report = report
  }

  /// Checks the files periodically during a closure. An index being loaded when the closure ends is
  /// still applied.
  func checkingFiles<Value>(during body: () throws -> Value) rethrows -> Value {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(500))
    timer.setEventHandler { [self] in applyChanges() }
    timer.activate()
    defer {
      timer.cancel()
      queue.sync {}
    }
    return try body()
  }

  /// Reloads everything in the background.
  func readAgain() {
    queue.async { [weak self] in self?.takeEverything() }
  }

  /// Reloads and applies the files that have changed.
  private func applyChanges() {
    // A mapped file that was truncated reads as zeros.
    let isReplaced = inForce.withLock { sources in
      guard let cache = sources.cache else { return false }
      return sources.index?.isCutOff == true || sources.stamp != cache.stamp()
    }
    takePlaces()
    if isReplaced { takeIndex() }
    takeMutedSpots()
    takeRecreations()
  }

  private func takeRecreations() {
    guard inForce.withLock({ $0.takeRecreations() }) else { return }
    session.replace(settings: inForce.withLock { $0.watcherSettings })
  }

  private func takeEverything() {
    do {
      let rules = try inForce.withLock { $0.readRules }()
      let alerts = try inForce.withLock { $0.readAlerts }()
      inForce.withLock { $0.replace(rules: rules, alerts: alerts) }
      session.replace(alerts: alerts)
      report(.updated(.settings))
    } catch {
      report(.outdated(.settings, error))
    }
    session.replace(
      settings: inForce.withLock { sources in
        _ = sources.takeRecreations()
        return sources.watcherSettings
      })
    takeMutedSpots()
    takePlaces()
    takeIndex()
  }

  /// Reloads the user's places if they have changed.
  private func takePlaces() {
    do {
      guard try inForce.withLock({ try $0.takePlaces() }) else { return }
      session.replace(places: inForce.withLock { $0.ownPlaces })
      if session.allSpots != nil { take(inForce.withLock { $0.spots }) }
      report(.updated(.places(count: inForce.withLock { $0.ownPlaces.count })))
    } catch { report(.outdated(.places(count: nil), error)) }
  }

  /// Replaces the session's spots, joined with the places in use.
  private func take(_ spots: SpotIndex) {
    let spots = inForce.withLock { $0.joined(spots) }
    session.replace(spots: spots, pasts: SpotPasts(of: spots))
    let settings = inForce.withLock { sources in
      sources.take(spots)
      return sources.watcherSettings
    }
    session.replace(settings: settings)
  }

  private func takeMutedSpots() {
    do throws(MuteListError) {
      let muted = try inForce.withLock { $0.muteList }.load()
      badMuteList.withLock { $0 = nil }
      let isChanged = inForce.withLock { sources in
        defer { sources.mutedSpots = muted }
        return sources.mutedSpots != muted
      }
      guard isChanged else { return }
      session.replace(settings: inForce.withLock { $0.watcherSettings })
      report(.updated(.mutedSpots(count: muted.count)))
    } catch {
      let isNew = badMuteList.withLock { bad in
        defer { bad = error }
        return bad != error
      }
      if isNew { report(.outdated(.mutedSpots(count: nil), error)) }
    }
  }

  private func takeIndex() {
    let (cache, radius) = inForce.withLock { sources in
      sources.stamp = sources.cache?.stamp()
      return (sources.cache, sources.rules.clusterRadiusMeters)
    }
    guard let cache else { return session.fetchRegionsAgain() }
    do throws(PhotoIndexCacheError) {
      guard let opened = try cache.open(clusterRadius: radius) else {
        return report(.indexGone(cache.path))
      }
      let spots = SpotIndex(opened.index, clusterRadius: radius)
      inForce.withLock { $0.index = opened.index }
      take(spots)
      defer { FreedMemory.returnToSystem() }
      report(.updated(.index(spotCount: spots.spots.count)))
    } catch {
      report(.outdated(.index(spotCount: nil), error))
    }
  }
}
