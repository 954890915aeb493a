package import PhotoLibrary
package import SpotWatcher

extension SpotSource {
  /// Fetches the spots of a query: at least those within its radius, and those within the cluster
  /// radius of its visits wherever they lie.
  ///
  /// - Parameters:
  ///   - fetch: The query.
  ///   - radiusMeters: The cluster radius, by which places of one's own are pinned.
  /// - Returns: An index of the spots.
  /// - Throws: What the source throws.
  package func region(
    of fetch: RegionFetch, clusterRadius radiusMeters: Double
  ) throws -> SpotIndex {
    let near = try region(within: fetch.radiusMeters, of: fetch.center)
    var far: [String: PhotoSpot] = [:]
    for visit in fetch.visits where near.place(ofID: visit.spotID) == nil {
      for found in try spots(within: radiusMeters, of: visit.center)
      where near.place(ofID: found.spot.id) == nil {
        far[found.spot.id] = found.spot
      }
    }
    guard !far.isEmpty else { return near }
    // What is far away is joined with its own places alone: which spot a place is pinned to is
    // known of all of them.
    let all = Array(near.spots) + far.values
    return SpotIndex(spots: Array(near.withoutPlaces.spots) + far.values.filter { !$0.isOwnPlace })
      .joined(with: all.compactMap(\.place), clusterRadius: radiusMeters)
  }
}
