package import PhotoLibrary

extension SpotSource {
  /// Fetches the spots of a query: at least those within its radius, and the spots of its visits
  /// or, where a spot is gone, the spots within the cluster radius of its centre.
  ///
  /// - Parameters:
  ///   - fetch: The query.
  ///   - radiusMeters: The cluster radius, within which the user's places are pinned to spots.
  /// - Returns: The spots.
  /// - Throws: The error of the source.
  package func region(
    of fetch: RegionFetch, clusterRadius radiusMeters: Double
  ) throws -> FetchedRegion {
    let near = try region(within: fetch.radiusMeters, of: fetch.center)
    var far: [String: PhotoSpot] = [:]
    for visit in fetch.visits where near.place(ofID: visit.spotID) == nil {
      for found in try spots(within: radiusMeters, of: visit.center)
      where near.place(ofID: found.spot.id) == nil {
        far[found.spot.id] = found.spot
      }
    }
    let reach = fetch.radiusMeters
    guard !far.isEmpty else { return FetchedRegion(spots: near, reachMeters: reach) }
    // The spots of distant visits are joined only with the places pinned to them, which are known
    // from the fetched spots.
    let all = Array(near.spots) + far.values
    let joined = SpotIndex(
      spots: Array(near.withoutPlaces.spots) + far.values.filter { !$0.isOwnPlace }
    ).joined(with: all.compactMap(\.place), clusterRadius: radiusMeters)
    return FetchedRegion(spots: joined, reachMeters: reach)
  }
}
