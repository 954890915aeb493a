import Dispatch
import PhotoLibrary
import SpotAlerts
import SpotWatcher
import Storage
import Synchronization
import SystemPackage

/// Takes what changes on the disk into a running watch: a new index and the list of muted spots as
/// soon as that is noticed, and on SIGHUP these at once and the settings.
///
/// It happens beside the feed, on a queue of its own, so that no fix waits for it. What cannot be
/// used is told of once, and what was before stays in force.
final class WatchUpdates {
  /// How often the files are looked at, which are a few calls of the system.
  private static let interval = DispatchTimeInterval.seconds(2)

  private let queue = DispatchQueue(label: "photospots.updates", qos: .utility)
  private let timer: any DispatchSourceTimer
  private let hangups: any DispatchSourceRead

  /// Begins to look.
  ///
  /// - Parameters:
  ///   - sources: What the session was made from.
  ///   - session: The watch.
  /// - Throws: An `Errno` where there are no more descriptors.
  init(of sources: WatchSources, for session: WatchSession) throws {
    let hangup = try Hangup.observe()
    timer = DispatchSource.makeTimerSource(queue: queue)
    hangups = DispatchSource.makeReadSource(fileDescriptor: hangup.rawValue, queue: queue)
    let updating = Updating(sources, session)
    timer.schedule(
      deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(500))
    timer.setEventHandler { updating.look() }
    hangups.setEventHandler {
      Hangup.take(from: hangup)
      updating.readAgain()
    }
    timer.activate()
    hangups.activate()
  }

  /// Ends it; an index that is just being loaded is still taken.
  func stop() {
    timer.cancel()
    hangups.cancel()
    queue.sync {}
  }
}

/// What a watch is made from, and how that is read again.
struct WatchSources: Sendable {
  let cache: PhotoIndexCache
  /// That of the index in force, taken before it was loaded: one that is written meanwhile has
  /// another.
  var stamp: PhotoIndexCache.Stamp?
  /// The index whose spots are in force.
  var index: PhotoIndex?
  let muteList: MuteList
  var mutedSpots: [MutedSpot]
  var settings: Settings
  /// What they say of the rules, checked.
  var rules: WatcherSettings
  /// Reads the settings, with the flags that the program was started with.
  let readSettings: @Sendable () throws -> Settings

  /// What the watcher decides by.
  var watcherSettings: WatcherSettings {
    var watcher = rules
    watcher.mutedSpots = mutedSpots
    return watcher
  }
}

/// The taking of one change after another.
private final class Updating: Sendable {
  private let inForce: Mutex<WatchSources>
  /// The list of muted spots that cannot be used, so that it is told of once.
  private let badMuteList = Mutex<MuteListError?>(nil)
  private let session: WatchSession

  init(_ sources: WatchSources, _ session: WatchSession) {
    inForce = Mutex(sources)
    self.session = session
  }

  /// Takes what has changed.
  func look() {
    // A mapped file that was cut off holds zeros where it held spots.
    let isReplaced = inForce.withLock { sources in
      sources.index?.isCutOff == true || sources.stamp != sources.cache.stamp()
    }
    if isReplaced { loadIndex() }
    loadMutedSpots()
  }

  /// Takes everything anew.
  func readAgain() {
    do {
      let settings = try inForce.withLock { $0.readSettings }()
      let rules = try settings.watcher
      inForce.withLock { ($0.settings, $0.rules) = (settings, rules) }
      StandardError.note("took the settings anew")
    } catch {
      StandardError.writeLine("photospots: \(error). The settings of before stay in force.")
    }
    session.replace(settings: inForce.withLock { $0.watcherSettings })
    loadMutedSpots()
    loadIndex()
  }

  private func loadMutedSpots() {
    do throws(MuteListError) {
      let muted = try inForce.withLock { $0.muteList }.load()
      badMuteList.withLock { $0 = nil }
      let isChanged = inForce.withLock { sources in
        defer { sources.mutedSpots = muted }
        return sources.mutedSpots != muted
      }
      guard isChanged else { return }
      session.replace(settings: inForce.withLock { $0.watcherSettings })
      StandardError.note("took the muted spots, \(muted.count) of them")
    } catch {
      let isNew = badMuteList.withLock { bad in
        defer { bad = error }
        return bad != error
      }
      if isNew { StandardError.writeLine("photospots: \(error)") }
    }
  }

  private func loadIndex() {
    let (cache, radius) = inForce.withLock { sources in
      sources.stamp = sources.cache.stamp()
      return (sources.cache, sources.rules.clusterRadiusMeters)
    }
    do throws(PhotoIndexCacheError) {
      guard let opened = try cache.open(clusterRadius: radius) else {
        StandardError.writeLine(
          "photospots: the index \(cache.path.escaped) is gone; the spots of before stay in force")
        return
      }
      let spots = SpotIndex(opened.index, clusterRadius: radius)
      session.replace(spots: spots, pasts: SpotPasts(of: spots))
      inForce.withLock { $0.index = opened.index }
      defer { FreedMemory.giveBack() }
      let count = spots.spots.count
      StandardError.note("took a new index, of \(count) \(count == 1 ? "spot" : "spots")")
    } catch {
      StandardError.writeLine("photospots: \(error) The spots of before stay in force.")
    }
  }
}
