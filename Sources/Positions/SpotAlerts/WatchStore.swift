import CivilTime
package import PhotoLibrary
package import Spatial
package import SpotWatcher
import Synchronization

/// The spots and the journal of a watch.
///
/// A library in a file has one lane, whose region has no edge. A store that several processes share
/// has many: each lane has its own connection, and is used by one thread at a time.
package struct WatchStore: Sendable {
  /// Fetches the spots around a device, joined with the user's places, and those of the visits; or
  /// all spots of a library without edge.
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

    /// Creates places.
    package init(_ places: [OwnPlace] = []) { inForce = Mutex(places) }

    /// The places.
    package var all: [OwnPlace] { inForce.withLock { $0 } }

    func take(_ places: [OwnPlace]) { inForce.withLock { $0 = places } }

    /// Returns the greatest alert radius in metres of the places near a position that have their
    /// own.
    ///
    /// - Complexity: O(*n*) for *n* places.
    func alertRadiusMeters(near position: Coordinate) -> Double {
      all.alertRadiusMeters(near: position)
    }
  }

  /// The contents of a journal that is read as a whole when it is opened. Of other journals, the
  /// records of a device are read when the session receives its first fix.
  package struct Restored: Sendable {
    /// The state with which the watcher continues.
    var state = WatcherState(keepsEvicted: false)
    /// The pending deliveries, oldest first.
    var pending: [PendingDelivery] = []
    /// The ends of the digests.
    var digestEnds: [Instant] = []

    /// Creates the contents of a journal that was not read.
    package static let nothing = Restored()
  }

  /// The lanes, at least one.
  package let lanes: [Lane]
  /// The lane for deliveries, digests and queries that concern no device.
  package let sessionLane: Lane
  /// The user's places, except those that are among all spots.
  package let places: Places
  /// Returns the spot nearest to a position; `nil` if the library has none.
  package let nearest: @Sendable (Coordinate) throws -> SpotIndex.Neighbor?
  /// The library.
  let library: any WatchedSpots

  /// Creates a store of which only the spots around devices are in memory.
  package init(
    lanes: [Lane], sessionLane: Lane, places: Places = Places(),
    nearest: @escaping @Sendable (Coordinate) throws -> SpotIndex.Neighbor?
  ) {
    precondition(!lanes.isEmpty)
    self.lanes = lanes
    self.sessionLane = sessionLane
    self.places = places
    self.nearest = nearest
    library = FetchedLibrary()
  }

  /// Creates the store of a library in a file and a journal that only this process writes.
  init(_ library: WholeLibrary, _ journal: (any AlertJournal)?) {
    let lane = Lane(journal: journal) { _ in
      FetchedRegion(spots: library.spots, reachMeters: .infinity)
    }
    lanes = [lane]
    sessionLane = lane
    places = Places()
    nearest = { library.spots.nearest(1, to: $0).first }
    self.library = library
  }
}
