public import PhotoLibrary
public import Spatial
import SpotWatcher

/// The spots around a position.
public struct NearbySpots: Sendable {
  /// The number of spots within the proximity radius, or within their own alert radius if they have
  /// one.
  public let count: Int
  /// The nearest spot, at any distance; `nil` where there are no spots.
  public let nearest: SpotIndex.Neighbor?
}

extension WatchSession {
  /// Returns the spots around a position, by the current index and radius.
  ///
  /// May be called from any thread; it delays the processing of fixes only for copying a reference.
  /// There are none if the spots are in a store that cannot be reached.
  public func spots(near position: Coordinate) -> NearbySpots {
    let radius = settings.proximityRadiusMeters
    let reach = max(radius, store.places.alertRadiusMeters(near: position)) + 1
    let fetch = RegionFetch(around: position, radiusMeters: reach)
    let spots = (try? store.sessionLane.regions(fetch).spots) ?? SpotIndex(spots: [])
    return Self.nearby(spots, radius, position, nearest: try? store.nearest(position))
  }

  private static func nearby(
    _ spots: SpotIndex, _ radius: Double, _ position: Coordinate, nearest: SpotIndex.Neighbor?
  ) -> NearbySpots {
    var count = 0
    for place in spots.places(within: radius, of: position)
    where spots.alertRadius(ofPlace: place.index) == nil { count += 1 }
    spots.forEachPlace(alertingWithin: 1, of: position) { index, _, radiusMeters in
      let distance = spots.spots[index].coordinate.distance(to: position)
      if distance <= radiusMeters { count += 1 }
    }
    return NearbySpots(count: count, nearest: nearest)
  }
}
