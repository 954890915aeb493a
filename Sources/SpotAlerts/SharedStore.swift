package import PhotoLibrary
package import Spatial
package import SpotWatcher
import Synchronization

/// The access of a watch to a library and a journal that several processes share.
///
/// Each lane has its own connection to both, and is used by one thread at a time.
package struct SharedStore: Sendable {
  /// Fetches the spots around a device, joined with the user's places, and those of the visits.
  package typealias Regions = @Sendable (RegionFetch) throws -> FetchedRegion

  /// The journal and the spots of one lane.
  package struct Lane: Sendable {
    /// The journal; `nil` stores nothing.
    package let journal: (any AlertJournal)?
    /// Fetches the spots around a device.
    package let regions: Regions
    /// Returns whether the last attempt to use the store succeeded; true before the first one.
    package let isReachable: @Sendable () -> Bool

    /// Creates a lane.
    package init(
      journal: (any AlertJournal)?, isReachable: @escaping @Sendable () -> Bool = { true },
      regions: @escaping Regions
    ) {
      self.journal = journal
      self.isReachable = isReachable
      self.regions = regions
    }
  }

  /// The current places of the user, which are joined with fetched spots.
  package final class Places: Sendable {
    private let inForce: Mutex<[OwnPlace]>

    /// The distance in metres, in addition to its alert radius, beyond which a place cannot affect
    /// a fix decided with the current region: more than the longest leg (1 km), the surroundings
    /// (51 m) and the region's slack (300 m) together.
    package static let nearMeters = 2000.0

    /// Creates places.
    package init(_ places: [OwnPlace] = []) { inForce = Mutex(places) }

    /// The places.
    package var all: [OwnPlace] { inForce.withLock { $0 } }

    func take(_ places: [OwnPlace]) { inForce.withLock { $0 = places } }

    /// Returns the greatest alert radius in metres of the places near a position that have their
    /// own; 0 if there are none. A place is near if the position is at most ``nearMeters`` beyond
    /// its alert radius.
    ///
    /// - Complexity: O(*n*) for *n* places.
    func alertRadiusMeters(near position: Coordinate) -> Double {
      inForce.withLock { places in
        places.lazy.compactMap { place in
          place.alertRadiusMeters.flatMap {
            place.coordinate.distance(to: position) <= $0 + Self.nearMeters ? $0 : nil
          }
        }.max() ?? 0
      }
    }
  }

  /// The lanes, at least one.
  package let lanes: [Lane]
  /// The lane for deliveries, digests and queries that concern no device.
  package let sessionLane: Lane
  /// The user's places.
  package let places: Places
  /// Returns the spot nearest to a position; `nil` if the library has none.
  package let nearest: @Sendable (Coordinate) throws -> SpotIndex.Neighbor?

  /// Creates a store.
  package init(
    lanes: [Lane], sessionLane: Lane, places: Places = Places(),
    nearest: @escaping @Sendable (Coordinate) throws -> SpotIndex.Neighbor?
  ) {
    precondition(!lanes.isEmpty)
    self.lanes = lanes
    self.sessionLane = sessionLane
    self.places = places
    self.nearest = nearest
  }
}
