import PhotoLibrary
import Spatial
import SpotMap

extension SpotAnswer {
  /// Returns the spots nearest to a position, where a spot with a pinned place is also at that
  /// place's own position, nearest first, then by id.
  ///
  /// A place may be pinned to a spot whose centre is far from it. People look for it where they put
  /// it, as `near` finds it.
  ///
  /// - Parameters:
  ///   - count: The maximum number of spots.
  ///   - center: The position to search around.
  ///   - radiusMeters: The maximum distance of a spot; `nil` for any distance.
  /// - Returns: At most `count` neighbours, each spot once with the lesser of its distances, and
  ///   the total number of spots within the radius.
  func nearest(
    _ count: Int, orPinsTo center: Coordinate, within radiusMeters: Double?
  ) -> (neighbors: [SpatialIndex.Neighbor], total: Int) {
    let found = mapped.nearest(count, to: center, within: radiusMeters)
    // A pin that is farther away than the last of `count` spots is not among the nearest.
    let last = found.neighbors.count == count ? found.neighbors.last?.distanceMeters : nil
    let pinned = places.spots.spots(
      withPinsWithin: radiusMeters ?? last ?? .infinity, of: center
    ).compactMap { found -> SpatialIndex.Neighbor? in
      guard let place = library.spots.place(ofID: found.spot.id), mapped.contains(place: place)
      else { return nil }
      return SpatialIndex.Neighbor(index: place, distanceMeters: found.distanceMeters)
    }
    guard !pinned.isEmpty else { return found }
    var known: Set<Int> = []
    let merged = (found.neighbors + pinned)
      // Indices are in the order of ids.
      .sorted { ($0.distanceMeters, $0.index) < ($1.distanceMeters, $1.index) }
      .filter { known.insert($0.index).inserted }
    let added =
      radiusMeters.map { radius in
        pinned.count { center.distance(to: library.spots.spots[$0.index].coordinate) > radius }
      } ?? 0
    return (Array(merged.prefix(count)), found.total + added)
  }

  /// Returns the way from a position to a spot, or to the place that is pinned to it if that is
  /// nearer.
  func approach(from center: Coordinate, to found: SpatialIndex.Neighbor) -> Approach {
    let spot = library.spots.spots[found.index].coordinate
    let pin = places.place(pinnedToSpotAt: found.index)?.coordinate
    let target = [spot, pin].compactMap(\.self)
      .min { center.distance(to: $0) < center.distance(to: $1) }
    return Approach(
      distanceMeters: found.distanceMeters, bearingDegrees: center.bearing(to: target ?? spot))
  }
}
