import PhotoSpots

/// Indexes a folder and returns the photos of the spots within 100 m of a position.
func photos(near here: Coordinate, in folder: FilePath) throws -> [PhotoLocation] {
  let now = SystemClock().now()
  let (photos, _) = try PhotoIndexer().update(PhotoIndex(), with: [folder], now: now)
  let spots = SpotIndex(photos, clusterRadius: 15)
  return spots.spots(within: 100, of: here).flatMap { neighbor in
    neighbor.spot.members.map { photos.photo(at: Int($0)) }
  }
}
