import Dispatch
import PhotoLibrary
import SpotAlerts
import SpotWatcher
import Storage
import Synchronization

/// Takes what changes on the disk into a running watch: a new index, the places of one's own and
/// the list of muted spots as soon as that is noticed, and when asked these at once and the
/// settings.
///
/// It happens beside the feed, on a queue of its own, so that no fix waits for it. What cannot be
/// used is told of once, and what was before stays in force.
final class WatchUpdates: Sendable {
  /// How often the files are looked at, which are a few calls of the system.
  private static let interval = DispatchTimeInterval.seconds(2)

  private let queue = DispatchQueue(label: "photospots.updates", qos: .utility)
  private let inForce: Mutex<WatchSources>
  /// The list of muted spots that cannot be used, so that it is told of once.
  private let badMuteList = Mutex<MuteListError?>(nil)
  private let session: WatchSession
  private let report: @Sendable (WatchEvent) -> Void

  /// Creates the updates of a session that was made from the sources.
  init(
    of sources: WatchSources, for session: WatchSession,
    report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    inForce = Mutex(sources)
    self.session = session
    self.report = report
  }

  /// Looks at the files while something else is done; an index that is just being loaded at its end
  /// is still taken.
  func looking<Value>(during body: () throws -> Value) rethrows -> Value {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(500))
    timer.setEventHandler { [self] in look() }
    timer.activate()
    defer {
      timer.cancel()
      queue.sync {}
    }
    return try body()
  }

  /// Takes everything anew, beside the feed.
  func readAgain() {
    queue.async { [weak self] in self?.takeEverything() }
  }

  /// Takes what has changed.
  private func look() {
    // A mapped file that was cut off holds zeros where it held spots.
    let isReplaced = inForce.withLock { sources in
      sources.index?.isCutOff == true || sources.stamp != sources.cache.stamp()
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

  /// Takes the places of one's own, where they are others.
  private func takePlaces() {
    do {
      guard try inForce.withLock({ try $0.takePlaces() }) else { return }
      take(inForce.withLock { $0.spots })
      report(.updated(.places(count: inForce.withLock { $0.ownPlaces.count })))
    } catch { report(.outdated(.places(count: nil), error)) }
  }

  /// Takes spots into the session, together with the places in force.
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
      sources.stamp = sources.cache.stamp()
      return (sources.cache, sources.rules.clusterRadiusMeters)
    }
    do throws(PhotoIndexCacheError) {
      guard let opened = try cache.open(clusterRadius: radius) else {
        return report(.indexGone(cache.path))
      }
      let spots = SpotIndex(opened.index, clusterRadius: radius)
      inForce.withLock { $0.index = opened.index }
      take(spots)
      defer { FreedMemory.giveBack() }
      report(.updated(.index(spotCount: spots.spots.count)))
    } catch {
      report(.outdated(.index(spotCount: nil), error))
    }
  }
}
