package import PhotoLibrary
package import Spatial
package import SpotWatcher
import Synchronization

/// A library and a journal that several processes share, as far as a watch needs them.
///
/// A lane has a connection of its own for both, and is used by one thread at a time.
package struct SharedStore: Sendable {
  /// Fetches the spots around a device, with places of one's own: at least those within
  /// ``RegionFetch/radiusMeters`` and those of the visits.
  package typealias Regions = @Sendable (RegionFetch) throws -> SpotIndex

  /// What one lane decides with.
  package struct Lane: Sendable {
    /// The journal; `nil` remembers nothing.
    package let journal: (any AlertJournal)?
    /// The spots.
    package let regions: Regions
    /// Whether the last attempt to use the store succeeded; true before the first one.
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

  /// The places of one's own in force, which are joined with the spots that are fetched.
  package final class Places: Sendable {
    private let inForce: Mutex<[OwnPlace]>

    /// A place of one's own that is farther from a device than this and its radius matters to no
    /// fix for which the same spots are held: the longest leg, what is around it, and the slack.
    package static let nearMeters = 2000.0

    /// Creates places.
    package init(_ places: [OwnPlace] = []) { inForce = Mutex(places) }

    /// The places.
    package var all: [OwnPlace] { inForce.withLock { $0 } }

    func take(_ places: [OwnPlace]) { inForce.withLock { $0 = places } }

    /// The greatest alert radius of their own that places near a position have, in metres: of
    /// those within that radius and ``nearMeters``.
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
  /// The lane for deliveries, digests and questions.
  package let office: Lane
  /// The places of one's own.
  package let places: Places
  /// The spot nearest to a position; `nil` where there is none.
  package let nearest: @Sendable (Coordinate) throws -> SpotIndex.Neighbor?

  /// Creates a store.
  package init(
    lanes: [Lane], office: Lane, places: Places = Places(),
    nearest: @escaping @Sendable (Coordinate) throws -> SpotIndex.Neighbor?
  ) {
    precondition(!lanes.isEmpty)
    self.lanes = lanes
    self.office = office
    self.places = places
    self.nearest = nearest
  }
}
