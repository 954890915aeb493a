public import PhotoLibrary
public import Spatial

/// The spots around a position.
public struct NearbySpots: Sendable {
  /// The number of spots within the radius of alerts, or that of their own where they have one.
  public let count: Int
  /// The nearest spot, be it within the radius or not; `nil` where there are no spots.
  public let nearest: SpotIndex.Neighbor?
}

extension WatchSession {
  /// The spots around a position, by the index and the radius in force.
  ///
  /// Any thread may ask; the fixes wait no longer than it takes to copy a reference.
  public func spots(near position: Coordinate) -> NearbySpots {
    guard store == nil else { return nearbyShared(position) }
    let (spots, radius) = spotsInForce
    return Self.nearby(spots, radius, position, nearest: spots.nearest(1, to: position).first)
  }

  static func nearby(
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
