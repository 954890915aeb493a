extension SpatialIndex {
  /// Returns the nearest positions to a given position, nearest first.
  ///
  /// Positions at the same distance are in the order of the array that the index was created from.
  /// If not all of them fit, the earlier ones are returned.
  ///
  /// - Parameters:
  ///   - count: The maximum number of results.
  ///   - center: The position to search around.
  /// - Returns: The requested number of positions, or all if there are fewer; none for a count
  ///   below one.
  /// - Complexity: O(log *n* + *count* log *count*) for *n* positions in a typical distribution.
  public func nearest(_ count: Int, to center: Coordinate) -> [Neighbor] {
    let count = min(count, self.count)
    guard count > 0 else { return [] }
    guard count <= NearestSearch.maximumCount else { return nearestOfCircles(count, center) }
    return withExtendedLifetime(owner) {
      NearestSearch.nearest(count, to: center, in: view)
    }
  }

  /// Searches for many positions in circles of doubling radius until one contains enough.
  private func nearestOfCircles(_ count: Int, _ center: Coordinate) -> [Neighbor] {
    // A circle with the greatest distance on Earth contains all positions.
    let greatestMeters = Earth.greatestDistanceMeters + 1
    var radiusMeters = nearest(NearestSearch.maximumCount, to: center).last?.distanceMeters ?? 0
    while true {
      radiusMeters = min(max(radiusMeters * 2, 1), greatestMeters)
      let found = neighbors(within: radiusMeters, of: center)
      if found.count >= count || radiusMeters == greatestMeters {
        return Array(found.prefix(count))
      }
    }
  }
}
