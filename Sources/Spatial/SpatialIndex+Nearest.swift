extension SpatialIndex {
  /// Returns the nearest positions to a place, nearest first.
  ///
  /// Positions at the same distance are in the order of the array that the index was made from, and
  /// where not all of them fit, the earlier ones are returned.
  ///
  /// - Parameters:
  ///   - count: How many to return at most.
  ///   - center: The place to search around.
  /// - Returns: As many as asked for, or all where there are fewer; none for a count below one.
  /// - Complexity: O(log *n* + *count* log *count*) for *n* positions, as they mostly lie.
  public func nearest(_ count: Int, to center: Coordinate) -> [Neighbor] {
    let count = min(count, self.count)
    guard count > 0 else { return [] }
    guard count <= NearestSearch.most else { return nearestOfCircles(count, center) }
    return withExtendedLifetime(owner) {
      NearestSearch.nearest(count, to: center, in: view)
    }
  }

  /// Many are searched in circles of doubling radius until one holds enough.
  private func nearestOfCircles(_ count: Int, _ center: Coordinate) -> [Neighbor] {
    // What lies within the greatest distance of all is everything there is.
    let greatestMeters = Earth.greatestDistanceMeters + 1
    var radiusMeters = nearest(NearestSearch.most, to: center).last?.distanceMeters ?? 0
    while true {
      radiusMeters = min(max(radiusMeters * 2, 1), greatestMeters)
      let found = neighbors(within: radiusMeters, of: center)
      if found.count >= count || radiusMeters == greatestMeters {
        return Array(found.prefix(count))
      }
    }
  }
}
