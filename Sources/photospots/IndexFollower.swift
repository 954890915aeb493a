import Dispatch
import PhotoLibrary
import SpotAlerts
import Synchronization
import SystemPackage

/// Takes each new index into a running watch: one that was written, as soon as it is noticed, and at once on
/// SIGHUP.
///
/// It is loaded beside the feed, on a queue of its own, so that no fix waits for it. An index that cannot be
/// used is told of once, and the spots from before stay.
final class IndexFollower {
  /// How often the file is looked at, which is one call of the system.
  private static let interval = DispatchTimeInterval.seconds(2)

  private let queue = DispatchQueue(label: "photospots.index", qos: .utility)
  private let timer: any DispatchSourceTimer
  private let hangups: any DispatchSourceRead

  /// Begins to follow.
  ///
  /// - Parameters:
  ///   - cache: The index file.
  ///   - stamp: That of the index in force.
  ///   - clusterRadiusMeters: How far a spot reaches.
  ///   - session: The watch.
  /// - Throws: An `Errno` where there are no more descriptors.
  init(
    cache: PhotoIndexCache, from stamp: PhotoIndexCache.Stamp?, clusterRadiusMeters: Double,
    session: WatchSession
  ) throws {
    let hangup = try Hangup.observe()
    timer = DispatchSource.makeTimerSource(queue: queue)
    hangups = DispatchSource.makeReadSource(fileDescriptor: hangup.rawValue, queue: queue)
    let loading = IndexLoading(
      cache: cache, seen: stamp, clusterRadiusMeters: clusterRadiusMeters, session: session)
    timer.schedule(
      deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(500))
    timer.setEventHandler { loading.loadIfReplaced() }
    hangups.setEventHandler {
      Hangup.take(from: hangup)
      loading.load()
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

/// The loading of one index after another.
private final class IndexLoading: Sendable {
  private let cache: PhotoIndexCache
  /// That of the last index that was tried.
  private let seen: Mutex<PhotoIndexCache.Stamp?>
  private let clusterRadiusMeters: Double
  private let session: WatchSession

  init(
    cache: PhotoIndexCache, seen: PhotoIndexCache.Stamp?, clusterRadiusMeters: Double,
    session: WatchSession
  ) {
    self.cache = cache
    self.seen = Mutex(seen)
    self.clusterRadiusMeters = clusterRadiusMeters
    self.session = session
  }

  func loadIfReplaced() {
    let stamp = cache.stamp()
    if seen.withLock({ $0 != stamp }) { load() }
  }

  func load() {
    // Before it is read: one that is written meanwhile has another stamp.
    let stamp = cache.stamp()
    seen.withLock { $0 = stamp }
    do throws(PhotoIndexCacheError) {
      guard let index = try cache.load() else {
        StandardError.writeLine(
          "photospots: the index \(cache.path.escaped) is gone; the spots of before stay in force")
        return
      }
      let list = index.spots(clusterRadius: clusterRadiusMeters)
      let spots = SpotIndex(spots: list)
      session.replace(spots: spots, pasts: SpotPasts(of: list, in: index))
      StandardError.writeLine(
        "photospots: took a new index, of \(Self.count(spots.spots.count, "spot"))")
    } catch {
      StandardError.writeLine("photospots: \(error) The spots of before stay in force.")
    }
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
