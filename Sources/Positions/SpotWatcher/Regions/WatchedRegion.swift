import CivilTime
import PhotoLibrary
import Spatial

/// Spots that a watcher holds, and the area that they cover: those fetched around one device or,
/// without an edge, all spots for all devices.
struct WatchedRegion: Sendable {
  /// The spots; empty while the rules hold them, see ``LocationWatcher/useRegion(_:)``.
  var spots = SpotIndex(spots: [])
  /// The number of the spots, also while the rules hold them.
  var spotCount = 0
  /// The cached spots around the devices. Several devices may share an entry, which costs time if
  /// they are far apart. The number of entries is a power of two.
  var surroundings = [Surroundings()]
  /// The centre of the circle whose spots are all in `spots`; `nil` where there is none.
  var center: Coordinate?
  /// The radius of that circle in metres; infinite without an edge.
  var reachMeters = 0.0
  /// The greatest alert radius in metres of the places near the circle that have their own.
  var ownRadiusMeters = 0.0
  /// The time at which the spots were fetched, by the machine's clock.
  var fetched = Instant(millisecondsSince1970: .min)
  /// The distance in metres by which the next circle exceeds the needed radius.
  var slackMeters = LocationWatcher.maximumRegionSlackMeters

  /// A region of all devices, without spots.
  static var withoutEdge: WatchedRegion {
    var region = WatchedRegion()
    region.reachMeters = .infinity
    region.surroundings = Array(repeating: Surroundings(), count: sharedSurroundingsCount)
    return region
  }

  private static let sharedSurroundingsCount = 64

  /// Whether the region ends somewhere, so that it belongs to one device and is fetched again when
  /// the device leaves it.
  var hasEdge: Bool { reachMeters < .infinity }

  /// Returns the index of a device's cached spots.
  func cacheEntry(of slot: Int) -> Int { slot & (surroundings.count - 1) }

  /// Empties the caches, since the spots or the radius have changed.
  mutating func forgetSurroundings() {
    for entry in surroundings.indices { surroundings[entry] = Surroundings() }
  }
}
