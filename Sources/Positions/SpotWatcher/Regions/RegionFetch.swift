package import PhotoLibrary
package import Spatial

/// A query for the spots around a device.
package struct RegionFetch: Hashable, Sendable {
  /// The position of the device.
  package let center: Coordinate
  /// The distance in metres within which all spots are needed to decide the fix.
  package let neededMeters: Double
  /// The distance in metres within which spots are fetched; at least ``neededMeters``.
  package let radiusMeters: Double
  /// A spot that the device is at.
  package struct Visit: Hashable, Sendable {
    /// The spot's id.
    package let spotID: String
    /// The spot's centre when it was entered.
    package let center: Coordinate
  }

  /// The visits of the device. Their spots are fetched regardless of distance; for a spot that is
  /// gone, the spots within the cluster radius of its centre.
  package let visits: [Visit]
  /// Whether the fix cannot be decided before the fetch; if false, the device's region covers the
  /// fix but is due for renewal.
  package let isNeeded: Bool

  /// The distance in metres within which spots are kept, however many there are: between the two
  /// other distances.
  package let leastMeters: Double

  init(
    center: Coordinate, neededMeters: Double, leastMeters: Double, radiusMeters: Double,
    visits: [Visit], isNeeded: Bool
  ) {
    self.center = center
    self.leastMeters = leastMeters
    self.neededMeters = neededMeters
    self.radiusMeters = radiusMeters
    self.visits = visits
    self.isNeeded = isNeeded
  }

  /// Creates a query for the spots around a position, without visits.
  package init(around center: Coordinate, radiusMeters: Double) {
    self.init(
      center: center, neededMeters: radiusMeters, leastMeters: radiusMeters,
      radiusMeters: radiusMeters, visits: [], isNeeded: true)
  }

  /// Returns the distance within which spots are kept, so that there are not too many of them.
  ///
  /// - Parameter distances: The distances of the spots from the centre, in any order.
  /// - Returns: The distance in metres.
  package func reachMeters(ofSpotsAt distances: [Double]) -> Double {
    let count = LocationWatcher.regionSpotCount
    guard distances.count > count else { return radiusMeters }
    // The spot at the limit itself may be one of several at that distance.
    let limit = distances.sorted()[count].nextDown
    return min(max(leastMeters, limit), radiusMeters)
  }
}

/// The spots of a query.
package struct FetchedRegion: Sendable {
  /// The spots, and those of the visits.
  package let spots: SpotIndex
  /// The distance in metres from the query's centre within which all spots are there; at least
  /// ``RegionFetch/leastMeters``.
  package let reachMeters: Double

  /// Creates a region.
  package init(spots: SpotIndex, reachMeters: Double) {
    self.spots = spots
    self.reachMeters = reachMeters
  }
}
