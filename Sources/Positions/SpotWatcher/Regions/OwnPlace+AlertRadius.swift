import PhotoLibrary
package import Spatial

extension [OwnPlace] {
  /// The distance in metres, in addition to its exit distance, beyond which a place cannot affect a
  /// fix decided with the current region: more than the greatest deviation of the estimate (1 km),
  /// the region's slack (300 m) and the extent of a viewpoint together.
  private static var nearMeters: Double { 2000 }

  /// Returns the greatest alert radius in metres of the places near a position that have their own;
  /// 0 if there are none. A place is near if the position is at most 2 km beyond its exit
  /// distance.
  ///
  /// - Complexity: O(*n*) for *n* places.
  package func alertRadiusMeters(near position: Coordinate) -> Double {
    lazy.compactMap { place in
      place.alertRadiusMeters.flatMap {
        place.coordinate.distance(to: position)
          <= WatcherSettings.exitDistanceMeters(radius: $0) + Self.nearMeters ? $0 : nil
      }
    }.max() ?? 0
  }
}
